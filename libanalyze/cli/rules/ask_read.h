/* SPDX-License-Identifier: MIT
 * Reads the inputs of one side for all tables that rules use. */
#ifndef TM_CLI_ASK_READ_H
#define TM_CLI_ASK_READ_H

#include "cli/rules/ask.h"
#include "diff/diff.h"
#include "stream/stream.h"

/* One side: the run, or the baseline. */
struct ask_side {
	const struct common *c; /* its operands are the side's */
	int side;               /* ASK_NOW, ASK_BASE */
	const struct tm_classes *classes;
	bool compared;           /* the run is to be digested, too */
	bool samples;            /* the digest is that of tracediff: durations too, no warm-up */
	struct tm_digest digest; /* if so */
	const struct ask_page *only; /* whose notes count; NULL = those of all tables */
	bool aside;                  /* metric_opts.aside, for all tables */
	bool partly;        /* what a table with rows lacks is why in struct ask_table, no error */
	const char *totals; /* after reading: the first input that holds no events, or NULL */
	struct tm_only filter;   /* private: which filters were given, without what they say */
	struct tm_report rep;    /* what there is to say of the inputs */
	struct ask_group *group; /* private: ngroups of them, which the tables borrow from */
	size_t ngroups;
};

/* Read them and fill the tables of *p.  TM_ST_OK; TM_ST_SKIP with *d: the command line is wrong;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_ask_read(struct ask_side *s, struct ask_pages *p, struct tm_diag *d);

/* Fill a table that tm_ask_read left, of a page that is `late`: that of its view, or another one of
 * its metric.  False when out of memory. */
bool tm_ask_fill_late(struct ask_side *s, const struct ask_page *page, const char *view);

/* Fill another table from what was read for a page: that of a view of its metric, with these
 * options.  Only of those that may be asked again.  Where an input holds no events *t stays as it
 * is.  False when out of memory. */
bool tm_ask_again(struct ask_side *s, const struct ask_page *page, const char *view, void *own,
                  struct tm_table *t);

/* Free it, after the tables; {0} again. */
void tm_ask_side_fini(struct ask_side *s);

#endif
