/* SPDX-License-Identifier: MIT
 * Spans of time in 16 bytes each, and how much time sets of them cover.
 *
 * Covered time is that of a union: an instant counts once, however many intervals hold it.  All of
 * it is exact, in whole nanoseconds, and does not depend on the order in which intervals came.
 *
 * 16 bytes hold the low bits of start and tag; the high bits, which few intervals of a trace differ
 * in, are in a table of the list.  Whatever does not fit (a span of more than 4.29 s, a name beyond
 * the first 2^19, high bits of more than INTERVAL_PAGES kinds) costs 32 bytes more.  Lists are made
 * of blocks that change hands when lists are joined, so that neither growing nor joining needs
 * more. */
#ifndef TM_AGG_INTERVALS_H
#define TM_AGG_INTERVALS_H

#include "base/base.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	INTERVAL_LOW = 36, /* bits of a start: 68.7 s */
	INTERVAL_PAGES = 511,
	INTERVAL_NAMES = 1 << 19,
	INTERVAL_SHIFT = 12, /* 64 KiB a block */
	INTERVAL_BLOCK = 1 << INTERVAL_SHIFT,
};

/* [start, start + dur).  Read through the functions below. */
struct interval {
	uint64_t start : INTERVAL_LOW; /* or, where page is INTERVAL_PAGES, which of `wide` it is */
	uint64_t page : 9;
	uint64_t name : 19;
	uint32_t dur, tag;
};

/* The high bits of starts and tags, in their place. */
struct interval_page {
	uint64_t start, tag;
};

struct interval_wide {
	uint64_t start, dur, tag;
	uint32_t name;
};

/* {0} is the empty list. */
struct intervals {
	struct interval **block; /* all full but the last */
	size_t n, cap, blocks;
	bool sorted;             /* since intervals_sort nothing was added or moved */
	uint32_t pages, at_page; /* at_page: of the last interval added */
	struct interval_page *page;
	struct interval_wide *wide;
	size_t nwide, wide_cap, block_cap, page_cap;
};

/* Add [start, end), end >= start.  `tag` and `name` are any numbers.  False when out of memory. */
bool intervals_add(struct intervals *s, uint64_t start, uint64_t end, uint64_t tag, uint32_t name);

/* Add all of `from`; its names become map[name], or stay without a map.  False when out of memory.
 */
bool intervals_merge(struct intervals *into, const struct intervals *from, const uint32_t *map);

/* The same, but `from` is empty afterwards: its memory changes hands, and no more is needed.  When
 * out of memory, what is in the two is not known. */
bool intervals_move(struct intervals *into, struct intervals *from, const uint32_t *map);

/* Sort by start, then end, then tag, then order[name] (names themselves depend on the order of the
 * input; without an `order` they count as they are).  In place: a list never needs more memory. */
void intervals_sort(struct intervals *s, const uint32_t *order);

/* Sort by tag, then group[name] where there is a `group`, then as above.  Such a list is for
 * looking up, not for the functions below. */
void intervals_sort_by_tag(struct intervals *s, const uint32_t *group, const uint32_t *order);

/* Sort by group[name], then as intervals_sort. */
void intervals_sort_by_group(struct intervals *s, const uint32_t *group, const uint32_t *order);

/* Every [start, end) becomes [end, end + its length); with `back`, that again [start, end).  In
 * place. False when out of memory. */
bool intervals_turn(struct intervals *s, bool back);

/* Make a sorted list the union of its intervals: disjoint, ascending, without tags and names, none
 * of no length.  In place.  False when out of memory. */
bool intervals_unite(struct intervals *s);

/* Move those that are chosen to the end of *out; the others stay, in their order.  `chosen` is
 * asked of each once.  No more memory is needed.  False when out of it. */
bool intervals_part(struct intervals *s, struct intervals *out,
                    bool (*chosen)(const struct intervals *s, size_t i, const void *arg),
                    const void *arg);

/* The name of one becomes another, in its place.  False when out of memory. */
bool interval_set_name(struct intervals *s, size_t i, uint32_t name);

/* Turn round the order of the n from `from` on: the list does not count as sorted any more. */
void intervals_reverse(struct intervals *s, size_t from, size_t n);

/* Leave the first n. */
void intervals_cut(struct intervals *s, size_t n);

/* Free it; {0} again. */
void intervals_fini(struct intervals *s);

static inline const struct interval *interval_at(const struct intervals *s, size_t i)
{
	return &s->block[i >> INTERVAL_SHIFT][i & (INTERVAL_BLOCK - 1)];
}

static inline uint64_t interval_start(const struct intervals *s, size_t i)
{
	const struct interval *v = interval_at(s, i);

	return v->page < INTERVAL_PAGES ? s->page[v->page].start | v->start
	                                : s->wide[v->start].start;
}

static inline uint64_t interval_dur(const struct intervals *s, size_t i)
{
	const struct interval *v = interval_at(s, i);

	return v->page < INTERVAL_PAGES ? v->dur : s->wide[v->start].dur;
}

static inline uint64_t interval_tag(const struct intervals *s, size_t i)
{
	const struct interval *v = interval_at(s, i);

	return v->page < INTERVAL_PAGES ? s->page[v->page].tag | v->tag : s->wide[v->start].tag;
}

static inline uint32_t interval_name(const struct intervals *s, size_t i)
{
	const struct interval *v = interval_at(s, i);

	return v->page < INTERVAL_PAGES ? (uint32_t)v->name : s->wide[v->start].name;
}

static inline uint64_t interval_end(const struct intervals *s, size_t i)
{
	return interval_start(s, i) + interval_dur(s, i);
}

/* Write the low 32 bits of a tag; the others stay. */
static inline void interval_set_tag(struct intervals *s, size_t i, uint32_t low)
{
	struct interval *v = &s->block[i >> INTERVAL_SHIFT][i & (INTERVAL_BLOCK - 1)];

	if (v->page < INTERVAL_PAGES)
		v->tag = low;
	else
		s->wide[v->start].tag = s->wide[v->start].tag >> 32 << 32 | low;
}

/* ---- unions ---- */

enum { PIECE_LISTS = 128 };

/* Walks the union of sorted lists in ascending order, clipped to `window`, without copying. */
struct pieces {
	const struct intervals *list[PIECE_LISTS];
	size_t at[PIECE_LISTS];          /* the next interval of each */
	struct extent next[PIECE_LISTS]; /* and that itself; lo = UINT64_MAX behind the last */
	unsigned n;
	/* Of intervals that start together that of the earlier list comes first; but where lists
	 * come in blocks of `same`, inside a block the one that ends first, then the one of the
	 * lower tag. */
	unsigned same;
	struct extent window;
	/* of the piece pieces_next gave: whose interval begins it, and which; and which ends last
	 * (the first of those to start) */
	unsigned opener_list, closer_list;
	size_t opener, closer;
};

/* Over no list yet. */
void pieces_init(struct pieces *p, struct extent window);

/* One more sorted list; false when there are PIECE_LISTS already. */
bool pieces_add(struct pieces *p, const struct intervals *list);

/* The same without the first intervals of the list, which are known to end before the window. */
bool pieces_add_from(struct pieces *p, const struct intervals *list, size_t first);

/* The next stretch of covered time: never empty, never touching the one before.  False at the end.
 */
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
