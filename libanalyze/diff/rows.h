/* SPDX-License-Identifier: MIT
 * Rows of the table of tracediff, for every --per. */
#ifndef TM_DIFF_ROWS_H
#define TM_DIFF_ROWS_H

#include "diff/pair.h"

/* Columns of tm_diff_columns. */
enum {
	C_NAME,
	C_CLASS,
	C_STATUS,
	C_CALLS_A,
	C_CALLS_B,
	C_TOTAL_A,
	C_TOTAL_B,
	C_DELTA,
	C_DELTA_PCT,
	C_CALLS_EFFECT,
	C_MEAN_EFFECT,
	C_P,
	C_SIGNIFICANT,
	C_N_A,
	C_N_B,
	C_TEST,
	C_RATE,
	C_NOTE,
};

/* A row for each pair, what is significant first, then the largest difference; those below
 * o->min_share together.  False when out of memory. */
bool tm_diff_put_pairs(struct tm_table *t, const struct tm_pairs *p);

/* The geometric mean of the means of B over those of A, of rows that have both, as a row that stays
 * after the others; none, no row.  False when out of memory. */
bool tm_diff_put_geomean(struct tm_table *t, const struct tm_pairs *p);

/* Nanoseconds with a sign; absent where they do not fit. */
struct tm_cell tm_diff_signed_ns(tm_i128 v);

/* A share as percent; absent where there is none. */
struct tm_cell tm_diff_pct_cell(double share);

#endif
