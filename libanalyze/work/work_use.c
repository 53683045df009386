/* SPDX-License-Identifier: MIT
 * Of a settled store: what covers the time of a track, or of the tracks of one lane together. */
#include "work/intervals.h"

#include <stdlib.h>

struct tm_pieces tm_work_pieces(const struct tm_work_track *t, unsigned kinds)
{
	struct tm_pieces p;

	tm_pieces_init(&p, t->window);
	for (unsigned k = 0; k < TM_WORK_KINDS; k++)
		if (kinds & 1u << k)
			tm_pieces_add(&p, &t->op[k]);
	return p;
}

size_t tm_work_same(const struct tm_work *w, size_t i)
{
	size_t n = 1;

	while (i + n < w->ntrack && tm_work_same_lane(&w->track[i], &w->track[i + n]))
		n++;
	return n;
}

bool tm_work_origins(const struct tm_work *w, struct tm_table *t)
{
	for (size_t i = 0, n; i < w->ntrack && !w->o->windowed; i += n) {
		uint64_t lo = w->track[i].window.lo;

		for (n = 1; i + n < w->ntrack && w->track[i + n].rank == w->track[i].rank; n++)
			if (w->track[i + n].window.lo < lo)
				lo = w->track[i + n].window.lo;
		if (!tm_table_origin(t, w->track[i].rank, lo))
			return false;
	}
	return true;
}

static struct tm_extent window_of_same(const struct tm_work_track *t, size_t n)
{
	struct tm_extent window = t->window;

	for (size_t i = 1; i < n; i++) {
		if (t[i].window.lo < window.lo)
			window.lo = t[i].window.lo;
		if (t[i].window.hi > window.hi)
			window.hi = t[i].window.hi;
	}
	return window;
}

struct tm_pieces tm_work_pieces_same(const struct tm_work_track *t, size_t n)
{
	struct tm_pieces p;

	tm_pieces_init(&p, window_of_same(t, n));
	p.same = (unsigned)n;
	for (unsigned k = 0; k < TM_WORK_KINDS; k++)
		for (size_t i = 0; i < n; i++)
			tm_pieces_add(&p, &t[i].op[k]);
	return p;
}

struct tm_work_use tm_work_use_by(const uint64_t by[TM_WORK_EVERY + 1], uint64_t window)
{
	enum {
		K = 1 << TM_WORK_KERNEL,
		C = 1 << TM_WORK_COMM,
		V = 1 << TM_WORK_MOVE,
		S = 1 << TM_WORK_SPIN,
		M = 1 << TM_WORK_COPY,
		MASKS = TM_WORK_EVERY + 1,
	};
	struct tm_work_use u = { .window = window };

	for (unsigned m = 0; m < MASKS; m++) {
		if (m & K)
			u.compute += by[m];
		else if (m & C)
			u.exposed_comm += by[m];
		else if (m & V)
			u.move += by[m];
		else if (m & M)
			u.exposed_copy += by[m];
		else if (m & S)
			u.wait += by[m];
		else
			u.idle += by[m];
		u.comm += m & C ? by[m] : 0;
		u.copy += m & M ? by[m] : 0;
	}
	u.busy = u.window - u.idle;
	return u;
}

struct tm_work_use tm_work_use_pieces(struct tm_pieces p[TM_WORK_KINDS])
{
	uint64_t by[TM_WORK_EVERY + 1], window = p[0].window.hi - p[0].window.lo;

	tm_pieces_by_mask(p, TM_WORK_KINDS, by);
	return tm_work_use_by(by, window);
}

void tm_work_kinds_of(const struct tm_work_track *t, size_t n, struct tm_pieces p[TM_WORK_KINDS])
{
	for (unsigned k = 0; k < TM_WORK_KINDS; k++) {
		tm_pieces_init(&p[k], window_of_same(t, n));
		for (size_t i = 0; i < n; i++)
			tm_pieces_add(&p[k], &t[i].op[k]);
	}
}

uint64_t tm_work_first_kernel(const struct tm_work_track *t)
{
	const int kinds[] = { TM_WORK_KERNEL, TM_WORK_COMM };
	uint64_t first = UINT64_MAX;

	for (int k = 0; k < 2 && !t->asked.lo; k++) {
		const struct tm_intervals *of = &t->op[kinds[k]];

		if (of->n && tm_interval_start(of, 0) < first)
			first = tm_interval_start(of, 0);
	}
	return first;
}

/* Are the times of both the same?  Lists that were lent are, until one is taken or changed. */
static bool is_lent(const struct tm_work_track *t)
{
	const struct tm_work_track *of = t->of;

	if (!of || t->window.lo != of->window.lo || t->window.hi != of->window.hi)
		return false;
	for (int k = 0; k < TM_WORK_KINDS; k++)
		if (t->op[k].n != of->op[k].n ||
		    (t->op[k].n && (!t->op[k].lent || t->op[k].block != of->op[k].block)))
			return false;
	return true;
}

/* Whose lists they are in the end: the times of both are the same.  NULL = its own. */
static struct tm_work_track *lender_of(const struct tm_work_track *t)
{
	struct tm_work_track *of = NULL;

	while (is_lent(t))
		t = of = t->of;
	return of;
}

struct tm_work_found *tm_work_found_of(const struct tm_work_track *t)
{
	const struct tm_work_track *of = lender_of(t);

	return of ? of->found : NULL;
}

struct tm_work_use tm_work_use_of(const struct tm_work_track *t, size_t n)
{
	struct tm_pieces p[TM_WORK_KINDS];
	struct tm_work_found *f = n == 1 ? tm_work_found_of(t) : NULL;
	struct tm_work_use u;

	if (f && !tm_once_begin(&f->use_once))
		return f->use;
	tm_work_kinds_of(t, n, p);
	u = tm_work_use_pieces(p);
	if (f) {
		f->use = u;
		tm_once_end(&f->use_once);
	}
	return u;
}

enum {
	OPS_A_PIECE = 64,
	SOME = 64
}; /* with more pieces than one of so many operations, none is kept */

/* The pieces of tracks that are lent from `of` on. */
static void keep_pieces(struct tm_work_track *of, size_t same)
{
	struct tm_pieces p = tm_work_pieces_same(of, same);
	struct tm_work_found *to = of->found;
	size_t most = SOME, cap = 0;
	struct tm_extent at;

	to->same = same;
	for (unsigned k = 0; k < p.n; k++)
		most += p.list[k]->n / OPS_A_PIECE;
	while (tm_pieces_next(&p, &at)) {
		if (to->npiece == most ||
		    !tm_grow_array(&to->piece, &cap, to->npiece + 1, sizeof *to->piece)) {
			free(to->piece);
			to->piece = NULL;
			return;
		}
		to->piece[to->npiece++] = (struct tm_work_piece) { .at = at,
			                                           .opener_list = p.opener_list,
			                                           .closer_list = p.closer_list,
			                                           .opener = p.opener,
			                                           .closer = p.closer };
	}
}

const struct tm_work_piece *tm_work_pieces_kept(const struct tm_work_track *t, size_t same,
                                                size_t *n)
{
	struct tm_work_track *of = lender_of(t);

	for (size_t i = 0; i < same; i++)
		if (!of || lender_of(&t[i]) != of + i)
			return NULL;
	if (tm_once_begin(&of->found->piece_once)) {
		keep_pieces(of, same);
		tm_once_end(&of->found->piece_once);
	}
	*n = of->found->npiece;
	return of->found->same == same ? of->found->piece : NULL;
}
