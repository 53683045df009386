/* SPDX-License-Identifier: MIT
 * Which call of a rank started which kernel of one of its agents?
 *
 * In traces of torch.profiler the kernel says what it does.  Elsewhere kernels of RCCL do not.
 * Where a rank made as many calls as the agent ran kernels of RCCL, the n-th started the n-th;
 * calls that newer releases start no kernel for are left out where that makes them as many. */
#ifndef TM_WORK_COMM_JOIN_H
#define TM_WORK_COMM_JOIN_H

#include "work/comm_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernels of an agent that communicate, in the order of their starts. */
struct tm_comm_kernels {
	size_t n;
	const char *(*name)(const void *of, size_t i); /* of the i-th */
	const void *of;
	bool unnamed; /* names are those of classes: all are taken for RCCL's */
	uint64_t (*start)(const void *of,
	                  size_t i); /* of the i-th; NULL = nothing is asked of it */
	uint64_t agent;              /* UINT64_MAX = none */
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

/* The calls, and those of the rank that was asked for last: {.calls = ...} before. */
struct tm_comm_join {
	const struct tm_comm_calls *calls; /* settled */
	struct tm_comm_join_rank *of;      /* private */
};

/* call[i] of the i-th kernel, or NULL; n of them.  Agents of one rank are best asked for one after
 * the other. False when out of memory. */
bool tm_comm_join(struct tm_comm_join *j, uint64_t rank, const struct tm_comm_kernels *k,
                  const struct tm_comm_call **call, struct tm_comm_joined *out);

/* Free what was kept. */
void tm_comm_join_fini(struct tm_comm_join *j);

/* Does a communicator's name mean the same in every process?  Not when the reader made it of a
 * pointer, for which it has a ':'. */
bool tm_comm_is_global(const struct tm_name *comm);

#endif
