/* SPDX-License-Identifier: MIT
 * kstats - where did the time go?
 *
 * Reads any trace or statistics file of tracemill-formats(5) and prints a table.  A sub-command is
 * a metric (libanalyze/metric) and the options only it has.  Exit 0, or 2 when something could not
 * be read or there is nothing to show. */
#include "cli/cli.h"

#include <string.h>

static struct stats_own own;
static const char *view, *explain;

/* The sub-command that is no metric: it asks many of them. */
static const struct tool_command findings = {
	.name = "findings",
	.about = "what could be improved, and what it would save at most",
	.group = "Overview",
	.examples = "kstats findings traces/\n"
	            "kstats findings --explain launch-bound run.db\n",
	.in = IN_KSTATS,
};

/* The page of the metric that comes with findings. */
static bool is_summary(const struct tool_command *cmd)
{
	const struct tm_metric *m = cmd->arg;

	return m && !strcmp(m->name, "summary");
}

static bool is_findings(const struct tool_command *cmd)
{
	return cmd->name && !strcmp(cmd->name, findings.name);
}

static void options(const struct tool_command *cmd, struct option *out)
{
	if (is_findings(cmd)) {
		*out++ = (struct option) {
			.name = "explain",
			OPT_TO_CHOICE(&explain),
			.arg = "ID",
			.choices = tm_findings_words(),
			.about = "print the condition and numbers of one rule instead"
		};
		*out = (struct option) { 0 };
		return;
	}
	tm_stats_options(&own, cmd->arg, out);
}

static void adapt(const struct tool_command *cmd, struct option *common)
{
	const struct tm_metric *m = cmd->arg;

	tm_stats_adapt(m, common);
	tm_options_refuse(common, is_findings(cmd) ? TM_WHOLE_RANKS : m ? m->whole : 0);
	while (common->name && strcmp(common->name, "rows") != 0)
		common++;
	if (is_findings(cmd)) {
		common->dflt = "all";
	} else if (is_summary(cmd)) {
		common->about = "print the N largest kernels, 0 = all";
		common->dflt = "8 in text, else 10";
	}
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	const struct tm_metric *m = cmd->arg;

	if (is_findings(cmd))
		return nth ? NULL : tm_findings_columns;
	return m && nth < STATS_VIEWS ? m->views[nth].columns : NULL;
}

static bool ready(struct common *c, const struct tool_command *cmd, const struct tm_column **shown,
                  struct tm_diag *d)
{
	struct tm_metric_opts o = { 0 };

	if (is_findings(cmd)) {
		*shown = tm_findings_columns;
		return true;
	}
	if (!tm_stats_view(cmd->arg, &own, &view, d) ||
	    !tm_stats_operand(cmd->arg, &own, &c->operands, d))
		return false;
	o.view = view;
	*shown = tm_metric_view(cmd->arg, &o)->columns;
	return true;
}

static int run(struct common *c, const struct tool_command *cmd)
{
	struct tm_metric_opts o;
	struct tm_diag d = { 0 };

	if (is_findings(cmd))
		return tm_findings_run(c, explain);
	if (tm_stats_lacks(cmd->arg, &own, &c->operands, &d))
		return tm_usage_error(c, &d);
	if (is_summary(cmd))
		return tm_screen_run(c, &own);
	o = tm_stats_opts(&own, view);
	if (tm_metric_view(cmd->arg, &o)->rows)
		return tm_run_rows(c, cmd->arg, &o);
	return own.runs ? tm_run_metric_runs(c, cmd->arg, &o) : tm_run_metric(c, cmd->arg, &o);
}

int main(int argc, char **argv)
{
	static struct tool_command list[TOOL_COMMANDS + 1];
	/* The one operand that is no input: that of kernel. */
	static const char first[] = "REGEX [FILE|DIR|RANK=FILE|-]...";
	size_t n = 0;
	static const struct tool tool = {
		.name = "kstats",
		.self = { .about = "Show where the time of a GPU program went, from the files of "
		                   "AMD's profilers.  Without a sub-command: one page with GPU "
		                   "utilization, causes of idle time, findings and top kernels.",
		          .usage = "kstats [options] FILE|DIR|RANK=FILE|-...\n"
		                   "       kstats SUBCOMMAND [options] [FILE|DIR|RANK=FILE|-]...",
		          .operands = "[FILE|DIR|RANK=FILE|-]...",
		          .examples = "kstats traces/\n"
		                      "kstats top -n 10 results.db\n",
		          .in = IN_KSTATS | IN_PER },
		.commands = list,
		.example = "kstats top FILE",
		.usual = "summary",
		.trailer = "Exit status: 0 done; 1 a limit is exceeded; 2 usage, or an input could "
		           "not be\nread completely, or nothing to show.\n"
		           "See kstats(1), tracemill(7) for the other tools, and "
		           "tracemill-formats(5).\n",
		.options = options,
		.adapt = adapt,
		.columns = columns,
		.ready = ready,
		.run = run,
	};

	for (size_t i = 0; tm_metrics[i] && n + 1 < TOOL_COMMANDS; i++)
		list[n++] = (struct tool_command) {
			.name = tm_metrics[i]->name,
			.about = tm_metrics[i]->about,
			.group = tm_metrics[i]->group,
			.examples = tm_metrics[i]->examples,
			.operands = tm_metrics[i]->operand ? first : NULL,
			.in = IN_KSTATS | (tm_metrics[i]->per ? IN_PER : 0),
			.arg = tm_metrics[i]
		};
	list[n] = findings;
	return tm_tool_main(&tool, argc, argv);
}
