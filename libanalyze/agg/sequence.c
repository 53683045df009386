/* SPDX-License-Identifier: MIT */
#include "agg/sequence.h"

#include <stdlib.h>
#include <string.h>

/* The start of the next interval of a list, UINT64_MAX after the last. */
static uint64_t start_of(const struct tm_intervals *s, size_t at)
{
	return s && at < s->n ? tm_interval_start(s, at) : UINT64_MAX;
}

/* The list whose next interval starts first; it goes on at least as long as it stays before
 * *other. */
static unsigned first_of(const struct tm_sequence *q, const size_t *at, const uint64_t *next,
                         uint64_t *other)
{
	unsigned best = TM_SEQUENCE_LISTS;

	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++)
		if ((best == TM_SEQUENCE_LISTS || next[k] < next[best]) && q->list[k] &&
		    at[k] < q->list[k]->n)
			best = k;
	*other = UINT64_MAX;
	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++)
		if (k != best && next[k] < *other)
			*other = next[k];
	return best;
}

/* The next n places, from *i on, are of list k; at[] goes on. */
static void deal_run(struct tm_sequence *q, size_t *i, unsigned k, size_t n, size_t *at)
{
	while (n) {
		struct tm_sequence_word *w = &q->word[*i / 64];
		const size_t room = 64 - *i % 64, m = n < room ? n : room;
		const uint64_t bits = (~UINT64_C(0) >> (64 - m)) << *i % 64;

		if (*i % 64 == 0)
			memcpy(w->before, at, TM_SEQUENCE_LISTS * sizeof *at);
		w->low |= k & 1 ? bits : 0;
		w->high |= k >> 1 ? bits : 0;
		at[k] += m;
		*i += m;
		n -= m;
	}
}

/* Fill in `word`. */
static void deal(struct tm_sequence *q)
{
	size_t at[TM_SEQUENCE_LISTS] = { 0 };
	uint64_t next[TM_SEQUENCE_LISTS];

	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++)
		next[k] = start_of(q->list[k], 0);
	for (size_t i = 0; i < q->n;) {
		uint64_t other;
		const unsigned k = first_of(q, at, next, &other);
		size_t to = at[k];

		do
			next[k] = start_of(q->list[k], ++to);
		while (next[k] < other);
		deal_run(q, &i, k, to - at[k], at);
	}
}

bool tm_sequence_init(struct tm_sequence *q, struct tm_intervals *list, unsigned n, bool tagged)
{
	unsigned some = 0;

	*q = (struct tm_sequence) { 0 };
	for (unsigned k = 0; k < n; k++) {
		q->list[k] = &list[k];
		q->n += list[k].n;
		if (list[k].n) {
			q->only = k;
			some++;
		}
	}
	if (tagged && !(q->number = calloc(q->n + 1, sizeof *q->number)))
		return false;
	if (some < 2)
		return true;
	q->word = calloc(q->n / 64 + 1, sizeof *q->word);
	if (q->word)
		deal(q);
	return q->word != NULL;
}

void tm_sequence_fini(struct tm_sequence *q)
{
	for (unsigned k = 0; q->written && k < TM_SEQUENCE_LISTS; k++)
		for (size_t i = 0; q->list[k] && i < q->list[k]->n; i++)
			tm_interval_set_tag(q->list[k], i, 0);
	free(q->word);
	free(q->number);
	*q = (struct tm_sequence) { 0 };
}
