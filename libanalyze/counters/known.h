/* SPDX-License-Identifier: MIT
 * Known facts about counters: derived metrics, and which counters are wrong (schemas/counters.tsv,
 * and files of that form). */
#ifndef TM_COUNTERS_KNOWN_H
#define TM_COUNTERS_KNOWN_H

#include "counters/formula.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_known_kind {
	TM_KNOWN_TOTAL,   /* the formula of each dispatch, added up */
	TM_KNOWN_PART,    /* the same of one part of another metric: 0 is not worth a row */
	TM_KNOWN_MEAN,    /* the formula of the sums over dispatches */
	TM_KNOWN_LONG,    /* the same, of dispatches of at least TM_KNOWN_LONG_NS */
	TM_KNOWN_UNKNOWN, /* nobody knows the formula; its inputs are what it would be made of */
	TM_KNOWN_WRONG,   /* a counter or metric that is wrong: about = why */
	TM_KNOWN_COUNTER, /* only the unit of a counter */
	TM_KNOWN_AVERAGE, /* the same of one whose values of several dispatches do not add up */
	TM_KNOWN_MOST,    /* a formula of the GPU alone: a metric that is more is wrong */
};
enum { TM_KNOWN_LONG_NS = 100000 };

/* A line.  Texts live as long as the table; unit is NULL where there is none. */
struct tm_known_row {
	const char *name, *unit, *archs, *text, *about;
	enum tm_known_kind kind;
	bool built_in; /* what it makes is counted, or a share or rate of that: never below 0 */
	struct tm_formula formula;
};

/* {0} is valid and empty. */
struct tm_known {
	struct tm_known_row *v; /* n of them: later files first, each in its order */
	size_t n, cap;
	char **text; /* of the files */
	size_t ntext, text_cap;
};

/* Add the table that is built in.  False with *d when out of memory. */
bool tm_known_builtin(struct tm_known *k, struct tm_diag *d);

/* Add a file, in front of what is there.  False with *d: it cannot be read, or a line is wrong. */
bool tm_known_load(struct tm_known *k, const char *path, struct tm_diag *d);

/* Is the row for GPUs of that architecture (90402) with so many compute units, 0 = not known?  Of
 * an architecture that is not known (0) it is if it is for any. */
bool tm_known_fits(const struct tm_known_row *row, uint64_t gfx, uint64_t cus);

/* The row that says why that counter or metric is wrong on such a GPU, or NULL. */
const struct tm_known_row *tm_known_wrong(const struct tm_known *k, const char *name, size_t len,
                                          uint64_t gfx, uint64_t cus);

/* Free it; {0} again. */
void tm_known_fini(struct tm_known *k);

#endif
