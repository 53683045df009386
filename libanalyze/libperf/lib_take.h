/* SPDX-License-Identifier: MIT
 * Calls out of whatever holds some: a log or a library_trace.csv; and what there is to say about
 * them. */
#ifndef TM_LIBPERF_LIB_TAKE_H
#define TM_LIBPERF_LIB_TAKE_H

#include "io/io.h"
#include "read/library/library.h"
#include "stream/stream.h"

/* Read the source to its end, as the format of that name or, where it is NULL, what its bytes are;
 * otherwise as struct tm_question's take.  What was left out of it goes into *rep. */
enum tm_status tm_lib_calls_take(struct tm_lib_calls *c, struct tm_source *s, const char *from,
                                 struct tm_report *rep, struct tm_diag *d);

/* What may be counted twice into *rep; also which kinds record the same calls where `kinds`. */
void tm_lib_calls_tell(const struct tm_lib_calls *c, bool kinds, struct tm_report *rep);

/* Of all kinds that record the same calls, those to leave out, so that the one that counts most
 * stays: 1 << kind of each; which, and how many calls, is said in *rep. */
uint32_t tm_lib_calls_others(const struct tm_lib_calls *c, struct tm_report *rep);

/* The kind whose name rows of that kind are shown by: of those that record the same calls the
 * first. */
enum tm_lib_call_kind tm_lib_calls_shown_as(enum tm_lib_call_kind kind);

#endif
