/* SPDX-License-Identifier: MIT */
#include "agg/sequence.h"

#include <stdlib.h>

bool sequence_init(struct sequence *q, struct intervals *a, struct intervals *b)
{
	size_t ia = 0, ib = 0, words;

	*q = (struct sequence) { { a, b }, a->n + b->n, NULL, NULL };
	if (!a->n || !b->n)
		return true;
	words = q->n / 64 + 1;
	q->second = calloc(words, sizeof *q->second);
	q->before = malloc(words * sizeof *q->before);
	if (!q->second || !q->before)
		return false;
	for (size_t at = 0; at < q->n; at++) {
		bool second = ia == a->n ||
		              (ib < b->n && interval_start(b, ib) < interval_start(a, ia));

		if (at % 64 == 0)
			q->before[at / 64] = ib;
		q->second[at / 64] |= (uint64_t)second << at % 64;
		ia += !second;
		ib += second;
	}
	return true;
}

void sequence_fini(struct sequence *q)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; q->list[k] && i < q->list[k]->n; i++)
			interval_set_tag(q->list[k], i, 0);
	free(q->second);
	free(q->before);
	*q = (struct sequence) { 0 };
}
