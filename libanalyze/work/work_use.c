/* SPDX-License-Identifier: MIT
 * Of a settled store: what covers the time of a track, or of the tracks of one lane together. */
#include "work/intervals.h"

struct pieces work_pieces(const struct work_track *t, unsigned kinds)
{
	struct pieces p;

	pieces_init(&p, t->window);
	for (unsigned k = 0; k < WORK_KINDS; k++)
		if (kinds & 1u << k)
			pieces_add(&p, &t->op[k]);
	return p;
}

size_t work_same(const struct work *w, size_t i)
{
	size_t n = 1;

	while (i + n < w->ntrack && work_same_lane(&w->track[i], &w->track[i + n]))
		n++;
	return n;
}

static struct extent window_of_same(const struct work_track *t, size_t n)
{
	struct extent window = t->window;

	for (size_t i = 1; i < n; i++) {
		if (t[i].window.lo < window.lo)
			window.lo = t[i].window.lo;
		if (t[i].window.hi > window.hi)
			window.hi = t[i].window.hi;
	}
	return window;
}

struct pieces work_pieces_same(const struct work_track *t, size_t n)
{
	struct pieces p;

	pieces_init(&p, window_of_same(t, n));
	p.same = (unsigned)n;
	for (unsigned k = 0; k < WORK_KINDS; k++)
		for (size_t i = 0; i < n; i++)
			pieces_add(&p, &t[i].op[k]);
	return p;
}

struct work_use work_use_pieces(struct pieces p[WORK_KINDS])
{
	enum {
		K = 1 << WORK_KERNEL,
		C = 1 << WORK_COMM,
		V = 1 << WORK_MOVE,
		S = 1 << WORK_SPIN,
		M = 1 << WORK_COPY,
		MASKS = WORK_EVERY + 1,
	};
	uint64_t by[MASKS];
	struct work_use u = { .window = p[0].window.hi - p[0].window.lo };

	pieces_by_mask(p, WORK_KINDS, by);
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

struct work_use work_use_of(const struct work_track *t, size_t n)
{
	struct pieces p[WORK_KINDS];

	for (unsigned k = 0; k < WORK_KINDS; k++) {
		pieces_init(&p[k], window_of_same(t, n));
		for (size_t i = 0; i < n; i++)
			pieces_add(&p[k], &t[i].op[k]);
	}
	return work_use_pieces(p);
}
