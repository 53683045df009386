/* SPDX-License-Identifier: MIT
 * Calls out of whatever holds some: a log or a library_trace.csv; and what there is to say about them. */
#ifndef METRIC_LIB_TAKE_H
#define METRIC_LIB_TAKE_H

#include "io/source.h"
#include "read/lib_calls.h"
#include "stream/report.h"

/* Read the source to its end; as struct question's take.  What was left out of it goes into *rep. */
enum status lib_calls_take(struct lib_calls *c, struct source *s, struct report *rep,
                           struct diag *d);

/* What may be counted twice into *rep; also which kinds tell of the same calls where `kinds`. */
void lib_calls_tell(const struct lib_calls *c, bool kinds, struct report *rep);

/* Of two kinds that tell of the same calls, the one to leave out, which is said in *rep; CALL_KINDS: one is
 * empty. */
enum call_kind lib_calls_less_of(const struct lib_calls *c, enum call_kind lines,
                                 enum call_kind profile, struct report *rep);

#endif
