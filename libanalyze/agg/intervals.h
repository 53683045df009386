/* SPDX-License-Identifier: MIT
 * Spans of time in 16 bytes each, and how much time sets of them cover.
 *
 * Covered time is that of a union: an instant counts once, however many intervals hold it.  All of it
 * is exact, in whole nanoseconds, and does not depend on the order in which intervals came. */
#ifndef AGG_INTERVALS_H
#define AGG_INTERVALS_H

#include "base/wide.h"
#include "stream/window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [start, end).  Read through the functions below. */
struct interval {
	uint64_t start;
	uint32_t dur, tag; /* at most INTERVAL_DIRECT, else where to find it in `wide` */
};

enum { INTERVAL_DIRECT = 0x7fffffff };

/* {0} is the empty list; `named` may be set before the first is added. */
struct intervals {
	struct interval *v; /* n of them */
	uint32_t *name;     /* the same n, where `named` */
	bool named;
	bool sorted; /* since intervals_sort nothing was added */
	size_t n, cap, name_cap;
	uint64_t *wide; /* lengths and tags that do not fit 31 bits */
	size_t nwide, wide_cap;
};

/* Add [start, end), end >= start.  `tag` is any number, `name` is kept only in a named list.  False
 * when out of memory (or with 2^31 wide numbers). */
bool intervals_add(struct intervals *s, uint64_t start, uint64_t end, uint64_t tag, uint32_t name);

/* Add all of `from`; its names become map[name], or stay without a map.  False when out of memory. */
bool intervals_merge(struct intervals *into, const struct intervals *from, const uint32_t *map);

/* The same, but `from` is empty afterwards: whole lists change hands where that can be. */
bool intervals_move(struct intervals *into, struct intervals *from, const uint32_t *map);

/* Sort by start, then end, then tag, then order[name] (names themselves depend on the order of the
 * input; without an `order` they count as they are).  In place: a list never needs more memory. */
void intervals_sort(struct intervals *s, const uint32_t *order);

/* Sort by tag, then start, then end, then order[name]; such a list is for looking up, not for the
 * functions below. */
void intervals_sort_by_tag(struct intervals *s, const uint32_t *order);

/* Give back what n entries do not need, after n was lowered. */
void intervals_trim(struct intervals *s);

/* Free it; {0} again. */
void intervals_fini(struct intervals *s);

static inline uint64_t interval_dur(const struct intervals *s, size_t i)
{
	uint32_t d = s->v[i].dur;

	return d <= INTERVAL_DIRECT ? d : s->wide[d & INTERVAL_DIRECT];
}

static inline uint64_t interval_tag(const struct intervals *s, size_t i)
{
	uint32_t t = s->v[i].tag;

	return t <= INTERVAL_DIRECT ? t : s->wide[t & INTERVAL_DIRECT];
}

static inline uint64_t interval_end(const struct intervals *s, size_t i)
{
	return s->v[i].start + interval_dur(s, i);
}

/* ---- unions ---- */

enum { PIECE_LISTS = 64 };

/* Walks the union of sorted lists in ascending order, clipped to `window`, without copying. */
struct pieces {
	const struct intervals *list[PIECE_LISTS];
	size_t at[PIECE_LISTS]; /* the next interval of each */
	unsigned n;
	struct extent window;
	/* of the piece pieces_next gave: whose interval begins it, and which; and which ends last (the
	 * first of those to start) */
	unsigned opener_list, closer_list;
	size_t opener, closer;
};

/* Over no list yet. */
void pieces_init(struct pieces *p, struct extent window);

/* One more sorted list; false when there are PIECE_LISTS already. */
bool pieces_add(struct pieces *p, const struct intervals *list);

/* The next stretch of covered time: never empty, never touching the one before.  False at the end. */
bool pieces_next(struct pieces *p, struct extent *out);

/* Length of the union. */
uint64_t pieces_length(struct pieces p);

/* out[m] for m = 0 .. 2^n - 1: the time inside the window covered by exactly those of the n unions
 * whose bit is set in m (union k is bit k).  out[0] is what none covers; the sum is hi - lo.  The
 * walks are used up.  n <= PIECE_SETS; all have the window of the first. */
enum { PIECE_SETS = 6 };
void pieces_by_mask(struct pieces *p, unsigned n, uint64_t *out);

/* ---- how many at a time ---- */

struct concurrency {
	u128 total;   /* sum of lengths inside the window */
	uint64_t max; /* intervals of some length that hold the same instant */
};

/* Of all the lists together.  False when out of memory. */
bool pieces_concurrency(const struct pieces *p, struct concurrency *out);

#endif
