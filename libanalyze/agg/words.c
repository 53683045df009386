/* SPDX-License-Identifier: MIT */
#include "agg/words.h"

#include "base/base.h"

#include <stdlib.h>

enum { FIRST = 16 };

/* Small lists stay small: there may be one for each process. */
static bool enlarge(struct tm_words *s)
{
	bool first = s->cap < TM_WORDS_BLOCK;
	size_t at = s->cap >> TM_WORDS_SHIFT, want = TM_WORDS_BLOCK;
	uint64_t *v;

	if (first)
		want = s->cap ? 2 * s->cap : FIRST;
	if (!tm_grow_array(&s->block, &s->block_cap, at + 1, sizeof(uint64_t *)))
		return false;
	v = realloc(s->cap && first ? s->block[0] : NULL, want * sizeof *v);
	if (!v)
		return false;
	s->block[at] = v;
	s->cap = (at << TM_WORDS_SHIFT) + want;
	return true;
}

bool tm_words_add(struct tm_words *s, uint64_t v)
{
	if (s->n == s->cap && !enlarge(s))
		return false;
	s->block[s->n >> TM_WORDS_SHIFT][s->n & (TM_WORDS_BLOCK - 1)] = v;
	s->n++;
	return true;
}

bool tm_words_move(struct tm_words *into, struct tm_words *from)
{
	bool ok = true;

	if (!into->n) {
		tm_words_fini(into);
		*into = *from;
		*from = (struct tm_words) { 0 };
		return true;
	}
	for (size_t i = 0; ok && i < from->n; i++) {
		ok = tm_words_add(into, tm_words_at(from, i));
		if ((i + 1) % TM_WORDS_BLOCK == 0) {
			free(from->block[i >> TM_WORDS_SHIFT]);
			from->block[i >> TM_WORDS_SHIFT] = NULL;
		}
	}
	tm_words_fini(from);
	return ok;
}

void tm_words_fini(struct tm_words *s)
{
	for (size_t i = 0; i << TM_WORDS_SHIFT < s->cap; i++)
		free(s->block[i]);
	free(s->block);
	*s = (struct tm_words) { 0 };
}
