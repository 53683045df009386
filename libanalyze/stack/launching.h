/* SPDX-License-Identifier: MIT
 * What a call does, by its name (schemas/launch_calls.def). */
#ifndef TM_STACK_LAUNCHING_H
#define TM_STACK_LAUNCHING_H

#include <stdbool.h>

enum tm_call_kind { TM_CALL_UNSEEN, TM_CALL_OTHER, TM_CALL_LAUNCH, TM_CALL_GRAPH };

/* Never returns TM_CALL_UNSEEN, which means not looked up yet. */
enum tm_call_kind tm_call_kind_of_text(const char *name);

/* Does the name match?  A pattern that ends with '*' matches all names that begin so. */
bool tm_name_like(const char *pattern, const char *name);

#endif
