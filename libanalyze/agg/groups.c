/* SPDX-License-Identifier: MIT */
#include "agg/groups.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const struct groups *g, const uint64_t *key)
{
	uint32_t i = (uint32_t)hash_words(g->hash, key, g->words) & (g->nslot - 1);

	while (g->slot[i] && memcmp(g->key + (size_t)(g->slot[i] - 1) * g->words, key,
	                            g->words * sizeof *key) != 0)
		i = (i + 1) & (g->nslot - 1);
	return i;
}

static bool rehash(struct groups *g)
{
	uint32_t nslot = g->nslot ? g->nslot * 2 : 256;
	uint32_t *slot = nslot ? calloc(nslot, sizeof *slot) : NULL;

	if (!slot)
		return false;
	free(g->slot);
	g->hash = hash_own();
	g->slot = slot;
	g->nslot = nslot;
	for (uint32_t k = 0; k < g->n; k++)
		g->slot[slot_of(g, g->key + (size_t)k * g->words)] = k + 1;
	return true;
}

uint32_t groups_add(struct groups *g, const uint64_t *key, bool *fresh)
{
	uint32_t i;

	if (fresh)
		*fresh = false;
	if (g->n + g->n / 2 >= g->nslot && !rehash(g))
		return GROUP_NONE;
	i = slot_of(g, key);
	if (g->slot[i])
		return g->slot[i] - 1;
	if (g->n >= UINT32_MAX - 1 ||
	    !grow_array(&g->key, &g->cap, (size_t)(g->n + 1) * g->words, sizeof *g->key))
		return GROUP_NONE;
	memcpy(g->key + (size_t)g->n * g->words, key, g->words * sizeof *key);
	g->slot[i] = ++g->n;
	if (fresh)
		*fresh = true;
	return g->n - 1;
}

uint32_t groups_find(const struct groups *g, const uint64_t *key)
{
	uint32_t i = g->n ? g->slot[slot_of(g, key)] : 0;

	return i ? i - 1 : GROUP_NONE;
}

uint32_t groups_item(struct groups *g, const uint64_t *key, void *v, size_t *cap, size_t size,
                     bool *fresh)
{
	uint32_t i;
	bool added;
	char *items;

	/* Before the key is in the set, from which nothing can be taken out again. */
	if (g->n >= *cap && !grow_array(v, cap, (size_t)g->n + 1, size))
		return GROUP_NONE;
	i = groups_add(g, key, &added);
	if (i != GROUP_NONE && added) {
		memcpy(&items, v, sizeof items);
		memset(items + (size_t)i * size, 0, size);
	}
	if (fresh)
		*fresh = added;
	return i;
}

void groups_fini(struct groups *g)
{
	free(g->key);
	free(g->slot);
	*g = (struct groups) { .words = g->words };
}
