/* SPDX-License-Identifier: MIT */
#include "base/names.h"

#include "base/buf.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct tm_names_block {
	struct tm_names_block *next;
	size_t used, cap;
	char text[];
};

int tm_name_cmp(const struct tm_name *a, const struct tm_name *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len;
	int c = n ? memcmp(a->text, b->text, n) : 0;

	if (c)
		return c;
	return (a->len > b->len) - (a->len < b->len);
}

/* The slot that holds the text, or the free slot where it belongs. */
static uint32_t *probe(const struct tm_names *ns, const char *text, size_t len, uint32_t hash)
{
	uint32_t mask = ns->nslot - 1;
	uint32_t i = hash & mask;

	for (;; i = (i + 1) & mask) {
		const struct tm_name *nm;

		if (!ns->slot[i])
			return &ns->slot[i];
		nm = &ns->v[ns->slot[i] - 1];
		if (nm->hash == hash && nm->len == len && !memcmp(nm->text, text, len))
			return &ns->slot[i];
	}
}

static bool rehash(struct tm_names *ns)
{
	uint32_t nslot = ns->nslot ? ns->nslot * 2 : 1024;
	uint32_t *slot;

	if (!nslot)
		return false;
	slot = calloc(nslot, sizeof *slot);
	if (!slot)
		return false;
	ns->hash = tm_hash_own();
	free(ns->slot);
	ns->slot = slot;
	ns->nslot = nslot;
	for (uint32_t id = 0; id < ns->n; id++) {
		uint32_t i = ns->v[id].hash & (nslot - 1);

		while (slot[i])
			i = (i + 1) & (nslot - 1);
		slot[i] = id + 1;
	}
	return true;
}

static char *keep(struct tm_names *ns, const char *text, size_t len)
{
	struct tm_names_block *b = ns->block;
	char *p;

	if (!b || b->cap - b->used < len + 1) {
		size_t cap = len + 1 > BLOCK_BYTES / 4 ? len + 1 : BLOCK_BYTES;
		struct tm_names_block *nb = malloc(sizeof *nb + cap);

		if (!nb)
			return NULL;
		*nb = (struct tm_names_block) { .cap = cap };
		if (b && cap != BLOCK_BYTES) {
			/* A giant gets a block of its own after the one being filled. */
			nb->next = b->next;
			b->next = nb;
		} else {
			nb->next = b;
			ns->block = nb;
		}
		b = nb;
	}
	p = b->text + b->used;
	if (len)
		memcpy(p, text, len);
	p[len] = '\0';
	b->used += len + 1;
	return p;
}

uint32_t tm_names_find(const struct tm_names *ns, const char *text, size_t len)
{
	uint32_t *slot;

	if (!ns->n || len >= UINT32_MAX)
		return TM_NAME_NONE;
	slot = probe(ns, text, len, (uint32_t)tm_hash_bytes(ns->hash, text, len));
	return *slot ? *slot - 1 : TM_NAME_NONE;
}

uint32_t tm_names_add(struct tm_names *ns, const char *text, size_t len)
{
	uint32_t hash, *slot;
	char *kept;

	if (len >= UINT32_MAX || ns->n >= UINT32_MAX - 2)
		return TM_NAME_NONE;
	if (ns->n + ns->n / 2 >= ns->nslot && !rehash(ns))
		return TM_NAME_NONE;
	hash = (uint32_t)tm_hash_bytes(ns->hash, text, len);
	slot = probe(ns, text, len, hash);
	if (*slot)
		return *slot - 1;
	if (!tm_grow_array(&ns->v, &ns->cap, (size_t)ns->n + 1, sizeof *ns->v))
		return TM_NAME_NONE;
	kept = keep(ns, text, len);
	if (!kept)
		return TM_NAME_NONE;
	ns->v[ns->n] = (struct tm_name) { .text = kept, .len = (uint32_t)len, .hash = hash };
	*slot = ++ns->n;
	return ns->n - 1;
}

uint32_t *tm_names_add_all(struct tm_names *ns, const struct tm_names *from)
{
	uint32_t *map = malloc(((size_t)from->n + 1) * sizeof *map);

	for (uint32_t i = 0; map && i < from->n; i++) {
		map[i] = tm_names_add(ns, from->v[i].text, from->v[i].len);
		if (map[i] == TM_NAME_NONE) {
			free(map);
			return NULL;
		}
	}
	return map;
}

bool tm_names_adopt(struct tm_names *ns, const struct tm_names *from, uint32_t **map)
{
	uint32_t same = 0;

	*map = tm_names_add_all(ns, from);
	if (!*map)
		return false;
	while (same < from->n && (*map)[same] == same)
		same++;
	if (same == from->n) {
		free(*map);
		*map = NULL;
	}
	return true;
}

void tm_names_fini(struct tm_names *ns)
{
	while (ns->block) {
		struct tm_names_block *b = ns->block;

		ns->block = b->next;
		free(b);
	}
	free(ns->v);
	free(ns->slot);
	*ns = (struct tm_names) { 0 };
}
