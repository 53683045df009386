/* SPDX-License-Identifier: MIT
 * The collectives that a process requested from RCCL, in order.
 *
 * From a log of RCCL (name, communicator, bytes) or from traced calls (name only); if a rank has
 * both, the log.  Sends and receives of one group (same communicator and opCount, one after the
 * other) are one kernel and so one call here.
 *
 * Traces of torch.profiler describe the collective in the kernel itself: such calls are separate,
 * each with its kernel.
 *
 * A call belongs to the rank of the input.  Only if the lines of one such rank come from several
 * ranks (a log of a whole job), each belongs to the rank it names. */
#ifndef TM_WORK_COMM_CALLS_H
#define TM_WORK_COMM_CALLS_H

#include "base/base.h"
#include "model/model.h"
#include "question/question.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_comm_call {
	uint32_t name, comm; /* in names; comm TM_NAME_NONE: not known */
	uint32_t chunk;      /* private: which input */
	bool has_bytes, has_op, has_global, timed;
	uint64_t rank, ranks; /* ranks of the communicator, 0 = not known */
	uint64_t bytes;       /* of the call: size of all, or of one rank's part */
	uint64_t op;          /* has_op: its number in the communicator */
	/* private */
	uint64_t global, at, received, agent;
	uint64_t end; /* of a kernel's own */
};

struct tm_comm_calls {
	struct tm_names names;
	struct tm_comm_call
	        *v; /* n of them; after tm_comm_calls_settle by rank, in the order of the calls */
	size_t n, cap;
	struct tm_comm_call *own; /* nown of them, of kernels; by rank, agent, start and end */
	size_t nown, own_cap;
	struct tm_comm_chunk *chunk;
	size_t nchunk, chunk_cap;
	uint64_t before; /* private: calls that were moved */
};

/* Columns that are needed. */
tm_ev_set tm_comm_calls_want(void);

/* The batches that follow are of this piece.  False when out of memory. */
bool tm_comm_calls_piece(struct tm_comm_calls *c, const struct tm_piece *p);

/* Take the calls in *b; *untimed grows by the rows taken that have no times.  False when out of
 * memory. */
bool tm_comm_calls_take(struct tm_comm_calls *c, const struct tm_batch *b, uint64_t *untimed);
bool tm_comm_calls_merge(struct tm_comm_calls *into, const struct tm_comm_calls *from);

/* The same, but *from is empty afterwards, except for a piece that may continue.  False when out of
 * memory. */
bool tm_comm_calls_move(struct tm_comm_calls *into, struct tm_comm_calls *from);
void tm_comm_calls_fini(struct tm_comm_calls *c);

/* Append all of them in portable form; before tm_comm_calls_settle.  False when out of memory. */
bool tm_comm_calls_save(struct tm_comm_calls *c, struct tm_buf *out);

/* Add what was saved in *in, as calls of that rank; in->bad if it is invalid.  False when out of
 * memory. */
bool tm_comm_calls_load(struct tm_comm_calls *c, uint64_t rank, struct tm_state_bytes *in);

/* Sort them.  False when out of memory. */
bool tm_comm_calls_settle(struct tm_comm_calls *c);

/* The *n calls of a rank, after that. */
const struct tm_comm_call *tm_comm_calls_of(const struct tm_comm_calls *c, uint64_t rank,
                                            size_t *n);

/* The call of a kernel of that agent (UINT64_MAX: it has none) that ran then, if the trace
 * describes it in the kernel itself; else NULL.  nth: how many of the same times come before it:
 * those of several streams may begin, and end, at once. */
const struct tm_comm_call *tm_comm_calls_own(const struct tm_comm_calls *c, uint64_t rank,
                                             uint64_t agent, struct tm_extent ran, size_t nth);

/* Can this call have started that kernel?  False only if the kernel's name says that it does
 * something else; most names do not say. */
bool tm_comm_call_fits(const struct tm_comm_calls *c, const struct tm_comm_call *call,
                       const char *kernel);

/* Do all ranks end it together, as far as that call or kernel is known? */
bool tm_comm_ends_together(const struct tm_name *op);

/* Calls that may start no kernel: newer releases drop empty collectives, and copy if a communicator
 * has one rank.  Others always start one. */
enum tm_comm_idle { TM_COMM_STARTS, TM_COMM_ALONE, TM_COMM_EMPTY };
enum tm_comm_idle tm_comm_call_idle(const struct tm_comm_calls *c, const struct tm_comm_call *call);

/* The size of a collective, and the factor *num / *den by which its bus bandwidth is derived from
 * that size; false if unknown. */
bool tm_comm_call_size(const struct tm_comm_calls *c, const struct tm_comm_call *call,
                       uint64_t *bytes, uint64_t *num, uint64_t *den);

#endif
