/* SPDX-License-Identifier: MIT
 * The n-th smallest of numbers that can be gone through several times: exact, without keeping them.
 */
#ifndef TM_AGG_NTH_H
#define TM_AGG_NTH_H

#include <stdbool.h>
#include <stdint.h>

enum { NTH_BITS = 12, NTH_DIGITS = 1 << NTH_BITS };

/* Each time through settles NTH_BITS bits of it, from the highest that `most` has. */
struct nth {
	uint64_t n;            /* of those that share its bits so far, it is the n-th, from 1 */
	uint64_t below, equal; /* in the end: how many are smaller, and how many as large */
	uint64_t value;        /* the bits that are settled */
	unsigned open;         /* how many are not */
	uint64_t count[NTH_DIGITS];
};

/* The n-th, from 1, of at least n numbers, of which none is larger than `most`.  n = 0: of none;
 * its value is 0. */
void nth_init(struct nth *s, uint64_t n, uint64_t most);

/* Do the numbers have to be gone through (once more)?  Then each is added, in any order. */
bool nth_again(const struct nth *s);

static inline void nth_add(struct nth *s, uint64_t v)
{
	unsigned shift = s->open > NTH_BITS ? s->open - NTH_BITS : 0;

	if (s->open == 64 || v >> s->open == s->value >> s->open)
		s->count[v >> shift & (NTH_DIGITS - 1)]++;
}

/* All have been added. */
void nth_settle(struct nth *s);

#endif
