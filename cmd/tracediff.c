/* SPDX-License-Identifier: MIT
 * tracediff - did B get slower than A, really?
 *
 * Reads two runs, or several of each side, of any format of tracemill-formats(5), compares the time
 * that decides and says what the difference is made of (libanalyze/diff). Exit 0; 1 when B is
 * slower by more than --fail-over; 2 when something could not be read, or the runs cannot be
 * compared. */
#include "cli/cli.h"

#include <string.h>

#define UNSET UINT64_MAX

/* What the user may say beside the common options; shares in ten-thousandths of a percent. */
struct own {
	const char *on, *per, *allow;
	uint64_t fail_over, min_share, alpha, floor, skip;
	bool allow_self, account, history;
};

static struct own said = {
	.fail_over = UNSET, .min_share = UNSET, .alpha = UNSET, .floor = UNSET, .skip = UNSET
};
static struct tm_diff_opts opts;

static void options(const struct tool_command *cmd, struct option *out)
{
	const struct option all[] = {
		{ .name = "on",
		  OPT_TO_CHOICE(&said.on),
		  .arg = "WHAT",
		  .choices = tm_diff_on_words,
		  .about = "time that decides the verdict (of a step, of the whole GPU window, or "
		           "of single kernels)",
		  .dflt = "steps if both sides have them, else window" },
		{ .name = "per",
		  OPT_TO_CHOICE(&said.per),
		  .arg = "WHAT",
		  .choices = tm_diff_per_words,
		  .about = "print one row per item (problem: GEMM shapes and other library calls, "
		           "from logs and measurements)",
		  .dflt = "kernel" },
		{ .name = "account",
		  OPT_TO_FLAG(&said.account),
		  .about = "break the difference down into its parts" },
		{ .name = "history",
		  OPT_TO_FLAG(&said.history),
		  .about = "operands are runs in time order: find when the time changed, and what "
		           "changed" },
		{ .name = "fail-over",
		  OPT_TO_FIXED(&said.fail_over),
		  .arg = "PCT",
		  .about = "exit 1 if B is slower by more, beyond noise" },
		{ .name = "floor",
		  OPT_TO_FIXED(&said.floor),
		  .arg = "PCT",
		  .about = "smallest difference that counts",
		  .dflt = "3; 5 below 20 us; twice that for a time measured only once" },
		{ .name = "alpha",
		  OPT_TO_FIXED(&said.alpha),
		  .arg = "LEVEL",
		  .min = 1,
		  .max = 10000,
		  .about = "false positive rate",
		  .dflt = "0.005" },
		{ .name = "min-share",
		  OPT_TO_FIXED(&said.min_share),
		  .arg = "PCT",
		  .max = 1000000,
		  .about = "merge rows with a smaller share of both sides' time into one; with "
		           "--history: skip such kernels",
		  .dflt = "0; 1 with --history" },
		{ .name = "skip",
		  OPT_TO_U64(&said.skip),
		  .arg = "N",
		  .max = UINT64_MAX - 1,
		  .about = "skip the first N steps of each run (warm-up)",
		  .dflt = "those longer than 1.1 times the median of the later half" },
		{ .name = "allow",
		  OPT_TO_TEXT(&said.allow),
		  .arg = "LIST",
		  .about = "compare anyway: self (a run with itself), agents (different numbers of "
		           "GPUs), arch (different GPUs), partial (incomplete runs)" },
		{ .name = "allow-self",
		  OPT_TO_FLAG(&said.allow_self),
		  .about = "the same as --allow self" },
		{ 0 },
	};

	(void)cmd;
	memcpy(out, all, sizeof all);
}

static unsigned place_of(const char *word, const char *const *words)
{
	unsigned i = 0;

	while (word && words[i] && strcmp(word, words[i]) != 0)
		i++;
	return word ? i : 0;
}

static double share_of(uint64_t fixed)
{
	return fixed == UNSET ? -1 : (double)fixed / 1e6;
}

/* Is all read that was given?  Else false with *d. */
static bool all_is_read(const struct common *c, const struct own *own, const struct tm_diff_opts *o,
                        struct tm_diag *d)
{
	static const char runs[] = "--history", parts[] = "--account", problems[] = "--per problem";
	const unsigned filters = tm_only_given(&c->in.filter);
	const char *filter = filters ? tm_only_option((enum tm_only_by)__builtin_ctz(filters)) : "";
	const bool by_problem = o->per == TM_BY_PROBLEM;
	const struct {
		const char *what;
		bool asked;
		const char *option;
		bool given;
		const char *why;
	} no[] = {
		{ runs, own->history, "--account", own->account, "its rows are runs" },
		{ runs, own->history, "--per", own->per, "its rows are runs" },
		{ problems, by_problem, "--on", own->on, "it reads no traces" },
		{ problems, by_problem, "--account", own->account, "it reads no traces" },
		{ problems, by_problem, "--skip", own->skip != UNSET, "it reads no traces" },
		{ problems, by_problem, "--window", c->in.window, "it reads no traces" },
		{ problems, by_problem, "--classes", c->in.classes, "it reads no traces" },
		{ problems, by_problem, "--from", c->in.from, "it reads no traces" },
		{ problems, by_problem, "--rank-from", c->in.rank_from, "it reads no traces" },
		{ problems, by_problem, filter, filters, "it reads no traces" },
		{ parts, own->account, "--per", own->per, "its rows are kernels and causes" },
	};

	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		if (no[i].asked && no[i].given) {
			tm_diag_set(d, 0, "%s does not take %s: %s", no[i].what, no[i].option,
			            no[i].why);
			return false;
		}
	return true;
}

static bool read_options(const struct common *c, const struct own *own, struct tm_diff_opts *o,
                         struct tm_diag *d)
{
	*o = (struct tm_diff_opts) {
		.on = own->on ? (enum tm_diff_on)(TM_ON_STEPS + place_of(own->on, tm_diff_on_words))
		              : TM_ON_AUTO,
		.per = own->per ? (enum tm_diff_per)(TM_BY_CLASS +
		                                     place_of(own->per, tm_diff_per_words))
		                : TM_BY_KERNEL,
		.allow = own->allow_self ? TM_ALLOW_SELF : 0,
		.alpha = own->alpha == UNSET ? TM_SIG_ALPHA : (double)own->alpha / 1e4,
		.floor = share_of(own->floor),
		.min_share = share_of(own->min_share),
		.fail_over = share_of(own->fail_over),
		.account = own->account,
		.history = own->history,
		.skips = own->skip != UNSET && own->skip > 0,
	};
	o->same_work = o->on == TM_ON_WINDOW;
	return all_is_read(c, own, o, d) &&
	       (!own->allow || tm_read_allow(own->allow, &o->allow, d));
}

static const struct tm_column *columns(const struct tool_command *cmd, size_t nth)
{
	const struct tm_diff_opts shown = { .account = nth == 1, .history = nth == 2 };

	(void)cmd;
	return nth < 3 ? tm_compare_columns(&shown) : NULL;
}

static bool ready(struct common *c, const struct tool_command *cmd, const struct tm_column **shown,
                  struct tm_diag *d)
{
	(void)cmd;
	if (!read_options(c, &said, &opts, d))
		return false;
	*shown = tm_compare_columns(&opts);
	return true;
}

/* The runs of B are after "--", or the second of two. */
static int run(struct common *c, const struct tool_command *cmd)
{
	const struct option_list *runs = &c->operands;

	(void)cmd;
	return tm_compare_runs(c, &opts,
	                       runs->parted   ? runs->before
	                       : runs->n == 2 ? 1
	                                      : runs->n,
	                       said.skip);
}

int main(int argc, char **argv)
{
	static const struct tool tool = {
		.name = "tracediff",
		.self = { .usage = "tracediff [options] A B\n"
		                   "tracediff [options] A1 A2 ... -- B1 B2 ...\n"
		                   "tracediff --history [options] RUN...",
		          .about = "Is run B slower than run A, beyond noise, and what is the "
		                   "difference made "
		                   "of?  A run is a file, a directory or a quoted pattern.",
		          .examples = "tracediff before.db after.db\n"
		                      "tracediff --fail-over 5 A1.db A2.db -- B1.db B2.db\n",
		          .in = IN_TRACEDIFF },
		.trailer = "Exit status: 0 done; 1 slower by more than --fail-over; 2 usage, or an "
		           "input\ncould not be read completely, or the runs cannot be compared.\n"
		           "See tracediff(1) and tracemill-formats(5).\n",
		.options = options,
		.columns = columns,
		.ready = ready,
		.run = run,
	};

	return tm_tool_main(&tool, argc, argv);
}
