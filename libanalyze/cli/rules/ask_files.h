/* SPDX-License-Identifier: MIT
 * Tables of files that are not traces, for rules: those of powerstats and libperf.  The contents of
 * operands decide to which table they belong. */
#ifndef TM_CLI_ASK_FILES_H
#define TM_CLI_ASK_FILES_H

#include "cli/rules/ask.h"
#include "stream/stream.h"

/* The table with that name in rules, or NULL; all of them, ending with word NULL. */
const struct file_table *tm_file_table_find(const char *word);
extern const struct file_table tm_file_tables[];

/* The options that a page of such a table takes, writing into *p. */
void tm_file_table_options(struct ask_page *p, struct option out[FILE_OPTIONS]);

/* What they mean into *p, and its columns; false with *d. */
bool tm_file_table_ready(struct ask_page *p, struct tm_diag *d);

/* The operands of both sides, and what became of them. */
struct ask_files {
	const struct common *c[ASK_SIDES]; /* NULL: that side is not asked for */
	bool traces[ASK_SIDES];            /* a table of traces is asked for */
	const struct tm_classes *classes;
	bool allow_self; /* the baseline may be the run itself */
	struct option_list
	        trace[ASK_SIDES];         /* out: operands that hold traces; the caller's to free */
	struct tm_report *rep[ASK_SIDES]; /* out: what there is to say of the inputs */
};

/* Is there a page of files at all? */
bool tm_ask_files_any(const struct ask_pages *p);

/* Find out which operands belong to which table, read those of files and fill their tables.  An
 * operand that belongs to none is an error in *rep, and so is a table of the same files on both
 * sides.  TM_ST_OK; TM_ST_SKIP with *d: the command line is wrong; TM_ST_FATAL when out of memory.
 * */
enum tm_status tm_ask_files_read(struct ask_files *a, struct ask_pages *p, struct tm_diag *d);

/* Free what the page's questions hold, after the tables. */
void tm_ask_files_fini(struct ask_page *p);

#endif
