/* SPDX-License-Identifier: MIT
 * The contents of an operand, for tools that take both traces and other files. */
#ifndef TM_CLI_HOLDS_H
#define TM_CLI_HOLDS_H

#include "cli/frame/frame.h"
#include "cli/operands/operand.h"
#include "question/question.h"

#include <stdbool.h>

/* Of traces. */
enum holds { HOLDS_NOTHING, HOLDS_LOG, HOLDS_TRACE, HOLDS_ARCHIVE };

/* What of traces is in the operand: the most telling of its files; *several: it is a directory. *d:
 * why it cannot be looked at, or, where nothing is in it, its first file that cannot. */
enum holds tm_operand_holds(const char *operand, bool *several, struct tm_diag *d);

/* Is something in the operand for that question, whose argument is o?  Faults of an operand that
 * has nothing for it go to *faults, unless that is NULL.  False when out of memory. */
bool tm_operand_has(const struct common *c, const struct operand *v, const struct tm_question *q,
                    const void *o, struct tm_report *faults, bool *known);

#endif
