/* SPDX-License-Identifier: MIT
 * Find where the level of a series changes.
 *
 * Divisive, like E-divisive but on ranks: of all places to divide a stretch in two, the second part
 * with any end, take the one whose sides differ most in their mean ranks.  It counts if the same
 * values in random order differ as much at their best place with a probability of at most alpha (a
 * permutation test).  Then both sides are searched in the same way.  Changes whose levels (medians
 * between neighboring changes) differ by no more than a floor are dropped.  In a series without a
 * change, one is found with probability alpha.
 *
 * Changes within a few values of an end are not found: the ranks of so few cannot be
 * significant. */
#ifndef TM_AGG_CHANGE_POINTS_H
#define TM_AGG_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>

enum { TM_CHANGE_LEAST = 3 }; /* values on either side */

struct tm_change_point {
	size_t at;            /* the first value of the new level */
	size_t from, to;      /* from the change before to the next */
	double p;             /* of the permutation test */
	double before, after; /* medians of [from, at) and [at, to) */
};

/* Find the changes in v[0..n), all finite, and write them to out[] in order: *found, at most n /
 * TM_CHANGE_LEAST.  The same values give the same answer.  `floor` is a share of the smaller
 * median.  False when out of memory. */
bool tm_change_points(const double *v, size_t n, double alpha, double floor,
                      struct tm_change_point *out, size_t *found);

/* If none was found: the most likely change, if the levels before and after it differ by more than
 * the floor.  Tries the same random orders as tm_change_points.  False when out of memory. */
bool tm_change_likeliest(const double *v, size_t n, double alpha, double floor,
                         struct tm_change_point *out, bool *found);

#endif
