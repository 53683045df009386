/* SPDX-License-Identifier: MIT
 * Interned strings: every distinct text once, known by a small dense number. */
#ifndef TM_BASE_NAMES_H
#define TM_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_NONE UINT32_MAX /* returned when out of memory, or for "not there" */

struct hash;

struct name {
	const char *text; /* len bytes and a NUL; may hold any byte, NUL included */
	uint32_t len;
	uint32_t hash;
};

/* {0} is a valid empty set.  Ids are 0 .. n-1 in order of first appearance, so they depend on the
 * order of the input: never print them, never sort by them.  Texts stay where they are until
 * names_fini(). */
struct names {
	struct name *v; /* v[id] */
	uint32_t n;
	/* private */
	size_t cap;
	uint32_t *slot; /* id + 1; 0 = free */
	uint32_t nslot; /* power of two */
	const struct hash *hash;
	struct names_block *block;
};

/* Id of the text, added if new.  NAME_NONE when out of memory, or with 2^32-2 texts or a text of
 * 4 GiB. */
uint32_t names_add(struct names *ns, const char *text, size_t len);

/* Id of the text, or NAME_NONE if it was never added. */
uint32_t names_find(const struct names *ns, const char *text, size_t len);

/* Free it and every text; {0} again. */
void names_fini(struct names *ns);

/* Order of two texts as bytes: <0, 0, >0; the total order of every output. */
int name_cmp(const struct name *a, const struct name *b);

#endif
