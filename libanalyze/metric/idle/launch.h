/* SPDX-License-Identifier: MIT
 * The views of `launch`, shared by launch.c and launch_graphs.c. */
#ifndef TM_METRIC_LAUNCH_H
#define TM_METRIC_LAUNCH_H

#include "work/work.h"

enum { LAUNCH_KIND_BITS = 2 };
_Static_assert(TM_WORK_DISPATCHES <= 1 << LAUNCH_KIND_BITS, "a kind of kernel does not fit");

/* The kernels of one rank beside its calls, both in order of correlation ids. */
struct launches {
	struct tm_work *w;
	struct tm_calls calls;
	struct tm_intervals ops; /* of one id: by track, then kind, then start; names are labels */
	struct tm_labels
	        labels; /* who: the track, counted from `from`, above its enum tm_work_kind */
	size_t from;    /* the rank's first track */
	enum tm_process_of *of; /* tm_calls_of of each */
};

/* Of a rank, whose tracks are [from, to), of a settled store: all that it holds of the rank goes
 * into *l, so with TM_WORK_LOOSE.  False when out of memory. */
bool tm_launches_init(struct launches *l, struct tm_work *w, uint64_t rank, size_t from, size_t to);

/* How many kernels from i on have its id. */
size_t tm_launches_same(const struct launches *l, size_t i);

/* The track of kernel i. */
static inline const struct tm_work_track *launches_track(const struct launches *l, size_t i)
{
	return &l->w->track[l->from +
	                    (l->labels.who[tm_interval_name(&l->ops, i)] >> LAUNCH_KIND_BITS)];
}

/* Its name, in w->names. */
static inline uint32_t launches_name(const struct launches *l, size_t i)
{
	return l->labels.name[tm_interval_name(&l->ops, i)];
}

/* Does it start inside the window? */
static inline bool launches_inside(const struct launches *l, size_t i)
{
	return tm_work_starts_inside(launches_track(l, i), tm_interval_start(&l->ops, i));
}

/* The call it comes from, or TM_CALL_NONE. */
size_t tm_launches_call(struct launches *l, size_t i);

/* Free it; {0} again. */
void tm_launches_fini(struct launches *l);

extern const struct tm_column tm_launch_graph_columns[];

/* The table of --graphs.  As struct tm_metric's fill; *w has tracks apart by TM_WORK_NODES. */
enum tm_status tm_launch_graphs_fill(struct tm_work *w, struct tm_table *t, struct tm_report *rep);

#endif
