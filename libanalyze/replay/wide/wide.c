/* SPDX-License-Identifier: MIT
 * What passes of several scenarios work in, and the pass for any processor. */
#include "replay/wide/wide.h"

#include "replay/tracks.h"
#include "replay/usual.h"
#include "replay/weights.h"
#include "replay/wide/go.h"

#include <stdlib.h>
#include <string.h>

/* Rings of all ranks together are not larger than that, but for the least that is worth it. */
enum { RING = 1 << 12, RING_LEAST = 1 << 6, RINGS = 1 << 16 };

/* Times of a pass are below that. */
#define MOST_PASS (INT64_C(1) << 62)

#define ISA
#define GO_ALL tm_wide_go_plain
#include "base/base.h"
#include "replay/wide/pass.inc"

/* ---- instants that are kept ---- */

static void keep_one(struct wide_kept *k, uint32_t i)
{
	k->is[i / 64] |= UINT64_C(1) << i % 64;
}

/* Those that a much later one waits for. */
static void keep_far(const struct wide_map *m, const struct tm_replay_rank *r, struct wide_kept *k)
{
	struct edges all = { 0 };

	for (uint32_t i = 0; i < r->n; i++) {
		all = edges_from(r, i, all.to);
		if (r->prev[i] != NONE && i - r->prev[i] >= m->size)
			keep_one(k, r->prev[i]);
		for (uint32_t e = all.from; e < all.to; e++)
			if (r->edge[e].pred != NONE && i - r->edge[e].pred >= m->size)
				keep_one(k, r->edge[e].pred);
	}
}

static bool kept_init(struct wide_kept *k, const struct tm_replay_rank *r)
{
	k->is = calloc((size_t)r->n / 64 + 1, sizeof *k->is);
	k->before = calloc((size_t)r->n / 64 + 1, sizeof *k->before);
	return k->is && k->before;
}

bool tm_wide_map_init(struct wide_map *m, const struct tm_replay *r, uint32_t (*ask)[2],
                      size_t nask)
{
	bool ok = true;

	*m = (struct wide_map) { .r = r, .size = RING };
	while (m->size > RING_LEAST && m->size * r->nrank > RINGS)
		m->size /= 2;
	m->kept = calloc(r->nrank + 1, sizeof *m->kept);
	for (size_t i = 0; (ok = ok && m->kept) && i < r->nrank; i++)
		ok = kept_init(&m->kept[i], r->rank[i]);
	if (!ok)
		return false;
	for (size_t i = 0; i < nask; i++)
		if (ask[i][1] != NONE)
			keep_one(&m->kept[ask[i][0]], ask[i][1]);
	for (size_t i = 0; i < r->nrank; i++) {
		struct wide_kept *k = &m->kept[i];

		keep_far(m, r->rank[i], k);
		for (size_t w = 0; w <= r->rank[i]->n / 64; w++) {
			k->before[w] = k->n;
			k->n += (unsigned)__builtin_popcountll(k->is[w]);
		}
	}
	return true;
}

void tm_wide_map_fini(struct wide_map *m)
{
	for (size_t i = 0; m->kept && i < m->r->nrank; i++) {
		free(m->kept[i].is);
		free(m->kept[i].before);
	}
	free(m->kept);
	*m = (struct wide_map) { 0 };
}

/* ---- room ---- */

static void free_each(const struct wide *w, uint64_t **v)
{
	for (size_t i = 0; v && i < w->map->r->nrank; i++)
		free(v[i]);
	free(v);
}

void tm_wide_free(struct wide *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->map->r->nrank; i++) {
		free(w->ring ? w->ring[i] : NULL);
		free(w->kept ? w->kept[i] : NULL);
	}
	for (int l = 0; l < WIDE; l++) {
		free_each(w, w->start[l]);
		free_each(w, w->ns[l]);
	}
	free(w->ring);
	free(w->kept);
	free(w->nkept);
	free(w->arrival);
	free(w->last);
	free(w->at);
	free(w->left);
	free(w->touched);
	free(w->one);
	free(w->was);
	tm_share_machine_free(w->machine);
	free(w);
}

struct wide *tm_wide_new(const struct wide_map *m)
{
	const struct tm_replay *r = m->r;
	const size_t n = r->nrank + 1, names = (size_t)r->rows->names.n + 1;
	struct wide *w = calloc(1, sizeof *w);
	bool ok;

	if (!w)
		return NULL;
	w->map = m;
	w->ring = calloc(n, sizeof *w->ring);
	w->kept = calloc(n, sizeof *w->kept);
	w->nkept = calloc(n, sizeof *w->nkept);
	w->last = tm_array(n, sizeof *w->last);
	w->at = tm_array(n, sizeof *w->at);
	w->arrival = malloc((r->ngroup + 1) * WIDE * sizeof *w->arrival);
	w->left = tm_array(r->ngroup + 1, sizeof *w->left);
	w->touched = malloc(names);
	w->one = malloc(names);
	ok = w->ring && w->kept && w->nkept && w->last && w->at && w->arrival && w->left &&
	     w->touched && w->one;
	for (size_t i = 0; ok && i < r->nrank; i++) {
		w->ring[i] = tm_array((size_t)m->size * WIDE, sizeof **w->ring);
		w->kept[i] = tm_array(((size_t)m->kept[i].n + 1) * WIDE, sizeof **w->kept);
		ok = w->ring[i] && w->kept[i];
	}
	if (ok)
		return w;
	tm_wide_free(w);
	return NULL;
}

static uint64_t **each_op(const struct tm_replay *r)
{
	uint64_t **v = calloc(r->nrank + 1, sizeof *v);

	for (size_t i = 0; v && i < r->nrank; i++)
		v[i] = tm_array((size_t)r->rank[i]->nop + 1, sizeof **v);
	return v;
}

bool tm_wide_lengths(struct wide *w, unsigned n)
{
	size_t most = 0;

	for (size_t i = 0; i < w->map->r->nrank; i++)
		most = w->map->r->rank[i]->nop > most ? w->map->r->rank[i]->nop : most;
	if (!w->was)
		w->was = tm_array(most + 1, sizeof *w->was);
	if (!w->machine)
		w->machine = tm_share_machine_new(w->map->r);
	if (!w->was || !w->machine)
		return false;
	for (unsigned l = 0; l < n; l++) {
		if (!w->start[l])
			w->start[l] = each_op(w->map->r);
		if (!w->ns[l])
			w->ns[l] = each_op(w->map->r);
		if (!w->start[l] || !w->ns[l])
			return false;
		for (size_t i = 0; i < w->map->r->nrank; i++)
			if (!w->start[l][i] || !w->ns[l][i])
				return false;
	}
	return true;
}

/* ---- passes ---- */

bool tm_wide_can(const struct tm_replay *r, const struct tm_replay_scenario *s)
{
	const uint64_t unit = TM_REPLAY_UNIT;
	bool can = !s->prompt && !s->even && !s->overlap && s->launch <= unit && s->graph <= unit &&
	           s->copy <= unit && s->comm <= unit && s->host <= unit;

	for (size_t i = 0; i < r->nrank; i++)
		can &= r->rank[i]->t[r->rank[i]->n - 1] < TM_WIDE_MOST;
	for (size_t i = 0; i < s->nscale; i++)
		can &= s->scale[i].factor <= unit;
	return can;
}

void tm_wide_begin(struct wide *w, unsigned n)
{
	const uint32_t names = w->map->r->rows->names.n;

	w->level = w->pass[0].level;
	w->way = w->pass[0].way;
	w->host = w->calls = w->launch = 0;
	memset(w->touched, 0, names);
	for (unsigned l = 0; l < WIDE; l++) {
		const struct tm_replay_scenario *s;

		if (l >= n)
			w->pass[l] = w->pass[0];
		s = w->pass[l].s;
		w->blind[l] = s->blind ? -1 : 0;
		w->host |= (unsigned)gaps_change(s) << l;
		w->launch |= (unsigned)launches_change(s) << l;
		w->calls |= (unsigned)(s->nosync || launches_change(s)) << l;
		tm_replay_touch(&w->pass[l], w->one);
		for (uint32_t i = 0; !w->pass[l].same_lengths && i < names; i++)
			w->touched[i] |= (uint8_t)(w->one[i] << l);
		w->pass[l].touched = NULL;
	}
}

bool tm_wide_pass(struct wide *w)
{
	const struct tm_replay *r = w->map->r;
	bool fits = true;

	w->lengths = 0;
	for (unsigned l = 0; l < WIDE; l++) {
		w->lengths |= (unsigned)(w->pass[l].balanced || w->pass[l].beside) << l;
		w->differs[l] = 0;
	}
	for (size_t g = 0; g < r->ngroup; g++)
		w->left[g] = r->group[g].members;
	memset(w->arrival, 0, r->ngroup * WIDE * sizeof *w->arrival);
	memset(w->at, 0, r->nrank * sizeof *w->at);
	memset(w->nkept, 0, r->nrank * sizeof *w->nkept);
	memset(w->last, 0, r->nrank * sizeof *w->last);
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		tm_wide_go_avx2(w);
	else
#endif
		tm_wide_go_plain(w);
	for (size_t i = 0; i < r->nrank; i++)
		for (unsigned l = 0; l < WIDE; l++)
			fits &= w->last[i][l] < MOST_PASS;
	return fits;
}

uint64_t tm_wide_time(const struct wide *w, unsigned scenario, uint32_t rank, uint32_t i)
{
	const struct wide_kept *k = &w->map->kept[rank];
	uint64_t below = k->is[i / 64] & ((UINT64_C(1) << i % 64) - 1);
	size_t at = (size_t)k->before[i / 64] + (unsigned)__builtin_popcountll(below);

	return (uint64_t)w->kept[rank][at * WIDE + scenario];
}
