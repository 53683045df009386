/* SPDX-License-Identifier: MIT
 * Idle time of all agents together, and its causes. */
#ifndef METRIC_GAPS_H
#define METRIC_GAPS_H

#include "metric/causes.h"

/* What it takes (WORK_* bits), beside names. */
enum { GAPS_KEEP = WORK_CORR | WORK_PIDS | WORK_CALLS | WORK_ALL_CALLS | WORK_WAITS };

/* Sums over all ranks and agents.  idle is the sum of cause[]. */
struct gaps_total {
	uint64_t gaps, ops, matched; /* operations, and those whose API call was found */
	u128 window, idle, cause[CAUSES];
};

/* Add up, of a settled store that keeps GAPS_KEEP; its lists of calls are used up.  False when out of
 * memory. */
bool gaps_total(struct work *w, struct gaps_total *out);

#endif
