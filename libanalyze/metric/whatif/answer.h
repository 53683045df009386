/* SPDX-License-Identifier: MIT
 * The results of scenarios, and their tables. */
#ifndef METRIC_WHATIF_ANSWER_H
#define METRIC_WHATIF_ANSWER_H

#include "metric/whatif/parts.h"

/* The answer: scenarios in order of what they save, and what came out of each. */
struct answer {
	const struct tm_replay *r;
	struct whatif_list list;
	struct tm_replay_scenario *s; /* of each, then the blind one, then that without a change */
	struct tm_replay_result *out; /* nout of them */
	size_t nout;
	size_t *order;
	struct tm_steps steps;
	/* nmark of them: begin and end of each step; then, if there is a graph, the start of the
	 * first kernel and the last end of the GPU work of each rank. */
	struct tm_replay_mark *mark;
	size_t nmark;
	struct tm_extent gpu; /* from the first start of GPU work to the last end */
	uint64_t window;
	uint64_t error; /* of the blind replay, in ten-thousandths of a percent */
	bool less;      /* it came out too short */
	bool likely;    /* there are no intervals */
	bool paths;     /* uncertain edges are counted */
	size_t most;    /* the first so many alone have all there is to say of them; 0 = all */
};

/* Replay the scenarios of a->list, which are those of a->r, with up to `jobs` threads: all that
 * follows in *a.  False when out of memory. */
bool tm_whatif_replay(struct answer *a, unsigned jobs, size_t most);
void tm_whatif_answer_fini(struct answer *a);

/* How much of the time that the i-th scenario of the list saves lies between the first kernel and
 * the last end of GPU work, and no more than it saves at all.  *window: from the first start of GPU
 * work to that end.  What is saved before the first kernel, a longer run saves once. */
uint64_t tm_whatif_saved_gpu(const struct answer *a, size_t i, uint64_t *window);

/* Each rank by itself: rows of ranks whose events are here, and of those that files of totals have.
 * As tm_metric.fill. */
enum tm_status tm_whatif_apart(struct replay_acc *acc, const struct tm_metric_opts *o,
                               struct tm_table *t, struct tm_report *rep);

/* What is saved of the time of the GPUs, in places `ns` and `pct` of a table. */
#define SAVED_GPU_COLUMNS(ns, pct)                                                                 \
	[ns] = { .name = "saved_gpu_ns",                                                           \
		 .title = "SAVED GPU",                                                             \
		 .about = "part of saved_ns from the first kernel to the last end of GPU work",    \
		 .unit = TM_UNIT_NS,                                                               \
		 .machine = true },                                                                \
	[pct] = { .name = "saved_gpu_pct",                                                         \
		  .title = "SAVED GPU%",                                                           \
		  .about = "saved_gpu_ns / time from the first start of GPU work to that end",     \
		  .unit = TM_UNIT_PCT,                                                             \
		  .machine = true }

/* Columns of each table, and its rows.  False when out of memory. */
extern const struct tm_column tm_whatif_columns[], tm_whatif_rank_columns[],
        tm_whatif_step_columns[], tm_whatif_apart_columns[];
bool tm_whatif_put_scenarios(const struct answer *a, struct tm_table *t);
bool tm_whatif_put_ranks(const struct answer *a, struct tm_table *t);
bool tm_whatif_put_steps(const struct answer *a, struct tm_table *t);

/* Will anybody see how many edges of the critical paths of the scenarios are uncertain? */
bool tm_whatif_asks_paths(const struct tm_metric_opts *o);

#endif
