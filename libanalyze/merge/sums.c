/* SPDX-License-Identifier: MIT */
#include "merge/sums.h"

#include "base/base.h"

#include <stdlib.h>

struct tm_sum *tm_sums_of(struct tm_sums *s, const uint64_t *key, uint32_t *number)
{
	uint32_t i = tm_groups_item(&s->keys, key, &s->v, &s->cap, sizeof *s->v, NULL);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (number)
		*number = i;
	return &s->v[i];
}

/* The values of a saved sketch.  False when out of memory. */
static bool add_saved(struct tm_sum *s, const unsigned char *p, size_t n, uint64_t calls)
{
	bool bad = false;

	if (tm_quantile_merge_saved(&s->q, p, n, calls, &bad))
		return true;
	/* Damaged: no quantiles, which is what calls from a statistics file have. */
	tm_quantile_fini(&s->q);
	s->m.sealed += bad;
	return bad;
}

bool tm_sum_open(struct tm_sum *s)
{
	unsigned char *p = s->saved;
	const size_t n = s->saved_n;
	bool ok;

	s->saved = NULL;
	s->saved_n = 0;
	ok = !n || add_saved(s, p, n, s->m.n);
	free(p);
	return ok;
}

bool tm_sum_add(struct tm_sum *s, struct tm_sum *from)
{
	if (!s->m.n) {
		const struct tm_sum old = *s;

		*s = *from;
		*from = old;
		return true;
	}
	if (!tm_sum_open(s) || !tm_sum_open(from))
		return false;
	tm_moments_merge(&s->m, &from->m);
	return tm_quantile_merge(&s->q, &from->q);
}

static int by_key(const void *pa, const void *pb, void *arg)
{
	const struct tm_sums *s = arg;
	const uint64_t *a = s->keys.key + (size_t) * (const uint32_t *)pa * WORDS,
	               *b = s->keys.key + (size_t) * (const uint32_t *)pb * WORDS;
	int c = 0;

	for (int w = 0; w < WORDS && !c; w++)
		c = tm_u64_cmp(a[w], b[w]);
	return c;
}

uint32_t *tm_sums_order(struct tm_sums *s)
{
	uint32_t *v = tm_array((size_t)s->keys.n + 1, sizeof *v);

	for (uint32_t i = 0; v && i < s->keys.n; i++)
		v[i] = i;
	if (v && s->keys.n)
		qsort_r(v, s->keys.n, sizeof *v, by_key, s);
	return v;
}

static uint32_t own_name(const uint64_t word)
{
	return word ? (uint32_t)(word - 1) : TM_NAME_NONE;
}

bool tm_sum_rollup(const uint64_t *key, struct tm_sum *s, struct tm_buf *sketch,
                   struct tm_rollup *r)
{
	const struct tm_moments *o = &s->m;

	*r = (struct tm_rollup) {
		.domain = (enum tm_domain)key[W_DOMAIN],
		.name = own_name(key[W_NAME]),
		.counter = own_name(key[W_COUNTER]),
		.has_agent = key[W_HAS_AGENT],
		.agent = key[W_AGENT],
		.timed = key[W_TIMED],
		.calls = o->n,
		.total = { (uint64_t)o->sum, (uint64_t)(o->sum >> 64) },
		.squares = { (uint64_t)o->squares, (uint64_t)(o->squares >> 64), o->squares_hi },
		.min = o->min,
		.max = o->max,
	};
	tm_buf_clear(sketch);
	/* A sealed group has none: an empty blob says so again. */
	if (r->timed && !o->sealed && !s->saved_n && !tm_quantile_save(&s->q, sketch))
		return false;
	r->sketch = s->saved_n ? (char *)s->saved : sketch->p ? sketch->p : "";
	r->sketch_n = s->saved_n ? s->saved_n : sketch->n;
	return true;
}

void tm_sum_fini(struct tm_sum *s)
{
	tm_quantile_fini(&s->q);
	free(s->saved);
	*s = (struct tm_sum) { 0 };
}

void tm_sums_fini(struct tm_sums *s)
{
	for (uint32_t i = 0; i < s->keys.n; i++)
		tm_sum_fini(&s->v[i]);
	free(s->v);
	tm_groups_fini(&s->keys);
	*s = (struct tm_sums) { .keys = { .words = WORDS } };
}
