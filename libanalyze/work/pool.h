/* SPDX-License-Identifier: MIT
 * One store for several questions about the same rows: it takes the rows, is settled once, and
 * lends its lists to each of them (tm_intervals_lend). */
#ifndef TM_WORK_POOL_H
#define TM_WORK_POOL_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>

/* The stores of one reading: the accumulator of a sink that gets every row.  {0} has none. */
struct tm_work_pool {
	struct tm_work_shared **v; /* n of them */
	size_t n, cap;
};
extern const struct tm_event_sink tm_work_pool_sink;

/* Let a store of the pool take the rows of *w, which must be empty and have a sink that gets every
 * row, too, except those of statistics files; w->o has its window already.  The answers are the
 * same.  *w counts rows, and settles to lists that are lent, sorted even with TM_WORK_LOOSE; the
 * pool must outlive them.  With NULL, the question takes its rows itself.  False when out of
 * memory. */
bool tm_work_pool_join(struct tm_work_pool *p, struct tm_work *w);

/* Call when all have joined, before the first row: a store that is not shared takes its rows
 * itself. */
void tm_work_pool_close(struct tm_work_pool *p);

/* After that: a store of the pool that keeps all of `keep` for all of the time; NULL = none. */
struct tm_work *tm_work_pool_find(const struct tm_work_pool *p, unsigned keep);

/* After the last row: settle a store of the pool, which also sorts its calls; several threads may
 * call it.  False when out of memory. */
bool tm_work_pool_settle(struct tm_work *of);

/* Call when most questions are answered: frees what can be recomputed. */
void tm_work_pool_forget(struct tm_work_pool *p);

/* tm_metric.work for metrics whose accumulator is a struct tm_work, or begins with one. */
struct tm_work *tm_work_itself(void *acc);

/* private to this room: tm_work_settle of a store with a lender; what both have to do */
bool tm_work_borrow(struct tm_work *w);
/* ... and two threads that are found to be one: what the second holds becomes the first's */
bool tm_work_join_thread(struct tm_work *w, struct tm_work_thread *t, struct tm_work_thread *f);
void tm_work_drop(struct tm_work *w);

#endif
