/* SPDX-License-Identifier: MIT
 * The counters of each dispatch.
 *
 * If the counters do not fit into one execution, a profiler runs the program, or the kernel,
 * several times.  Executions are matched by dispatch number if each number has the same kernel in
 * every pass; otherwise the n-th execution of a kernel is the n-th in every pass. */
#ifndef TM_COUNTERS_GATHER_H
#define TM_COUNTERS_GATHER_H

#include "agg/agg.h"
#include "model/model.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One value as read: of an execution, by its place in tm_counters.runs. */
struct tm_counter_read {
	uint32_t at, counter; /* counter: id in tm_counters.names */
	double value;
};

/* When a dispatch was executed, for tm_counters_use_times. */
struct tm_counter_times {
	uint32_t pass, kernel; /* places in tm_counters.passes, .names */
	bool has_agent;
	uint64_t id, agent, start, end;
};

/* All that was read; {0} but for the words of its groups: tm_counters_init.  Functions that return
 * bool return false when out of memory. */
struct tm_counters {
	struct tm_names names;     /* of counters, kernels (in full), runs and files */
	struct tm_groups runs;     /* of the profiler: rank, name */
	struct tm_groups passes;   /* run, file, process */
	struct tm_groups executed; /* executions of dispatches */
	struct tm_counter_read *v; /* n of them */
	size_t n, cap;
	struct tm_counter_times *times; /* ntimes of them */
	size_t ntimes, times_cap;
	bool timeless;    /* some value is of an execution without times */
	uint64_t loose;   /* of dispatches that nothing identifies, so that nothing is joined */
	uint64_t samples; /* rows that are samples of a counter over time */
	uint64_t odd;     /* values that are not finite */
	struct tm_agents agents;
	const struct tm_only *only; /* kernels whose values count, set by the caller; NULL = all */
	unsigned char *chosen;      /* of names: 0 = not asked yet, 1 = out, 2 = in */
	size_t chosen_cap;
	size_t nchosen;

	/* the piece being read */
	uint32_t run, path;
	uint64_t rank;
	uint32_t *norm; /* id in its names -> id in `names`, + 1 */
	size_t norm_cap;
	size_t nknown;
};

/* The columns that are looked at. */
tm_ev_set tm_counters_want(void);

void tm_counters_init(struct tm_counters *c);

/* The batches that follow are of this piece. */
bool tm_counters_piece(struct tm_counters *c, const struct tm_piece *p);

/* Take what a batch says of GPUs. */
bool tm_counters_agents(struct tm_counters *c, const struct tm_batch *b);

/* Take row i of a batch of TM_EV_COUNTER; or of TM_EV_DISPATCH, for the times of dispatches whose
 * counters have none.  Of a kernel that is not chosen it is known that there is such a dispatch:
 * numbers of dispatches go with one kernel each, or not, whichever are asked for. */
bool tm_counters_take(struct tm_counters *c, const struct tm_batch *b, uint32_t i);

/* The same without its value: when was that dispatch executed? */
bool tm_counters_take_times(struct tm_counters *c, const struct tm_batch *b, uint32_t i);

/* The same, kept aside: traces have many more dispatches than are counted. */
bool tm_counters_keep_times(struct tm_counters *c, const struct tm_batch *b, uint32_t i);

/* All was read: take what was kept aside, if values are without times. */
bool tm_counters_use_times(struct tm_counters *c);

/* Add all of `from`. */
bool tm_counters_merge(struct tm_counters *c, const struct tm_counters *from);

/* Free it; as tm_counters_init leaves it. */
void tm_counters_fini(struct tm_counters *c);

/* ---- dispatches ---- */

/* A counter of a dispatch, and the execution that it was read in. */
struct tm_counted_value {
	double value;
	uint32_t counter;    /* id in tm_counters.names */
	uint32_t pass;       /* of another number: of another execution of the program */
	uint64_t start, end; /* of that execution, ns; equal where they are not known */
};

struct tm_counted_dispatch {
	uint32_t kernel; /* id in tm_counters.names */
	bool has_agent;
	uint64_t rank, agent;
	uint64_t start, end; /* of the first execution that has times, ns; equal where none has */
	uint32_t pass;       /* that this is in */
	const struct tm_counted_value *v; /* n of them, by counter */
	size_t n;
};

/* Dispatches that have counters, by name of the kernel, rank, run, and then in the order in which
 * they were dispatched. */
struct tm_counted {
	struct tm_counted_dispatch *v;
	size_t n;
	struct tm_counted_value *values; /* nvalues of them */
	size_t nvalues;
	uint64_t in_passes; /* dispatches of runs with several passes that count, and ... */
	uint64_t partly;    /* ... those of them that are not in all passes */
	uint64_t by_order;  /* dispatches that were joined by kernel and order */
	uint64_t repeated;  /* values left out: of a counter that the dispatch has already */
};

/* Join what was gathered; to be freed with tm_counted_fini. */
bool tm_counted_join(struct tm_counted *d, const struct tm_counters *c);

/* The counter of that dispatch; NULL when it was not counted. */
const struct tm_counted_value *tm_counted_find(const struct tm_counted_dispatch *d,
                                               uint32_t counter);

/* Free it; {0} again. */
void tm_counted_fini(struct tm_counted *d);

#endif
