/* SPDX-License-Identifier: MIT */
#include "stream/span.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

static bool span_init(void *acc, const void *arg)
{
	(void)arg;
	*(struct spans *)acc = (struct spans) { 0 };
	return true;
}

static bool span_piece(void *acc, const struct piece *p)
{
	((struct spans *)acc)->rank = p->rank;
	return true;
}

/* The span of a rank, added if new; NULL when out of memory. */
static struct span *span_of(struct spans *s, uint64_t rank)
{
	size_t i = 0;

	while (i < s->n && s->v[i].rank < rank)
		i++;
	if (i < s->n && s->v[i].rank == rank)
		return &s->v[i];
	if (!grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return NULL;
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof *s->v);
	s->n++;
	s->v[i] = (struct span) { .rank = rank, .first = UINT64_MAX, .work_first = UINT64_MAX };
	return &s->v[i];
}

static void widen(uint64_t *first, uint64_t *last, uint64_t from, uint64_t to)
{
	*first = from < *first ? from : *first;
	*last = to > *last ? to : *last;
}

static bool span_take(void *acc, const struct batch *b)
{
	const uint64_t need = EV_BIT(EVC_START) | EV_BIT(EVC_END);
	struct spans *s = acc;
	struct span *sp;
	uint64_t first = UINT64_MAX, last = 0;

	if ((b->some & need) != need)
		return true;
	for (uint32_t i = 0; i < b->n; i++)
		if ((b->has & need) == need || (b->row_has[i] & need) == need)
			widen(&first, &last, b->col[EVC_START][i], b->col[EVC_END][i]);
	sp = first <= last ? span_of(s, s->rank) : NULL;
	if (!sp)
		return first > last;
	widen(&sp->first, &sp->last, first, last);
	if (b->kind == EV_DISPATCH || b->kind == EV_COPY)
		widen(&sp->work_first, &sp->work_last, first, last);
	return true;
}

static bool span_merge(void *into, void *from)
{
	struct spans *s = into, *f = from;

	for (size_t i = 0; i < f->n; i++) {
		struct span *sp = span_of(s, f->v[i].rank);

		if (!sp)
			return false;
		widen(&sp->first, &sp->last, f->v[i].first, f->v[i].last);
		widen(&sp->work_first, &sp->work_last, f->v[i].work_first, f->v[i].work_last);
	}
	return true;
}

static void span_fini(void *acc)
{
	free(((struct spans *)acc)->v);
}

const struct event_sink span_sink = {
	.size = sizeof(struct spans),
	.init = span_init,
	.piece = span_piece,
	.take = span_take,
	.merge = span_merge,
	.fini = span_fini,
};

struct extent span_resolve(const struct span *s, const struct window *w)
{
	return s->work_first <= s->work_last ? window_resolve(w, s->work_first, s->work_last)
	                                     : window_resolve(w, s->first, s->last);
}
