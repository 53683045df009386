/* SPDX-License-Identifier: MIT
 * Why was the GPU idle?  For a gap g = [e, s) before an operation whose API call [a0, a1) is on
 * host thread t:
 *
 *     sync   = g inside calls of t that wait for the GPU and end at or before a0
 *     host   = the rest of g before a0
 *     launch = g inside [a0, a1)
 *     device = the rest of g, from a1 on
 *     sync + host + launch + device = |g|        exact
 *
 * Does not show why a thread was late, nor what the device waited for. */
#ifndef TM_WORK_CAUSES_H
#define TM_WORK_CAUSES_H

#include "agg/agg.h"
#include "work/calls.h"

/* Parts of idle time, ns. */
enum tm_cause {
	TM_CAUSE_SYNC,
	TM_CAUSE_HOST,
	TM_CAUSE_LAUNCH,
	TM_CAUSE_DEVICE,
	TM_CAUSE_UNKNOWN,
	TM_CAUSES
};

struct tm_thread_past;

/* What the threads of one rank did, prepared on demand. */
struct tm_causes {
	struct tm_work *w;
	struct tm_calls *calls;
	enum tm_work_api api;
	size_t from, to; /* threads of the rank, in w->thread */
	struct tm_thread_past *past;
	bool by_thread;
	uint32_t *local; /* private, of each name: all 0 but while it is used */
	/* For tm_causes_split_inside; NULL = none.  Set before the first question. */
	const struct tm_stretches *inside;
};

/* Initialize it after tm_work_settle; `calls` must live as long.  Changes the order of the threads'
 * waits, which others cannot use then.  False when out of memory. */
bool tm_causes_init(struct tm_causes *c, struct tm_work *w, struct tm_calls *calls, uint64_t rank);

/* Split a gap by the call that launched the operation after it, on that thread of w->thread.  The
 * time does not depend on the number of waits in the gap: gaps of very many queues may all contain
 * the same ones.  Not after tm_causes_call.  False when out of memory. */
bool tm_causes_split(struct tm_causes *c, struct tm_extent gap, struct tm_extent call,
                     size_t thread, uint64_t out[TM_CAUSES]);

/* The same for the parts of the gap inside c->inside, added up.  The time does not depend on their
 * number. */
bool tm_causes_split_inside(struct tm_causes *c, struct tm_extent gap, struct tm_extent call,
                            size_t thread, uint64_t out[TM_CAUSES]);

/* What that thread was doing: the call that covers most of the gap (of equals the one that ends
 * last, then the one that starts first), its name into *name.  Needs TM_WORK_CALL_NAMES, and
 * tm_calls_init with `all`.  *any = there is one.  False when out of memory. */
bool tm_causes_call(struct tm_causes *c, struct tm_extent gap, size_t thread, bool *any,
                    uint32_t *name);

/* Time of a gap in calls of one name, more than 0 ns. */
struct tm_call_part {
	uint32_t name;
	uint64_t ns;
};

/* The same for all names; {0} has none. */
struct tm_call_parts {
	struct tm_call_part *v; /* n of them */
	size_t n, cap;
	uint32_t *place; /* private: name -> 1 + where it is in v */
};

/* The calls that a thread was in during the gap.  Each moment belongs to one call, the outermost of
 * nested ones, so time in no part was in no call.  Needs what tm_causes_call needs.  The time
 * depends on the number of names, not of calls.  False when out of memory. */
bool tm_causes_parts(struct tm_causes *c, struct tm_extent gap, size_t thread,
                     struct tm_call_parts *out);

/* Free them; {0} again. */
void tm_call_parts_fini(struct tm_call_parts *p);

/* Free it; {0} again. */
void tm_causes_fini(struct tm_causes *c);

#endif
