/* SPDX-License-Identifier: MIT
 * Is the difference between two samples more than noise?  One test for all tools, in pure
 * functions.
 *
 * Mann-Whitney U asks whether values of one sample tend to be larger than those of the other.  It
 * looks at ranks only, so heavy tails do not matter.  p is two-sided: exact where the smaller
 * sample has at most TM_SIG_EXACT values and none are equal, otherwise the normal approximation
 * with corrections for ties and continuity.  Samples so small that U could never reach the level
 * are compared by their means: Welch's t.
 *
 * Values that follow each other may resemble their neighbors (clocks, temperature), which makes
 * many values worth few.  How few is estimated from the correlation r of the ranks with those
 * before, with its bias corrected, as of values of which two that are k apart have the correlation
 * r^k.  The same is asked of the means of 2, 4, 8 ... consecutive values, of at least
 * TM_SIG_BATCHES, which show what is slow beside fast noise; the largest p counts.  It is that of
 * Student's t of U for that many values, with the degrees of freedom that the estimate has.
 * Where ranks cannot reach the level for so few, and of fewer than TM_SIG_BATCHES, means are
 * compared by a t that counts for less.
 *
 * A significant difference may be too small to matter: callers require a minimum size, too. */
#ifndef TM_AGG_SIGNIFICANCE_H
#define TM_AGG_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Of 1000 pairs of samples of one distribution, about 5 have a p below. */
#define TM_SIG_ALPHA 0.005

/* The smallest difference that matters, in percent; the second is for times below TM_SIG_SHORT_NS.
 * For something measured once, whose noise is unknown, TM_SIG_ONCE times as much. */
enum { TM_SIG_FLOOR_PCT = 3, TM_SIG_FLOOR_SHORT_PCT = 5, TM_SIG_SHORT_NS = 20000, TM_SIG_ONCE = 2 };

/* Is a change more than a limit, both as shares?  A change is a quotient of doubles minus 1, off by
 * some 1e-16: one that equals the limit in whole nanoseconds is not more. */
static inline bool tm_sig_above(double change, double limit)
{
	return change > limit + 1e-12;
}

enum {
	TM_SIG_EXACT = 8,            /* values of the smaller sample */
	TM_SIG_EXACT_MOST = 1 << 20, /* of the larger */
	TM_SIG_BATCHES = 16,         /* means of consecutive values, at least */
	TM_SIG_SERIES_LEAST = 4,     /* fewer that follow each other are not compared by means */
};

enum tm_sig_test {
	TM_SIG_NONE, /* nothing to test: a sample of fewer than two values, or none of them differ
	              * */
	TM_SIG_U_EXACT,
	TM_SIG_U_NORMAL,
	TM_SIG_U_BATCHES, /* U, of fewer values than there are */
	TM_SIG_WELCH,
	TM_SIG_WELCH_BATCHES, /* the same */
};

/* What a test found. */
struct tm_significance {
	enum tm_sig_test test;
	double p;   /* two-sided; 1 with TM_SIG_NONE */
	bool found; /* tm_sig_compare: p is at most the level, and samples of that size can reach
	             * it */
	double u; /* pairs of which the first sample has the larger value, halves for equal ones */
	int sign; /* 1: the first sample tends to have larger values; -1: smaller; 0: neither */
	double effective[2]; /* what the samples are worth: their numbers of values, or less */
	bool shown;          /* chance alone makes values so alike less than once in 1000 times */
	double median[2];    /* of the samples, where ranks were looked at */
};

/* Mean and sample variance (n - 1) of n values. */
struct tm_sig_moments {
	double n, mean, variance;
};

/* Two-sided p of a standard normal |z|, and of Student's t with df > 0 degrees of freedom. */
double tm_sig_normal(double z);
double tm_sig_student(double t, double df);

/* Mann-Whitney U of x[0..n) and y[0..m), all finite.  False when out of memory. */
bool tm_sig_u(const double *x, size_t n, const double *y, size_t m, struct tm_significance *out);

/* Welch's t.  TM_SIG_NONE unless both have two values and one of them varies. */
struct tm_significance tm_sig_welch(struct tm_sig_moments x, struct tm_sig_moments y);

/* Moments of v[0..n). */
struct tm_sig_moments tm_sig_moments_of(const double *v, size_t n);

/* How samples are compared. */
enum {
	TM_SIG_SERIES = 1, /* each value follows the one before: how many they are worth is always
	                    * estimated; else only where they show that they depend on each other */
	TM_SIG_MEANS = 2,  /* by Welch's t where U could not reach the level; values that depend on
	                    * each other are compared so, too, where U could if they did not */
};

/* The test, at a level; of several at once (tm_sig_adjust) U must be able to reach a part of it,
 * which one that is found alone needs, but many together do not: try those as single tests first.
 * (Of five against five U cannot reach 0.005, though the normal approximation of its p may where
 * values are equal.) False when out of memory. */
bool tm_sig_compare(const double *x, size_t n, const double *y, size_t m, unsigned how,
                    double alpha, size_t tests, struct tm_significance *out);

/* Benjamini-Hochberg: replace every p[i] by the smallest false discovery rate at which it is
 * significant.  NaN stays and does not count.  False when out of memory. */
bool tm_sig_adjust(double *p, size_t n);

#endif
