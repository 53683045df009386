/* SPDX-License-Identifier: MIT
 * Memory of agents over time, from the accumulator of the question "memory". */
#ifndef TM_METRIC_MEMORY_HELD_H
#define TM_METRIC_MEMORY_HELD_H

#include "question/question.h"

#include <stdbool.h>
#include <stdint.h>

/* The agent has that many bytes allocated from `at` on; has_agent false: the input does not name
 * the agent. */
struct tm_memory_held {
	uint64_t rank, agent, at;
	bool has_agent;
	tm_u128 bytes;
};

/* Call held() for every change, rank by rank in order of time, also for each of several at one
 * instant; only of what starts inside the window of metric_opts.  `acc` is the accumulator of the
 * question.  False when out of memory, or when held() returns false. */
bool tm_memory_each(void *acc, bool (*held)(void *arg, const struct tm_memory_held *h), void *arg);

#endif
