/* SPDX-License-Identifier: MIT
 * Idle time of all agents together, and its causes. */
#ifndef TM_METRIC_GAPS_H
#define TM_METRIC_GAPS_H

#include "work/work.h"

/* What it takes (WORK_* bits), beside names. */
enum { GAPS_KEEP = WORK_CORR | WORK_PIDS | WORK_CALLS | WORK_ALL_CALLS | WORK_WAITS };

/* Sums over all ranks and agents.  idle is the sum of cause[]. */
struct gaps_total {
	uint64_t gaps, ops, matched; /* operations, and those whose API call was found */
	uint64_t lanes,
	        few; /* agents, and those with calls found for too few to trust the causes */
	u128 window, idle, cause[CAUSES];
};

/* Add up, of a settled store that keeps GAPS_KEEP; its lists of calls are used up.  False when out
 * of memory. */
bool gaps_total(struct work *w, struct gaps_total *out);

/* Why the causes are not to be trusted, if `few` of the lanes (each a `lane`, "agent") are like
 * that. */
void gaps_tell_few(const struct work *w, uint64_t few, uint64_t lanes, const char *lane,
                   struct report *rep);

#endif
