/* SPDX-License-Identifier: MIT
 * Which traces are of one run of a profiler, and which of them counts for what?
 *
 * A run is what one invocation of a profiler left: known by its files' names, and, where they
 * differ, by the same events.  Of each part (stream/parts.h) one format of a run counts: that with
 * most events, then the one that keeps times best, then most columns, then the first of
 * formats.def.  Formats that do not agree, beyond what their producers are known to do, are an
 * error: then nothing counts.
 *
 * Passes of a profiler over the same dispatches, to count more than fits into one, are one run,
 * too: the times of one of them count, and the counters of all. */
#ifndef TM_RUNS_SOURCES_H
#define TM_RUNS_SOURCES_H

#include "runs/seen.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

/* What was decided of one trace; those that count whole, and are of the run of their path, have
 * none. */
struct tm_source_pick {
	size_t input;
	struct tm_pick pick; /* texts are owned; path: of the trace */
	char *source;        /* what it is read from, if that is in an archive, or NULL; owned */
};

/* {0} is a valid empty one. */
struct tm_sources {
	struct tm_source_pick *v; /* by input, and then in the order of tm_pick_cmp */
	size_t n, cap;
	bool refused; /* formats of a run do not agree: nothing is to be added up */
};

/* Decide for all that was seen; `w` knows their places.  What is used and what is not, or where
 * formats differ, is in *rep.  False when out of memory. */
bool tm_sources_decide(struct tm_sources *s, struct tm_seens *all, const struct tm_watch *w,
                       struct tm_report *rep);

/* Free it; {0} again. */
void tm_sources_fini(struct tm_sources *s);

#endif
