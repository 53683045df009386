/* SPDX-License-Identifier: MIT
 * Find the API call that launched an operation.
 *
 * It is the call with the operation's correlation id in the same rank and process, in which ids are
 * unique.  If the calls of a rank are of one process, and that or the operation's is unknown, they
 * are assumed to be the same (stream/process.h).  If an id is repeated, it is the last call that
 * starts no later than the operation, else the first. */
#ifndef TM_WORK_CALLS_H
#define TM_WORK_CALLS_H

#include "stack/stack.h"
#include "work/intervals.h"
#include "work/labels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TM_CALL_NONE SIZE_MAX

/* The last searches are remembered for this many queues whose operations alternate. */
enum { TM_CALLS_PLACES = 8 };

/* The calls of one rank, by correlation id. */
struct tm_calls {
	struct tm_work *w;
	struct tm_intervals v;   /* sorted by tag; its names are labels */
	struct tm_labels labels; /* who: the thread, in w->thread */
	uint8_t *kind; /* of a name that a call has, with TM_WORK_CALL_NAMES: w->call_kind */
	/* where the last searches ended, for ids that are far apart; the oldest, the last of all */
	struct tm_calls_place {
		uint64_t id;
		size_t at;
	} last[TM_CALLS_PLACES];
	unsigned oldest, recent;
	size_t from, to;                  /* the threads of the rank */
	struct tm_processes_seen callers; /* processes with calls */
	bool whole;                       /* the lists of threads keep indexed calls too */
	bool lent;                        /* private: by the store that lends to `w` */
};

/* The kind of a call of that name in w->names, with TM_WORK_CALL_NAMES; after
 * tm_work_know_calls. */
enum tm_call_kind tm_call_kind_of(const struct tm_work *w, uint32_t name);

/* Index the calls of a rank (after tm_work_settle): those that launch, or have the correlation id
 * of an operation, are moved out of the lists of its threads.  The others are freed or, with `all`,
 * stay in the lists; if the index is lent, together with the indexed ones (`whole`).  Waits stay;
 * those with the id of an operation are in the index, too.  Kinds are known with
 * TM_WORK_CALL_NAMES.  Questions that share a store of one rank (work/pool.h) share the index,
 * until tm_calls_forget.  False when out of memory. */
bool tm_calls_init(struct tm_calls *c, struct tm_work *w, uint64_t rank, bool all);

/* Sort an index that is not lent by thread, then start, without further memory: numbers of calls
 * change, and tm_calls_find cannot be used any more. */
void tm_calls_by_thread(struct tm_calls *c);

/* The processes whose calls count for the operations of this track. */
enum tm_process_of tm_calls_of(const struct tm_calls *c, const struct tm_work_track *t);

/* The number of the call that launched operation i of a list of track `t`; TM_CALL_NONE = not
 * found.  Fast in about the order of the correlation ids, or in several such orders by turns, as
 * for queues that lag behind each other. */
size_t tm_calls_find(struct tm_calls *c, const struct tm_work_track *t, enum tm_process_of of,
                     const struct tm_intervals *ops, size_t i);

static inline struct tm_extent tm_calls_extent(const struct tm_calls *c, size_t i)
{
	struct tm_extent e = { tm_interval_start(&c->v, i), tm_interval_end(&c->v, i) };

	return e;
}

/* Its thread, in w->thread. */
static inline size_t tm_calls_thread(const struct tm_calls *c, size_t i)
{
	return c->labels.who[tm_interval_name(&c->v, i)];
}

/* Its function, in w->names, with TM_WORK_CALL_NAMES. */
static inline uint32_t tm_calls_name(const struct tm_calls *c, size_t i)
{
	return c->labels.name[tm_interval_name(&c->v, i)];
}

static inline enum tm_call_kind tm_calls_kind(const struct tm_calls *c, size_t i)
{
	return (enum tm_call_kind)c->kind[tm_calls_name(c, i)];
}

/* Count the operations of a track that start inside the window, and those whose call is known. */
struct tm_calls_found tm_calls_count(struct tm_calls *c, const struct tm_work_track *t);

/* Free it; {0} again. */
void tm_calls_fini(struct tm_calls *c);

/* Free the index that a store keeps for its borrowers, none of which may use it now. */
void tm_calls_forget(struct tm_work *w);

#endif
