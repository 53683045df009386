/* SPDX-License-Identifier: MIT
 * Usual latencies of a rank: medians of those observed. */
#ifndef REPLAY_USUAL_H
#define REPLAY_USUAL_H

#include "replay/graph.h"
#include "replay/sort.h"

/* Samples of latencies, by function and kind of operation. */
struct samples {
	struct key *v;
	size_t n, cap;
	bool failed;
};

void tm_samples_add(struct samples *s, uint32_t name, bool copy, uint64_t ns);

/* Their medians; the samples are gone.  False when out of memory. */
bool tm_usuals_make(struct usuals *u, struct samples *s);

/* That of a function, or NULL. */
const struct usual *tm_usual_of(const struct usuals *u, uint32_t name, bool copy);

/* How the operation can depend on other lanes: the last call up to it that lets a stream wait or
 * launches a graph; ARM_ANY: on any; NONE: it does not. */
#define ARM_ANY (NONE - 1)
uint32_t tm_replay_armed(const struct tm_replay_rank *r, uint32_t op);

/* Gaps after the operation before of those that a stream was told to let wait, or that are of one
 * graph with it, where all that they may have waited for had ended by then.  False when out of
 * memory. */
bool tm_replay_held(const struct tm_replay_rank *r, struct samples *gaps);

/* Medians of launches and lanes, what the lanes are like.  False when out of memory. */
bool tm_replay_usual(struct tm_replay_rank *r);

/* Usual latency from the call of an operation that has one; after the ranks know of each other. */
uint64_t tm_replay_launch(const struct tm_replay_rank *r, uint32_t op);

/* How long the call of an operation takes to submit it, at most until it began; 0 = not known, as
 * it waits for that. */
uint64_t tm_replay_submits(const struct tm_replay_rank *r, uint32_t op);

/* Usual latency after the operation before. */
uint64_t tm_replay_gap(const struct tm_replay_rank *r, uint32_t op);

/* How much longer than usual a call took to submit its own operation: the first copy waits until
 * the runtime is there, and does so whether the call waits for the copy or not.  Where something
 * ran meanwhile, the operation may have waited for that. */
uint64_t tm_replay_before_own(const struct tm_replay_rank *r, uint32_t call);

#endif
