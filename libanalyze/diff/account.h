/* SPDX-License-Identifier: MIT
 * The breakdown of the difference in deciding time, to the nanosecond.
 *
 *     delta = busy + overlap + idle
 *     busy     each kernel and copy: calls effect + mean effect, of the time a unit (step, window,
 *              run) spends in it
 *     overlap  what counts once though several ran (concurrent), and what reaches over the edges of
 *              the unit (edge)
 *     idle     by cause, work/causes.h
 *
 * A waterfall from the deciding time of A, part by part, to that of B, in exact fractions; each
 * part is the difference of two rounded levels, so that the parts add up to the difference of the
 * rounded times. */
#ifndef TM_DIFF_ACCOUNT_H
#define TM_DIFF_ACCOUNT_H

#include "diff/decide.h"

enum tm_account_part { TM_PART_BUSY, TM_PART_OVERLAP, TM_PART_IDLE };
extern const char *const tm_account_words[];
extern const char tm_others[]; /* the name of what has no row of its own */

struct tm_account_row {
	enum tm_account_part part;
	const char *name; /* of a kernel or copy, or NULL */
	size_t len;
	const char *cause;          /* "calls", "mean", "concurrent", "edge", "sync", ... */
	const struct tm_pair *pair; /* of a kernel, or NULL */
	int64_t delta;              /* ns of a unit; never 0 */
};

struct tm_account {
	struct tm_account_row
	        *v; /* n of them: busy, the largest effect of a name first; overlap; idle */
	size_t n, cap;
	int64_t part[TM_PART_IDLE + 1]; /* sums */
	int64_t idle[TM_CAUSES];
	bool over;              /* an effect does not fit 64 bits: the rows mean nothing */
	struct tm_names copies; /* texts */
};

/* *a is empty.  False when out of memory. */
bool tm_account_make(struct tm_account *a, const struct tm_decision *d,
                     const struct tm_pairs *kernels);

/* Free it; {0} again. */
void tm_account_fini(struct tm_account *a);

#endif
