/* SPDX-License-Identifier: MIT */
#include "read/open.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { NHEADS = 64 };

static uint32_t *open_head(const struct open_set *o, uint64_t key, uint32_t domain)
{
	uint64_t k[2] = { key, domain };

	return &o->head[tm_hash_words(o->hash, k, 2) & (o->nhead - 1)];
}

static bool open_grow(struct open_set *o)
{
	size_t n = o->nhead ? 2 * o->nhead : NHEADS;
	uint32_t *head = calloc(n, sizeof *head);

	if (!head)
		return false;
	free(o->head);
	o->hash = tm_hash_own();
	o->head = head;
	o->nhead = n;
	/* From the oldest to the latest, which so comes first again. */
	for (size_t i = 0; i < o->n; i++) {
		uint32_t *h = o->v[i].live ? open_head(o, o->v[i].key, o->v[i].domain) : NULL;

		if (h) {
			o->v[i].next = *h;
			*h = (uint32_t)i + 1;
		}
	}
	return true;
}

/* Items stand in the order they came, closed ones are swept out when they are the most. */
static void open_sweep(struct open_set *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++)
		if (o->v[i].live)
			o->v[n++] = o->v[i];
	o->n = n;
	memset(o->head, 0, o->nhead * sizeof *o->head);
	for (size_t i = 0; i < n; i++) {
		uint32_t *h = open_head(o, o->v[i].key, o->v[i].domain);

		o->v[i].next = *h;
		*h = (uint32_t)i + 1;
	}
}

bool tm_open_add(struct open_set *o, const struct open_item *item)
{
	uint32_t *h;

	if (o->n >= 1024 && o->n > 2 * o->live)
		open_sweep(o);
	if (o->n >= UINT32_MAX - 1 || !tm_grow_array(&o->v, &o->cap, o->n + 1, sizeof *o->v) ||
	    (o->n >= o->nhead && !open_grow(o)))
		return false;
	h = open_head(o, item->key, item->domain);
	o->v[o->n] = *item;
	o->v[o->n].live = true;
	o->v[o->n].next = *h;
	*h = (uint32_t)++o->n;
	o->live++;
	return true;
}

bool tm_open_find(const struct open_set *o, uint64_t key, uint32_t domain, struct open_item *out)
{
	uint32_t at = o->nhead ? *open_head(o, key, domain) : 0;

	while (at && (o->v[at - 1].key != key || o->v[at - 1].domain != domain))
		at = o->v[at - 1].next;
	if (at)
		*out = o->v[at - 1];
	return at != 0;
}

bool tm_open_take(struct open_set *o, uint64_t key, uint32_t domain, struct open_item *out)
{
	uint32_t *at = o->nhead ? open_head(o, key, domain) : NULL;

	while (at && *at) {
		struct open_item *item = &o->v[*at - 1];

		if (item->key == key && item->domain == domain) {
			*at = item->next;
			item->live = false;
			o->live--;
			*out = *item;
			return true;
		}
		at = &item->next;
	}
	return false;
}

void tm_open_fini(struct open_set *o)
{
	free(o->v);
	free(o->head);
	*o = (struct open_set) { 0 };
}
