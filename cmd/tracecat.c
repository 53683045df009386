/* SPDX-License-Identifier: MIT
 * tracecat - what is in this file, and give it to me as CSV or NDJSON
 *
 * Reads any trace of tracemill-formats(5) and writes each event as a row, in the order of the
 * inputs or, with -s start_ns, of their starts; --to folded writes stacks of what launched the
 * work, --to pftrace or chrome one picture of all ranks.  `tracecat info` lists the inputs instead.
 * Exit 0, or 2 when something could not be read or there is nothing to write. */
#include "cli/cli.h"
#include "events/events.h"
#include "runs/runs.h"

#include <string.h>

static struct events_own own;

static void options(const struct tool_command *cmd, struct option *out)
{
	*out = (struct option) { 0 };
	if (!cmd->name)
		tm_events_options(&own, out);
}

static void adapt(const struct tool_command *cmd, struct option *common)
{
	if (!cmd->name)
		tm_events_adapt(common);
	for (; cmd->name && common->name; common++)
		if (!strcmp(common->name, "rows"))
			common->dflt = "all";
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	return nth ? NULL : (cmd->name ? tm_inventory_metric : tm_events_metric).views->columns;
}

static int run(struct common *c, const struct tool_command *cmd)
{
	struct tm_metric_opts o = { .level = TM_NAME_FULL };

	own.pin = tm_findings_pin;
	return cmd->name ? tm_run_metric(c, &tm_inventory_metric, &o) : tm_events_run(c, &own);
}

int main(int argc, char **argv)
{
	static const struct tool_command commands[] = {
		{ .name = "info",
		  .about = "describe each file: format, ranks, losses",
		  .page = "what is in these files: format, producer, rank, agents, rows, losses",
		  .examples = "tracecat info traces/\n"
		              "tracecat info -f json results.db\n",
		  .in = IN_INFO },
		{ 0 },
	};
	static const struct tool tool = {
		.name = "tracecat",
		.self = { .usage = "tracecat [info] [options] [FILE|DIR|RANK=FILE|-]...",
		          .operands = "[FILE|DIR|RANK=FILE|-]...",
		          .about = "Print every event of GPU profiler traces as CSV or NDJSON, or "
		                   "as a timeline for Perfetto.",
		          .examples = "tracecat --kind kernel results.db > kernels.csv\n"
		                      "tracecat --to pftrace -o run.pftrace traces/\n",
		          .in = IN_TRACECAT },
		.commands = commands,
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\nnothing to write.\n"
		           "See tracecat(1) and tracemill-formats(5).\n",
		.options = options,
		.adapt = adapt,
		.columns = columns,
		.run = run,
	};

	return tm_tool_main(&tool, argc, argv);
}
