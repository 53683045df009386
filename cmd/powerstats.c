/* SPDX-License-Identifier: MIT
 * powerstats - what did it draw, hold and cost?
 *
 * Reads tables of power or VRAM readings over time and prints a row for each device; of traces a
 * row for each sensor; with --trace or --by the energy of kernel classes, steps, regions or
 * operators.  Exit 0, or 2 when something could not be read or there is nothing to show. */
#include "cli/cli.h"

static struct power_own own = POWER_OWN;

static void options(const struct tool_command *cmd, struct option *out)
{
	(void)cmd;
	tm_power_options(&own, out);
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	(void)cmd;
	return nth <= TM_POWER_WHATS + 4 ? tm_power_columns((unsigned)nth) : NULL;
}

static bool ready(struct common *c, const struct tool_command *cmd, const struct tm_column **shown,
                  struct tm_diag *d)
{
	(void)cmd;
	(void)d;
	*shown = tm_power_columns(own.trace.n || own.by
	                                  ? TM_POWER_WHATS + (tm_power_by(&own) ? 2 : 1)
	                          : own.chart          ? TM_POWER_WHATS + 4
	                          : tm_power_all(&own) ? TM_POWER_WHATS + 3
	                          : own.what_given     ? own.what + 1
	                                               : 0);
	c->in.window = own.window;
	return true;
}

static int run(struct common *c, const struct tool_command *cmd)
{
	(void)cmd;
	return tm_power_run(c, &own);
}

int main(int argc, char **argv)
{
	static const struct tool tool = {
		.name = "powerstats",
		.self = { .usage = "powerstats [options] [FILE|DIR|NODE=FILE|-]...",
		          .about = "Show power, energy, clocks and use of GPUs from sensors in "
		                   "traces and from tables of readings.",
		          .examples = "powerstats gpu_info_power_profiler_output.csv\n"
		                      "powerstats --by step trace.proto\n"
		                      "powerstats --trace run.pftrace power.csv\n",
		          .in = IN_POWERSTATS },
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\nnothing to show.\n"
		           "See powerstats(1).\n",
		.options = options,
		.columns = columns,
		.ready = ready,
		.run = run,
	};
	int status = tm_tool_main(&tool, argc, argv);

	tm_option_list_fini(&own.trace);
	return status;
}
