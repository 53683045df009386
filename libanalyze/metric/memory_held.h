/* SPDX-License-Identifier: MIT
 * What agents hold over time, from what the question "memory" gathers. */
#ifndef TM_METRIC_MEMORY_HELD_H
#define TM_METRIC_MEMORY_HELD_H

#include "question/question.h"

#include <stdbool.h>
#include <stdint.h>

/* An agent holds that many bytes from `at` on; has_agent false: the input does not say whose they
 * are.
 */
struct tm_memory_held {
	uint64_t rank, agent, at;
	bool has_agent;
	tm_u128 bytes;
};

/* Every change of it, rank by rank in the order of time, those of one instant one after the other;
 * of what starts inside the window of metric_opts.  `acc` is the accumulator of the question.
 * False when out of memory, or when `held` says so. */
bool tm_memory_each(void *acc, bool (*held)(void *arg, const struct tm_memory_held *h), void *arg);

#endif
