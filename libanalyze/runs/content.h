/* SPDX-License-Identifier: MIT
 * Detect equal traces by a hash of all events, independent of the order and ranges in which they
 * are read; stored in run.db (input.content). */
#ifndef TM_RUNS_CONTENT_H
#define TM_RUNS_CONTENT_H

#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hashes of the names of one reader, the same on every machine.  {0} is a valid empty one. */
struct tm_content_names {
	uint64_t *v;
	size_t n, cap;
};

/* The columns in the hash; request all of them. */
extern const tm_ev_set tm_content_cols;

/* Call before the names of another reader. */
void tm_content_reset(struct tm_content_names *c);

/* Add the rows of a batch to *sum.  False when out of memory. */
bool tm_content_add(struct tm_content_names *c, const struct tm_batch *b, uint64_t *sum);

/* Is this "a.csv.gz" to "a.csv"? */
bool tm_content_packed(const char *path, const char *plain);

/* May two traces of one format with the same `rows` events be copies, according to their files?
 * Copies have the same size unless one is the other compressed, by its name, or a size is unknown.
 * Files next to the runs have little to hash: lists of agents of two machines are distinguished by
 * size alone. */
bool tm_content_sizes(const struct tm_trace_id *a, const struct tm_trace_id *b, uint64_t rows);

/* Free it; {0} again. */
void tm_content_fini(struct tm_content_names *c);

/* One trace of an input. */
struct tm_content {
	char *table, *path; /* as struct tm_piece has them; owned */
	uint64_t bytes, events, hash;
};

/* The accumulator of tm_content_sink: the traces in their order. */
struct tm_contents {
	struct tm_content *v;
	size_t n, cap;
	struct tm_content_names names;
};

extern const struct tm_event_sink tm_content_sink;

#endif
