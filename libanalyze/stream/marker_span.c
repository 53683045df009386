/* SPDX-License-Identifier: MIT */
#include "stream/marker_span.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static bool init(void *acc, const void *arg)
{
	*(struct tm_marker_spans *)acc = (struct tm_marker_spans) { .w = arg };
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tm_marker_spans *s = acc;

	s->rank = p->id.rank;
	s->noted = false;
	return true;
}

/* Once or more: tm_marker_spans_settle sorts them out. */
static bool note_rank(struct tm_marker_spans *s, uint64_t rank)
{
	if (s->nseen && s->seen[s->nseen - 1] == rank)
		return true;
	if (!tm_grow_array(&s->seen, &s->seen_cap, s->nseen + 1, sizeof *s->seen))
		return false;
	s->seen[s->nseen++] = rank;
	return true;
}

static bool is_it(const struct tm_marker_spans *s, const struct tm_batch *b, uint32_t i)
{
	const struct tm_name *nm;
	enum tm_domain d = tm_batch_domain(b, i);

	if (d != TM_DOMAIN_MARKER || !tm_batch_has(b, i, TM_EVC_NAME) ||
	    !tm_batch_has(b, i, TM_EVC_START) || !tm_batch_has(b, i, TM_EVC_END))
		return false;
	nm = &b->names->v[b->col[TM_EVC_NAME][i]];
	return nm->len == s->w->name_len && !memcmp(nm->text, s->w->name, nm->len);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct tm_marker_spans *s = acc;

	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY && b->kind != TM_EV_API)
		return true;
	if (b->n && !s->noted && !note_rank(s, s->rank))
		return false;
	s->noted |= b->n != 0;
	if (b->kind != TM_EV_API)
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		if (!is_it(s, b, i))
			continue;
		if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
			return false;
		s->v[s->n++] = (struct tm_marker_hit) {
			s->rank, { b->col[TM_EVC_START][i], b->col[TM_EVC_END][i] }
		};
	}
	return true;
}

static bool merge(void *into, void *from)
{
	struct tm_marker_spans *s = into, *f = from;

	if (f->n && !tm_grow_array(&s->v, &s->cap, s->n + f->n, sizeof *s->v))
		return false;
	if (f->n)
		memcpy(s->v + s->n, f->v, f->n * sizeof *f->v);
	s->n += f->n;
	for (size_t i = 0; i < f->nseen; i++)
		if (!note_rank(s, f->seen[i]))
			return false;
	return true;
}

static void fini(void *acc)
{
	struct tm_marker_spans *s = acc;

	free(s->v);
	free(s->seen);
}

const struct tm_event_sink tm_marker_sink = {
	.size = sizeof(struct tm_marker_spans),
	.init = init,
	.piece = piece,
	.take = take,
	.merge = merge,
	.fini = fini,
};

static int cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_start(const void *pa, const void *pb)
{
	const struct tm_marker_hit *a = pa, *b = pb;
	int c = cmp(a->rank, b->rank);

	if (!c)
		c = cmp(a->at.lo, b->at.lo);
	return c ? c : cmp(a->at.hi, b->at.hi);
}

static int by_rank(const void *pa, const void *pb)
{
	return cmp(*(const uint64_t *)pa, *(const uint64_t *)pb);
}

void tm_marker_spans_settle(struct tm_marker_spans *s)
{
	size_t n = 0;

	if (s->nseen)
		qsort(s->seen, s->nseen, sizeof *s->seen, by_rank);
	for (size_t i = 0; i < s->nseen; i++)
		if (!n || s->seen[n - 1] != s->seen[i])
			s->seen[n++] = s->seen[i];
	s->nseen = n;
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_start);
}

bool tm_marker_spans_next(const struct tm_marker_spans *s, size_t *i, struct tm_marker_hit *out)
{
	size_t from = *i, n = 0;

	*out = s->v[from];
	for (; *i < s->n && s->v[*i].rank == out->rank; ++*i, n++)
		if (!s->w->index && s->v[*i].at.hi > out->at.hi)
			out->at.hi = s->v[*i].at.hi;
	if (s->w->index > n)
		return false;
	if (s->w->index)
		*out = s->v[from + (size_t)s->w->index - 1];
	return true;
}

size_t tm_marker_spans_without(const struct tm_marker_spans *s, uint64_t *least)
{
	size_t n = 0;

	*least = UINT64_MAX;
	for (size_t i = 0; i < s->nseen; i++) {
		size_t lo = 0, hi = s->n;

		TM_BISECT(lo, hi, mid, s->v[mid].rank < s->seen[i]);
		if (lo < s->n && s->v[lo].rank == s->seen[i])
			continue;
		n++;
		*least = s->seen[i] < *least ? s->seen[i] : *least;
	}
	return n;
}
