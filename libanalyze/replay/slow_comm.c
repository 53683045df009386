/* SPDX-License-Identifier: MIT
 * How much less the collectives of a slow communicator take at the bandwidth of the fastest one
 * that does the same between as many other ranks, as far apart, as kstats collectives compares
 * them. */
#include "replay/slow_comm.h"

#include "agg/agg.h"
#include "replay/graph.h"

#include <stdlib.h>
#include <string.h>

/* One has less than so many percent of the bandwidth of another; and from so many collectives on
 * they are compared, as the first ones of a run are slow. */
enum { SLOW_PCT = 50, COMPARED = 8 };

enum { KEY_NAME, KEY_BYTES, KEY_RANKS, KEY_COMM, KEY_WORDS };

/* Collectives of one communicator, operation and size. */
struct sum {
	const uint64_t *key;
	uint64_t n;
	tm_u128 ns;     /* of each that of the rank that is done soonest */
	uint32_t group; /* one of them */
	uint64_t less;  /* so much longer than the fastest they take, in the mean */
};

struct sums {
	const struct tm_replay *r;
	struct tm_groups keys;
	struct sum *v;
	size_t cap;
	uint32_t *of; /* of each group its sum, or TM_GROUP_NONE */
};

/* Is all known of it that is compared, and what follows it in its lane? */
static bool is_known(const struct tm_replay *r, const struct tm_replay_group *g)
{
	const struct tm_replay_member *m = &r->member[g->from];
	const struct tm_replay_rank *k = r->rank[m->rank];

	return k->lane[k->op[m->op].lane].has_id && g->call && !g->pair &&
	       g->call->comm != TM_NAME_NONE && g->call->has_bytes && g->call->ranks == g->members;
}

static uint64_t shortest(const struct tm_replay *r, const struct tm_replay_group *g)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < g->members; i++) {
		const struct tm_replay_member *m = &r->member[g->from + i];
		const struct tm_replay_op *o = &r->rank[m->rank]->op[m->op];

		least = o->end - o->start < least ? o->end - o->start : least;
	}
	return least;
}

static bool add_group(struct sums *s, uint32_t at)
{
	const struct tm_replay_group *g = &s->r->group[at];
	uint64_t key[KEY_WORDS];
	bool fresh;

	s->of[at] = TM_GROUP_NONE;
	if (!is_known(s->r, g))
		return true;
	key[KEY_NAME] = g->call->name;
	key[KEY_BYTES] = g->call->bytes;
	key[KEY_RANKS] = g->call->ranks;
	key[KEY_COMM] = g->call->comm;
	s->of[at] = tm_groups_item(&s->keys, key, &s->v, &s->cap, sizeof *s->v, &fresh);
	if (s->of[at] == TM_GROUP_NONE)
		return false;
	if (fresh)
		s->v[s->of[at]] = (struct sum) { .group = at };
	s->v[s->of[at]].n++;
	s->v[s->of[at]].ns += shortest(s->r, g);
	return true;
}

/* By what is alike, of that the fastest first. */
static int by_likeness(const void *pa, const void *pb)
{
	const struct sum *a = *(struct sum *const *)pa, *b = *(struct sum *const *)pb;
	const tm_u128 x = a->ns * b->n, y = b->ns * a->n;
	int d = 0;

	for (int k = 0; !d && k < KEY_COMM; k++)
		d = tm_u64_cmp(a->key[k], b->key[k]);
	d = d ? d : (x > y) - (x < y);
	return d ? d : tm_u64_cmp(a->group, b->group);
}

static bool is_like(const struct sum *a, const struct sum *b)
{
	return !memcmp(a->key, b->key, KEY_COMM * sizeof *a->key);
}

/* Has neither a rank of the other, and are their ranks as far apart? */
static bool is_akin(const struct tm_replay *r, const struct sum *a, const struct sum *b)
{
	const struct tm_replay_group *g = &r->group[a->group], *h = &r->group[b->group];
	const struct tm_replay_member *v = &r->member[g->from], *w = &r->member[h->from];

	for (uint32_t i = 0, k = 0; i < g->members && k < h->members;) {
		if (v[i].rank == w[k].rank)
			return false;
		if (v[i].rank < w[k].rank)
			i++;
		else
			k++;
	}
	for (uint32_t i = 1; i < g->members; i++)
		if (tm_replay_rank_of(r, v[i].rank) - tm_replay_rank_of(r, v[i - 1].rank) !=
		    tm_replay_rank_of(r, w[i].rank) - tm_replay_rank_of(r, w[i - 1].rank))
			return false;
	return true;
}

/* Of n that are alike, the fastest first. */
static void judge(const struct tm_replay *r, struct sum **v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			tm_u128 is, could;

			if (!is_akin(r, v[i], v[k]))
				continue;
			is = v[i]->ns * v[k]->n;
			could = v[k]->ns * v[i]->n;
			if (is && could * 100 < is * SLOW_PCT)
				v[i]->less = (uint64_t)((is - could) /
				                        ((tm_u128)v[i]->n * v[k]->n));
			break;
		}
}

/* What is left of one that takes so much less. */
static uint64_t factor_of(uint64_t ns, uint64_t less)
{
	const uint64_t left = less < ns ? ns - less : 0;

	return ns ? (uint64_t)((tm_u128)left * TM_REPLAY_UNIT / ns) : TM_REPLAY_UNIT;
}

bool tm_replay_find_slow(struct tm_replay *r)
{
	struct sums s = { .r = r,
		          .keys = { .words = KEY_WORDS },
		          .of = tm_array(r->ngroup + 1, sizeof *s.of) };
	struct sum **order = NULL;
	bool ok = s.of != NULL;
	size_t n = 0;

	for (uint32_t i = 0; ok && i < r->ngroup; i++)
		ok = add_group(&s, i);
	order = ok ? tm_array((size_t)s.keys.n + 1, sizeof(*order)) : NULL;
	for (uint32_t i = 0; order && i < s.keys.n; i++) {
		s.v[i].key = s.keys.key + (size_t)i * KEY_WORDS;
		if (s.v[i].n >= COMPARED)
			order[n++] = &s.v[i];
	}
	if (n)
		qsort(order, n, sizeof *order, by_likeness);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && is_like(order[i], order[end]);)
			end++;
		judge(r, order + i, end - i);
	}
	for (uint32_t i = 0; order && i < r->ngroup; i++) {
		r->group[i].factor = s.of[i] == TM_GROUP_NONE ? TM_REPLAY_UNIT
		                                              : factor_of(shortest(r, &r->group[i]),
		                                                          s.v[s.of[i]].less);
		r->counts.slow += r->group[i].factor < TM_REPLAY_UNIT;
	}
	tm_groups_fini(&s.keys);
	free(s.v);
	free(s.of);
	ok = order != NULL;
	free(order);
	return ok;
}
