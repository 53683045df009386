/* SPDX-License-Identifier: MIT
 * One pass over the instants in recorded order. */
#ifndef REPLAY_PASS_H
#define REPLAY_PASS_H

#include "replay/graph.h"

/* How that is decided which the trace leaves open: as is likely, at a level; or for the least, or
 * for the most. */
enum way { WAY_LIKELY, WAY_LEAST, WAY_MOST };

/* What is being replayed, and the times so far. */
struct pass {
	const struct tm_replay *r;
	const struct tm_replay_scenario *s;
	int level;
	enum way way;
	uint64_t *const *t;        /* of each rank */
	uint64_t *arrival;         /* of each collective */
	uint64_t *starts;          /* room for those of the operations of any collective */
	uint64_t *const *balanced; /* of each rank: lengths of its operations, or NULL */
	uint64_t *const *beside; /* the same of what they take beside others in the end, or NULL */
	const uint8_t *touched;  /* of each name: the scenario may give those another length; NULL
	                          * = all of them */
	bool same_lengths;       /* it gives no name another one */
};

/* What an instant waited for. */
struct came {
	enum edge_kind kind;
	uint32_t pred;        /* NONE = of no instant of this rank */
	const struct edge *e; /* NULL = not stored */
};

/* Times of all instants.  `at` and `left` are room for a number of each rank and collective. */
void tm_replay_pass(struct pass *p, uint32_t *at, uint32_t *left);

/* Find out which names the scenario may give another length: `touched` has room for all names, and
 * outlives the pass. */
void tm_replay_touch(struct pass *p, uint8_t *touched);

/* How long an operation of a rank takes. */
uint64_t tm_replay_op_ns(const struct pass *p, uint32_t rank, uint32_t op);

/* The last instant of all ranks. */
void tm_replay_last(const struct pass *p, uint32_t *rank, uint32_t *i);

/* Go back from an instant to what it waited for; false where it waited for nothing.  `kind`
 * EDGE_COLL changes the rank: to the start of the member that came last. */
bool tm_replay_back(const struct pass *p, uint32_t *rank, uint32_t *i, struct came *came);

/* Lengths of the operations of each rank when ranks are balanced: arrays of r->nrank, the caller's
 * to free.  NULL when out of memory. */
uint64_t **tm_replay_balanced(const struct tm_replay *r);
/* The same where no rank is slower than half of those that run the same kernels (no_slower.c). */
uint64_t **tm_replay_no_slower(const struct tm_replay *r);
void tm_replay_balanced_free(const struct tm_replay *r, uint64_t **v);

#endif
