/* SPDX-License-Identifier: MIT
 * Questions that are asked of the same rows share one store: it takes the rows, is settled once,
 * and lends its lists to each of them (tm_intervals_lend). */
#ifndef TM_WORK_POOL_H
#define TM_WORK_POOL_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>

/* The stores of one reading: the accumulator of a sink that is given every row.  {0} has none. */
struct tm_work_pool {
	struct tm_work_shared **v; /* n of them */
	size_t n, cap;
};
extern const struct tm_event_sink tm_work_pool_sink;

/* Have a store of the pool take the rows of *w, which is empty and whose sink is given every row,
 * too, those of statistics files aside; w->o has its window already.  The answers are the same.  *w
 * counts rows, and settles to lists that are lent, in order even with TM_WORK_LOOSE; the pool has
 * to outlive them.  NULL is who takes its rows itself.  False when out of memory. */
bool tm_work_pool_join(struct tm_work_pool *p, struct tm_work *w);

/* All have joined: who shares with nobody takes its rows itself.  Before the first row. */
void tm_work_pool_close(struct tm_work_pool *p);

/* After that: a store of the pool that keeps all of `keep` of the whole of time; NULL = none. */
struct tm_work *tm_work_pool_find(const struct tm_work_pool *p, unsigned keep);

/* All rows are there: settle a store of the pool, whose calls are in order then, too; several
 * threads may ask.  False when out of memory. */
bool tm_work_pool_settle(struct tm_work *of);

/* Most have their answer: free what can be made again. */
void tm_work_pool_forget(struct tm_work_pool *p);

/* tm_metric.work of those whose accumulator is one, or begins with one. */
struct tm_work *tm_work_itself(void *acc);

/* private to this room: tm_work_settle of a store with a lender; what both have to do */
bool tm_work_borrow(struct tm_work *w);
/* ... and two threads that are found to be one: what the second holds becomes the first's */
bool tm_work_join_thread(struct tm_work *w, struct tm_work_thread *t, struct tm_work_thread *f);
void tm_work_drop(struct tm_work *w);

#endif
