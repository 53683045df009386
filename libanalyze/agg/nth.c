/* SPDX-License-Identifier: MIT */
#include "agg/nth.h"

#include <string.h>

void tm_nth_init(struct tm_nth *s, uint64_t n, uint64_t most)
{
	memset(s, 0, sizeof *s);
	s->n = n;
	s->open = !n ? 0 : most ? 64 - (unsigned)__builtin_clzll(most) : 1;
}

bool tm_nth_again(const struct tm_nth *s)
{
	return s->open != 0;
}

void tm_nth_settle(struct tm_nth *s)
{
	unsigned shift = s->open > TM_NTH_BITS ? s->open - TM_NTH_BITS : 0;
	uint64_t d = 0;

	if (!s->open)
		return;
	for (; d < TM_NTH_DIGITS - 1 && s->count[d] < s->n; d++) {
		s->n -= s->count[d];
		s->below += s->count[d];
	}
	s->equal = s->count[d];
	s->value |= d << shift;
	s->open = shift;
	memset(s->count, 0, sizeof s->count);
}
