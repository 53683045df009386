/* SPDX-License-Identifier: MIT */
#include "metric/list.h"

#include <stdlib.h>
#include <string.h>

#define METRIC(id) extern const struct metric metric_##id;
#include "metric/metrics.def"
#undef METRIC

const struct metric *const metrics[] = {
#define METRIC(id) &metric_##id,
#include "metric/metrics.def"
#undef METRIC
	NULL,
};

const char *const per_words[] = { "rank", "agent", "queue", "stream", "shape", NULL };

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; metrics[i]; i++)
		if (!strcmp(metrics[i]->name, name))
			return metrics[i];
	return NULL;
}

const struct metric_view *metric_view(const struct metric *m, const struct metric_opts *o)
{
	for (const struct metric_view *v = m->views; v->columns; v++)
		if (o->view && v->option && !strcmp(v->option, o->view))
			return v;
	return m->views;
}

enum window_use metric_window_use(const struct metric *m, const struct metric_opts *o)
{
	enum window_use view = metric_view(m, o)->window;

	return view > m->window ? view : m->window;
}

static int by_rank(const void *rank, const void *window)
{
	uint64_t a = *(const uint64_t *)rank, b = ((const struct rank_extent *)window)->rank;

	return (a > b) - (a < b);
}

bool metric_window(const struct metric_opts *o, uint64_t rank, struct extent *w)
{
	const struct rank_extent *own;

	*w = (struct extent) { 0, UINT64_MAX };
	if (!o->windowed)
		return true;
	own = o->nwindow ? bsearch(&rank, o->window, o->nwindow, sizeof *own, by_rank) : NULL;
	*w = own ? own->window : o->plain_window;
	/* Nothing is inside: 50%..1000 may end before it begins, which shows when it is resolved.
	 */
	if ((o->nwindow && !own && !o->plain_too) || w->lo >= w->hi)
		*w = (struct extent) { 0, 0 };
	return own || !o->nwindow || o->some_ranks || o->plain_too;
}
