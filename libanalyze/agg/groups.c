/* SPDX-License-Identifier: MIT */
#include "agg/groups.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Of up to so many keys those asked for last are looked at first: rows of a few threads and queues
 * alternate. */
enum { FEW = 64 };

static bool is_key(const struct tm_groups *g, uint32_t i, const uint64_t *key)
{
	const uint64_t *of = g->key + (size_t)i * g->words;
	uint64_t differ = 0;

	for (uint32_t w = 0; w < g->words; w++)
		differ |= of[w] ^ key[w];
	return !differ;
}

static void remember(uint16_t *recent, uint32_t number)
{
	if (number <= UINT16_MAX)
		*recent = (uint16_t)number;
}

static uint32_t slot_of(const struct tm_groups *g, const uint64_t *key)
{
	uint32_t i = (uint32_t)tm_hash_words(g->hash, key, g->words) & (g->nslot - 1);

	while (g->slot[i] && !is_key(g, g->slot[i] - 1, key))
		i = (i + 1) & (g->nslot - 1);
	return i;
}

static bool rehash(struct tm_groups *g)
{
	uint32_t nslot = g->nslot ? g->nslot * 2 : 256;
	uint32_t *slot = nslot ? calloc(nslot, sizeof *slot) : NULL;

	if (!slot)
		return false;
	free(g->slot);
	g->hash = tm_hash_own();
	g->slot = slot;
	g->nslot = nslot;
	for (uint32_t k = 0; k < g->n; k++)
		g->slot[slot_of(g, g->key + (size_t)k * g->words)] = k + 1;
	return true;
}

uint32_t tm_groups_add(struct tm_groups *g, const uint64_t *key, bool *fresh)
{
	uint16_t *recent = &g->recent[tm_groups_place(key, g->words)];
	uint32_t i;

	if (fresh)
		*fresh = false;
	if (g->n <= FEW && *recent && is_key(g, *recent - 1, key))
		return *recent - 1;
	if (g->n + g->n / 2 >= g->nslot && !rehash(g))
		return TM_GROUP_NONE;
	i = slot_of(g, key);
	if (g->slot[i]) {
		remember(recent, g->slot[i]);
		return g->slot[i] - 1;
	}
	if (g->n >= UINT32_MAX - 1 ||
	    !tm_grow_array(&g->key, &g->cap, (size_t)(g->n + 1) * g->words, sizeof *g->key))
		return TM_GROUP_NONE;
	memcpy(g->key + (size_t)g->n * g->words, key, g->words * sizeof *key);
	g->slot[i] = ++g->n;
	remember(recent, g->n);
	if (fresh)
		*fresh = true;
	return g->n - 1;
}

uint32_t tm_groups_find(const struct tm_groups *g, const uint64_t *key)
{
	uint32_t i = g->n ? g->slot[slot_of(g, key)] : 0;

	return i ? i - 1 : TM_GROUP_NONE;
}

uint32_t tm_groups_item(struct tm_groups *g, const uint64_t *key, void *v, size_t *cap, size_t size,
                        bool *fresh)
{
	uint32_t i;
	bool added;
	char *items;

	if (fresh)
		*fresh = false;
	/* Before the key is in the set, from which nothing can be taken out again. */
	if (g->n >= *cap && !tm_grow_array(v, cap, (size_t)g->n + 1, size))
		return TM_GROUP_NONE;
	i = tm_groups_add(g, key, &added);
	if (i != TM_GROUP_NONE && added) {
		memcpy(&items, v, sizeof items);
		memset(items + (size_t)i * size, 0, size);
	}
	if (fresh)
		*fresh = added;
	return i;
}

void tm_groups_fini(struct tm_groups *g)
{
	free(g->key);
	free(g->slot);
	*g = (struct tm_groups) { .words = g->words };
}
