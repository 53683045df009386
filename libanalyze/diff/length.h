/* SPDX-License-Identifier: MIT
 * May B be a run of another length than A?  A run of more steps calls nearly all kernels more
 * often, by about one factor. */
#ifndef TM_DIFF_LENGTH_H
#define TM_DIFF_LENGTH_H

#include "diff/pair.h"

enum { TM_LENGTHS = 2 };

/* B calls nearly all kernels times[0] to times[1] times as often as A; {0}: it does not. */
struct tm_length {
	double times[TM_LENGTHS];
	const struct tm_pair *pair[TM_LENGTHS]; /* kernels that are called so much more often */
};

/* Compare the calls of both sides, each divided by its units; factors of up to 1 + floor are none.
 * False when out of memory. */
bool tm_length_find(struct tm_length *l, const struct tm_pairs *k, const uint64_t units[TM_SIDES],
                    double floor);

#endif
