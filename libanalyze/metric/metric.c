/* SPDX-License-Identifier: MIT */
#include "metric/list.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define METRIC(id) extern const struct tm_metric tm_metric_##id;
#include "metric/metrics.def"
#undef METRIC

const struct tm_metric *const tm_metrics[] = {
#define METRIC(id) &tm_metric_##id,
#include "metric/metrics.def"
#undef METRIC
	NULL,
};

const char *const tm_per_words[] = { "rank", "agent", "queue", "stream", "shape", NULL };

const struct tm_metric *tm_metric_find(const char *name)
{
	for (size_t i = 0; tm_metrics[i]; i++)
		if (!strcmp(tm_metrics[i]->name, name))
			return tm_metrics[i];
	return NULL;
}

static bool is_number(const struct tm_metric_option *p)
{
	return p->type == TM_METRIC_U64 || p->type == TM_METRIC_FIXED;
}

static uint64_t number_without(const struct tm_metric_option *p)
{
	uint64_t v = UINT64_MAX;

	if (p->dflt)
		tm_num_u64(p->dflt, strlen(p->dflt), &v);
	return v;
}

void tm_metric_defaults(const struct tm_metric *m, void *own, bool limits)
{
	for (const struct tm_metric_option *p = m->options; p && p->name; p++) {
		const uint64_t v = number_without(p);

		if (is_number(p) && (!limits || p->limit))
			memcpy((char *)own + p->at, &v, sizeof v);
	}
}

bool tm_metric_option_set(const struct tm_metric_option *p, const void *own)
{
	const char *at = (const char *)own + p->at, *text;
	uint64_t v;
	bool on;

	if (is_number(p))
		return memcpy(&v, at, sizeof v), v != number_without(p);
	if (p->type == TM_METRIC_FLAG)
		return memcpy(&on, at, sizeof on), on;
	return memcpy(&text, at, sizeof text), text != NULL;
}

const struct tm_metric_view *tm_metric_view(const struct tm_metric *m,
                                            const struct tm_metric_opts *o)
{
	for (const struct tm_metric_view *v = m->views; v->columns; v++)
		if (o->view && v->option && !strcmp(v->option, o->view))
			return v;
	return m->views;
}

enum tm_drive_clock tm_metric_times(const struct tm_metric *m, const struct tm_metric_opts *o)
{
	return tm_metric_view(m, o)->shifted ? TM_DRIVE_SHIFTED : m->clock;
}

enum tm_window_use tm_metric_window_use(const struct tm_metric *m, const struct tm_metric_opts *o)
{
	enum tm_window_use view = tm_metric_view(m, o)->window;

	return view > m->window ? view : m->window;
}

static int by_rank(const void *rank, const void *window)
{
	uint64_t a = *(const uint64_t *)rank, b = ((const struct tm_rank_extent *)window)->rank;

	return (a > b) - (a < b);
}

const char *tm_metric_where(const struct tm_metric_opts *o, bool inside)
{
	if (!o->windowed || !inside)
		return o->selected ? "among the selected events" : "in the input";
	return o->selected ? "among the selected events inside the window" : "inside the window";
}

const char tm_metric_only_readings[] = ", only sensor readings: powerstats prints them";

bool tm_metric_window(const struct tm_metric_opts *o, uint64_t rank, struct tm_extent *w)
{
	const struct tm_rank_extent *own;

	*w = (struct tm_extent) { 0, UINT64_MAX };
	if (!o->windowed)
		return true;
	own = o->nwindow ? bsearch(&rank, o->window, o->nwindow, sizeof *own, by_rank) : NULL;
	*w = own ? own->window : o->plain_window;
	/* Nothing is inside: 50%..1000 may end before it begins, which shows when it is resolved.
	 */
	if ((o->nwindow && !own && !o->plain_too) || w->lo >= w->hi)
		*w = (struct tm_extent) { 0, 0 };
	return own || !o->nwindow || o->some_ranks || o->plain_too;
}
