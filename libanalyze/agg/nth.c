/* SPDX-License-Identifier: MIT */
#include "agg/nth.h"

#include <string.h>

void nth_init(struct nth *s, uint64_t n, uint64_t most)
{
	memset(s, 0, sizeof *s);
	s->n = n;
	s->open = !n ? 0 : most ? 64 - (unsigned)__builtin_clzll(most) : 1;
}

bool nth_again(const struct nth *s)
{
	return s->open != 0;
}

void nth_settle(struct nth *s)
{
	unsigned shift = s->open > NTH_BITS ? s->open - NTH_BITS : 0;
	uint64_t d = 0;

	if (!s->open)
		return;
	for (; d < NTH_DIGITS - 1 && s->count[d] < s->n; d++) {
		s->n -= s->count[d];
		s->below += s->count[d];
	}
	s->equal = s->count[d];
	s->value |= d << shift;
	s->open = shift;
	memset(s->count, 0, sizeof s->count);
}
