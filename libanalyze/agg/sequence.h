/* SPDX-License-Identifier: MIT
 * A few sorted lists as one, by start; of intervals that begin together, those of an earlier list
 * come first.  Nothing is copied: the list of each interval takes three quarters of a byte.
 *
 * A 32-bit number can be written at each place.  In lists without tags it is written to the tag,
 * which needs no more memory; otherwise it takes four bytes per place, from the first write on. */
#ifndef TM_AGG_SEQUENCE_H
#define TM_AGG_SEQUENCE_H

#include "agg/intervals.h"

enum { TM_SEQUENCE_LISTS = 4 };

/* Of 64 places: the low and the high bit of the list of each, and how many of each list are before
 * them. */
struct tm_sequence_word {
	uint64_t low, high;
	size_t before[TM_SEQUENCE_LISTS];
};

struct tm_sequence {
	struct tm_intervals *list[TM_SEQUENCE_LISTS];
	size_t n;
	unsigned only;                 /* the list that holds everything, where `word` is NULL */
	struct tm_sequence_word *word; /* where several hold anything */
	uint32_t *number;              /* where tags are not to be written on */
	bool written;                  /* a number was, on tags */
};

/* Over n <= TM_SEQUENCE_LISTS sorted lists, which must outlive it; with `tagged` they are not
 * changed, otherwise only in their tags.  False when out of memory; tm_sequence_fini is needed all
 * the same. */
bool tm_sequence_init(struct tm_sequence *q, struct tm_intervals *list, unsigned n, bool tagged);

/* Free it; tags that were written on become 0 again.  {0} afterwards. */
void tm_sequence_fini(struct tm_sequence *q);

/* The list of a place. */
static inline unsigned tm_sequence_list(const struct tm_sequence *q, size_t at)
{
	const struct tm_sequence_word *w = q->word;

	if (!w)
		return q->only;
	w += at / 64;
	return (unsigned)(w->low >> at % 64 & 1) | (unsigned)(w->high >> at % 64 & 1) << 1;
}

/* Where the interval of a place is. */
struct tm_sequence_place {
	struct tm_intervals *list;
	size_t i;
};

static inline struct tm_sequence_place tm_sequence_at(const struct tm_sequence *q, size_t at)
{
	const struct tm_sequence_word *w;
	struct tm_sequence_place place;
	uint64_t same;
	unsigned k;

	k = tm_sequence_list(q, at);
	if (!q->word) {
		place.list = q->list[k];
		place.i = at;
		return place;
	}
	w = &q->word[at / 64];
	same = (k & 1 ? w->low : ~w->low) & (k & 2 ? w->high : ~w->high);
	same &= (UINT64_C(1) << at % 64) - 1;
	place.list = q->list[k];
	place.i = w->before[k] + (size_t)__builtin_popcountll(same);
	return place;
}

static inline uint32_t tm_sequence_name(const struct tm_sequence *q, size_t at)
{
	struct tm_sequence_place p = tm_sequence_at(q, at);

	return tm_interval_name(p.list, p.i);
}

/* Iterates over the names in order, which is faster than tm_sequence_name for each. */
struct tm_sequence_walk {
	const struct tm_sequence *q;
	size_t at;                      /* the place it comes to next, */
	size_t next[TM_SEQUENCE_LISTS]; /* and which interval of each list */
};

/* Start at place `at`, which may be the end. */
static inline void tm_sequence_walk_from(struct tm_sequence_walk *w, const struct tm_sequence *q,
                                         size_t at)
{
	w->q = q;
	w->at = at;
	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++)
		w->next[k] = q->word && at < q->n ? q->word[at / 64].before[k] : at;
	for (size_t i = at / 64 * 64; q->word && at < q->n && i < at; i++)
		w->next[tm_sequence_list(q, i)]++;
}

/* Return the name at place w->at, and advance; not at the end. */
static inline uint32_t tm_sequence_walk_name(struct tm_sequence_walk *w)
{
	unsigned k = tm_sequence_list(w->q, w->at++);

	return tm_interval_name(w->q->list[k], w->next[k]++);
}

static inline uint64_t tm_sequence_start(const struct tm_sequence *q, size_t at)
{
	struct tm_sequence_place p = tm_sequence_at(q, at);

	return tm_interval_start(p.list, p.i);
}

static inline uint64_t tm_sequence_end(const struct tm_sequence *q, size_t at)
{
	struct tm_sequence_place p = tm_sequence_at(q, at);

	return tm_interval_end(p.list, p.i);
}

/* The number written at a place; 0 before any was. */
static inline uint32_t tm_sequence_read(const struct tm_sequence *q, size_t at)
{
	struct tm_sequence_place p;

	if (q->number)
		return q->number[at];
	p = tm_sequence_at(q, at);
	return (uint32_t)tm_interval_tag(p.list, p.i);
}

static inline void tm_sequence_write(struct tm_sequence *q, size_t at, uint32_t number)
{
	struct tm_sequence_place p;

	if (q->number) {
		q->number[at] = number;
		return;
	}
	p = tm_sequence_at(q, at);
	q->written = true;
	tm_interval_set_tag(p.list, p.i, number);
}

#endif
