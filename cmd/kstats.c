/* SPDX-License-Identifier: MIT
 * kstats - where did the time go?
 *
 * Reads any trace or statistics file of tracemill-formats(5) and prints a table.  A sub-command is
 * a metric (libanalyze/metric) and the options only it has.  Exit 0, or 2 when something could not
 * be read or there is nothing to show. */
#include "cli/cli.h"

static struct stats_own own = STATS_OWN;
static const char *view;

static void options(const struct tool_command *cmd, struct option *out)
{
	stats_options(&own, cmd->arg, out);
}

static void adapt(const struct tool_command *cmd, struct option *common)
{
	stats_adapt(cmd->arg, common);
}

static const struct column *columns(const struct tool_command *cmd, size_t nth)
{
	const struct metric *m = cmd->arg;

	return m && nth < STATS_VIEWS ? m->views[nth].columns : NULL;
}

static bool ready(struct common *c, const struct tool_command *cmd, const struct column **shown,
                  struct diag *d)
{
	struct metric_opts o = { 0 };

	(void)c;
	if (!stats_view(cmd->arg, &own, &view, d))
		return false;
	o.view = view;
	*shown = metric_view(cmd->arg, &o)->columns;
	return true;
}

static int run(struct common *c, const struct tool_command *cmd)
{
	struct metric_opts o = stats_opts(&own, view);

	return run_metric(c, cmd->arg, &o);
}

int main(int argc, char **argv)
{
	static struct tool_command list[TOOL_COMMANDS + 1];
	static const struct tool tool = {
		.name = "kstats",
		.self = { .about = "Show where the time of a GPU program went.",
		          .operands = "[FILE|DIR|RANK=FILE|-]...",
		          .examples = "kstats summary run_kernel_trace.csv run_hip_api_trace.csv\n"
		                      "kstats top -n 10 results.db\n",
		          .in = IN_KSTATS | IN_PER },
		.commands = list,
		.example = "kstats top FILE",
		.trailer = "Exit status: 0 done; 1 a limit is exceeded; 2 usage, or an input could "
		           "not be\n"
		           "read completely, or nothing to show.\n"
		           "See kstats(1), tracemill(7) for the other tools, and "
		           "tracemill-formats(5).\n",
		.options = options,
		.adapt = adapt,
		.columns = columns,
		.ready = ready,
		.run = run,
	};

	for (size_t i = 0; metrics[i] && i < TOOL_COMMANDS; i++)
		list[i] = (struct tool_command) { .name = metrics[i]->name,
			                          .about = metrics[i]->about,
			                          .group = metrics[i]->group,
			                          .examples = metrics[i]->examples,
			                          .in = IN_KSTATS | (metrics[i]->per ? IN_PER : 0),
			                          .arg = metrics[i] };
	return tool_main(&tool, argc, argv);
}
