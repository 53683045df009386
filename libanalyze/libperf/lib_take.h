/* SPDX-License-Identifier: MIT
 * Read calls from a log or a library_trace.csv, and report on them. */
#ifndef TM_LIBPERF_LIB_TAKE_H
#define TM_LIBPERF_LIB_TAKE_H

#include "io/io.h"
#include "read/library/library.h"
#include "stream/stream.h"

/* Read the source to its end, as the format of that name or, if NULL, by its content; otherwise as
 * take of struct tm_question.  What was skipped is reported in *rep. */
enum tm_status tm_lib_calls_take(struct tm_lib_calls *c, struct tm_source *s, const char *from,
                                 struct tm_report *rep, struct tm_diag *d);

/* Report in *rep what may be counted twice; with `kinds`, also which kinds record the same
 * calls. */
void tm_lib_calls_tell(const struct tm_lib_calls *c, bool kinds, struct tm_report *rep);

/* Of kinds that record the same calls, those to ignore, so that the one with most calls stays: 1 <<
 * kind of each.  Reports in *rep which, and how many calls. */
uint32_t tm_lib_calls_others(const struct tm_lib_calls *c, struct tm_report *rep);

/* The kind by whose name rows of that kind are shown: the first of those that record the same
 * calls. */
enum tm_lib_call_kind tm_lib_calls_shown_as(enum tm_lib_call_kind kind);

#endif
