/* SPDX-License-Identifier: MIT
 * The tables that rules use: finds them, parses their options, and reads the inputs once for all of
 * them. */
#ifndef TM_CLI_ASK_H
#define TM_CLI_ASK_H

#include "check/check.h"
#include "cli/frame/frame.h"
#include "cli/tools/tools.h"

#include <stdbool.h>
#include <stddef.h>

enum { ASK_NOW, ASK_BASE, ASK_SIDES };
enum { FILE_OPTIONS = LIB_OPTIONS };

/* A table of files that are not traces. */
struct file_table {
	const char *word; /* "libperf.top"; NULL ends a list */
	const struct tm_question *q;
	const char *options[5]; /* of tm_lib_options, ending with NULL */
	bool compares;          /* its first operand is the baseline */
	bool traced;            /* it lays them beside the traces of the same side */
};

/* What became of one table of one side. */
struct ask_table {
	struct tm_table t;
	char *why; /* why it has no rows, or with ask_side.partly not all of them; or NULL */
};

/* Its why, to follow "has no rows: "; or NULL. */
const char *tm_ask_why(const struct ask_table *t);

/* One table with its options, whatever number of rules are about it. */
struct ask_page {
	const char *word;           /* "top"; of the first rule that asks */
	const char *options;        /* as that rule has them, or NULL */
	const struct tm_metric *m;  /* of traces, or NULL and ... */
	const struct file_table *f; /* ... of other files */
	const struct tm_column
	        *columns; /* that it can have, ending with name NULL; the files may bring more */
	struct stats_own own;
	struct tm_metric_opts o;
	const char *window; /* of its own; NULL = that of the command line */
	struct lib_own lib; /* of other files */
	struct power_own power;
	struct tm_power_opts power_opts[ASK_SIDES];
	struct tm_metric_opts about;        /* of the traces that are laid beside */
	struct tm_energy energy[ASK_SIDES]; /* them, where power_opts.energy says so */
	void *acc[ASK_SIDES];               /* their question's, which the tables borrow from */
	struct option_list words;           /* of the options, in `text` */
	struct option_list read;            /* columns that are read, where the metric is told */
	char *text;
	bool side[ASK_SIDES]; /* which are asked for */
	bool late;            /* tm_ask_read leaves it to tm_ask_fill_late */
	struct ask_table table[ASK_SIDES];
};

/* All of them.  {0} is a valid empty list. */
struct ask_pages {
	struct ask_page **v; /* n of them */
	size_t n, cap;
};

/* One rule's: what of which table it is about. */
struct asked_rule {
	struct tm_check_ask ask;
	size_t page;
	char *metric; /* ask.metric */
};

/* Find the column of a rule among those that the files brought, or another view of a page that is
 * `late`; ask.column NULL = there is none. */
void tm_ask_late(struct asked_rule *a, const struct ask_page *p);

/* Find the table and the column of a rule, a new page where no other rule asks for it.  What is
 * wrong with the rule is an error in *rep, and *out of no use.  False when out of memory. */
bool tm_ask_rule(struct ask_pages *p, struct asked_rule *out, const struct tm_rule *r,
                 struct tm_report *rep);

/* The table `word` of traces with these options, both borrowed, asked for on the side of the run: a
 * new page where nobody asked for it yet.  NULL with *d: no memory. */
struct ask_page *tm_ask_table(struct ask_pages *p, const char *word, const char *options,
                              struct tm_diag *d);

/* Set an option of a table of traces, a text, "only", whose value is borrowed, or a flag.  False:
 * it has no such option. */
bool tm_ask_option(struct ask_page *p, const char *name, const char *value);

/* Free it; {0} again. */
void tm_ask_pages_fini(struct ask_pages *p);

#endif
