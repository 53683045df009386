/* SPDX-License-Identifier: MIT
 * Lists of 64-bit numbers in order of insertion, 8 bytes each, that grow and are joined without a
 * second copy of their contents. */
#ifndef TM_AGG_WORDS_H
#define TM_AGG_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TM_WORDS_SHIFT = 12, TM_WORDS_BLOCK = 1 << TM_WORDS_SHIFT };

/* {0} is the empty list. */
struct tm_words {
	uint64_t **block; /* all whole but for the first, which grows until it is */
	size_t n, cap, block_cap;
};

/* Add one after the others.  False when out of memory. */
bool tm_words_add(struct tm_words *s, uint64_t v);

/* Add all of `from`, which is empty afterwards; its memory is freed on the way.  When out of memory
 * (false), the contents of both are undefined. */
bool tm_words_move(struct tm_words *into, struct tm_words *from);

/* Free it; {0} again. */
void tm_words_fini(struct tm_words *s);

static inline uint64_t tm_words_at(const struct tm_words *s, size_t i)
{
	return s->block[i >> TM_WORDS_SHIFT][i & (TM_WORDS_BLOCK - 1)];
}

#endif
