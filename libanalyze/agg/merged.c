/* SPDX-License-Identifier: MIT */
#include "agg/merged.h"

#include <stdlib.h>

static bool is_earlier(const struct tm_merged *m, const struct tm_merged_list *a,
                       const struct tm_merged_list *b)
{
	uint64_t x = tm_interval_start(a->list, a->i), y = tm_interval_start(b->list, b->i);

	if (x != y)
		return x < y;
	x = tm_interval_dur(a->list, a->i);
	y = tm_interval_dur(b->list, b->i);
	if (x != y)
		return x > y;
	if (m->order) {
		x = m->order[tm_interval_name(a->list, a->i)];
		y = m->order[tm_interval_name(b->list, b->i)];
		if (x != y)
			return x > y;
	}
	return a->number < b->number;
}

static void sift(struct tm_merged *m, size_t i)
{
	struct tm_merged_list one = m->v[i];

	for (size_t child; (child = 2 * i + 1) < m->n; i = child) {
		if (child + 1 < m->n && is_earlier(m, &m->v[child + 1], &m->v[child]))
			child++;
		if (!is_earlier(m, &m->v[child], &one))
			break;
		m->v[i] = m->v[child];
	}
	m->v[i] = one;
}

bool tm_merged_init(struct tm_merged *m, const struct tm_intervals *const *list, size_t n,
                    const uint32_t *order)
{
	*m = (struct tm_merged) { order, calloc(n + 1, sizeof *m->v), 0 };
	if (!m->v)
		return false;
	for (size_t i = 0; i < n; i++)
		if (list[i] && list[i]->n)
			m->v[m->n++] = (struct tm_merged_list) { list[i], 0, i };
	for (size_t i = m->n; i-- > 0;)
		sift(m, i);
	return true;
}

void tm_merged_step(struct tm_merged *m)
{
	if (++m->v->i == m->v->list->n)
		*m->v = m->v[--m->n];
	if (m->n)
		sift(m, 0);
}

void tm_merged_fini(struct tm_merged *m)
{
	free(m->v);
	*m = (struct tm_merged) { 0 };
}
