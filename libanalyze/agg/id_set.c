/* SPDX-License-Identifier: MIT */
#include "agg/id_set.h"

#include <stdlib.h>

bool tm_id_set_room(struct tm_id_set *s)
{
	unsigned bits = 6;

	while (s->n > (UINT64_C(1) << bits) / 4)
		bits++;
	s->shift = s->most - s->least >= UINT64_C(1) << bits ? 64 - bits : 0;
	s->hash = tm_hash_own();
	s->bit = calloc((size_t)1 << (bits - 6), sizeof *s->bit);
	return s->bit != NULL;
}

void tm_id_set_fini(struct tm_id_set *s)
{
	free(s->bit);
	*s = (struct tm_id_set) { 0 };
}
