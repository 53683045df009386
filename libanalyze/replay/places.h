/* SPDX-License-Identifier: MIT
 * Finds operations that are repetitions of each other: those at the same place of the program. */
#ifndef REPLAY_PLACES_H
#define REPLAY_PLACES_H

#include "replay/graph.h"

struct places {
	struct tm_groups keys;
	uint32_t *kind, *at; /* of each operation: kind of stretch it is in, or NONE where that is
	                      * the only one, and which one of it it is; NULL */
};

/* With `stretches` those of lanes that come again are known from end to end, for up to
 * PLACES_MOST operations; else, and where nothing comes again, a place is told by a few operations
 * around.  False when out of memory; to be freed even so. */
enum { PLACES_MOST = 1 << 16 };
bool tm_places_init(struct places *p, const struct tm_replay_rank *r, bool stretches);
void tm_places_fini(struct places *p);

/* The number of its place, from 0; TM_GROUP_NONE when out of memory. */
uint32_t tm_places_of(struct places *p, const struct tm_replay_rank *r, uint32_t op);

#endif
