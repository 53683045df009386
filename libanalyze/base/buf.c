/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/heap.h"
#include "base/num.h"
#include "base/wide.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tm_buf_reserve(struct tm_buf *b, size_t more)
{
	size_t want, cap;
	char *p;

	if (b->failed)
		return false;
	if (more >= SIZE_MAX / 2 - b->n) {
		b->failed = true;
		return false;
	}
	want = b->n + more + 1;
	if (want <= b->cap)
		return true;
	cap = b->cap ? b->cap : 64;
	while (cap < want)
		cap += cap;
	p = realloc(b->p, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->p = p;
	b->cap = cap;
	return true;
}

bool tm_buf_add(struct tm_buf *b, const void *p, size_t n)
{
	if (!tm_buf_reserve(b, n))
		return false;
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
	return true;
}

bool tm_buf_str(struct tm_buf *b, const char *s)
{
	return tm_buf_add(b, s, strlen(s));
}

bool tm_buf_chr(struct tm_buf *b, char c)
{
	return tm_buf_add(b, &c, 1);
}

bool tm_buf_u64(struct tm_buf *b, uint64_t v)
{
	char t[20];

	return tm_buf_add(b, t, (size_t)(tm_num_put_u64(t, v) - t));
}

bool tm_buf_fmt(struct tm_buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !tm_buf_reserve(b, (size_t)n)) {
		b->failed = true;
		va_end(again);
		return false;
	}
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	va_end(again);
	b->n += (size_t)n;
	return true;
}

void tm_buf_clear(struct tm_buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

void tm_buf_fini(struct tm_buf *b)
{
	free(b->p);
	*b = (struct tm_buf) { 0 };
}

void *tm_array(size_t n, size_t size)
{
	void *p;

	if (n > SIZE_MAX / size)
		return NULL;
	p = malloc(n * size);
	if (p)
		tm_heap_large_pages(p, n * size);
	return p;
}

bool tm_grow_array(void *v, size_t *cap, size_t want, size_t size)
{
	size_t n = *cap ? *cap : 16;
	void *old, *p;

	if (want <= *cap)
		return true;
	while (n < want) {
		if (n > SIZE_MAX / 2)
			return false;
		n += n;
	}
	if (n > SIZE_MAX / size)
		return false;
	memcpy(&old, v, sizeof old);
	p = realloc(old, n * size);
	if (!p)
		return false;
	tm_heap_large_pages(p, n * size);
	memcpy(v, &p, sizeof p);
	*cap = n;
	return true;
}

static void make_zero(void *v, size_t from, size_t to, size_t size)
{
	char *p;

	memcpy(&p, v, sizeof p);
	if (to > from)
		memset(p + from * size, 0, (to - from) * size);
}

bool tm_grow_zeroed(void *v, size_t *cap, size_t want, size_t size)
{
	const size_t had = *cap;

	if (!tm_grow_array(v, cap, want, size))
		return false;
	make_zero(v, had, *cap, size);
	return true;
}

bool tm_grow_known_more(void *v, size_t *n, size_t *cap, size_t want, size_t size)
{
	if (!tm_grow_array(v, cap, want, size))
		return false;
	make_zero(v, *n, want, size);
	*n = want;
	return true;
}

/* ---- times ---- */

/* v * 10^places / one, rounded. */
static uint64_t rounded(uint64_t v, uint64_t one, int places)
{
	tm_u128 scaled = v;

	for (int i = 0; i < places; i++)
		scaled *= 10;
	return (uint64_t)((scaled + one / 2) / one);
}

enum { DIGITS = 4, MOST = 10000 }; /* 10^DIGITS */

bool tm_buf_ns(struct tm_buf *b, uint64_t ns)
{
	static const struct {
		uint64_t one;
		int places; /* of four digits after the point, if it is nearly the next unit */
		const char *word;
	} unit[] = {
		{ 1, 0, " ns" },         { 1000, 1, " us" },         { 1000000, 1, " ms" },
		{ 1000000000, 2, " s" }, { 60000000000, 2, " min" }, { 3600000000000, 0, " h" }
	};
	uint64_t one = 1, scale = 1;
	size_t u = 0;
	int places = DIGITS - 1;

	/* 999.96 us are 1.000 ms. */
	while (u + 1 < sizeof unit / sizeof *unit &&
	       rounded(ns, one, unit[u].places) >= rounded(unit[u + 1].one, one, unit[u].places))
		one = unit[++u].one;
	/* And 9.9996 are 10.00. */
	while (places && rounded(ns, one, places) >= MOST)
		places--;
	places = u ? places : 0;
	for (int i = 0; i < places; i++)
		scale *= 10;
	tm_buf_u64(b, rounded(ns, one, places) / scale);
	if (places)
		tm_buf_fmt(b, ".%0*" PRIu64, places, rounded(ns, one, places) % scale);
	return tm_buf_str(b, unit[u].word);
}
