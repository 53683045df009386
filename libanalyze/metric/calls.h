/* SPDX-License-Identifier: MIT
 * Which API call launched this operation?
 *
 * The one with the operation's correlation id in the same rank; in the same process where the rank has
 * calls of the operation's process.  Where an id is repeated, the last one that starts not after the
 * operation, else the first of them all. */
#ifndef METRIC_CALLS_H
#define METRIC_CALLS_H

#include "metric/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_NONE SIZE_MAX

enum call_kind { CALL_OTHER, CALL_LAUNCH, CALL_GRAPH };

/* The calls of one rank that an operation names or that launch, by correlation id.  20 bytes a call. */
struct calls {
	const struct work *w;
	struct intervals v; /* sorted by tag; its names are thread << 2 | kind */
	size_t at;          /* where the last search ended */
	size_t from, to;    /* the threads of the rank */
};

/* Index the calls of a rank (after work_settle).  Their kinds are known with WORK_CALL_NAMES; without,
 * those that launched nothing are not there.  With `move` the lists of the threads are freed on the
 * way.  False when out of memory. */
bool calls_init(struct calls *c, struct work *w, uint64_t rank, bool move);

/* Has the rank calls of this track's process?  Then only those count for its operations. */
bool calls_of_process(const struct calls *c, const struct work_track *t);

/* The number of the call that launched operation i of a list of track `t`; CALL_NONE = not there.
 * Quick when asked in about the order of the correlation ids. */
size_t calls_find(struct calls *c, const struct work_track *t, bool of_process,
                  const struct intervals *ops, size_t i);

static inline struct extent calls_extent(const struct calls *c, size_t i)
{
	return (struct extent) { c->v.v[i].start, interval_end(&c->v, i) };
}

/* Its thread, in w->thread. */
static inline size_t calls_thread(const struct calls *c, size_t i)
{
	return c->v.name[i] >> 2;
}

static inline enum call_kind calls_kind(const struct calls *c, size_t i)
{
	return (enum call_kind)(c->v.name[i] & 3);
}

/* Free it; {0} again. */
void calls_fini(struct calls *c);

#endif
