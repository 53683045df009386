/* SPDX-License-Identifier: MIT
 * What every tool has in common: the options, the inputs, the messages, the output. */
#ifndef TM_CLI_COMMON_H
#define TM_CLI_COMMON_H

#include "cli/frame/option.h"
#include "question/question.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses. */
enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_TROUBLE = 2 };

/* How an answer is to look and where it goes. */
struct out_opts {
	const char *sort, *format, *columns, *output, *color, *unit;
	bool (*updates)(const char *path); /* as struct tool has it */
	bool pager;
	uint64_t limit;
	unsigned limit_given;
};

/* What is read, and what of it. */
struct in_opts {
	const char *window, *from, *rank_from, *classes;
	struct tm_only_words filter;
	uint64_t jobs;
	unsigned jobs_given;
};

/* What is said on stderr, and what of that is an error. */
struct say_opts {
	bool quiet, verbose, strict, no_progress;
	bool allow_empty; /* nothing to show is no trouble */
};

/* What is printed instead of an answer. */
struct page_opts {
	bool brief; /* -h, not --help: the page in short */
	bool help, version, list_formats, list_columns;
	const char *completion;
};

/* The options that several tools have, as given. */
struct common {
	const char *tool;  /* "kstats": in front of every message */
	const char *table; /* "top": the sub-command, in the json schema */
	const char *per;
	struct out_opts out;
	struct in_opts in;
	struct say_opts say;
	struct page_opts page;
	struct option_list operands;
};

/* Who takes options: a bit each. */
enum option_in {
	IN_KSTATS = 1,
	IN_PER = 2, /* a sub-command of kstats that tells something apart, beside IN_KSTATS */
	IN_LIBPERF = 4,
	IN_POWERSTATS = 8,
	IN_TRACECAT = 16,
	IN_INFO = 32, /* tracecat info */
	IN_TRACECHECK = 64,
	IN_TRACEDIFF = 128,
	IN_TRACEMERGE = 256,
	IN_RULE = 512, /* a rule of tracecheck, in parentheses */
	IN_TRACEREPORT = 1024,
};

/* The common options of those, of whom `in` has a bit, writing into *c; at most COMMON_OPTIONS
 * entries, the last one { 0 }. */
enum { COMMON_OPTIONS = 42 };
void tm_common_options(struct common *c, unsigned in, struct option out[COMMON_OPTIONS]);

/* Take the options of these names (ending with NULL) out of a table: those a tool has no use for.
 */
void tm_options_drop(struct option *table, const char *const *names);

/* Do not offer these filters (TM_ONLY_BITs) in help and completions: the command refuses them. */
void tm_options_refuse(struct option *table, unsigned filters);

/* The words of --unit, in the order of enum tm_units, ending with NULL. */
const char *const *tm_show_units(void);

/* Does the locale say that a terminal takes UTF-8? */
bool tm_locale_is_utf8(void);

/* "tool: error: where:line: text" on stderr, or "warning:" or "note:" as the severity is; control
 * characters made visible.  `where` may be NULL, `line` 0. */
void tm_say(const struct common *c, enum tm_severity severity, const char *where, uint64_t line,
            const char *text);

/* A usage error: say it and how to get help; returns EXIT_TROUBLE. */
int tm_usage_error(const struct common *c, const struct tm_diag *d);

/* Write to standard output (or -o) and close it, checked.  EXIT_DONE or EXIT_TROUBLE (said). */
int tm_put_output(const struct common *c, const struct tm_buf *b);

/* --list-formats, --list-columns (`columns` ends with name NULL), -V: true when one of them was
 * asked for and answered; *status is then the exit status. */
bool tm_answer_lists(const struct common *c, const struct tm_column *columns, int *status);

/* Add what --per says to *o.  False with *d: the metric cannot tell that apart, or out of memory.
 */
bool tm_read_per(const struct tm_metric *m, struct tm_metric_opts *o, const char *per,
                 struct tm_diag *d);

/* Do filters other than --rank choose what is read?  -w marker:NAME is one; window may be NULL. */
bool tm_filters_select(const struct common *c, const char *window);

/* Does the table `name` take the filters of the command line, of which those of `whole` leave no
 * honest answer, and `instead` what to choose (struct tm_metric)?  False with *d: it does not. */
bool tm_filters_fit(const struct common *c, const char *name, unsigned whole, const char *instead,
                    struct tm_diag *d);

/* Run a metric over the operands and print its table: everything after the options are parsed.
 * What this tool knows is in *o already (level, domains); the rest is filled from *c.
 * A metric that writes by itself leaves the table without columns; nothing is printed then but
 * what there is to say.  Returns the exit status. */
int tm_run_metric(struct common *c, const struct tm_metric *m, struct tm_metric_opts *o);

/* The same, each operand being a run of its own, for a metric that has fill_runs. */
int tm_run_metric_runs(struct common *c, const struct tm_metric *m, struct tm_metric_opts *o);

/* A view that has rows of its own, which takes no inputs; o: as tm_run_metric.  Returns the exit
 * status. */
int tm_run_rows(struct common *c, const struct tm_metric *m, const struct tm_metric_opts *o);

#endif
