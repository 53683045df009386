/* SPDX-License-Identifier: MIT */
#include "stream/span.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool span_init(void *acc, const void *arg)
{
	(void)arg;
	*(struct tm_spans *)acc = (struct tm_spans) { 0 };
	return true;
}

static bool span_piece(void *acc, const struct tm_piece *p)
{
	((struct tm_spans *)acc)->rank = p->id.rank;
	return true;
}

/* The span of a rank, added if new; NULL when out of memory. */
static struct tm_span *span_of(struct tm_spans *s, uint64_t rank)
{
	size_t i = 0, end = s->n;

	TM_BISECT(i, end, mid, s->v[mid].rank < rank);
	if (i < s->n && s->v[i].rank == rank)
		return &s->v[i];
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return NULL;
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof *s->v);
	s->n++;
	s->v[i] = (struct tm_span) { .rank = rank, .first = UINT64_MAX, .work_first = UINT64_MAX };
	return &s->v[i];
}

static void widen(uint64_t *first, uint64_t *last, uint64_t from, uint64_t to)
{
	*first = from < *first ? from : *first;
	*last = to > *last ? to : *last;
}

/* Is row i of copies one from host to host?  *name, *host: what was found of the row before. */
static bool on_host(const struct tm_batch *b, uint32_t i, uint64_t *name, bool *host)
{
	uint64_t id;

	if (!tm_batch_has(b, i, TM_EVC_NAME))
		return false;
	id = b->col[TM_EVC_NAME][i];
	if (id != *name) {
		const char *way = tm_copy_direction(b->names->v[id].text, b->names->v[id].len);

		*name = id;
		*host = way && !strcmp(way, "host_to_host");
	}
	return *host;
}

/* The same of dispatches that all have their times. */
static void widen_all(struct tm_span *s, tm_u128 *gpu_ns, const struct tm_batch *b,
                      struct tm_extent w)
{
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END];
	uint64_t first = UINT64_MAX, last = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		if (start[i] < w.lo || start[i] >= w.hi)
			continue;
		widen(&first, &last, start[i], end[i]);
		*gpu_ns += end[i] - start[i];
	}
	widen(&s->first, &s->last, first, last);
	widen(&s->work_first, &s->work_last, first, last);
}

void tm_span_widen(struct tm_span *s, tm_u128 *gpu_ns, const struct tm_batch *b, struct tm_extent w)
{
	const tm_ev_set need = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	uint64_t name = UINT64_MAX;
	bool host = false;

	if (b->kind == TM_EV_DISPATCH && (b->has & need) == need) {
		widen_all(s, gpu_ns, b, w);
		return;
	}
	for (uint32_t i = 0; (b->some & need) == need && i < b->n; i++) {
		uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];

		if (!tm_batch_has_all(b, i, need))
			continue;
		if (start < w.lo || start >= w.hi)
			continue;
		widen(&s->first, &s->last, start, end);
		if (b->kind != TM_EV_DISPATCH &&
		    (b->kind != TM_EV_COPY || on_host(b, i, &name, &host)))
			continue;
		widen(&s->work_first, &s->work_last, start, end);
		*gpu_ns += end - start;
	}
}

void tm_span_join(struct tm_span *s, const struct tm_span *by)
{
	widen(&s->first, &s->last, by->first, by->last);
	widen(&s->work_first, &s->work_last, by->work_first, by->work_last);
}

static bool span_take(void *acc, const struct tm_batch *b)
{
	struct tm_spans *s = acc;
	struct tm_span all = { .first = UINT64_MAX, .work_first = UINT64_MAX }, *sp;
	tm_u128 gpu_ns = 0;

	tm_span_widen(&all, &gpu_ns, b, (struct tm_extent) { 0, UINT64_MAX });
	sp = all.first <= all.last ? span_of(s, s->rank) : NULL;
	if (!sp)
		return all.first > all.last;
	tm_span_join(sp, &all);
	return true;
}

static bool span_merge(void *into, void *from)
{
	struct tm_spans *s = into, *f = from;

	for (size_t i = 0; i < f->n; i++) {
		struct tm_span *sp = span_of(s, f->v[i].rank);

		if (!sp)
			return false;
		tm_span_join(sp, &f->v[i]);
	}
	return true;
}

static void span_fini(void *acc)
{
	free(((struct tm_spans *)acc)->v);
}

const struct tm_event_sink tm_span_sink = {
	.size = sizeof(struct tm_spans),
	.init = span_init,
	.piece = span_piece,
	.take = span_take,
	.merge = span_merge,
	.fini = span_fini,
};

/* ---- around another sink ---- */

enum { INSIDE = (sizeof(struct tm_span_watch) + 63) / 64 * 64 };

void *tm_span_watched(struct tm_span_watch *w)
{
	return (char *)w + INSIDE;
}

/* Until init has run, the sink is what `arg` points to. */
static bool watch_init(void *acc, const void *arg)
{
	const struct tm_event_sink *sink = arg;
	struct tm_span_watch *w = acc;

	*w = (struct tm_span_watch) { .sink = sink };
	return sink->init(tm_span_watched(w), sink->arg);
}

static bool watch_piece(void *acc, const struct tm_piece *p)
{
	struct tm_span_watch *w = acc;

	return span_piece(&w->spans, p) && w->sink->piece(tm_span_watched(w), p);
}

static bool watch_take(void *acc, const struct tm_batch *b)
{
	struct tm_span_watch *w = acc;

	return span_take(&w->spans, b) && w->sink->take(tm_span_watched(w), b);
}

static bool watch_merge(void *into, void *from)
{
	struct tm_span_watch *w = into, *f = from;
	bool ok = span_merge(&w->spans, &f->spans);

	/* Merged early, it is filled further: what is there now is not to come again. */
	f->spans.n = 0;
	return ok && w->sink->merge(tm_span_watched(w), tm_span_watched(f));
}

static void span_watch_fini(void *acc)
{
	struct tm_span_watch *w = acc;

	span_fini(&w->spans);
	w->sink->fini(tm_span_watched(w));
}

static bool watch_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                       const struct tm_diag *why)
{
	struct tm_span_watch *w = acc;

	return w->sink->done(tm_span_watched(w), p, l, why);
}

static size_t watch_held(const void *acc)
{
	const struct tm_span_watch *w = acc;

	return w->sink->held((const char *)w + INSIDE);
}

struct tm_event_sink tm_span_watch(const struct tm_event_sink *sink)
{
	return (struct tm_event_sink) { .size = INSIDE + sink->size,
		                        .arg = sink,
		                        .init = watch_init,
		                        .piece = watch_piece,
		                        .take = watch_take,
		                        .merge = watch_merge,
		                        .fini = span_watch_fini,
		                        .done = sink->done ? watch_done : NULL,
		                        .mixed = sink->mixed,
		                        .held = sink->held ? watch_held : NULL };
}

struct tm_extent tm_span_resolve(const struct tm_span *s, const struct tm_window *w)
{
	return s->work_first <= s->work_last ? tm_window_resolve(w, s->work_first, s->work_last)
	                                     : tm_window_resolve(w, s->first, s->last);
}
