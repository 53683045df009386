/* SPDX-License-Identifier: MIT
 * Find the call of a rank that started a kernel of one of its agents.
 *
 * In traces of torch.profiler the kernel itself describes the collective; elsewhere kernels of RCCL
 * do not.  If a rank made as many calls as the agent ran kernels of RCCL, the n-th call started the
 * n-th kernel; calls for which newer releases start no kernel are ignored if that makes the numbers
 * equal. */
#ifndef TM_WORK_COMM_JOIN_H
#define TM_WORK_COMM_JOIN_H

#include "work/comm_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The communication kernels of an agent, by start and end. */
struct tm_comm_kernels {
	size_t n;
	const char *(*name)(const void *of, size_t i); /* of the i-th */
	const void *of;
	bool unnamed; /* names are those of classes: all are taken for RCCL's */
	struct tm_extent (*ran)(const void *of,
	                        size_t i); /* the i-th; NULL = nothing is asked of it */
	uint64_t agent;                    /* UINT64_MAX = none */
};

struct tm_comm_joined {
	bool told;       /* the rank has calls, or kernels say */
	size_t own;      /* kernels that say themselves; then nothing of what follows */
	bool as_many;    /* as kernels of RCCL, and there are some */
	bool joins;      /* and each could have started its kernel */
	size_t calls;    /* that were compared */
	size_t kernels;  /* of RCCL */
	size_t left_out; /* calls that may start no kernel, where it joins */
};

/* The calls, and those of the last rank; start with {.calls = ...}. */
struct tm_comm_join {
	const struct tm_comm_calls *calls; /* settled */
	struct tm_comm_join_rank *of;      /* private */
};

/* Set call[i] to the call of the i-th kernel, or NULL, for all n.  Fastest if agents of one rank
 * follow each other.  False when out of memory. */
bool tm_comm_join(struct tm_comm_join *j, uint64_t rank, const struct tm_comm_kernels *k,
                  const struct tm_comm_call **call, struct tm_comm_joined *out);

/* Free what was kept. */
void tm_comm_join_fini(struct tm_comm_join *j);

/* Does a communicator's name mean the same in every process?  Not if the reader made it from a
 * pointer; then it contains a ':'. */
bool tm_comm_is_global(const struct tm_name *comm);

#endif
