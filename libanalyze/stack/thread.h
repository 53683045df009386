/* SPDX-License-Identifier: MIT
 * The threads of a stack while it is made. */
#ifndef STACK_THREAD_H
#define STACK_THREAD_H

#include "stack/stack.h"

#include <stdbool.h>
#include <stdint.h>

/* What a thread holds becomes another's; map = NULL: labels stay.  False when out of memory. */
bool tm_stack_thread_move(struct tm_stack_thread *t, struct tm_stack_thread *from,
                          const uint32_t *map);

/* Free what it holds. */
void tm_stack_thread_fini(struct tm_stack_thread *t);

#endif
