/* SPDX-License-Identifier: MIT
 * How long the threads of a process were blocked on the GPU.  Calls of a name that
 * schemas/sync_calls.def lists count; HSA's only where the rank has no HIP call at all. */
#ifndef METRIC_SYNC_H
#define METRIC_SYNC_H

#include "metric/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One process of a settled struct work that keeps WORK_WAITS. */
struct sync_process {
	struct work_thread *thread; /* n of them */
	size_t n;
	enum work_api api; /* whose waits count */
	struct extent
	        window;   /* first start to last end of its API calls, cut by -w; may be empty */
	uint64_t waited;  /* inside the window, at least one thread was blocked */
	uint64_t longest; /* what the thread that was blocked longest was blocked */
	const struct work_thread *longest_thread; /* NULL when none was */
};

/* The next process with HIP or HSA calls and a window; *at is 0 to begin with.  ST_OK, ST_END, or
 * ST_FATAL when out of memory. */
enum status sync_next(struct work *w, size_t *at, struct sync_process *p);

#endif
