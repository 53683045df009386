/* SPDX-License-Identifier: MIT */
#include "agg/merged.h"

#include <stdlib.h>

static bool is_earlier(const struct merged *m, const struct merged_list *a,
                       const struct merged_list *b)
{
	uint64_t x = interval_start(a->list, a->i), y = interval_start(b->list, b->i);

	if (x != y)
		return x < y;
	x = interval_dur(a->list, a->i);
	y = interval_dur(b->list, b->i);
	if (x != y)
		return x > y;
	if (m->order) {
		x = m->order[interval_name(a->list, a->i)];
		y = m->order[interval_name(b->list, b->i)];
		if (x != y)
			return x > y;
	}
	return a->number < b->number;
}

static void sift(struct merged *m, size_t i)
{
	struct merged_list one = m->v[i];

	for (size_t child; (child = 2 * i + 1) < m->n; i = child) {
		if (child + 1 < m->n && is_earlier(m, &m->v[child + 1], &m->v[child]))
			child++;
		if (!is_earlier(m, &m->v[child], &one))
			break;
		m->v[i] = m->v[child];
	}
	m->v[i] = one;
}

bool merged_init(struct merged *m, const struct intervals *const *list, size_t n,
                 const uint32_t *order)
{
	*m = (struct merged) { order, calloc(n + 1, sizeof *m->v), 0 };
	if (!m->v)
		return false;
	for (size_t i = 0; i < n; i++)
		if (list[i] && list[i]->n)
			m->v[m->n++] = (struct merged_list) { list[i], 0, i };
	for (size_t i = m->n; i-- > 0;)
		sift(m, i);
	return true;
}

void merged_step(struct merged *m)
{
	if (++m->v->i == m->v->list->n)
		*m->v = m->v[--m->n];
	if (m->n)
		sift(m, 0);
}

void merged_fini(struct merged *m)
{
	free(m->v);
	*m = (struct merged) { 0 };
}
