/* SPDX-License-Identifier: MIT
 * Ranks without any frame: all that is known of an operation is whether its call is there. */
#ifndef STACK_BARE_H
#define STACK_BARE_H

#include "stack/stack.h"

/* Fill in `all`, `callers` and `bare`, and of a rank that is bare `launched` and, with opts.sums,
 * `sum`: calls need not be in order for that.  False when out of memory. */
bool tm_stack_bare_look(struct tm_stack_rank *r, enum tm_stack_api api);

/* Place an operation of that process with that correlation id in a rank that is bare. */
void tm_stack_bare_find(const struct tm_stack_rank *r, bool has_pid, uint64_t pid, uint64_t corr,
                        struct tm_stack_place *out);

#endif
