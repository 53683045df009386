/* SPDX-License-Identifier: MIT
 * Which API call caused an operation: the one of the same rank with the same correlation id. */
#ifndef METRIC_CALL_INDEX_H
#define METRIC_CALL_INDEX_H

#include "metric/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty index. */
struct call_index {
	struct intervals v; /* by correlation id; as long as the number of the thread */
	size_t hint;        /* where the last was found: ids of neighbours are neighbours */
};

/* The calls of threads [from, from + n) of *w (with WORK_CALLS), which lose them.  False when out of
 * memory. */
bool call_index_init(struct call_index *c, struct work *w, size_t from, size_t n);

/* The call that caused an operation of that correlation id (0 = none) that starts at `start`: of
 * several with the same id (two processes in one rank) the last that starts no later, else the first.
 * *thread is its place in work.thread, *at its start.  False when there is none. */
bool call_index_find(struct call_index *c, uint64_t corr, uint64_t start, size_t *thread,
                     uint64_t *at);

/* Free it; {0} again. */
void call_index_fini(struct call_index *c);

#endif
