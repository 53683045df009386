/* SPDX-License-Identifier: MIT */
#include "agg/blocks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	BYTES = TM_INTERVAL_BLOCK * (int)sizeof(struct tm_interval),
	CHUNK = 1 << 21,
	EACH = CHUNK / BYTES,
	SMALL = (4 << 20) / BYTES, /* so many blocks are memory like any other */
};

#define ALL_FREE ((uint32_t)((UINT64_C(1) << EACH) - 1))

/* One large page; bit k of `free`: nobody has block k. */
struct chunk {
	char *at;
	uint32_t free;
};

/* The chunks of the process, by address; those before `full` have no free block. */
static struct {
	pthread_mutex_t lock;
	struct chunk *v;
	size_t n, cap, full;
	size_t out; /* blocks in use, whatever their memory is */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

_Static_assert(EACH > 1 && EACH <= 32, "a bit for each block of a chunk");

/* Memory at a multiple of its size: NULL when there is none. */
static char *map_chunk(void)
{
	char *p = mmap(NULL, 2 * (size_t)CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);
	size_t before;

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p & (CHUNK - 1);
	if (before)
		munmap(p, before);
	if (before < CHUNK)
		munmap(p + before + CHUNK, CHUNK - before);
	p += before;
	/* Where the kernel has no such pages, it is memory all the same. */
	madvise(p, CHUNK, MADV_HUGEPAGE);
	return p;
}

/* How many chunks are below that address. */
static size_t below(const char *at)
{
	size_t lo = 0, hi = pool.n;

	TM_BISECT(lo, hi, mid, pool.v[mid].at < at);
	return lo;
}

static bool add_chunk(void)
{
	char *at;
	size_t i;

	if (!tm_grow_array(&pool.v, &pool.cap, pool.n + 1, sizeof *pool.v))
		return false;
	at = map_chunk();
	if (!at)
		return false;
	i = below(at);
	memmove(pool.v + i + 1, pool.v + i, (pool.n - i) * sizeof *pool.v);
	pool.v[i] = (struct chunk) { at, ALL_FREE };
	pool.n++;
	pool.full = i < pool.full ? i : pool.full;
	return true;
}

static char *from_chunk(void)
{
	struct chunk *c;
	unsigned k;

	while (pool.full < pool.n && !pool.v[pool.full].free)
		pool.full++;
	if (pool.full == pool.n && !add_chunk())
		return NULL;
	while (!pool.v[pool.full].free)
		pool.full++;
	c = &pool.v[pool.full];
	k = (unsigned)__builtin_ctz(c->free);
	c->free &= c->free - 1;
	return c->at + (size_t)k * BYTES;
}

/* Was it a block of a chunk? */
static bool to_chunk(const char *block)
{
	char *at = (char *)((uintptr_t)block & ~(uintptr_t)(CHUNK - 1));
	size_t i = below(at);
	struct chunk *c = pool.v + i;

	if (i == pool.n || c->at != at)
		return false;
	c->free |= UINT32_C(1) << (size_t)(block - at) / BYTES;
	pool.full = i < pool.full ? i : pool.full;
	if (c->free != ALL_FREE)
		return true;
	munmap(at, CHUNK);
	pool.n--;
	memmove(c, c + 1, (pool.n - i) * sizeof *c);
	return true;
}

struct tm_interval *tm_block_new(void)
{
	void *p;

	pthread_mutex_lock(&pool.lock);
	p = pool.out >= SMALL ? from_chunk() : NULL;
	if (!p)
		p = malloc(BYTES);
	pool.out += p != NULL;
	pthread_mutex_unlock(&pool.lock);
	return p;
}

void tm_block_free(struct tm_interval *block)
{
	bool chunk;

	if (!block)
		return;
	pthread_mutex_lock(&pool.lock);
	pool.out--;
	chunk = pool.n && to_chunk((const char *)block);
	/* Nobody has any: what the list of chunks takes is not lost. */
	if (!pool.out) {
		free(pool.v);
		pool.v = NULL;
		pool.n = pool.cap = pool.full = 0;
	}
	pthread_mutex_unlock(&pool.lock);
	if (!chunk)
		free(block);
}
