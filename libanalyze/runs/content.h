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
struct content_names {
	uint64_t *v;
	size_t n, cap;
};

/* What the hash is made of; to be wanted whole. */
extern const ev_set content_cols;

/* Another reader's names follow. */
void content_reset(struct content_names *c);

/* Add the rows of a batch to *sum.  False when out of memory. */
bool content_add(struct content_names *c, const struct batch *b, uint64_t *sum);

/* Free it; {0} again. */
void content_fini(struct content_names *c);

/* One trace of an input. */
struct content {
	char *table; /* as struct piece has it; owned */
	uint64_t bytes, events, hash;
};

/* The accumulator of content_sink: the traces in their order. */
struct contents {
	struct content *v;
	size_t n, cap;
	struct content_names names;
};

extern const struct event_sink content_sink;

#endif
