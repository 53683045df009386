/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/num.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool buf_reserve(struct buf *b, size_t more)
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

bool buf_add(struct buf *b, const void *p, size_t n)
{
	if (!buf_reserve(b, n))
		return false;
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
	return true;
}

bool buf_str(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

bool buf_chr(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

bool buf_u64(struct buf *b, uint64_t v)
{
	char t[20];

	return buf_add(b, t, (size_t)(num_put_u64(t, v) - t));
}

bool buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !buf_reserve(b, (size_t)n)) {
		b->failed = true;
		va_end(again);
		return false;
	}
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
	va_end(again);
	b->n += (size_t)n;
	return true;
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

void buf_fini(struct buf *b)
{
	free(b->p);
	*b = (struct buf) { 0 };
}

bool grow_array(void *v, size_t *cap, size_t want, size_t size)
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
	memcpy(v, &p, sizeof p);
	*cap = n;
	return true;
}
