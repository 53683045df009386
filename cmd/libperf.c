/* SPDX-License-Identifier: MIT
 * libperf - what was asked of the GPU libraries, and how fast were they?
 *
 * Reads logs of programs, library_trace.csv, library_perf.csv and what the libraries' bench clients
 * print. A sub-command is a question (libanalyze/metric/lib_*.c), a row of `questions` and rows of
 * `tm_lib_options`. Exit 0; 1 when a limit is exceeded; 2 when something could not be read or there
 * is nothing to show. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* A sub-command. */
static const struct question_command {
	const struct tm_question *q;
	const char *operands;             /* as --help shows them */
	const char *reads[3];             /* formats it reads, as --from has them */
	const char *options[LIB_OPTIONS]; /* those of tm_lib_options that it takes */
	/* Exactly so many operands, each a side of its own in the order of enum tm_lib_side; 0 =
	 * any number of one kind. */
	size_t sides;
	const char *trace;    /* what --trace is here */
	bool unit;            /* a column has times of which --unit can choose the unit */
	const char *examples; /* as struct option_page has them */
} questions[] = {
	{ .q = &tm_lib_trace,
	  .operands = "[LOG|library_trace.csv|DIR|-]...",
	  .reads = { "library-log", "library-trace" },
	  .options = { "job", "date", "model" },
	  .examples = "libperf trace rank*.log > library_trace.csv\n"
	              "libperf trace --model llama --job 17 logs/\n" },
	{ .q = &tm_lib_top,
	  .operands = "[LOG|library_trace.csv|DIR|-]...",
	  .reads = { "library-log", "library-trace" },
	  .options = { "libraries", "trace" },
	  .unit = true,
	  .trace = "kernel trace or statistics: time of the kernels of tensile rows",
	  .examples = "libperf top -n 10 run.log\n"
	              "libperf top --trace run_kernel_trace.csv library_trace.csv\n" },
	{ .q = &tm_lib_bench,
	  .operands = "[LOG|DIR|-]...",
	  .reads = { "library-bench" },
	  .examples = "libperf bench rocblas-bench.log > bench.csv\n"
	              "rocblas-bench -f gemm ... | libperf bench -\n" },
	{ .q = &tm_lib_compare,
	  .operands = "BASE NEW",
	  .reads = { "library-bench" },
	  .sides = 2,
	  .options = { "trace", "key", "metric", "exact", "threshold", "fail-over" },
	  .trace = "library_trace.csv: how often each problem is called",
	  .examples = "libperf compare default.txt tuned.txt\n"
	              "libperf compare --trace library_trace.csv --fail-over 5 old.csv new.csv\n" },
	{ .q = &tm_lib_best,
	  .operands = "[FILE|DIR|-]...",
	  .reads = { "library-bench" },
	  .options = { "key", "metric", "exact", "threshold" },
	  .examples = "libperf best rocblas.csv hipblaslt.csv\n"
	              "libperf best --key problem -f csv bench/\n" },
	{ .q = &tm_lib_roofline,
	  .operands = "[FILE|DIR|-]...",
	  .reads = { "library-bench" },
	  .options = { "gpu" },
	  .examples = "libperf roofline rocblas-bench.log\n"
	              "libperf roofline --gpu MI300X -f csv bench/\n" },
	{ 0 },
};

static struct lib_own own = LIB_OWN;

static void options(const struct tool_command *cmd, struct option *out)
{
	const struct question_command *q = cmd->arg;

	tm_lib_options(&own, q ? q->options : NULL, q ? q->trace : NULL, out);
}

static void adapt(const struct tool_command *cmd, struct option *common)
{
	static const char *const none[] = { "unit", NULL };
	const struct question_command *q = cmd->arg;

	/* Times of bench clients are microseconds everywhere, as their columns say. */
	if (!q || !q->unit)
		tm_options_drop(common, none);
	for (; q && q->q->format && common->name; common++)
		if (!strcmp(common->name, "format"))
			common->dflt = q->q->format;
		else if (!strcmp(common->name, "rows"))
			common->dflt = "all";
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	const struct question_command *q = cmd->arg;

	return q && !nth ? q->q->columns : NULL;
}

/* Is that a format which this sub-command reads?  False with *d. */
static bool reads(const struct question_command *cmd, const char *from, struct tm_diag *d)
{
	for (size_t i = 0; cmd->reads[i]; i++)
		if (!from || !strcmp(cmd->reads[i], from))
			return true;
	tm_diag_set(d, 0, "--from %s: %s reads %s%s%s", from, cmd->q->name, cmd->reads[0],
	            cmd->reads[1] ? " and " : "", cmd->reads[1] ? cmd->reads[1] : "");
	return false;
}

static int run(struct common *c, const struct tool_command *command)
{
	const struct question_command *cmd = command->arg;
	size_t n = c->operands.n;
	struct operand *v;
	struct tm_diag d;
	int status;

	if (cmd->sides && n != cmd->sides) {
		tm_diag_set(&d, 0, "%zu operand%s instead of %zu: %s", n, n == 1 ? "" : "s",
		            cmd->sides, cmd->operands);
		return tm_usage_error(c, &d);
	}
	if (!reads(cmd, c->in.from, &d))
		return tm_usage_error(c, &d);
	own.o.from = c->in.from;
	v = calloc(n + 2, sizeof *v);
	if (!v) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (struct operand) { c->operands.v[i], cmd->sides ? i : TM_LIB_BASE };
	/* The file of an option is no input of its own. */
	if (!n && own.weights)
		v[n++] = (struct operand) { "-", TM_LIB_BASE };
	if (own.weights)
		v[n++] = (struct operand) { own.weights, TM_LIB_WEIGHTS };
	status = tm_run_question(c, cmd->q, &own.o, v, n);
	free(v);
	return status;
}

int main(int argc, char **argv)
{
	static struct tool_command list[TOOL_COMMANDS + 1];
	static const struct tool tool = {
		.name = "libperf",
		.self = { .about = "Show which calls a program made to GPU libraries, and compare "
		                   "benchmarks of them.",
		          .operands = "[FILE|DIR|-]...",
		          .examples = "libperf top run.log\n"
		                      "libperf compare default.txt tuned.txt\n",
		          .in = IN_LIBPERF },
		.commands = list,
		.example = "libperf trace LOG",
		.trailer = "Exit status: 0 done; 1 a limit is exceeded; 2 usage, or an input could "
		           "not be\nread completely, or nothing to show.\n"
		           "See libperf(1).\n",
		.options = options,
		.adapt = adapt,
		.columns = columns,
		.run = run,
	};

	for (size_t i = 0; questions[i].q && i < TOOL_COMMANDS; i++)
		list[i] = (struct tool_command) { .name = questions[i].q->name,
			                          .about = questions[i].q->about,
			                          .examples = questions[i].examples,
			                          .operands = questions[i].operands,
			                          .in = IN_LIBPERF,
			                          .arg = &questions[i] };
	return tm_tool_main(&tool, argc, argv);
}
