/* SPDX-License-Identifier: MIT
 * Likelihood of values in groups, each of which varies about an unknown mean. */
#ifndef REPLAY_SPREAD_H
#define REPLAY_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPREAD_SHAPES = 5 };

/* Values by group: those of group i are from[i] .. from[i + 1]. */
struct spread {
	uint32_t *from, *to; /* of each value as it was given: where it is */
	uint32_t groups;
	double *power;               /* room, if several shapes are looked at, else NULL */
	double scale[SPREAD_SHAPES]; /* for the last values, in standard deviations */
};

/* For n values of which of[i] says the group, one of `groups`.  With `shapes` how they vary is not
 * known either, and groups are cut into parts.  False when out of memory; to be freed even so. */
bool tm_spread_init(struct spread *s, const uint32_t *of, uint32_t n, uint32_t groups, bool shapes);
void tm_spread_fini(struct spread *s);

/* The logarithm of how likely values are, in their places, whatever the means: with that scale of
 * all of them that makes it most, and with any of a few shapes, if those were asked for, else
 * normally distributed.  Two of the same groups may be compared. */
double tm_spread_likely(struct spread *s, const double *x);

#endif
