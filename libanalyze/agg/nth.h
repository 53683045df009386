/* SPDX-License-Identifier: MIT
 * The n-th smallest of numbers that can be gone through several times: exact, without keeping them.
 */
#ifndef TM_AGG_NTH_H
#define TM_AGG_NTH_H

#include <stdbool.h>
#include <stdint.h>

enum { TM_NTH_BITS = 12, TM_NTH_DIGITS = 1 << TM_NTH_BITS };

/* Each time through settles TM_NTH_BITS bits of it, from the highest that `most` has. */
struct tm_nth {
	uint64_t n;            /* of those that share its bits so far, it is the n-th, from 1 */
	uint64_t below, equal; /* in the end: how many are smaller, and how many as large */
	uint64_t value;        /* the bits that are settled */
	unsigned open;         /* how many are not */
	uint64_t count[TM_NTH_DIGITS];
};

/* The n-th, from 1, of at least n numbers, of which none is larger than `most`.  n = 0: of none;
 * its value is 0. */
void tm_nth_init(struct tm_nth *s, uint64_t n, uint64_t most);

/* Do the numbers have to be gone through (once more)?  Then each is added, in any order. */
bool tm_nth_again(const struct tm_nth *s);

static inline void tm_nth_add(struct tm_nth *s, uint64_t v)
{
	unsigned shift = s->open > TM_NTH_BITS ? s->open - TM_NTH_BITS : 0;

	if (s->open == 64 || v >> s->open == s->value >> s->open)
		s->count[v >> shift & (TM_NTH_DIGITS - 1)]++;
}

/* All have been added. */
void tm_nth_settle(struct tm_nth *s);

#endif
