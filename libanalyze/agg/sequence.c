/* SPDX-License-Identifier: MIT */
#include "agg/sequence.h"

#include <stdlib.h>
#include <string.h>

/* The list whose next interval starts first, at[k] being the next of each. */
static unsigned first_of(const struct tm_sequence *q, const size_t *at)
{
	unsigned best = TM_SEQUENCE_LISTS;

	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++) {
		if (!q->list[k] || at[k] == q->list[k]->n)
			continue;
		if (best == TM_SEQUENCE_LISTS || tm_interval_start(q->list[k], at[k]) <
		                                         tm_interval_start(q->list[best], at[best]))
			best = k;
	}
	return best;
}

bool tm_sequence_init(struct tm_sequence *q, struct tm_intervals *list, unsigned n)
{
	size_t at[TM_SEQUENCE_LISTS] = { 0 };
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
	if (some < 2)
		return true;
	q->word = calloc(q->n / 64 + 1, sizeof *q->word);
	for (size_t i = 0; q->word && i < q->n; i++) {
		struct tm_sequence_word *w = &q->word[i / 64];
		unsigned k = first_of(q, at);

		if (i % 64 == 0)
			memcpy(w->before, at, sizeof at);
		w->low |= (uint64_t)(k & 1) << i % 64;
		w->high |= (uint64_t)(k >> 1) << i % 64;
		at[k]++;
	}
	return q->word != NULL;
}

void tm_sequence_fini(struct tm_sequence *q)
{
	for (unsigned k = 0; k < TM_SEQUENCE_LISTS; k++)
		for (size_t i = 0; q->list[k] && i < q->list[k]->n; i++)
			tm_interval_set_tag(q->list[k], i, 0);
	free(q->word);
	*q = (struct tm_sequence) { 0 };
}
