/* SPDX-License-Identifier: MIT
 * A set of keys, each a fixed number of 64-bit words, numbered in order of appearance. */
#ifndef TM_AGG_GROUPS_H
#define TM_AGG_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash;

#define GROUP_NONE UINT32_MAX

/* {.words = w} is a valid empty set. */
struct groups {
	uint32_t words; /* of a key, 1 .. 64 */
	uint32_t n;
	uint64_t *key; /* n * words */
	/* private */
	uint32_t *slot, nslot;
	const struct hash *hash;
	size_t cap;
};

/* Number of the key, added if new; GROUP_NONE when out of memory.  *fresh, if not NULL, tells. */
uint32_t groups_add(struct groups *g, const uint64_t *key, bool *fresh);

/* Number of the key, GROUP_NONE when it was never added. */
uint32_t groups_find(const struct groups *g, const uint64_t *key);

/* As groups_add for keys that each have an item in an array, *v of *cap items of `size` bytes
 * (base/buf.h grow_array): room is made, and the item of a new key is zeroed.  Out of memory:
 * GROUP_NONE, and the set is as it was. */
uint32_t groups_item(struct groups *g, const uint64_t *key, void *v, size_t *cap, size_t size,
                     bool *fresh);

/* Free it; an empty set of the same words again. */
void groups_fini(struct groups *g);

#endif
