/* SPDX-License-Identifier: MIT
 * libperf - what was asked of the GPU libraries, and how fast were they?
 *
 * Reads logs of programs, library_trace.csv, library_perf.csv and what the libraries' bench clients
 * print. A sub-command is a question (libanalyze/metric/lib_*.c), a row of `commands` and rows of
 * `lib_options`. Exit 0; 1 when a limit is exceeded; 2 when something could not be read or there is
 * nothing to show. */
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/lib_options.h"

#include <stdlib.h>
#include <string.h>

/* A sub-command. */
static const struct command {
	const struct question *q;
	const char *operands;             /* as --help shows them */
	const char *options[LIB_OPTIONS]; /* those of lib_options that it takes */
	/* Exactly so many operands, each a side of its own in the order of enum lib_side; 0 = any
	 * number of one kind. */
	size_t sides;
	const char *trace;    /* what --trace is here */
	const char *examples; /* as struct option_page has them */
} commands[] = {
	{ .q = &lib_trace,
	  .operands = "[LOG|library_trace.csv|DIR|-]...",
	  .options = { "job", "date", "model" },
	  .examples = "libperf trace rank*.log > library_trace.csv\n"
	              "libperf trace --model llama --job 17 logs/\n" },
	{ .q = &lib_top,
	  .operands = "[LOG|library_trace.csv|DIR|-]...",
	  .options = { "libraries", "trace" },
	  .trace = "a kernel trace or kernel statistics: what the kernels of tensile rows took",
	  .examples = "libperf top -n 10 run.log\n"
	              "libperf top --trace run_kernel_trace.csv library_trace.csv\n" },
	{ .q = &lib_bench,
	  .operands = "[LOG|DIR|-]...",
	  .examples = "libperf bench rocblas-bench.log > bench.csv\n"
	              "rocblas-bench -f gemm ... | libperf bench -\n" },
	{ .q = &lib_compare,
	  .operands = "BASE NEW",
	  .sides = 2,
	  .options = { "trace", "key", "metric", "exact", "threshold", "fail-over" },
	  .trace = "library_trace.csv: how often each problem is called",
	  .examples = "libperf compare default.txt tuned.txt\n"
	              "libperf compare --trace library_trace.csv --fail-over 5 old.csv new.csv\n" },
	{ .q = &lib_best,
	  .operands = "[FILE|DIR|-]...",
	  .options = { "key", "metric", "exact", "threshold" },
	  .examples = "libperf best rocblas.csv hipblaslt.csv\n"
	              "libperf best --key problem -f csv bench/\n" },
	{ 0 },
};

static const char *const no_use[] = { "jobs",      "window",      "per",          "classes", "from",
	                              "rank-from", "no-progress", "list-formats", NULL };

static const struct command *find_command(const char *word)
{
	for (const struct command *cmd = commands; cmd->q; cmd++)
		if (!strcmp(cmd->q->name, word))
			return cmd;
	return NULL;
}

/* The options of sub-command i, to be shown. */
static void shown_options(size_t i, struct option *out)
{
	static struct lib_own none;

	lib_options(&none, commands[i].options, commands[i].trace, out);
}

/* Every sub-command, for help and completions. */
static const struct commands *all_commands(void)
{
	static struct option_command list[COMMANDS + 1];
	static const struct commands all = {
		.list = list,
		.about = "Show which calls a program made to GPU libraries, and compare benchmarks "
		         "of them.",
		.operands = "[FILE|DIR|-]...",
		.example = "libperf trace LOG",
		.examples = "libperf top run.log\n"
		            "libperf compare default.txt tuned.txt\n",
		.trailer = "Exit status: 0 done; 1 a limit is exceeded; 2 usage, or an input could "
		           "not be\n"
		           "read completely, or nothing to show.\n"
		           "See libperf(1).\n",
		.options = shown_options,
	};

	for (size_t i = 0; commands[i].q && i < COMMANDS; i++)
		list[i] = (struct option_command) { .name = commands[i].q->name,
			                            .about = commands[i].q->about,
			                            .examples = commands[i].examples };
	return &all;
}

static int print_help(const struct common *c, const struct command *cmd,
                      const struct option *const *tables)
{
	const struct commands *all = all_commands();

	return commands_help(c, all, cmd ? &all->list[cmd - commands] : NULL,
	                     cmd ? cmd->operands : NULL, tables);
}

static int run(struct common *c, const struct command *cmd, const struct lib_own *own)
{
	size_t n = c->operands.n;
	struct operand *v;
	struct diag d;
	int status;

	if (cmd->sides && n != cmd->sides) {
		diag_set(&d, 0, "%zu operand%s instead of %zu: %s", n, n == 1 ? "" : "s",
		         cmd->sides, cmd->operands);
		return usage_error(c, &d);
	}
	v = calloc(n + 2, sizeof *v);
	if (!v) {
		say(c, SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (struct operand) { c->operands.v[i], cmd->sides ? i : LIB_BASE };
	/* The file of an option is no input of its own. */
	if (!n && own->weights)
		v[n++] = (struct operand) { "-", LIB_BASE };
	if (own->weights)
		v[n++] = (struct operand) { own->weights, LIB_WEIGHTS };
	status = run_question(c, cmd->q, &own->o, v, n);
	free(v);
	return status;
}

int main(int argc, char **argv)
{
	const struct command *cmd;
	struct common c = { .tool = "libperf" };
	struct lib_own own = LIB_OWN;
	struct option common[COMMON_OPTIONS], mine[LIB_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	struct diag d = { 0 };
	int status;

	commands_help_word(argc, argv);
	cmd = argc > 1 ? find_command(argv[1]) : NULL;
	c.table = cmd ? cmd->q->name : NULL;
	common_options(&c, common);
	options_drop(common, no_use);
	lib_options(&own, cmd ? cmd->options : NULL, cmd ? cmd->trace : NULL, mine);
	if (!option_parse(cmd ? argc - 1 : argc, cmd ? argv + 1 : argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, cmd, tables);
	else if (c.completion)
		status = commands_completion(&c, all_commands(), common);
	else if (c.list_columns && !cmd)
		status = commands_unknown(&c, all_commands(), NULL);
	else if (!answer_lists(&c, cmd ? cmd->q->columns : NULL, &status))
		status = cmd ? run(&c, cmd, &own)
		             : commands_unknown(&c, all_commands(), argc > 1 ? argv[1] : NULL);
	option_list_fini(&c.operands);
	return status;
}
