/* SPDX-License-Identifier: MIT */
#include "metric/metric.h"

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

bool metric_window(const struct metric_opts *o, uint64_t rank, struct extent *w)
{
	bool found = !o->nwindow;

	*w = (struct extent) { 0, UINT64_MAX };
	if (!o->windowed)
		return true;
	*w = o->plain_window;
	for (size_t i = 0; i < o->nwindow && !found; i++) {
		found = o->window[i].rank == rank;
		*w = o->window[i].window;
	}
	/* Nothing is inside: 50%..1000 may end before it begins, which shows when it is resolved. */
	if (!found || w->lo >= w->hi)
		*w = (struct extent) { 0, 0 };
	return found || o->some_ranks;
}
