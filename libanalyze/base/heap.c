/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	LARGE = 2 << 20,     /* a large page, of most machines */
	RESERVE = 256 << 20, /* the heap is so long from the start, with what is not used yet */
	MAPPED = 32 << 20, /* from here on memory is mapped on its own, and given back when freed */
};

void tm_heap_init(void)
{
	uintptr_t from, to;
	void *first;

	mallopt(M_MMAP_THRESHOLD, MAPPED);
	/* Heaps of other threads are of small pages; what threads ask for often is small, and
	 * theirs. */
	mallopt(M_ARENA_MAX, 1);
	/* A heap that shrinks and grows again is given small pages. */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_TOP_PAD, RESERVE);
	first = malloc(1);
	mallopt(M_TOP_PAD, LARGE);
	from = ((uintptr_t)first + LARGE - 1) / LARGE * LARGE;
	to = (uintptr_t)sbrk(0);
	if (first && from < to && to - from <= RESERVE)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
	free(first);
}

/* All the pages, the first and the last with what is beside: a mapping of which a part is left out
 * is two, which realloc can no longer move without a copy. */
void tm_heap_large_pages(void *p, size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t before = (uintptr_t)p & (page - 1);

	if (n >= LARGE)
		madvise((char *)p - before, (before + n + page - 1) & ~(page - 1), MADV_HUGEPAGE);
}
