/* SPDX-License-Identifier: MIT
 * Time spans in 16 bytes each, and how much time sets of them cover.
 *
 * Covered time is the length of the union: an instant counts once, however many intervals contain
 * it.  Results are exact, in whole nanoseconds, and do not depend on the order of insertion.
 *
 * 16 bytes hold the low bits of start and tag; the high bits, which take few values in a trace, are
 * in a table of the list.  Whatever does not fit (a span of more than 4.29 s, a name beyond the
 * first 2^19, high bits of more than TM_INTERVAL_PAGES kinds) costs 32 bytes more.  Lists consist
 * of blocks, which are moved when lists are joined, so neither growing nor joining needs more. */
#ifndef TM_AGG_INTERVALS_H
#define TM_AGG_INTERVALS_H

#include "base/base.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TM_INTERVAL_LOW = 36, /* bits of a start: 68.7 s */
	TM_INTERVAL_PAGES = 511,
	TM_INTERVAL_NAMES = 1 << 19,
	TM_INTERVAL_SHIFT = 12, /* 64 KiB a block */
	TM_INTERVAL_BLOCK = 1 << TM_INTERVAL_SHIFT,
};

/* [start, start + dur).  Read through the functions below. */
struct tm_interval {
	uint64_t start
	    : TM_INTERVAL_LOW; /* or, where page is TM_INTERVAL_PAGES, which of `wide` it is */
	uint64_t page : 9;
	uint64_t name : 19;
	uint32_t dur, tag;
};

/* The high bits of starts and tags, in their place. */
struct tm_interval_page {
	uint64_t start, tag;
};

struct tm_interval_wide {
	uint64_t start, dur, tag;
	uint32_t name;
};

/* {0} is the empty list. */
struct tm_intervals {
	struct tm_interval **block; /* all full but the last */
	size_t n, cap, blocks;
	bool sorted; /* since tm_intervals_sort nothing was added or moved */
	bool apart;  /* where sorted: none is empty, or touches the one before it */
	uint64_t
	        length; /* where apart: of the first length_n together; of all if n still is that */
	size_t length_n;
	bool lent;               /* the arrays are those of another list: tm_intervals_lend */
	uint32_t pages, at_page; /* at_page: of the last interval added */
	struct tm_interval_page *page;
	struct tm_interval_wide *wide;
	size_t nwide, wide_cap, block_cap, page_cap;
};

/* Add [start, end), end >= start.  `tag` and `name` are any numbers.  False when out of memory. */
bool tm_intervals_add(struct tm_intervals *s, uint64_t start, uint64_t end, uint64_t tag,
                      uint32_t name);

/* Add all of `from`; its names become map[name], or stay if `map` is NULL.  False when out of
 * memory. */
bool tm_intervals_merge(struct tm_intervals *into, const struct tm_intervals *from,
                        const uint32_t *map);

/* The same, but takes the memory of `from`, which is empty afterwards, and needs no more.  When out
 * of memory, the contents of both are undefined. */
bool tm_intervals_move(struct tm_intervals *into, struct tm_intervals *from, const uint32_t *map);

/* The same for callers that need only the union: *into covers what both did; the order, number,
 * tags and names of its intervals are unspecified.  What a sorted list was lent is not copied, and
 * stays lent where possible. */
bool tm_intervals_move_cover(struct tm_intervals *into, struct tm_intervals *from);

/* Make the empty list *to the same as *from without copying: *from must outlive it and must not
 * change meanwhile.  Functions that change *to copy it first, and only then need memory.  But call
 * tm_intervals_own before tm_intervals_sort_by_tag and _by_group, and before tm_intervals_sort
 * unless the list is sorted already. */
void tm_intervals_lend(struct tm_intervals *to, const struct tm_intervals *from);

/* Copy what another list lent, so that this one no longer depends on it.  False when out of
 * memory. */
bool tm_intervals_own(struct tm_intervals *s);

/* Sort by start, then end, then tag, then order[name] (name numbers depend on the order of the
 * input; if `order` is NULL, they are compared themselves).  In place, without more memory. */
void tm_intervals_sort(struct tm_intervals *s, const uint32_t *order);

/* Sort by tag, then by group[name] unless `group` is NULL, then as above.  Such a list is for
 * lookups, not for the functions below. */
void tm_intervals_sort_by_tag(struct tm_intervals *s, const uint32_t *group, const uint32_t *order);

/* Sort by group[name], then as tm_intervals_sort. */
void tm_intervals_sort_by_group(struct tm_intervals *s, const uint32_t *group,
                                const uint32_t *order);

/* Turn every [start, end) into [end, end + its length); with `back`, the reverse.  In place.  False
 * when out of memory. */
bool tm_intervals_turn(struct tm_intervals *s, bool back);

/* Replace a sorted list by the union of its intervals: disjoint, ascending, none empty.  In place;
 * tags and names are lost.  A lent list that is already disjoint stays as it is; its intervals may
 * touch.  False when out of memory. */
bool tm_intervals_unite(struct tm_intervals *s);

/* Move the intervals for which `chosen` is true, called once for each, to the end of *out; the
 * others stay, in order.  Total memory does not grow.  False when out of memory. */
bool tm_intervals_part(struct tm_intervals *s, struct tm_intervals *out,
                       bool (*chosen)(const struct tm_intervals *s, size_t i, const void *arg),
                       const void *arg);

/* Replace the name of interval i, in place.  False when out of memory. */
bool tm_interval_set_name(struct tm_intervals *s, size_t i, uint32_t name);

/* Reverse the order of n intervals from `from` on; the list no longer counts as sorted. */
void tm_intervals_reverse(struct tm_intervals *s, size_t from, size_t n);

/* Keep only the first n. */
void tm_intervals_cut(struct tm_intervals *s, size_t n);

/* Free it; {0} again. */
void tm_intervals_fini(struct tm_intervals *s);

static inline const struct tm_interval *tm_interval_at(const struct tm_intervals *s, size_t i)
{
	return &s->block[i >> TM_INTERVAL_SHIFT][i & (TM_INTERVAL_BLOCK - 1)];
}

static inline uint64_t tm_interval_start(const struct tm_intervals *s, size_t i)
{
	const struct tm_interval *v = tm_interval_at(s, i);

	return v->page < TM_INTERVAL_PAGES ? s->page[v->page].start | v->start
	                                   : s->wide[v->start].start;
}

static inline uint64_t tm_interval_dur(const struct tm_intervals *s, size_t i)
{
	const struct tm_interval *v = tm_interval_at(s, i);

	return v->page < TM_INTERVAL_PAGES ? v->dur : s->wide[v->start].dur;
}

static inline uint64_t tm_interval_tag(const struct tm_intervals *s, size_t i)
{
	const struct tm_interval *v = tm_interval_at(s, i);

	return v->page < TM_INTERVAL_PAGES ? s->page[v->page].tag | v->tag : s->wide[v->start].tag;
}

static inline uint32_t tm_interval_name(const struct tm_intervals *s, size_t i)
{
	const struct tm_interval *v = tm_interval_at(s, i);

	return v->page < TM_INTERVAL_PAGES ? (uint32_t)v->name : s->wide[v->start].name;
}

static inline uint64_t tm_interval_end(const struct tm_intervals *s, size_t i)
{
	return tm_interval_start(s, i) + tm_interval_dur(s, i);
}

/* Copy n intervals from `from` on into out[], in the order of the list.  from + n <= s->n. */
void tm_intervals_extents(const struct tm_intervals *s, size_t from, struct tm_extent *out,
                          size_t n);

/* Does each interval have a length, and begin after the end of the one before it? */
bool tm_intervals_are_apart(const struct tm_intervals *s);

/* From the first start to the last end of a sorted list; lo > hi where it is empty. */
struct tm_extent tm_intervals_span(const struct tm_intervals *s);

/* How many of a sorted list start in [lo, hi). */
size_t tm_intervals_started(const struct tm_intervals *s, struct tm_extent in);

/* Write the low 32 bits of a tag; the others stay. */
static inline void tm_interval_set_tag(struct tm_intervals *s, size_t i, uint32_t low)
{
	struct tm_interval *v = &s->block[i >> TM_INTERVAL_SHIFT][i & (TM_INTERVAL_BLOCK - 1)];

	if (v->page < TM_INTERVAL_PAGES)
		v->tag = low;
	else
		s->wide[v->start].tag = s->wide[v->start].tag >> 32 << 32 | low;
}

/* ---- unions ---- */

enum { TM_PIECE_LISTS = 128 };

/* Walks the union of sorted lists in ascending order, clipped to `window`, without copying. */
struct tm_pieces {
	const struct tm_intervals *list[TM_PIECE_LISTS];
	size_t at[TM_PIECE_LISTS];             /* the next interval of each */
	struct tm_extent next[TM_PIECE_LISTS]; /* and that itself; lo = UINT64_MAX after the last */
	uint8_t left[TM_PIECE_LISTS];          /* private: nleft lists that are not at their end */
	unsigned n, nleft;
	/* private: list `now` is the earliest as long as its next interval starts before `other`,
	 * the earliest start in the other lists; other = 0: not known */
	unsigned now;
	uint64_t other;
	/* Of intervals that start together that of the earlier list comes first; but where lists
	 * come in blocks of `same`, inside a block the one that ends first, then the one of the
	 * lower tag. */
	unsigned same;
	struct tm_extent window;
	/* of the piece from tm_pieces_next: list and index of the interval that begins it, and of
	 * the one that ends last (of several, the first to start) */
	unsigned opener_list, closer_list;
	size_t opener, closer;
};

/* Start a walk, without lists yet. */
void tm_pieces_init(struct tm_pieces *p, struct tm_extent window);

/* Add a sorted list; false when there are TM_PIECE_LISTS already. */
bool tm_pieces_add(struct tm_pieces *p, const struct tm_intervals *list);

/* The same from interval `first` on; those before it are known to end before the window. */
bool tm_pieces_add_from(struct tm_pieces *p, const struct tm_intervals *list, size_t first);

/* The next stretch of covered time: never empty, never touching the one before.  False at the end.
 */
bool tm_pieces_next(struct tm_pieces *p, struct tm_extent *out);

/* Write up to n of the next pieces, clipped to the window, to out[]; returns how many, 0 at the
 * end.  Does not set opener and closer.  For a list of disjoint intervals this is faster than one
 * at a time. */
size_t tm_pieces_some(struct tm_pieces *p, struct tm_extent *out, size_t n);

/* What was passed over: how many gaps, and how long they are together. */
struct tm_pieces_passed {
	uint64_t gaps, ns;
};

/* Pass over pieces that begin at most `least` after the end of the one before, *edge.  *edge and
 * the closer become those of the last piece passed.  Stops before a piece that begins later, at
 * the end, and at once if the lists are not disjoint intervals; then use tm_pieces_next.  False:
 * no piece was passed. */
bool tm_pieces_pass(struct tm_pieces *p, uint64_t least, uint64_t *edge,
                    struct tm_pieces_passed *passed);

/* Length of the union. */
uint64_t tm_pieces_length(struct tm_pieces p);

/* out[m] for m = 0 .. 2^n - 1: the time inside the window covered by exactly those of the n unions
 * whose bit is set in m (union k is bit k).  out[0] is what none covers; the sum is hi - lo.  The
 * walks are at their end afterwards.  n <= TM_PIECE_SETS; all have the window of the first. */
enum { TM_PIECE_SETS = 6 };
void tm_pieces_by_mask(struct tm_pieces *p, unsigned n, uint64_t *out);

/* ---- how many at a time ---- */

struct tm_concurrency {
	tm_u128 total; /* sum of lengths inside the window */
	uint64_t max;  /* intervals of some length that hold the same instant */
};

/* Of all the lists together.  False when out of memory. */
bool tm_pieces_concurrency(const struct tm_pieces *p, struct tm_concurrency *out);

#endif
