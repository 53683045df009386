/* SPDX-License-Identifier: MIT
 * Whose order counts for a kernel that communicates: that of collectives, or what passes between
 * two ranks. */
#ifndef TM_WORK_COMM_LANES_H
#define TM_WORK_COMM_LANES_H

#include "work/comm_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* That of collectives, in which all ranks of a communicator take part; or of two ranks that of what
 * the lower one sends, or the higher one.  A send or receive of more ranks, or of which it is not
 * known, is matched with nothing. */
enum tm_comm_lane { TM_LANE_ALL, TM_LANE_UP, TM_LANE_DOWN, TM_LANE_ALONE };

/* A kernel: communicators are numbered by whoever asks, from 1; 0 = not known. */
struct tm_comm_kernel {
	uint64_t rank;
	uint32_t comm;
	const struct tm_comm_call *call; /* NULL = not known */
	const char *name;
};

/* Start with {.calls = ..., .told = ...}; add all kernels; then ask. */
struct tm_comm_lanes {
	const struct tm_comm_calls *calls;
	bool told; /* the calls of all kernels of RCCL are known */
	struct tm_of_comm *of;
	size_t n, cap;
};

/* False when out of memory. */
bool tm_comm_lanes_add(struct tm_comm_lanes *l, const struct tm_comm_kernel *k);
enum tm_comm_lane tm_comm_lane_of(const struct tm_comm_lanes *l, const struct tm_comm_kernel *k);
void tm_comm_lanes_fini(struct tm_comm_lanes *l);

/* Does the call send, and nothing else? */
bool tm_comm_sends(const struct tm_comm_calls *c, const struct tm_comm_call *call);

#endif
