/* SPDX-License-Identifier: MIT
 * Ranges and calls that have begun and not ended yet: rocprofv2 writes the two ends of a roctx
 * range, and in some releases those of an API call, as separate records. */
#ifndef TM_READ_OPEN_H
#define TM_READ_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_hash;

/* One that has begun. */
struct open_item {
	uint64_t key, start, line; /* roctx or correlation id; ns; where it stands */
	uint32_t name, domain;
	uint32_t tag;  /* the caller's own */
	uint32_t next; /* private */
	bool live;     /* not taken yet */
};

/* All of them, in the order they began; {0} is a valid empty set.  v[0 .. n) may be walked at the
 * end for those still live. */
struct open_set {
	struct open_item *v;
	size_t n, cap, live;
	uint32_t *head; /* private: hash chains, index + 1 */
	size_t nhead;
	const struct tm_hash *hash;
};

/* Add one; `next` and `live` are set here.  False when out of memory. */
bool tm_open_add(struct open_set *o, const struct open_item *item);

/* The last one of that key and domain, which stays; false when there is none. */
bool tm_open_find(const struct open_set *o, uint64_t key, uint32_t domain, struct open_item *out);

/* Take out the last one of that key and domain; false when there is none. */
bool tm_open_take(struct open_set *o, uint64_t key, uint32_t domain, struct open_item *out);

/* Free it. */
void tm_open_fini(struct open_set *o);

#endif
