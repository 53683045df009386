/* SPDX-License-Identifier: MIT
 * The numbers of `summary` about time, for all ranks: those with events, and those of files of
 * totals (question/state.h). */
#ifndef TM_METRIC_SUMMARY_WHOLE_H
#define TM_METRIC_SUMMARY_WHOLE_H

#include "metric/idle/idle.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the window of an agent was used. */
enum summary_part {
	SUMMARY_BUSY,
	SUMMARY_COMPUTE,
	SUMMARY_EXPOSED_COMM,
	SUMMARY_EXPOSED_COPY,
	SUMMARY_MOVE,
	SUMMARY_WAIT,
	SUMMARY_IDLE,
	SUMMARY_PARTS
};

/* Which agent; `several`: its rank has others. */
struct summary_whose {
	uint64_t rank, agent;
	bool has_agent, several;
};

struct summary_agent {
	struct summary_whose of;
	uint64_t window, part[SUMMARY_PARTS];
};

/* Of a rank with GPU work and API calls: struct tm_sync_use. */
struct summary_sync {
	struct summary_whose of; /* the rank alone */
	uint64_t window, waited, idle;
};

struct summary_whole {
	struct summary_agent *agent; /* n of them, by rank and agent */
	size_t n, agent_cap;
	struct summary_sync *sync; /* nsync of them, by rank */
	size_t nsync, sync_cap;
	/* sums over all agents, as struct tm_gaps_total has them */
	uint64_t gaps, ops, matched, lanes, few, told, early;
	tm_u128 window, idle, cause[TM_CAUSES];
	bool elsewhere; /* tm_gaps_elsewhere */
	/* the longest gap, when it was, and the window that it is of; ns 0 = there is none */
	uint64_t longest_ns, longest_at, longest_window;
	struct summary_whose longest_of;
	struct tm_gaps_call *call; /* ncall of them: tm_gaps_total */
	size_t ncall, call_cap;
};

/* Of a settled *w, whose lists of calls are used up, and of what *s kept, which is NULL where
 * nothing is; hosts that were kept come to *homes (metric/homes.h).  False when out of memory; free
 * it in any case. */
bool tm_summary_whole(struct summary_whole *a, struct tm_work *w, struct tm_names *homes,
                      struct tm_state *s);
void tm_summary_whole_fini(struct summary_whole *a);

#endif
