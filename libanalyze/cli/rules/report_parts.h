/* SPDX-License-Identifier: MIT
 * Shared by the files that write the report. */
#ifndef TM_CLI_REPORT_PARTS_H
#define TM_CLI_REPORT_PARTS_H

#include "cli/rules/report.h"
#include "cli/rules/screen_parts.h"
#include "html/html.h"

/* How many rows of a table are shown, and how many lanes are drawn one by one, or at all. */
enum {
	REPORT_ROWS = 200,
	REPORT_OPEN = 20,
	REPORT_SORTED = 16, /* rows of ranks that stay in their order */
	REPORT_LANES = 64,
	REPORT_LANES_MOST = 1024
};

/* Bytes: of one table at most; what is left for each that is still to come; of all together. */
enum { REPORT_MOST = 160 << 10, REPORT_LEAST = 12 << 10, REPORT_ROOM = 640 << 10 };
enum { REPORT_PICTURE = 128 << 10 }; /* of many GPUs more: that leaves less for tables */

/* All that is known when it is written. */
struct report {
	struct screen s; /* the run; s.out is the page */
	struct tm_table findings;
	struct tm_buf json; /* the tables that were shown, as members of an object */
	struct tm_buf how;  /* options of every command that say what is read */
	struct tm_buf tail; /* these and the files: what every command ends with */
	const struct report_opts *o;
	struct tm_digest *run;         /* TM_SIDES of them, where there is a baseline */
	struct tm_table rows, account; /* of the comparison; without rows where there is none */
	struct tm_diff_answer diff;    /* the same in words */
	struct tm_report refused;      /* why there is none */
	struct tm_html_lane *lane;
	size_t nlanes;
	struct tm_buf lanes; /* the same for the script */
	size_t room, later;  /* bytes left for tables; how many are still to come */
};

/* A table of the report. */
struct report_table {
	const char *word, *options;                 /* as tm_ask_table takes them */
	const char *id;                             /* of this page only */
	const char *caption;                        /* NULL = it is drawn only */
	const char *opens;                          /* as in struct tm_html_table */
	bool (*more)(struct report *r, size_t row); /* of the first REPORT_OPEN rows, or NULL */
};

/* The table that was asked for with those; without rows where it has none. */
const struct ask_table *tm_report_find(const struct report *r, const char *word,
                                       const char *options);

/* The same of the baseline, or NULL where there is none. */
const struct tm_table *tm_report_base(const struct report *r, const char *word,
                                      const char *options);

/* Append a table and keep it for the script; where it has no rows, why.  False when out of memory.
 */
bool tm_report_table(struct report *r, const struct report_table *t);

/* How many rows of the table it will show, which is the next to be appended.  False when out of
 * memory. */
bool tm_report_shown(struct report *r, const struct report_table *t, size_t *shown);

/* The same of a table that is none of the pages', and that of the baseline or NULL; as->word is the
 * command that prints it, "" = none does. */
bool tm_report_any(struct report *r, const struct tm_table *t, const struct tm_table *base,
                   const struct report_table *as);

/* Draw the time of each GPU, for the script, too: what that takes, tables have not.  False when out
 * of memory. */
bool tm_report_strips(struct report *r);

/* What an operand is called. */
const char *tm_report_operand(const char *operand);

/* Compare with the baseline.  False when out of memory. */
bool tm_report_compare(struct report *r);

/* Append what came out: the words alone; the section. */
void tm_report_verdict(struct report *r);
bool tm_report_compared(struct report *r);

/* The same in few lines of Markdown.  False when out of memory. */
bool tm_report_md(struct report *r);

/* What the page consists of, in this order; ends with id NULL. */
struct report_section {
	const char *id, *title, *lead;
	bool (*put)(struct report *r);     /* what comes before the tables; NULL = nothing */
	const struct report_table *tables; /* ends with word NULL */
};

/* Is the section on this page? */
bool tm_report_has(const struct report *r, const struct report_section *s);
extern const struct report_section tm_report_sections[];

#endif
