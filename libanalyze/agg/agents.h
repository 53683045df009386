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

/* The columns that tm_agents_take reads. */
tm_ev_set tm_agents_want(void);

/* Add the agents of a batch of TM_EV_AGENT of that rank; any other batch is ignored. */
bool tm_agents_take(struct tm_agents *a, uint64_t rank, const struct tm_batch *b);

/* Add the agents of *from, of all ranks.  False when out of memory. */
bool tm_agents_merge(struct tm_agents *into, const struct tm_agents *from);

/* Free it; {0} again. */
void tm_agents_fini(struct tm_agents *a);

/* Look up an agent of that rank by its number in events.  If no description has that number, but
 * all GPUs of the rank are alike, take any of them.  False when unknown. */
bool tm_agents_find(const struct tm_agents *a, uint64_t rank, uint64_t agent,
                    struct tm_gpu_seen *seen, uint64_t *xccs);

/* Append "8 MI355X, 1 gfx90a": how many of each there are.  False when out of memory. */
bool tm_agents_put(const struct tm_agents *a, struct tm_buf *b);

#endif
