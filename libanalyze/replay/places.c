/* SPDX-License-Identifier: MIT */
#include "replay/places.h"

#include "base/base.h"
#include "replay/tracks.h"

#include <stdlib.h>

enum { NEAR = 3, WORDS = 2 * NEAR + 3, AHEAD = 1024 };

/* Does a stretch begin with an operation that is not the first of its lane?  One is of a graph, or
 * between two waits of the thread that launched it. */
static bool begins(const struct tm_replay_rank *r, uint32_t op)
{
	uint32_t a = r->op[op - 1].call, b = r->op[op].call;

	if (a == b)
		return false;
	if (a == NONE || b == NONE || r->call[a].thread != r->call[b].thread ||
	    call_does(r, a) == DOES_GRAPH || call_does(r, b) == DOES_GRAPH ||
	    (b > a && b - a > AHEAD))
		return true;
	for (uint32_t i = a + 1; i < b; i++)
		if (call_does(r, i) >= DOES_DEVICE && call_does(r, i) <= DOES_COPY)
			return true;
	return false;
}

/* Kinds of stretches: each is the number of its lane and names, found name by name. */
static bool find_kinds(struct places *p, const struct tm_replay_rank *r)
{
	struct tm_groups starts = { .words = 3 };
	uint32_t *seen = NULL; /* how often a stretch is just that */
	size_t cap = 0;
	bool ok = true;

	for (uint32_t op = 0, end; ok && op < r->nop; op = end) {
		uint32_t lane = r->op[op].lane, kind = NONE;

		for (end = op; ok && end < r->lane[lane].to && (end == op || !begins(r, end));
		     end++) {
			uint64_t key[3] = { lane, kind, r->op[end].name };

			kind = tm_groups_item(&starts, key, &seen, &cap, sizeof *seen, NULL);
			ok = kind != TM_GROUP_NONE;
			p->at[end] = end - op;
		}
		for (uint32_t i = op; ok && i < end; i++)
			p->kind[i] = kind;
		if (ok)
			seen[kind]++;
	}
	for (uint32_t i = 0; ok && i < r->nop; i++)
		if (seen[p->kind[i]] < 2)
			p->kind[i] = NONE;
	free(seen);
	tm_groups_fini(&starts);
	return ok;
}

bool tm_places_init(struct places *p, const struct tm_replay_rank *r, bool stretches)
{
	*p = (struct places) { .keys = { .words = WORDS } };
	if (!stretches || r->nop > PLACES_MOST)
		return true;
	p->kind = tm_array((size_t)r->nop + 1, sizeof *p->kind);
	p->at = tm_array((size_t)r->nop + 1, sizeof *p->at);
	return p->kind && p->at && find_kinds(p, r);
}

void tm_places_fini(struct places *p)
{
	tm_groups_fini(&p->keys);
	free(p->kind);
	free(p->at);
	*p = (struct places) { 0 };
}

/* By what is around: which of those of its call in its lane it is, as in a graph, its name, those
 * of NEAR before and NEAR after it in its lane. */
static void look_around(const struct tm_replay_rank *r, uint32_t op, uint64_t *key)
{
	const struct lane *l = &r->lane[r->op[op].lane];
	uint32_t first = l->from, end = op;

	TM_BISECT(first, end, mid, op_sub(r, mid) < op_sub(r, op));
	key[1] = op - first;
	for (uint32_t i = 0; i < WORDS - 2; i++)
		key[i + 2] = op + i >= l->from + NEAR && op + i < l->to + NEAR
		                     ? r->op[op + i - NEAR].name
		                     : NONE;
}

uint32_t tm_places_of(struct places *p, const struct tm_replay_rank *r, uint32_t op)
{
	uint64_t key[WORDS] = { r->op[op].lane };

	if (p->kind && p->kind[op] != NONE) {
		/* No operation around has such a name. */
		key[1] = UINT64_MAX;
		key[2] = p->kind[op];
		key[3] = p->at[op];
	} else {
		look_around(r, op, key);
	}
	return tm_groups_add(&p->keys, key, NULL);
}
