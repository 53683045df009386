/* SPDX-License-Identifier: MIT
 * Count, sum, mean, deviation, smallest and largest of durations: exact, mergeable in any order.
 *
 * Everything that is added up is an integer, so the result does not depend on the order of rows,
 * files or threads.  Single values add to n, sum and the sum of squares directly.  A row of a
 * statistics file (n calls, total T, printed deviation s) stands for the sum of squares
 *     (n - 1) s^2 + T^2 / n
 * which is kept in units of 1e-12 ns^2, each row rounded once on its own, and added up exactly. */
#ifndef TM_AGG_MOMENTS_H
#define TM_AGG_MOMENTS_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* {0} is the empty set.  Read through the functions below. */
struct tm_moments {
	uint64_t n;
	uint64_t min, max; /* of everything that told; meaningless with n == 0 */
	tm_u128 sum;
	tm_u128 squares;     /* of single values, modulo 2^128 ... */
	uint64_t squares_hi; /* ... and what did not fit */
	struct tm_u256 pico; /* of statistics rows, 1e-12 ns^2 */
	uint64_t sealed;  /* calls that came from statistics rows: no single values, no quantiles */
	bool no_extremes; /* some row did not tell its min and max */
	bool no_deviation; /* some row did not tell its deviation, or a sum did not fit */
};

/* Add one value, ns. */
static inline void tm_moments_add(struct tm_moments *m, uint64_t ns)
{
	tm_u128 sq = (tm_u128)ns * ns;

	m->min = m->n && m->min < ns ? m->min : ns;
	m->max = m->n && m->max > ns ? m->max : ns;
	m->n++;
	m->sum += ns;
	m->squares += sq;
	m->squares_hi += m->squares < sq;
}

/* What a statistics row says; absent parts are flagged. */
struct tm_stat_row {
	uint64_t calls, total_ns, min_ns, max_ns;
	double stddev_ns;
	bool has_extremes, has_stddev;
};

enum tm_stddev_state {
	TM_STDDEV_ABSENT,   /* not given, or it cannot be known */
	TM_STDDEV_AS_IS,    /* as printed (also for fewer than two calls) */
	TM_STDDEV_REPAIRED, /* total_ns >= 2^32: the producer's 64-bit square wrapped; undone */
};

/* rocprofv3 computes sqrt((Q - T*T/n) / (n-1)) with T*T in 64 bits, which wraps once T reaches
 * 2^32 ns.  Put the true deviation into row->stddev_ns, or clear row->has_stddev where more than
 * one answer is possible.  (Source of the formula: the profiler's statistics code, all releases
 * from 6.2 on.)  Rows below 2^32 ns come back as they are. */
enum tm_stddev_state tm_stat_row_repair(struct tm_stat_row *row);

/* Add a row (repair it first).  Rows of no calls add nothing. */
void tm_moments_add_stat(struct tm_moments *m, const struct tm_stat_row *row);

/* Add all of `from`. */
void tm_moments_merge(struct tm_moments *m, const struct tm_moments *from);

/* Sample standard deviation (n - 1), ns; false when n < 2 or it is not known. */
bool tm_moments_stddev(const struct tm_moments *m, double *ns);

/* False when nothing was added or some row did not tell. */
bool tm_moments_extremes(const struct tm_moments *m);

#endif
