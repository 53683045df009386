/* SPDX-License-Identifier: MIT
 * A set of ids: a bit for each number between the least and the greatest, up to two bytes an id;
 * where these are more, half a byte to a byte an id, a bit for each hash, so that a few other ids
 * seem to be in the set.  0 is not an id. */
#ifndef TM_AGG_ID_SET_H
#define TM_AGG_ID_SET_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with {0}; tm_id_set_tell for each id, then tm_id_set_room, then tm_id_set_add for each. */
struct tm_id_set {
	uint64_t n, least, most; /* of those told */
	uint64_t *bit;
	unsigned shift; /* hash -> bit; 0 = no hashing */
	const struct tm_hash *hash;
};

static inline void tm_id_set_tell(struct tm_id_set *s, uint64_t id)
{
	s->n++;
	if (!id)
		return;
	s->least = !s->least || id < s->least ? id : s->least;
	s->most = id > s->most ? id : s->most;
}

/* False when out of memory. */
bool tm_id_set_room(struct tm_id_set *s);

static inline uint64_t tm_id_set_bit(const struct tm_id_set *s, uint64_t id)
{
	if (s->shift)
		return tm_hash_word(s->hash, id) >> s->shift;
	return id - s->least;
}

static inline void tm_id_set_add(struct tm_id_set *s, uint64_t id)
{
	uint64_t b = tm_id_set_bit(s, id);

	if (id)
		s->bit[b / 64] |= UINT64_C(1) << b % 64;
}

/* Is the id in the set?  May be true for a few others. */
static inline bool tm_id_set_has(const struct tm_id_set *s, uint64_t id)
{
	uint64_t b = tm_id_set_bit(s, id);

	return id && id >= s->least && id <= s->most && s->bit[b / 64] >> b % 64 & 1;
}

/* Free it; {0} again. */
void tm_id_set_fini(struct tm_id_set *s);

#endif
