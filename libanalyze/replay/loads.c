/* SPDX-License-Identifier: MIT
 * First launches that load code: the runtime brings a kernel to the GPU when it is launched for the
 * first time, and the call takes many times as long as later ones. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/sort.h"
#include "replay/tracks.h"

#include <stdlib.h>

/* So many calls tell how long one takes. */
enum { SAMPLES = 1024 };

static uint64_t length_of(const struct tm_replay_rank *r, uint32_t call)
{
	return r->call[call].end - r->call[call].start;
}

/* How long calls that launch usually take. */
static uint64_t usual_length(const struct tm_replay_rank *r)
{
	uint64_t v[SAMPLES];
	uint32_t n = 0, at = 0, step;

	for (uint32_t i = 0; i < r->ncall; i++)
		n += call_does(r, i) == DOES_LAUNCH;
	step = n / SAMPLES + 1;
	n = 0;
	for (uint32_t i = 0; i < r->ncall; i++)
		if (call_does(r, i) == DOES_LAUNCH && at++ % step == 0)
			v[n++] = length_of(r, i);
	return n ? tm_replay_median(v, n) : 0;
}

/* Does a call that launches a kernel first load it, as it takes so much longer than usual? */
static bool loads(const struct tm_replay_rank *r, uint32_t call)
{
	return call_does(r, call) == DOES_LAUNCH &&
	       tm_replay_takes_long(length_of(r, call), r->launched);
}

/* The first operation of each name on the agent of a lane, from which on others may be of it. */
static void find_first(const struct tm_replay_rank *r, uint32_t lane, uint32_t *first,
                       uint32_t names)
{
	for (uint32_t i = 0; i < names; i++)
		first[i] = NONE;
	for (uint32_t l = lane; l < r->nlane; l++) {
		if (!same_gpu(&r->lane[l], &r->lane[lane]))
			continue;
		for (uint32_t i = r->lane[l].from; i < r->lane[l].to; i++) {
			uint32_t *f = &first[r->op[i].name];

			if (*f == NONE || r->op[i].start < r->op[*f].start)
				*f = i;
		}
	}
}

static bool note_loads(struct tm_replay_rank *r, const uint32_t *first, uint32_t names)
{
	for (uint32_t i = 0; i < names; i++) {
		const uint32_t call = first[i] == NONE ? NONE : r->op[first[i]].call;

		if (call == NONE || !loads(r, call))
			continue;
		if (!r->loads)
			r->loads = calloc((size_t)r->ncall / 8 + 1, 1);
		if (!r->loads)
			return false;
		r->loads[call / 8] |= (uint8_t)(1u << call % 8);
	}
	return true;
}

/* Each GPU has to load a kernel. */
bool tm_replay_find_loads(struct tm_replay_rank *r)
{
	const uint32_t names = r->all->rows->names.n;
	uint32_t *first = tm_array((size_t)names + 1, sizeof *first);
	bool ok = first != NULL;

	r->launched = usual_length(r);
	for (uint32_t lane = 0; ok && lane < r->nlane; lane++) {
		bool seen = false;

		for (uint32_t l = 0; !seen && l < lane; l++)
			seen = same_gpu(&r->lane[l], &r->lane[lane]);
		if (seen)
			continue;
		find_first(r, lane, first, names);
		ok = note_loads(r, first, names);
	}
	free(first);
	return ok;
}

void tm_replay_settle_loads(struct tm_replay_rank *r)
{
	bool any = false;

	for (size_t i = 0; r->loads && i <= r->ncall / 8; i++) {
		if (r->full)
			r->loads[i] &= (uint8_t)~r->full[i];
		any |= r->loads[i] != 0;
	}
	if (any)
		return;
	free(r->loads);
	r->loads = NULL;
}

bool tm_replay_has_loads(const struct tm_replay *r)
{
	for (size_t i = 0; i < r->nrank; i++)
		if (r->rank[i]->loads)
			return true;
	return false;
}
