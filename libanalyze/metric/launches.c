/* SPDX-License-Identifier: MIT */
#include "metric/launch.h"

#include <stdlib.h>

static bool take_tracks(struct launches *l, size_t n)
{
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++) {
		struct work_track *t = &l->w->track[l->from + i];

		l->of_process[i] = calls_of_process(&l->calls, t);
		intervals_fini(&t->op[WORK_COPY]);
		for (unsigned k = 0; ok && k < WORK_DISPATCHES; k++)
			ok = labels_move(&l->labels, l->w->label_of, &l->ops, &t->op[k],
			                 (uint32_t)i << LAUNCH_KIND_BITS | k);
	}
	return ok;
}

bool launches_init(struct launches *l, struct work *w, uint64_t rank, size_t from, size_t to)
{
	bool ok;

	*l = (struct launches) { .w = w, .from = from };
	ok = to - from < UINT32_MAX >> LAUNCH_KIND_BITS && calls_init(&l->calls, w, rank, false);
	l->of_process = ok ? calloc(to - from + 1, sizeof *l->of_process) : NULL;
	ok = l->of_process && take_tracks(l, to - from) && labels_order(&l->labels, w->order);
	if (ok)
		intervals_sort_by_tag(&l->ops, l->labels.who, l->labels.order);
	return ok;
}

size_t launches_same(const struct launches *l, size_t i)
{
	uint64_t corr = interval_tag(&l->ops, i);
	size_t n = 1;

	while (i + n < l->ops.n && interval_tag(&l->ops, i + n) == corr)
		n++;
	return n;
}

size_t launches_call(struct launches *l, size_t i)
{
	const struct work_track *t = launches_track(l, i);

	return calls_find(&l->calls, t, l->of_process[t - (l->w->track + l->from)], &l->ops, i);
}

void launches_fini(struct launches *l)
{
	calls_fini(&l->calls);
	intervals_fini(&l->ops);
	labels_fini(&l->labels);
	free(l->of_process);
	*l = (struct launches) { 0 };
}
