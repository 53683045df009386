/* SPDX-License-Identifier: MIT
 * Questions that ask whose work the same operations were share one stack: it takes the rows and
 * looks up each rank once, and lends what it has to each of them. */
#ifndef TM_STACK_POOL_H
#define TM_STACK_POOL_H

#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_stack;
struct tm_stack_shared_by;

/* The stacks of one reading: the accumulator of a sink that is given every row.  {0} has none. */
struct tm_stack_pool {
	struct tm_stack_shared_by **v; /* n of them */
	size_t n, cap;
};
extern const struct tm_event_sink tm_stack_pool_sink;

/* Have a stack of the pool take the rows of *s, which is empty, has the window of those that joined
 * before, and whose sink is given every row, too.  *s counts rows, and settles to what the other
 * one has, which is more where others asked for more: labels of inputs and values, names of
 * operations, tracks apart by thread, frames (tm_stack_is_mark).  The pool has to outlive it.  NULL
 * is who takes its rows itself.  False when out of memory. */
bool tm_stack_pool_join(struct tm_stack_pool *p, struct tm_stack *s);

/* All have joined: who shares with nobody takes its rows itself.  Before the first row. */
void tm_stack_pool_close(struct tm_stack_pool *p);

/* After that: the stack of the pool that keeps dispatches with their names, apart by lane from now
 * on (tm_stack.lanes), before the first row; NULL = none.  Its window is that of those that
 * joined. */
struct tm_stack *tm_stack_pool_lanes(const struct tm_stack_pool *p);

/* All rows are there: settle a stack of the pool; several threads may ask.  False when out of
 * memory. */
bool tm_stack_pool_settle(struct tm_stack *of);

/* private to this room: guard the ranks that a stack of the pool keeps (tm_stack.kept) */
void tm_stack_pool_lock(struct tm_stack *of);
void tm_stack_pool_unlock(struct tm_stack *of);

#endif
