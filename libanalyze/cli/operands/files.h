/* SPDX-License-Identifier: MIT
 * Opens operands as bytes, for tools whose inputs are not traces: each file, archive member and
 * file of a directory, once. */
#ifndef TM_CLI_FILES_H
#define TM_CLI_FILES_H

#include "cli/frame/frame.h"
#include "cli/operands/operand.h"
#include "question/question.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

/* Give the question every source that the operands stand for, in order.  The same file twice on one
 * side counts once, with a note; so do two of the same content where q->tables.  What the question
 * does not know is an error in *rep, but passed over in a directory or archive that holds something
 * it does.  False when out of memory. */
bool tm_files_each(const struct common *c, const struct operand *v, size_t n,
                   const struct tm_question *q, void *acc, struct tm_report *rep);

/* Answer q and print its table: everything after the options are parsed.  Where there is no
 * operand, standard input is read, but not from a terminal.  `o` is handed to the question. Returns
 * the exit status. */
int tm_run_question(struct common *c, const struct tm_question *q, const void *o,
                    const struct operand *v, size_t n);

#endif
