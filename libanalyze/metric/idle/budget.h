/* SPDX-License-Identifier: MIT
 * What the time of a run consists of, agent by agent: of the whole window, and of its steps.
 *
 * Stretches are the windows of the agents, or the steps of their rank.  Sums over all stretches of
 * all agents:
 *
 *     window = busy + idle,  busy = ops - edge - overlap,  idle = sync + host + launch + device +
 *     unknown
 *
 * ops: full durations of the operations that start inside; edge: how much of them is outside, minus
 * what of earlier operations is inside; overlap: time in which several ran, counted for each but
 * one.  All values are exact. */
#ifndef TM_METRIC_BUDGET_H
#define TM_METRIC_BUDGET_H

#include "metric/idle/gaps.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_budget_of { TM_BUDGET_WINDOW, TM_BUDGET_STEPS, TM_BUDGETS };

struct tm_budget_sum {
	uint64_t units; /* stretches, each counted for each of its agents */
	tm_u128 window, idle, cause[TM_CAUSES];
	tm_u128 ops;     /* full durations */
	tm_u128 clipped; /* of those and others, what is inside */
};

/* Operations of one name that start inside. */
struct tm_budget_name {
	uint64_t calls[TM_BUDGETS];
	tm_u128 ns[TM_BUDGETS];
};

/* One step: the sum over the agents of all ranks that have it. */
struct tm_budget_step {
	tm_u128 window;
	uint64_t units;
};

/* {0} is empty. */
struct tm_budget {
	struct tm_budget_sum sum[TM_BUDGETS];
	struct tm_budget_name *kernel, *copy; /* of each of w->names */
	struct tm_budget_step *step; /* nsteps of them, by their place among those of their rank */
	size_t nsteps;
	uint64_t agents;       /* that did anything */
	uint64_t ops, matched; /* in the windows, and those whose API call is known */
};

/* Compute it for a settled store that keeps TM_GAPS_KEEP and TM_WORK_OP_NAMES, whose lists of calls
 * are used up, and for some of its steps, in the order of tm_steps_find.  False when out of
 * memory. */
bool tm_budget_make(struct tm_budget *b, struct tm_work *w, const struct tm_step *step,
                    size_t nsteps);

static inline tm_u128 tm_budget_busy(const struct tm_budget_sum *s)
{
	return s->window - s->idle;
}

/* ops - clipped, and clipped - busy. */
static inline tm_i128 tm_budget_edge(const struct tm_budget_sum *s)
{
	return (tm_i128)s->ops - (tm_i128)s->clipped;
}

static inline tm_u128 tm_budget_overlap(const struct tm_budget_sum *s)
{
	return s->clipped - tm_budget_busy(s);
}

/* Free it; {0} again. */
void tm_budget_fini(struct tm_budget *b);

#endif
