/* SPDX-License-Identifier: MIT */
#include "agg/id_set.h"

#include <stdlib.h>

enum { EXACT = 16 }; /* bits an id, at most, for a set without others */

bool tm_id_set_room(struct tm_id_set *s)
{
	const uint64_t range = s->most - s->least;
	unsigned bits = 6;

	while (s->n > (UINT64_C(1) << bits) / 4)
		bits++;
	s->shift = range / EXACT >= s->n && range >> bits ? 64 - bits : 0;
	s->hash = tm_hash_own();
	s->bit = calloc((size_t)(s->shift ? UINT64_C(1) << (bits - 6) : range / 64 + 1),
	                sizeof *s->bit);
	return s->bit != NULL;
}

void tm_id_set_fini(struct tm_id_set *s)
{
	free(s->bit);
	*s = (struct tm_id_set) { 0 };
}
