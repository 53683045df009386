/* SPDX-License-Identifier: MIT
 * Interned strings: every distinct text once, known by a small dense number. */
#ifndef TM_BASE_NAMES_H
#define TM_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TM_NAME_NONE UINT32_MAX /* returned when out of memory, or for "not there" */

struct tm_hash;

struct tm_name {
	const char *text; /* len bytes and a NUL; may hold any byte, NUL included */
	uint32_t len;
	uint32_t hash; /* the same in all sets of this process */
};

/* {0} is a valid empty set.  Ids are 0 .. n-1 in order of first appearance, so they depend on the
 * order of the input: never print them, never sort by them.  Texts stay where they are until
 * tm_names_fini(). */
struct tm_names {
	struct tm_name *v; /* v[id] */
	uint32_t n;
	/* private */
	size_t cap;
	uint32_t *slot; /* id + 1; 0 = free */
	uint32_t nslot; /* power of two */
	const struct tm_hash *hash;
	struct tm_names_block *block;
};

/* Id of the text, added if new.  TM_NAME_NONE when out of memory, or with 2^32-2 texts or a text of
 * 4 GiB. */
uint32_t tm_names_add(struct tm_names *ns, const char *text, size_t len);

/* Id of the text, or TM_NAME_NONE if it was never added. */
uint32_t tm_names_find(const struct tm_names *ns, const char *text, size_t len);

/* Add all of *from, and return a map: out[id in *from] is the id in *ns; n + 1 items, to be freed.
 * NULL when out of memory. */
uint32_t *tm_names_add_all(struct tm_names *ns, const struct tm_names *from);

/* The same, but *map is NULL if every text has the same id in both.  False when out of memory. */
bool tm_names_adopt(struct tm_names *ns, const struct tm_names *from, uint32_t **map);

/* Free it and every text; {0} again. */
void tm_names_fini(struct tm_names *ns);

/* Order of two texts as bytes: <0, 0, >0; the total order of every output. */
int tm_name_cmp(const struct tm_name *a, const struct tm_name *b);

#endif
