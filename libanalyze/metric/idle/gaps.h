/* SPDX-License-Identifier: MIT
 * Idle time of all agents together, and its causes. */
#ifndef TM_METRIC_GAPS_H
#define TM_METRIC_GAPS_H

#include "work/work.h"

/* What it needs (WORK_* bits), besides names. */
enum {
	TM_GAPS_KEEP = TM_WORK_CORR | TM_WORK_PIDS | TM_WORK_CALLS | TM_WORK_ALL_CALLS |
	               TM_WORK_CALL_NAMES | TM_WORK_WAITS
};

/* Idle time spent in the calls of one name. */
struct tm_gaps_call {
	uint32_t name; /* in work.names */
	uint64_t gaps; /* that have some of it */
	tm_u128 idle;
};

/* Order of two of them, for qsort_r with the struct tm_names of names: by idle, largest first, then
 * by name. */
int tm_gaps_by_idle(const void *pa, const void *pb, void *names);

/* Sums over all ranks and agents.  idle is the sum of cause[]. */
struct tm_gaps_total {
	uint64_t gaps, ops, matched; /* operations, and those whose API call was found */
	uint64_t lanes,
	        few; /* agents, and those with calls found for too few to trust the causes */
	uint64_t told, early; /* gaps split by a call, and those that end before it begins */
	tm_u128 window, idle, cause[TM_CAUSES];

	struct tm_extent longest;               /* of the gaps; of equals the first; empty = none */
	const struct tm_work_track *longest_of; /* a track of its agent */

	struct tm_gaps_call *call; /* ncall of them, as tm_gaps_by_idle sorts */
	size_t ncall;
};

/* Compute the sums for a settled store that keeps TM_GAPS_KEEP; its lists of calls are used up.
 * False when out of memory. */
bool tm_gaps_total(struct tm_work *w, struct tm_gaps_total *out);

/* Free it; {0} again. */
void tm_gaps_total_fini(struct tm_gaps_total *g);

/* A gap of an agent, and what it was spent on. */
struct tm_gap {
	const struct tm_work_track *track; /* of the agent, the first of them */
	struct tm_extent window;           /* of the agent */
	struct tm_extent at;
	uint64_t cause[TM_CAUSES];
};

/* Call put() for each gap by rank and agent, in order of time, of a settled store that keeps
 * TM_GAPS_KEEP; its lists of calls are used up.  For an agent without gaps, put() gets an empty one
 * at the end of its window.  False when out of memory, or as soon as put() returns false. */
bool tm_gaps_each(struct tm_work *w, bool (*put)(void *arg, const struct tm_gap *g), void *arg);

/* The idle time that may have one cause: if the calls of `few` agents were not found, also all idle
 * time of unknown cause. */
tm_u128 tm_gaps_most(const tm_u128 cause[TM_CAUSES], int of, uint64_t few);

/* Why that is unknown, for struct tm_table_ends. */
extern const char tm_gaps_why_open[];

/* Is there a rank with API calls and no GPU work? */
bool tm_gaps_elsewhere(const struct tm_work *w);

/* Report why the causes cannot be trusted, if that is so for `few` of the lanes (each a `lane`,
 * "agent"); `elsewhere`: result of tm_gaps_elsewhere. */
void tm_gaps_tell_few(const struct tm_work *w, uint64_t few, uint64_t lanes, const char *lane,
                      bool elsewhere, struct tm_report *rep);

/* The same if work often begins before its launch: told and early of struct tm_gaps_total. */
void tm_gaps_tell_early(uint64_t early, uint64_t told, struct tm_report *rep);

#endif
