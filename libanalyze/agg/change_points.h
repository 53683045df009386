/* SPDX-License-Identifier: MIT
 * Where in a series does its level change?
 *
 * Divisive (as E-divisive, of ranks): of all places to cut a stretch in two, up to any end, the one
 * whose sides differ most in their mean ranks; it counts when the same values in another order have
 * so large a difference at their best place with a probability of at most alpha (a permutation
 * test).  Then both sides are searched in the same way, and changes whose levels, medians between
 * neighboring changes, differ by no more than a floor are dropped.  Of a series without a change,
 * alpha is how often one is found.
 *
 * Blind to changes within a few values of an end: ranks of those few cannot be surprising enough.
 */
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

/* Find them in v[0..n), all finite; at most n / TM_CHANGE_LEAST go to out[], ascending, *found of
 * them.  The same values give the same answer.  floor: a share, of the smaller median.  False when
 * out of memory. */
bool tm_change_points(const double *v, size_t n, double alpha, double floor,
                      struct tm_change_point *out, size_t *found);

/* Where none was found: the change that is there most likely, if levels before and after it differ
 * by more than the floor.  The same orders are tried as for alpha.  False when out of memory. */
bool tm_change_likeliest(const double *v, size_t n, double alpha, double floor,
                         struct tm_change_point *out, bool *found);

#endif
