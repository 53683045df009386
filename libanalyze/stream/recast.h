/* SPDX-License-Identifier: MIT
 * Events of one profiler told as another one of the same run would: on its clock, of its agents. */
#ifndef TM_STREAM_RECAST_H
#define TM_STREAM_RECAST_H

#include "stream/parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An agent of the one is that of the other. */
struct tm_recast_agent {
	uint64_t from, to;
};

/* {0} changes nothing. */
struct tm_recast {
	uint64_t shift_ns; /* of all times, modulo 2^64 */
	const char *clock; /* what they count then, or NULL = unknown; of shifted times only */
	struct tm_realtime realtime; /* of the clock of the run, as another trace of it says */
	bool no_ids; /* correlation ids are numbers of another numbering: none is kept */
	struct tm_recast_agent *agent; /* n of them */
	size_t n;
};

/* Does it change anything? */
bool tm_recast_any(const struct tm_recast *r);

/* The batch as it is to be told; valid until the next call.  An agent that the other does not have
 * stays what it is, unless its number is that of another one there: then none is told.  False when
 * out of memory. */
bool tm_recast_batch(struct tm_sieve *s, const struct tm_recast *r, const struct tm_batch *b,
                     const struct tm_batch **out);

#endif
