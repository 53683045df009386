/* SPDX-License-Identifier: MIT
 * Inside of `kstats memory`.
 *
 *   memory.c      records, what becomes of them in the order of time, and the usual tables
 *   memory_ops.c  what allocated the blocks of the peak */
#ifndef TM_METRIC_MEMORY_PARTS_H
#define TM_METRIC_MEMORY_PARTS_H

#include "metric/began.h"
#include "metric/memory_held.h"
#include "stack/stack.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records of one instant count turn by turn: frees of blocks that are there, allocations, frees of
 * what may have been allocated in that same instant, allocations where those were, and so on.  Odd
 * turns are allocations. */
enum { TURN_FREE, TURN_ALLOC, TURN_FREE_LATE, TURN_MOST = (1 << 30) - 1 };

struct record {
	uint64_t start, address, bytes;
	uint32_t who; /* group of memory.who */
	uint32_t turn : 30;
	uint32_t has_address : 1;
	uint32_t has_bytes : 1;
};

static inline bool is_alloc(const struct record *r)
{
	return r->turn & 1;
}

/* The process as tm_whose_tell says, tid only for --ops. */
enum { WHO_RANK, WHO_PID, WHO_AGENT, WHO_HAS, WHO_TID, WHO_WORDS };
enum { HAS_PID = 1, HAS_AGENT = 2, HAS_TID = 4 };

/* The totals that an allocator states of itself. */
enum total { TOTAL_ALLOCATED, TOTAL_RESERVED, TOTALS };

enum { STATED_RANK, STATED_AGENT, STATED_HAS, STATED_WORDS };

/* The highest of an agent, and when it was first so. */
struct stated {
	struct {
		bool known;
		uint64_t bytes, at;
	} of[TOTALS];
};

struct memory {
	const struct tm_metric_opts *o;
	struct tm_stack_opts so;
	struct tm_stack s; /* --ops: who was at work when a block was allocated */
	bool ops;
	struct tm_groups states; /* rank, agent */
	struct stated *stated;   /* of each */
	size_t stated_cap;
	struct tm_began began;
	struct tm_extent window; /* of the piece */
	struct tm_groups who;
	struct tm_whose whose;
	bool told; /* of all of `who` */
	struct record *v;
	size_t n, cap;
	uint64_t untimed, scratch, odd, stats, others; /* rows that do not count, and why */
	uint64_t rank;                                 /* of the piece */
};

static inline int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static inline const uint64_t *who_of(const struct memory *m, const struct record *r)
{
	return m->who.key + (size_t)r->who * WHO_WORDS;
}

/* One row of the table: an agent of a rank. */
struct holder {
	uint64_t rank, agent;
	bool has_agent;
	uint64_t allocs, frees, unmatched; /* that start inside the window */
	tm_u128 allocated, live, peak;
	bool held;         /* it had a block, ever */
	bool peaked;       /* there is a peak */
	uint64_t peak_at;  /* when */
	size_t peak_after; /* after how many records */
};

/* What is at an address of a process. */
struct spot {
	size_t block;   /* record that allocated what is there, + 1 */
	size_t instant; /* the first record of the last instant at which anything happened, + 1 */
	uint32_t allocs, frees; /* of that instant, so far */
	bool held;              /* there was a block before it */
};

enum { PLACE_RANK, PLACE_PID, PLACE_HAS, PLACE_ADDRESS, PLACE_WORDS };
enum { HOLD_RANK, HOLD_AGENT, HOLD_HAS, HOLD_WORDS };

struct replay {
	struct memory *m;
	struct tm_groups holders;
	struct holder *h;
	size_t holder_cap;
	struct tm_groups places; /* every address of every process, once */
	struct spot *spot;       /* of each place */
	size_t spot_cap;
	size_t *until; /* of an allocation: record that ended it, + 1 */
	uint64_t reused, unsized, unmatched;
	bool records;                                            /* there are any */
	struct tm_extent window;                                 /* of the rank */
	bool (*held)(void *arg, const struct tm_memory_held *h); /* who is told, or NULL */
	void *arg;
};

static inline int cmp_holder(const struct holder *a, const struct holder *b)
{
	int c = cmp_u64(a->rank, b->rank);

	if (!c)
		c = a->has_agent - b->has_agent;
	return c ? c : cmp_u64(a->agent, b->agent);
}

/* A block that was live at the peak of its holder. */
struct block {
	const struct holder *h;
	const struct record *r;
	const struct record *end; /* NULL = never */
};

/* The blocks that were held at the peak of their holder, in order; *list is the caller's.  False
 * when out of memory. */
bool tm_memory_blocks(struct replay *p, struct block **list, size_t *n);

/* The rows of --ops, of blocks in such an order.  False when out of memory. */
extern const struct tm_column tm_memory_ops_columns[];
bool tm_memory_fill_paths(struct replay *p, struct tm_table *t, struct tm_report *rep);

#endif
