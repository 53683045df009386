/* SPDX-License-Identifier: MIT
 * How long the threads of a process were blocked on the GPU.  Calls listed in
 * schemas/sync_calls.def count; those of HSA only if the rank has no HIP call at all. */
#ifndef TM_METRIC_SYNC_H
#define TM_METRIC_SYNC_H

#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One process of a settled struct tm_work that keeps TM_WORK_WAITS. */
struct tm_sync_process {
	struct tm_work_thread *thread; /* n of them */
	size_t n;
	enum tm_work_api api; /* whose waits count */
	struct tm_extent
	        host; /* first start to last end of its API calls, cut by -w; may be empty */
};

/* The next process with HIP or HSA calls and a host window; *at is 0 to begin with.  False after
 * the last. */
bool tm_sync_next(const struct tm_work *w, size_t *at, struct tm_sync_process *p);

/* Sums for one rank or several. */
struct tm_sync_use {
	tm_u128 window; /* the GPU window */
	tm_u128 waited; /* of it, at least one thread of any process was blocked */
	tm_u128 idle;   /* of that, no agent of the rank worked */
};

/* Compute it for a rank from tm_work_rank_next, before tm_work_rank_unite; its lists do not change.
 * All 0 if the rank has no GPU work or no API calls.  False when out of memory. */
bool tm_sync_of_rank(const struct tm_work *w, const struct tm_work_rank *r,
                     struct tm_sync_use *out);

#endif
