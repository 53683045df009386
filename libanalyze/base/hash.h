/* SPDX-License-Identifier: MIT
 * The hash of every table, with a random key, so that the author of an input cannot know which of
 * its names or numbers collide.
 *
 * For any two texts or numbers, any l bits of their hashes agree with a share of 2^-l + e of all
 * keys; e is at most 2^-63, or for texts of n > 512 bytes 2^-54 + n 2^-69.  This is proven (hash.c)
 * for inputs written before the process that reads them drew its key.
 *
 * Hashes differ from process to process: nothing that is printed, written or sorted may depend on
 * them. */
#ifndef TM_BASE_HASH_H
#define TM_BASE_HASH_H

#include "base/wide.h"

#include <stddef.h>
#include <stdint.h>

enum {
	TM_HASH_BLOCK = 64, /* words of a text that are hashed at a time, and most words of a key */
};

/* Two random halves of a factor of 128 bits. */
struct tm_hash_factor {
	uint64_t lo, hi;
};

/* A key; filled once, then only read. */
struct tm_hash {
	uint64_t word[TM_HASH_BLOCK];
	uint64_t power; /* below 2^61 - 1 */
	struct tm_hash_factor of[3], plus;
};

/* The key of this process, drawn at the first call.  Any thread may ask; cannot fail. */
const struct tm_hash *tm_hash_own(void);

/* For reproducible tests: the same key for the same seed; tm_hash_own_seed makes it the key of this
 * process from now on.  Tables made before must not be used afterwards. */
void tm_hash_seed(struct tm_hash *h, uint64_t seed);
void tm_hash_own_seed(uint64_t seed);

/* Hash of n bytes; n is part of what is hashed. */
uint64_t tm_hash_bytes(const struct tm_hash *h, const void *p, size_t n);

/* Hash of n words, at most TM_HASH_BLOCK and the same number for all keys of a table. */
uint64_t tm_hash_words(const struct tm_hash *h, const uint64_t *w, size_t n);

/* A bijection that destroys what a product retains of the order of its factors. */
static inline uint64_t tm_hash_spread(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0x9e3779b97f4a7c15);
	return v ^ v >> 32;
}

/* Hash of one word. */
static inline uint64_t tm_hash_word(const struct tm_hash *h, uint64_t w)
{
	tm_u128 sum = (tm_u128)h->of[0].lo * w + h->plus.lo;

	return tm_hash_spread((uint64_t)(sum >> 64) + h->of[0].hi * w + h->plus.hi);
}

/* To add up over many, as what they are told by: as tm_hash_words, and different for different
 * words whatever the key is. */
static inline uint64_t tm_hash_digest(const uint64_t *w, size_t n)
{
	uint64_t d = 1;

	for (size_t i = 0; i < n; i++)
		d = tm_hash_spread(d * UINT64_C(0x100000001b3) + w[i]);
	return d + tm_hash_words(tm_hash_own(), w, n);
}

/* FNV-1a, beginning with TM_HASH_STABLE: the same everywhere, unlike tm_hash_bytes. */
#define TM_HASH_STABLE UINT64_C(0xcbf29ce484222325)
static inline uint64_t tm_hash_stable(uint64_t h, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return h;
}

#endif
