/* SPDX-License-Identifier: MIT
 * The GPUs of a run, as its inputs describe them. */
#ifndef TM_AGG_AGENTS_H
#define TM_AGG_AGENTS_H

#include "gpu/gpu.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is valid; functions that return bool return false when out of memory. */
struct tm_agents {
	struct tm_agent *v; /* n of them by rank, each in the order they came */
	size_t n, cap;
	struct tm_names names;
};

/* The columns of agents that are looked at. */
tm_ev_set tm_agents_want(void);

/* Take what a batch of TM_EV_AGENT of that rank says; any other batch is passed over. */
bool tm_agents_take(struct tm_agents *a, uint64_t rank, const struct tm_batch *b);

/* Add those of *from, whatever their rank.  False when out of memory. */
bool tm_agents_merge(struct tm_agents *into, const struct tm_agents *from);

/* Free it; {0} again. */
void tm_agents_fini(struct tm_agents *a);

/* What is known of an agent of that rank, as events number it.  Where its number is not among those
 * described and all GPUs of the rank are alike, it is one of them.  False when unknown. */
bool tm_agents_find(const struct tm_agents *a, uint64_t rank, uint64_t agent,
                    struct tm_gpu_seen *seen, uint64_t *xccs);

/* Append "8 MI355X, 1 gfx90a": how many of each there are.  False when out of memory. */
bool tm_agents_put(const struct tm_agents *a, struct tm_buf *b);

#endif
