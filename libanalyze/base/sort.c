/* SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

struct heap {
	unsigned char *base;
	size_t size;
	int (*cmp)(const void *a, const void *b, void *arg);
	void *arg;
};

static unsigned char *at(const struct heap *h, size_t i)
{
	return h->base + i * h->size;
}

static int compare(const struct heap *h, size_t a, size_t b)
{
	return h->cmp(at(h, a), at(h, b), h->arg);
}

static void swap(const struct heap *h, size_t a, size_t b)
{
	unsigned char *x = at(h, a), *y = at(h, b), some[64];

	for (size_t left = h->size, n; left; left -= n, x += n, y += n) {
		n = left < sizeof some ? left : sizeof some;
		memcpy(some, x, n);
		memcpy(x, y, n);
		memcpy(y, some, n);
	}
}

static void sift(const struct heap *h, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && compare(h, child, child + 1) < 0)
			child++;
		if (compare(h, i, child) >= 0)
			return;
		swap(h, i, child);
	}
}

void tm_sort_in_place(void *base, size_t n, size_t size,
                      int (*cmp)(const void *a, const void *b, void *arg), void *arg)
{
	const struct heap h = { base, size, cmp, arg };
	size_t i = 1;

	while (i < n && compare(&h, i - 1, i) <= 0)
		i++;
	if (i >= n)
		return;
	for (i = n / 2; i-- > 0;)
		sift(&h, i, n);
	for (i = n; i-- > 1;) {
		swap(&h, 0, i);
		sift(&h, 0, i);
	}
}

uint32_t *tm_places(uint32_t n, int (*cmp)(const void *a, const void *b, void *arg), void *arg)
{
	uint32_t *ids = malloc(((size_t)n + 1) * sizeof *ids);
	uint32_t *place = ids ? malloc(((size_t)n + 1) * sizeof *place) : NULL;

	if (place) {
		for (uint32_t i = 0; i < n; i++)
			ids[i] = i;
		if (n)
			qsort_r(ids, n, sizeof *ids, cmp, arg);
		for (uint32_t i = 0; i < n; i++)
			place[ids[i]] = i;
	}
	free(ids);
	return place;
}
