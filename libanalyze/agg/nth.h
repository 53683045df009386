/* SPDX-License-Identifier: MIT
 * The exact n-th smallest of numbers that can be read several times, without keeping them. */
#ifndef TM_AGG_NTH_H
#define TM_AGG_NTH_H

#include <stdbool.h>
#include <stdint.h>

enum { TM_NTH_BITS = 12, TM_NTH_DIGITS = 1 << TM_NTH_BITS };

/* Each pass determines TM_NTH_BITS bits of it, from the highest bit of `most` down. */
struct tm_nth {
	uint64_t n;            /* of those that share its bits so far, it is the n-th, from 1 */
	uint64_t below, equal; /* in the end: how many are smaller, and how many as large */
	uint64_t value;        /* the bits that are settled */
	unsigned open;         /* how many are not */
	uint64_t count[TM_NTH_DIGITS];
};

/* Search the n-th, from 1, of at least n numbers, none larger than `most`. n = 0: of no numbers;
 * the value is 0. */
void tm_nth_init(struct tm_nth *s, uint64_t n, uint64_t most);

/* Is a (further) pass needed?  If so, add each number, in any order. */
bool tm_nth_again(const struct tm_nth *s);

static inline void tm_nth_add(struct tm_nth *s, uint64_t v)
{
	unsigned shift = s->open > TM_NTH_BITS ? s->open - TM_NTH_BITS : 0;

	if (s->open == 64 || v >> s->open == s->value >> s->open)
		s->count[v >> shift & (TM_NTH_DIGITS - 1)]++;
}

/* End a pass, when all numbers were added. */
void tm_nth_settle(struct tm_nth *s);

#endif
