/* SPDX-License-Identifier: MIT */
#include "replay/records.h"

#include "replay/tracks.h"

#include <math.h>
#include <stdlib.h>

enum { MUST_FIT_PCT = 90, ENOUGH = 3 };

/* A number of records is possible beside the best one unless it is that much less likely, as the
 * logarithm of the likelihoods' quotient. */
#define LIKELY_AS 3.0

/* Calls of the process of a call that record an event: in r->record, [*first, end), those before
 * it. */
static uint32_t records_before(const struct tm_replay_rank *r, uint32_t call, uint32_t *first)
{
	uint32_t process = r->thread[r->call[call].thread].process;
	uint32_t lo = *first = r->record_of[process], hi = r->record_of[process + 1];

	TM_BISECT(lo, hi, mid, r->call[r->record[mid]].start < r->call[call].start);
	return lo;
}

/* What was launched last before each of the last records of the thread of a call: op[1] .. op[n],
 * NONE where nothing was; n. */
static uint32_t list_back(const struct making *m, uint32_t call, uint32_t *op)
{
	const struct tm_replay_rank *r = m->r;
	uint32_t first, at = records_before(r, call, &first), n = 0;

	for (uint32_t steps = 0; at > first && n + 1 < TM_RECORDS && steps < 4 * TM_RECORDS;
	     steps++) {
		uint32_t record = r->record[--at], last;

		if (r->call[record].thread != r->call[call].thread)
			continue;
		last = m->latest[record];
		op[++n] = last != NONE ? m->last_op[last] : NONE;
	}
	return n;
}

static void key_of(const struct tm_replay_rank *r, uint32_t call, uint64_t key[4])
{
	const struct thread *t = &r->thread[r->call[call].thread];

	key[0] = r->call[call].thread;
	key[1] = r->call[call].name;
	key[2] = call > t->from ? r->call[call - 1].name : NONE;
	key[3] = call + 1 < t->to ? r->call[call + 1].name : NONE;
}

bool tm_records_note(struct record_places *s, const struct making *m, uint32_t call)
{
	const struct tm_replay_rank *r = m->r;
	uint64_t start = r->call[call].start, end = r->call[call].end, key[4];
	uint32_t op[TM_RECORDS], n = list_back(m, call, op), at;
	struct record_place *p;

	key_of(r, call, key);
	s->keys.words = 4;
	at = tm_groups_item(&s->keys, key, &s->v, &s->cap, sizeof *s->v, NULL);
	if (at == TM_GROUP_NONE)
		return false;
	p = &s->v[at];
	p->waits++;
	for (uint32_t i = 1; i <= n; i++) {
		struct record_back *b = &p->back[i];
		uint64_t e = op[i] != NONE ? r->op[op[i]].end : 0;

		if (e > end)
			b->refuted++;
		else if (e <= start)
			b->idle += end - start <= TM_RECORDS_SHORT_NS;
		if (e <= start || e > end)
			continue;
		b->hits++;
		b->sum += (double)(end - e);
		b->squares += (double)(end - e) * (double)(end - e);
	}
	return true;
}

/* How much the time from the end of the operation to that of the wait varies. */
static double varies(const struct record_back *b)
{
	double mean = b->sum / b->hits;

	return b->squares / b->hits - mean * mean;
}

/* Does that number of records explain nearly all waits of the place? */
static bool fits(const struct record_place *p, const struct record_back *b, uint32_t most)
{
	return !b->refuted && b->hits >= ENOUGH &&
	       (uint64_t)b->hits * 100 >= (uint64_t)most * MUST_FIT_PCT &&
	       (uint64_t)(b->hits + b->idle) * 100 >= (uint64_t)p->waits * MUST_FIT_PCT;
}

/* How unlikely a number of records is, as the logarithm of a likelihood, less of what is common to
 * all.  Return latencies of one place vary little (normal, of unknown variance), and their mean is
 * mostly within half and twice the `usual` one of other waits, where that is known. */
static double unlikely(const struct record_back *b, uint32_t hits, uint64_t usual)
{
	double far = usual ? log((b->sum / b->hits + 1) / (double)usual) : 0;

	return hits / 2.0 * log(varies(b) + 1) + 2 * far * far;
}

/* Of the numbers of records that explain the waits of a place, the likeliest, and those that are
 * nearly as likely. */
static void settle(struct record_place *p, uint64_t usual)
{
	uint32_t most = 0;
	double least = 0;

	for (uint32_t i = 1; i < TM_RECORDS; i++)
		if (fits(p, &p->back[i], 0) && p->back[i].hits > most)
			most = p->back[i].hits;
	for (uint32_t i = 1; i < TM_RECORDS; i++)
		if (fits(p, &p->back[i], most) &&
		    (!p->best || unlikely(&p->back[i], most, usual) < least)) {
			p->best = i;
			least = unlikely(&p->back[i], most, usual);
		}
	for (uint32_t i = 1; p->best && i < TM_RECORDS; i++)
		if (i != p->best && fits(p, &p->back[i], most) &&
		    unlikely(&p->back[i], most, usual) - least <= LIKELY_AS)
			p->possible |= UINT64_C(1) << i;
}

void tm_records_settle(struct record_places *s, uint64_t usual)
{
	for (uint32_t i = 0; i < s->keys.n; i++)
		settle(&s->v[i], usual);
}

static const struct record_place *place_of(const struct record_places *s,
                                           const struct tm_replay_rank *r, uint32_t call)
{
	uint64_t key[4];
	uint32_t at;

	if (!s->keys.n)
		return NULL;
	key_of(r, call, key);
	at = tm_groups_find(&s->keys, key);
	return at != TM_GROUP_NONE && s->v[at].best ? &s->v[at] : NULL;
}

uint32_t tm_records_op(const struct record_places *s, const struct making *m, uint32_t call)
{
	const struct record_place *p = place_of(s, m->r, call);
	uint32_t op[TM_RECORDS];

	return p && list_back(m, call, op) >= p->best ? op[p->best] : NONE;
}

unsigned tm_records_possible(const struct record_places *s, const struct making *m, uint32_t call,
                             uint32_t *out, unsigned cap)
{
	const struct record_place *p = place_of(s, m->r, call);
	uint32_t op[TM_RECORDS], n;
	unsigned found = 0;

	if (!p || !p->possible)
		return 0;
	n = list_back(m, call, op);
	for (uint32_t i = 1; i <= n && found < cap; i++)
		if (p->possible >> i & 1 && op[i] != NONE)
			out[found++] = op[i];
	return found;
}

void tm_records_fini(struct record_places *s)
{
	free(s->v);
	tm_groups_fini(&s->keys);
}
