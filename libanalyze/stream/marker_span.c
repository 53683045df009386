/* SPDX-License-Identifier: MIT */
#include "stream/marker_span.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

static bool init(void *acc, const void *arg)
{
	*(struct marker_spans *)acc = (struct marker_spans) { .w = arg };
	return true;
}

static bool piece(void *acc, const struct piece *p)
{
	((struct marker_spans *)acc)->rank = p->rank;
	return true;
}

static bool is_it(const struct marker_spans *s, const struct batch *b, uint32_t i)
{
	const struct name *nm;
	enum domain d = ev_kind_domain(b->kind);

	if (batch_has(b, i, EVC_DOMAIN))
		d = (enum domain)b->col[EVC_DOMAIN][i];
	if (d != DOMAIN_MARKER || !batch_has(b, i, EVC_NAME) || !batch_has(b, i, EVC_START) ||
	    !batch_has(b, i, EVC_END))
		return false;
	nm = &b->names->v[b->col[EVC_NAME][i]];
	return nm->len == s->w->name_len && !memcmp(nm->text, s->w->name, nm->len);
}

static bool take(void *acc, const struct batch *b)
{
	struct marker_spans *s = acc;

	if (b->kind != EV_API)
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		if (!is_it(s, b, i))
			continue;
		if (!grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
			return false;
		s->v[s->n++] = (struct marker_hit) { s->rank,
			                             { b->col[EVC_START][i], b->col[EVC_END][i] } };
	}
	return true;
}

static bool merge(void *into, void *from)
{
	struct marker_spans *s = into, *f = from;

	if (f->n && !grow_array(&s->v, &s->cap, s->n + f->n, sizeof *s->v))
		return false;
	if (f->n)
		memcpy(s->v + s->n, f->v, f->n * sizeof *f->v);
	s->n += f->n;
	return true;
}

static void fini(void *acc)
{
	free(((struct marker_spans *)acc)->v);
}

const struct event_sink marker_sink = {
	.size = sizeof(struct marker_spans),
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
	const struct marker_hit *a = pa, *b = pb;
	int c = cmp(a->rank, b->rank);

	if (!c)
		c = cmp(a->at.lo, b->at.lo);
	return c ? c : cmp(a->at.hi, b->at.hi);
}

void marker_spans_settle(struct marker_spans *s)
{
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_start);
}

bool marker_spans_next(const struct marker_spans *s, size_t *i, struct marker_hit *out)
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
