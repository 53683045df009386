/* SPDX-License-Identifier: MIT
 * Two sorted lists as one, in the order of the starts; of intervals that begin together, those of the first
 * list come first.  Nothing is copied: where each comes from takes a quarter of a byte.
 *
 * The tags of the intervals are the caller's to write on, one number of 32 bits each: whoever needs a number for
 * every interval needs no more memory.  The lists must have been added without tags. */
#ifndef AGG_SEQUENCE_H
#define AGG_SEQUENCE_H

#include "agg/intervals.h"

struct sequence {
	struct intervals *list[2];
	size_t n;
	/* Only where both lists hold anything: a bit for each place that is of list 1, and how many are before
	 * each 64 of these. */
	uint64_t *second;
	size_t *before;
};

/* Of the lists a and b, which must outlive it, stay as they are but for their tags, and are sorted.  False
 * when out of memory; sequence_fini is needed all the same. */
bool sequence_init(struct sequence *q, struct intervals *a, struct intervals *b);

/* Free it; the tags become 0 again.  {0} afterwards. */
void sequence_fini(struct sequence *q);

/* Where the interval of a place is. */
struct sequence_place {
	struct intervals *list;
	size_t i;
};

static inline struct sequence_place sequence_at(const struct sequence *q, size_t at)
{
	uint64_t bits;
	size_t of_second;

	if (!q->second)
		return (struct sequence_place) { q->list[q->list[0]->n == 0], at };
	bits = q->second[at / 64];
	of_second = q->before[at / 64] +
	            (size_t)__builtin_popcountll(bits & ((UINT64_C(1) << at % 64) - 1));
	if (bits >> at % 64 & 1)
		return (struct sequence_place) { q->list[1], of_second };
	return (struct sequence_place) { q->list[0], at - of_second };
}

static inline uint32_t sequence_name(const struct sequence *q, size_t at)
{
	struct sequence_place p = sequence_at(q, at);

	return interval_name(p.list, p.i);
}

static inline uint64_t sequence_start(const struct sequence *q, size_t at)
{
	struct sequence_place p = sequence_at(q, at);

	return interval_start(p.list, p.i);
}

static inline uint64_t sequence_end(const struct sequence *q, size_t at)
{
	struct sequence_place p = sequence_at(q, at);

	return interval_end(p.list, p.i);
}

/* The number written at a place; 0 before any was. */
static inline uint32_t sequence_read(const struct sequence *q, size_t at)
{
	struct sequence_place p = sequence_at(q, at);

	return (uint32_t)interval_tag(p.list, p.i);
}

static inline void sequence_write(const struct sequence *q, size_t at, uint32_t number)
{
	struct sequence_place p = sequence_at(q, at);

	interval_set_tag(p.list, p.i, number);
}

#endif
