/* SPDX-License-Identifier: MIT
 * Which API call launched this operation?
 *
 * The one with the operation's correlation id in the same rank; in the same process where the rank
 * has calls of the operation's process.  Where an id is repeated, the last one that starts not
 * after the operation, else the first of them all. */
#ifndef TM_WORK_CALLS_H
#define TM_WORK_CALLS_H

#include "work/intervals.h"
#include "work/labels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_NONE SIZE_MAX

enum call_kind { CALL_UNSEEN, CALL_OTHER, CALL_LAUNCH, CALL_GRAPH };

/* The calls of one rank, by correlation id. */
struct calls {
	struct work *w;
	struct intervals v;   /* sorted by tag; its names are labels */
	struct labels labels; /* who: the thread, in w->thread */
	uint8_t *kind;        /* of a name that a call has, with WORK_CALL_NAMES: w->call_kind */
	size_t at;            /* where the last search ended */
	size_t from, to;      /* the threads of the rank */
};

/* Index the calls of a rank (after work_settle): those that launch, or have the correlation id of
 * an operation, leave the lists of its threads.  The others are freed, or, with `all`, stay where
 * they are. Waits stay; those with the id of an operation are in the index as well.  Kinds are
 * known with WORK_CALL_NAMES.  False when out of memory. */
bool calls_init(struct calls *c, struct work *w, uint64_t rank, bool all);

/* Bring the index in order of threads, then starts.  calls_find is of no use any more, numbers of
 * calls are others. */
void calls_by_thread(struct calls *c);

/* Has the rank calls of this track's process?  Then only those count for its operations. */
bool calls_of_process(const struct calls *c, const struct work_track *t);

/* The number of the call that launched operation i of a list of track `t`; CALL_NONE = not there.
 * Quick when asked in about the order of the correlation ids. */
size_t calls_find(struct calls *c, const struct work_track *t, bool of_process,
                  const struct intervals *ops, size_t i);

static inline struct extent calls_extent(const struct calls *c, size_t i)
{
	struct extent e = { interval_start(&c->v, i), interval_end(&c->v, i) };

	return e;
}

/* Its thread, in w->thread. */
static inline size_t calls_thread(const struct calls *c, size_t i)
{
	return c->labels.who[interval_name(&c->v, i)];
}

/* Its function, in w->names, with WORK_CALL_NAMES. */
static inline uint32_t calls_name(const struct calls *c, size_t i)
{
	return c->labels.name[interval_name(&c->v, i)];
}

static inline enum call_kind calls_kind(const struct calls *c, size_t i)
{
	return (enum call_kind)c->kind[calls_name(c, i)];
}

/* Free it; {0} again. */
void calls_fini(struct calls *c);

#endif
