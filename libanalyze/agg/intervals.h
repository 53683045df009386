/* SPDX-License-Identifier: MIT
 * Spans of time in 16 bytes each, and how much time sets of them cover.
 *
 * Covered time is that of a union: an instant counts once, however many intervals hold it.  All of
 * it is exact, in whole nanoseconds, and does not depend on the order in which intervals came.
 *
 * 16 bytes hold the low bits of start and tag; the high bits, which few intervals of a trace differ
 * in, are in a table of the list.  Whatever does not fit (a span of more than 4.29 s, a name beyond
 * the first 2^19, high bits of more than TM_INTERVAL_PAGES kinds) costs 32 bytes more.  Lists are
 * made of blocks that change hands when lists are joined, so that neither growing nor joining needs
 * more. */
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
	bool sorted;             /* since tm_intervals_sort nothing was added or moved */
	bool apart;              /* where sorted: none is empty, or touches the one before it */
	bool lent;               /* the arrays are those of another list: tm_intervals_lend */
	uint32_t pages, at_page; /* at_page: of the last interval added */
	struct tm_interval_page *page;
	struct tm_interval_wide *wide;
	size_t nwide, wide_cap, block_cap, page_cap;
};

/* Add [start, end), end >= start.  `tag` and `name` are any numbers.  False when out of memory. */
bool tm_intervals_add(struct tm_intervals *s, uint64_t start, uint64_t end, uint64_t tag,
                      uint32_t name);

/* Add all of `from`; its names become map[name], or stay without a map.  False when out of memory.
 */
bool tm_intervals_merge(struct tm_intervals *into, const struct tm_intervals *from,
                        const uint32_t *map);

/* The same, but `from` is empty afterwards: its memory changes hands, and no more is needed.  When
 * out of memory, what is in the two is not known. */
bool tm_intervals_move(struct tm_intervals *into, struct tm_intervals *from, const uint32_t *map);

/* The same for who is after the union alone: *into becomes a list of any order and number of
 * intervals, tags and names that covers what both did.  What a sorted list was lent is not copied
 * for that, and stays lent where it can be. */
bool tm_intervals_move_cover(struct tm_intervals *into, struct tm_intervals *from);

/* *to, which is empty, becomes what the list *from is, without copying it: *from has to outlive it
 * and to stay as it is meanwhile.  What changes *to copies first, and only then needs memory; but
 * tm_intervals_sort_by_tag and _by_group are not for such a list, nor tm_intervals_sort unless it
 * is sorted already: tm_intervals_own it first. */
void tm_intervals_lend(struct tm_intervals *to, const struct tm_intervals *from);

/* Copy what another list lent, so that this one stands alone.  False when out of memory. */
bool tm_intervals_own(struct tm_intervals *s);

/* Sort by start, then end, then tag, then order[name] (names themselves depend on the order of the
 * input; without an `order` they count as they are).  In place: a list never needs more memory. */
void tm_intervals_sort(struct tm_intervals *s, const uint32_t *order);

/* Sort by tag, then group[name] where there is a `group`, then as above.  Such a list is for
 * looking up, not for the functions below. */
void tm_intervals_sort_by_tag(struct tm_intervals *s, const uint32_t *group, const uint32_t *order);

/* Sort by group[name], then as tm_intervals_sort. */
void tm_intervals_sort_by_group(struct tm_intervals *s, const uint32_t *group,
                                const uint32_t *order);

/* Every [start, end) becomes [end, end + its length); with `back`, that again [start, end).  In
 * place. False when out of memory. */
bool tm_intervals_turn(struct tm_intervals *s, bool back);

/* Make a sorted list the union of its intervals: disjoint, ascending, none of no length.  In place,
 * without tags and names; but what was lent and is so already stays as it is, where intervals may
 * touch.  False when out of memory. */
bool tm_intervals_unite(struct tm_intervals *s);

/* Move those that are chosen to the end of *out; the others stay, in their order.  `chosen` is
 * asked of each once.  No more memory is needed.  False when out of it. */
bool tm_intervals_part(struct tm_intervals *s, struct tm_intervals *out,
                       bool (*chosen)(const struct tm_intervals *s, size_t i, const void *arg),
                       const void *arg);

/* The name of one becomes another, in its place.  False when out of memory. */
bool tm_interval_set_name(struct tm_intervals *s, size_t i, uint32_t name);

/* Turn round the order of the n from `from` on: the list does not count as sorted any more. */
void tm_intervals_reverse(struct tm_intervals *s, size_t from, size_t n);

/* Leave the first n. */
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
	/* of the piece tm_pieces_next gave: whose interval begins it, and which; and which ends
	 * last (the first of those to start) */
	unsigned opener_list, closer_list;
	size_t opener, closer;
};

/* Over no list yet. */
void tm_pieces_init(struct tm_pieces *p, struct tm_extent window);

/* One more sorted list; false when there are TM_PIECE_LISTS already. */
bool tm_pieces_add(struct tm_pieces *p, const struct tm_intervals *list);

/* The same without the first intervals of the list, which are known to end before the window. */
bool tm_pieces_add_from(struct tm_pieces *p, const struct tm_intervals *list, size_t first);

/* The next stretch of covered time: never empty, never touching the one before.  False at the end.
 */
bool tm_pieces_next(struct tm_pieces *p, struct tm_extent *out);

/* As many of the next n as there are, clipped to the window, into out[]: how many; 0 at the end.
 * opener and closer are not told.  Of a list of disjoint intervals this costs less than one at a
 * time. */
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
 * walks are used up.  n <= TM_PIECE_SETS; all have the window of the first. */
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
