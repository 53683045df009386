/* SPDX-License-Identifier: MIT
 * One stack for several questions about what launched the same operations: it takes the rows and
 * looks up each rank once, and lends its results to each of them. */
#ifndef TM_STACK_POOL_H
#define TM_STACK_POOL_H

#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_stack;
struct tm_stack_shared_by;

/* The stacks of one reading: the accumulator of a sink that gets every row.  {0} has none. */
struct tm_stack_pool {
	struct tm_stack_shared_by **v; /* n of them */
	size_t n, cap;
};
extern const struct tm_event_sink tm_stack_pool_sink;

/* Let a stack of the pool take the rows of *s, which must be empty, have the same window as those
 * that joined before, and have a sink that gets every row, too.  *s counts rows, and settles to the
 * contents of the other one, which has more if others asked for more: labels of inputs and values,
 * names of operations, tracks by thread, frames (tm_stack_is_mark).  The pool must outlive it.
 * With NULL, the question takes its rows itself.  False when out of memory. */
bool tm_stack_pool_join(struct tm_stack_pool *p, struct tm_stack *s);

/* Call when all have joined, before the first row: a stack that is not shared takes its rows
 * itself. */
void tm_stack_pool_close(struct tm_stack_pool *p);

/* After that, before the first row: the stack of the pool that keeps dispatches with their names,
 * which from now on has tracks by lane (tm_stack.lanes); NULL = none.  Its window is that of those
 * that joined. */
struct tm_stack *tm_stack_pool_lanes(const struct tm_stack_pool *p);

/* After the last row: settle a stack of the pool; several threads may call it.  False when out of
 * memory. */
bool tm_stack_pool_settle(struct tm_stack *of);

/* private to this room: guard the ranks that a stack of the pool keeps (tm_stack.kept) */
void tm_stack_pool_lock(struct tm_stack *of);
void tm_stack_pool_unlock(struct tm_stack *of);

#endif
