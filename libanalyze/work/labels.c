/* SPDX-License-Identifier: MIT */
#include "work/labels.h"

#include "base/base.h"

#include <stdlib.h>

static bool add(struct tm_labels *l, uint32_t *of, uint32_t who, uint32_t name)
{
	if (l->n == UINT32_MAX || !tm_grow_array(&l->who, &l->who_cap, l->n + 1, sizeof *l->who) ||
	    !tm_grow_array(&l->name, &l->name_cap, l->n + 1, sizeof *l->name))
		return false;
	l->who[l->n] = who;
	l->name[l->n++] = name;
	of[name] = (uint32_t)l->n;
	return true;
}

/* A label for each name of the list, + 1 in `of`. */
static bool find_labels(struct tm_labels *l, uint32_t *of, const struct tm_intervals *from,
                        uint32_t who)
{
	for (size_t i = 0; i < from->n; i++) {
		uint32_t name = tm_interval_name(from, i);

		if (!of[name] && !add(l, of, who, name))
			return false;
	}
	return true;
}

bool tm_labels_move(struct tm_labels *l, uint32_t *of, struct tm_intervals *into,
                    struct tm_intervals *from, uint32_t who)
{
	size_t first = l->n;
	bool ok = find_labels(l, of, from, who);

	for (size_t i = first; ok && i < l->n; i++)
		of[l->name[i]]--;
	ok = ok && tm_intervals_move(into, from, of);
	for (size_t i = first; i < l->n; i++)
		of[l->name[i]] = 0;
	return ok;
}

struct places {
	const struct tm_labels *l;
	const uint32_t *order;
};

static int by_place(const void *pa, const void *pb, void *arg)
{
	const struct places *p = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint32_t x = p->l->name[a], y = p->l->name[b];

	if (p->order) {
		x = p->order[x];
		y = p->order[y];
	}
	if (p->l->who[a] != p->l->who[b])
		return p->l->who[a] < p->l->who[b] ? -1 : 1;
	return (x > y) - (x < y);
}

bool tm_labels_order(struct tm_labels *l, const uint32_t *order)
{
	struct places p = { l, order };

	free(l->order);
	l->order = tm_places((uint32_t)l->n, by_place, &p);
	return l->order != NULL;
}

void tm_labels_fini(struct tm_labels *l)
{
	free(l->who);
	free(l->name);
	free(l->order);
	*l = (struct tm_labels) { 0 };
}
