/* SPDX-License-Identifier: MIT */
#include "metric/idle/launch.h"

#include <stdlib.h>

static bool take_tracks(struct launches *l, size_t n)
{
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++) {
		struct tm_work_track *t = &l->w->track[l->from + i];

		l->of[i] = tm_calls_of(&l->calls, t);
		tm_intervals_fini(&t->op[TM_WORK_COPY]);
		for (unsigned k = 0; ok && k < TM_WORK_DISPATCHES; k++)
			ok = tm_labels_move(&l->labels, l->w->label_of, &l->ops, &t->op[k],
			                    (uint32_t)i << LAUNCH_KIND_BITS | k);
	}
	return ok;
}

bool tm_launches_init(struct launches *l, struct tm_work *w, uint64_t rank, size_t from, size_t to)
{
	bool ok;

	*l = (struct launches) { .w = w, .from = from };
	ok = to - from < UINT32_MAX >> LAUNCH_KIND_BITS && tm_calls_init(&l->calls, w, rank, false);
	l->of = ok ? calloc(to - from + 1, sizeof *l->of) : NULL;
	ok = l->of && take_tracks(l, to - from) && tm_labels_order(&l->labels, w->order);
	if (ok)
		tm_intervals_sort_by_tag(&l->ops, l->labels.who, l->labels.order);
	return ok;
}

size_t tm_launches_same(const struct launches *l, size_t i)
{
	uint64_t corr = tm_interval_tag(&l->ops, i);
	size_t n = 1;

	while (i + n < l->ops.n && tm_interval_tag(&l->ops, i + n) == corr)
		n++;
	return n;
}

size_t tm_launches_call(struct launches *l, size_t i)
{
	const struct tm_work_track *t = launches_track(l, i);

	return tm_calls_find(&l->calls, t, l->of[t - (l->w->track + l->from)], &l->ops, i);
}

void tm_launches_fini(struct launches *l)
{
	tm_calls_fini(&l->calls);
	tm_intervals_fini(&l->ops);
	tm_labels_fini(&l->labels);
	free(l->of);
	*l = (struct launches) { 0 };
}
