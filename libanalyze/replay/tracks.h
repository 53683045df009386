/* SPDX-License-Identifier: MIT
 * The rows of a rank in order: calls by thread, operations by lane, each with its call. */
#ifndef REPLAY_TRACKS_H
#define REPLAY_TRACKS_H

#include "replay/graph.h"

/* Take the rows of the rank.  False when out of memory. */
bool tm_replay_tracks(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows);

/* Make one call of each loop that asks for an operation until it has ended, once calls are in order
 * and before operations know theirs.  False when out of memory. */
bool tm_replay_polls(struct tm_replay_rank *r);

/* When an operation was submitted: its call began, else it itself. */
static inline uint64_t op_sub(const struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];

	return o->call != NONE ? r->call[o->call].start : o->start;
}

/* The operation before it in its lane; NONE = none, or of no known lane. */
static inline uint32_t op_before(const struct tm_replay_rank *r, uint32_t op)
{
	const struct lane *l = &r->lane[r->op[op].lane];

	return l->has_id && op > l->from ? op - 1 : NONE;
}

static inline bool op_copies(const struct tm_replay_rank *r, uint32_t op)
{
	return r->all->class_of[r->op[op].name] == 0;
}

/* Lanes of one agent follow each other. */
static inline bool same_gpu(const struct lane *a, const struct lane *b)
{
	return a->has_agent == b->has_agent && a->agent == b->agent;
}

/* A call that asks whether something has ended waits for it where it stands for a loop. */
static inline enum call_does call_does(const struct tm_replay_rank *r, uint32_t call)
{
	const enum call_does d = (enum call_does)r->all->does[r->call[call].name];

	if (d != DOES_POLL)
		return d;
	return r->polled && r->polled[call / 8] >> call % 8 & 1 ? DOES_EVENT : DOES_OTHER;
}

/* Is it a kernel that waits for one of another lane, as tm_replay_find_turns found out? */
static inline bool tm_replay_in_turn(const struct tm_replay_rank *r, uint32_t op)
{
	return r->turns && r->turns[op / 8] >> op % 8 & 1;
}

/* Has a copy that need not block waited for its own operation?  What is shorter is the call itself:
 * a small copy may be over before it returns. */
static inline bool tm_replay_blocked(const struct tm_replay_rank *r, uint32_t call)
{
	const struct tm_replay_call *c = &r->call[call];

	return call_does(r, call) == DOES_MAYBE && c->end - c->start >= TM_REPLAY_BLOCKS_NS &&
	       c->ops != NONE && r->op[c->ops].end <= c->end;
}

#endif
