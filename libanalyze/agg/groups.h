/* SPDX-License-Identifier: MIT
 * A set of keys, each a fixed number of 64-bit words, numbered in order of appearance. */
#ifndef TM_AGG_GROUPS_H
#define TM_AGG_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_hash;

#define TM_GROUP_NONE UINT32_MAX

enum { TM_GROUPS_RECENT_BITS = 6 };

/* {.words = w} is a valid empty set. */
struct tm_groups {
	uint32_t words; /* of a key, 1 .. 64 */
	uint32_t n;
	uint64_t *key; /* n * words */
	/* private */
	uint32_t *slot, nslot;
	const struct tm_hash *hash;
	size_t cap;
	/* Numbers of recent keys, + 1; those that do not fit are not kept. */
	uint16_t recent[1 << TM_GROUPS_RECENT_BITS];
};

/* The index of a key in `recent`. */
static inline uint32_t tm_groups_place(const uint64_t *key, uint32_t words)
{
	uint64_t sum = 0, by = 1;

	/* Powers: sums of small numbers by small factors would often be the same. */
	for (uint32_t w = 0; w < words; w++) {
		by *= UINT64_C(0x9e3779b97f4a7c15);
		sum += key[w] * by;
	}
	return (uint32_t)(sum >> (64 - TM_GROUPS_RECENT_BITS));
}

/* Number of a recently used key; TM_GROUP_NONE = ask tm_groups_add.  For calls per row: with
 * `words` (those of the set) a constant, it takes a few instructions. */
static inline uint32_t tm_groups_recent(const struct tm_groups *g, const uint64_t *key,
                                        uint32_t words)
{
	uint32_t i = g->recent[tm_groups_place(key, words)];
	uint64_t differ = 0;

	if (!i)
		return TM_GROUP_NONE;
	for (uint32_t w = 0; w < words; w++)
		differ |= g->key[(size_t)(i - 1) * words + w] ^ key[w];
	return differ ? TM_GROUP_NONE : i - 1;
}

/* Number of the key, added if new; TM_GROUP_NONE when out of memory.  *fresh, if not NULL, tells
 * whether it is new; false when out of memory. */
uint32_t tm_groups_add(struct tm_groups *g, const uint64_t *key, bool *fresh);

/* Number of the key, TM_GROUP_NONE when it was never added. */
uint32_t tm_groups_find(const struct tm_groups *g, const uint64_t *key);

/* As tm_groups_add, for keys that each have an item in the array *v of *cap items of `size` bytes
 * (base/buf.h tm_grow_array): grows the array, and zeroes the item of a new key.  When out of
 * memory: TM_GROUP_NONE, and the set is unchanged. */
uint32_t tm_groups_item(struct tm_groups *g, const uint64_t *key, void *v, size_t *cap, size_t size,
                        bool *fresh);

/* Free it; an empty set of the same words again. */
void tm_groups_fini(struct tm_groups *g);

#endif
