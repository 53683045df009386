/* SPDX-License-Identifier: MIT
 * tracereport - all of a run on one page
 *
 * Reads any trace or statistics file of tracemill-formats(5), or a run.db, and writes one page of
 * HTML that needs no network and no script: the tables of kstats, what was found, and pictures of
 * both.  Exit 0, or 2 when something could not be read or there is nothing to show. */
#include "cli/cli.h"
#include "metric/metric.h"

#include <string.h>

static struct report_opts opts;

static void options(const struct tool_command *cmd, struct option *out)
{
	const struct option all[] = {
		{ .name = "baseline",
		  OPT_TO_LIST(&opts.baseline),
		  .arg = "RUN",
		  .about = "compare with this run, a file or a directory; may be given several "
		           "times for the files of one run" },
		{ .name = "allow",
		  OPT_TO_TEXT(&opts.allowed),
		  .arg = "LIST",
		  .about = "compare anyway: self (a run with itself), agents (different numbers of "
		           "GPUs), arch (different GPUs), partial (incomplete runs)" },
		{ .name = "preset",
		  OPT_TO_CHOICE(&opts.preset),
		  .choices = tm_summary_presets,
		  .arg = "WORKLOAD",
		  .about = "judge by the targets for this kind of program" },
		{ .letter = 'f',
		  .name = "format",
		  OPT_TO_CHOICE(&opts.format),
		  .choices = tm_report_formats,
		  .arg = "FORMAT",
		  .about = "the page, or (md) the first screen and largest changes for a "
		           "merge request comment",
		  .dflt = "html" },
		{ .name = "open",
		  OPT_TO_FLAG(&opts.open),
		  .about = "open the page in a browser; serve it on 127.0.0.1 until loaded once" },
		{ 0 },
	};

	(void)cmd;
	memcpy(out, all, sizeof all);
}

static bool ready(struct common *c, const struct tool_command *cmd, const struct tm_column **shown,
                  struct tm_diag *d)
{
	(void)c;
	(void)cmd;
	(void)shown;
	if (!opts.format)
		opts.format = tm_report_formats[0];
	if (opts.open && opts.format != tm_report_formats[0]) {
		tm_diag_set(d, 0, "--open shows a page of HTML, not -f %s", opts.format);
		return false;
	}
	return !opts.allowed || tm_read_allow(opts.allowed, &opts.allow, d);
}

static int run(struct common *c, const struct tool_command *cmd)
{
	int status;

	(void)cmd;
	status = tm_report_run(c, &opts);
	tm_option_list_fini(&opts.baseline);
	return status;
}

int main(int argc, char **argv)
{
	static const struct tool tool = {
		.name = "tracereport",
		.self = { .usage = "tracereport [options] [FILE|DIR|RANK=FILE|-]... > report.html",
		          .about = "Write everything kstats knows about a run as one HTML page: "
		                   "findings, tables and charts.  The page makes no requests, and "
		                   "works without scripts.",
		          .examples = "tracereport run.db > report.html\n"
		                      "tracereport --baseline before.db after.db > report.html\n"
		                      "tracereport --open traces/\n",
		          .in = IN_TRACEREPORT },
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\nnothing to show.\n"
		           "See tracereport(1), tracemill(7) for the other tools, and "
		           "tracemill-formats(5).\n",
		.options = options,
		.ready = ready,
		.run = run,
	};

	return tm_tool_main(&tool, argc, argv);
}
