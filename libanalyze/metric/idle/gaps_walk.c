/* SPDX-License-Identifier: MIT
 * The gaps of a lane, in order of time. */
#include "metric/idle/gaps_parts.h"

struct gaps_walk tm_gaps_walk(const struct gaps_lane *l)
{
	struct gaps_walk w = { .p = tm_work_pieces_same(l->t, l->n), .last.list = GAPS_NONE };

	w.edge = w.p.window.lo;
	w.kept = tm_work_pieces_kept(l->t, l->n, &w.n);
	return w;
}

static bool next_piece(struct gaps_walk *w, struct tm_work_piece *one)
{
	if (w->kept) {
		if (w->at == w->n)
			return false;
		*one = w->kept[w->at++];
		return true;
	}
	if (!tm_pieces_next(&w->p, &one->at))
		return false;
	one->opener_list = w->p.opener_list;
	one->opener = w->p.opener;
	one->closer_list = w->p.closer_list;
	one->closer = w->p.closer;
	return true;
}

bool tm_gaps_next(struct gaps_walk *w, struct gap *g)
{
	struct tm_work_piece busy;

	while (!w->done) {
		/* Member by member: a copy of the whole would wait for the store of w->last. */
		g->prev.list = w->last.list;
		g->prev.i = w->last.i;
		g->next.list = GAPS_NONE;
		g->at.lo = w->edge;
		w->done = !next_piece(w, &busy);
		if (w->done) {
			g->at.hi = w->p.window.hi;
			return g->at.lo < g->at.hi;
		}
		g->at.hi = busy.at.lo;
		g->next = (struct gaps_beside) { busy.opener_list, busy.opener };
		w->edge = busy.at.hi;
		w->last = (struct gaps_beside) { busy.closer_list, busy.closer };
		if (g->at.lo < g->at.hi)
			return true;
	}
	return false;
}

bool tm_gaps_longer(struct gaps_walk *w, uint64_t least, struct tm_pieces_passed *passed,
                    struct gap *g)
{
	for (;;) {
		if (!w->kept && !w->done && tm_pieces_pass(&w->p, least, &w->edge, passed))
			w->last = (struct gaps_beside) { w->p.closer_list, w->p.closer };
		if (!tm_gaps_next(w, g))
			return false;
		if (gaps_length(g) > least)
			return true;
		passed->gaps++;
		passed->ns += gaps_length(g);
	}
}

/* tm_gaps_lengths where the pieces are walked; the last gap needs a place, too. */
static size_t lengths(struct gaps_walk *w, uint64_t out[GAPS_SOME])
{
	struct tm_extent busy[GAPS_SOME - 1];
	const size_t some = tm_pieces_some(&w->p, busy, GAPS_SOME - 1);
	uint64_t edge = w->edge;
	size_t n = 0;

	for (size_t i = 0; i < some; i++) {
		out[n] = busy[i].lo - edge;
		n += busy[i].lo > edge;
		edge = busy[i].hi;
	}
	w->edge = edge;
	w->done = some < GAPS_SOME - 1;
	if (w->done && edge < w->p.window.hi)
		out[n++] = w->p.window.hi - edge;
	return n;
}

size_t tm_gaps_lengths(struct gaps_walk *w, uint64_t out[GAPS_SOME])
{
	size_t n = 0;
	struct gap g;

	if (w->kept)
		while (n < GAPS_SOME && tm_gaps_next(w, &g))
			out[n++] = gaps_length(&g);
	else
		while (!n && !w->done)
			n = lengths(w, out);
	return n;
}

uint64_t tm_gaps_first_kernel(const struct gaps_lane *l)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < l->n; i++) {
		const uint64_t one = tm_work_first_kernel(&l->t[i]);

		first = one < first ? one : first;
	}
	return first < UINT64_MAX ? first : 0;
}

struct gaps_before tm_gaps_before(const struct gaps_lane *l, uint64_t first)
{
	struct gaps_walk w = tm_gaps_walk(l);
	struct gaps_before b = { 0 };
	struct gap g;

	while (tm_gaps_next(&w, &g) && g.at.hi <= first) {
		b.idle += gaps_length(&g);
		b.longest = gaps_length(&g) > b.longest ? gaps_length(&g) : b.longest;
	}
	return b;
}

uint64_t tm_gaps_later(const struct gaps_lane *l, uint64_t longest)
{
	const uint64_t first = tm_gaps_first_kernel(l);
	struct gaps_walk w = tm_gaps_walk(l);
	uint64_t later = 0;
	struct gap g;

	if (tm_gaps_before(l, first).longest < longest)
		return longest;
	while (tm_gaps_next(&w, &g))
		if (g.at.hi > first && gaps_length(&g) > later)
			later = gaps_length(&g);
	return later;
}
