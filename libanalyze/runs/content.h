/* SPDX-License-Identifier: MIT
 * Is this the same trace as that?  A hash of all events of a trace, whatever order and ranges they
 * are read in, kept in run.db (input.content). */
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

/* What the hash is made of; to be wanted whole. */
extern const tm_ev_set tm_content_cols;

/* Another reader's names follow. */
void tm_content_reset(struct tm_content_names *c);

/* Add the rows of a batch to *sum.  False when out of memory. */
bool tm_content_add(struct tm_content_names *c, const struct tm_batch *b, uint64_t *sum);

/* Is this "a.csv.gz" to "a.csv"? */
bool tm_content_packed(const char *path, const char *plain);

/* May two traces of one format, with the same `rows` events, be copies, going by their files?
 * Those have one size unless one is the other compressed, by its name, or a size is not known.
 * What lies beside the runs has little that is hashed: agents of two machines are told apart by
 * their size alone. */
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
