/* SPDX-License-Identifier: MIT
 * Which file makes which edges. */
#ifndef REPLAY_MAKE_H
#define REPLAY_MAKE_H

#include "replay/graph.h"

/* The instants of threads, one after the other, and pauses in which other threads were awaited. */
bool tm_replay_chains(struct making *m);
bool tm_replay_pauses(struct making *m);

/* Long pauses of a thread: how many, how many of them end just after a call of another, how long
 * they are, and for how much of that such a call has just ended. */
struct pauses {
	uint32_t n, after;
	uint64_t ns, near;
};

/* Add the one of [from, to), in which so many calls of others ended, the last at `last`. */
void tm_replay_pause(struct pauses *p, uint64_t from, uint64_t to, uint64_t calls, uint64_t last);

/* Do most of them end so, and not by chance?  Then the thread waits for the other, by a lock. */
bool tm_replay_awaits(const struct pauses *p);

/* Did such a pause end just after that? */
bool tm_replay_just_after(uint64_t last, uint64_t to);

/* From calls to their operations and along lanes. */
bool tm_replay_lanes(struct making *m);

/* Between lanes, once instants have their places. */
bool tm_replay_events(struct making *m);

/* From operations to the calls that waited for them. */
bool tm_replay_waits(struct making *m);

/* From operations to the launches that waited for room in their queue. */
bool tm_replay_full(struct making *m);

/* Which calls load the kernel first that they launch, before all of these; and after them without
 * those that waited for room. */
bool tm_replay_find_loads(struct tm_replay_rank *r);
void tm_replay_settle_loads(struct tm_replay_rank *r);

/* Which kernels wait for those of other lanes of their GPU, where they never run at once.  False
 * when out of memory. */
bool tm_replay_find_turns(struct tm_replay_rank *r);

/* Is it one of those calls? */
static inline bool tm_replay_loads(const struct tm_replay_rank *r, uint32_t call)
{
	return r->loads && r->loads[call / 8] >> call % 8 & 1;
}

/* Does a call that launches take so much longer than usual that it does something else first, such
 * as load its kernel? */
static inline bool tm_replay_takes_long(uint64_t length, uint64_t usual)
{
	enum { LONG_TIMES = 10 };

	return length >= TM_REPLAY_LOADS_NS && length / LONG_TIMES > usual;
}

/* How long a call took but for a wait for room. */
uint64_t tm_replay_call_ns(const struct tm_replay_rank *r, uint32_t call);

/* Does the end of the call wait for something? */
bool tm_replay_ends_waiting(const struct making *m, uint32_t call);

/* Where each instant is in order of time and tier: m->place; and what it is.  Asks for nothing that
 * edges say. */
bool tm_replay_place(struct making *m);

/* Bring edges to instants, whose places are known, in order, and find out which bind. */
bool tm_replay_order(struct making *m);

#endif
