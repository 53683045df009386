/* SPDX-License-Identifier: MIT
 * Find which traces belong to one run of a profiler, and choose which of them count.
 *
 * A run is what one invocation of a profiler wrote: recognized by file names and, if they differ,
 * by the same events.  For each part (stream/parts.h) one format of a run counts: that with most
 * events, then with the most exact times, then with most columns, then the first in formats.def.
 * Formats that disagree, beyond known differences of their producers, are an error: then nothing
 * counts.
 *
 * Passes of a profiler over the same dispatches, for more counters than fit into one, are one run,
 * too: the times of one of them count, and the counters of all. */
#ifndef TM_RUNS_SOURCES_H
#define TM_RUNS_SOURCES_H

#include "runs/seen.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>

/* The decision on one trace; traces that count completely, and belong to the run of their path,
 * have none. */
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

/* Decide for all traces seen; `w` knows their places.  Reports in *rep what is used and what is
 * not, or where formats differ.  False when out of memory. */
bool tm_sources_decide(struct tm_sources *s, struct tm_seens *all, const struct tm_watch *w,
                       struct tm_report *rep);

/* Free it; {0} again. */
void tm_sources_fini(struct tm_sources *s);

#endif
