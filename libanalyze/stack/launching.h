/* SPDX-License-Identifier: MIT
 * What does a call do?  Of its name (schemas/launch_calls.def). */
#ifndef TM_STACK_LAUNCHING_H
#define TM_STACK_LAUNCHING_H

#include <stdbool.h>

enum tm_call_kind { TM_CALL_UNSEEN, TM_CALL_OTHER, TM_CALL_LAUNCH, TM_CALL_GRAPH };

/* Never TM_CALL_UNSEEN, which is for who has not asked yet. */
enum tm_call_kind tm_call_kind_of_text(const char *name);

/* Is this the name?  A pattern that ends with '*' stands for all that begin so. */
bool tm_name_like(const char *pattern, const char *name);

#endif
