/* SPDX-License-Identifier: MIT
 * Sorts data that is nearly sorted already. */
#ifndef REPLAY_SORT_H
#define REPLAY_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key {
	uint64_t a, b;
};

/* By a, then b; stable.  `room` is for n keys more.  Takes one pass for each doubling of the number
 * of ascending runs, or else, of many keys, for each 11 bits by which they differ. */
void tm_replay_sort(struct key *v, struct key *room, size_t n);

/* The middle one of n numbers, nearest rank; what is in v afterwards is of no use.  0 of none. */
uint64_t tm_replay_median(uint64_t *v, size_t n);

#endif
