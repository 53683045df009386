/* SPDX-License-Identifier: MIT
 * What is the time of a run made of, agent by agent: the whole window, and its steps.
 *
 * Stretches are the windows of the agents, or the steps of their rank.  Sums over all stretches of
 * all agents:
 *
 *     window = busy + idle,  busy = ops - edge - overlap,  idle = sync + host + launch + device +
 *     unknown
 *
 * ops: full durations of the operations that start inside; edge: how much of them (and, negative,
 * of those that started before) lies outside; overlap: time that several had at once, counted once
 * for each but the first.  All of it is exact. */
#ifndef TM_METRIC_BUDGET_H
#define TM_METRIC_BUDGET_H

#include "metric/gaps.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_of { BUDGET_WINDOW, BUDGET_STEPS, BUDGETS };

struct budget_sum {
	uint64_t units; /* stretches, each counted for each of its agents */
	u128 window, idle, cause[CAUSES];
	u128 ops;     /* full durations */
	u128 clipped; /* of those and others, what is inside */
};

/* Operations of one name that start inside. */
struct budget_name {
	uint64_t calls[BUDGETS];
	u128 ns[BUDGETS];
};

/* One step: the sum over the agents of all ranks that have it. */
struct budget_step {
	u128 window;
	uint64_t units;
};

/* {0} is empty. */
struct budget {
	struct budget_sum sum[BUDGETS];
	struct budget_name *kernel, *copy; /* of each of w->names */
	struct budget_step *step; /* nsteps of them, by their place among those of their rank */
	size_t nsteps;
	uint64_t agents;       /* that did anything */
	uint64_t ops, matched; /* in the windows, and those whose API call is known */
};

/* Of a settled store that keeps GAPS_KEEP and WORK_OP_NAMES, whose lists of calls are used up, and
 * of some of its steps, in the order steps_find gives them.  False when out of memory. */
bool budget_make(struct budget *b, struct work *w, const struct step *step, size_t nsteps);

static inline u128 budget_busy(const struct budget_sum *s)
{
	return s->window - s->idle;
}

/* ops - clipped, and clipped - busy. */
static inline i128 budget_edge(const struct budget_sum *s)
{
	return (i128)s->ops - (i128)s->clipped;
}

static inline u128 budget_overlap(const struct budget_sum *s)
{
	return s->clipped - budget_busy(s);
}

/* Free it; {0} again. */
void budget_fini(struct budget *b);

#endif
