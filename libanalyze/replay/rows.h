/* SPDX-License-Identifier: MIT
 * The rows for a replay: kernels, copies and API calls that start inside the window, rank by rank;
 * 16 bytes each (agg/intervals.h) until the graph of their rank is built. */
#ifndef TM_REPLAY_ROWS_H
#define TM_REPLAY_ROWS_H

#include "agg/agg.h"
#include "stack/stack.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TM_REPLAY_NONE UINT32_MAX

enum { TM_REPLAY_LISTS_LENT = 2 }; /* calls, and those that wait */

/* A kernel, copy or fill. */
struct tm_replay_op {
	uint64_t start, end;
	union {
		uint64_t corr; /* until calls are joined; 0 = none */
		struct {
			uint32_t call;  /* in the calls of the rank, or TM_REPLAY_NONE */
			uint32_t group; /* matched collective, or TM_REPLAY_NONE */
		};
	};
	uint32_t name;
	uint32_t lane; /* until lanes are made: the track */
};

/* An API call. */
struct tm_replay_call {
	uint64_t start, end;
	union {
		uint64_t corr; /* until calls are joined */
		struct {
			uint32_t enclosing; /* the call that was open when it began, or none */
			uint32_t ops;       /* of it */
		};
	};
	uint32_t name;
	uint32_t thread;
};

/* Direction of a copy; TM_WAY_NONE: not known. */
enum { TM_WAY_NONE, TM_WAY_TO, TM_WAY_FROM, TM_WAY_BETWEEN, TM_WAY_HOST };

/* Operations that agree in all but time, name and correlation. */
struct tm_replay_track {
	uint64_t rank, pid, agent, queue, stream; /* pid: as of a thread */
	bool has_pid, has_agent, has_queue, has_stream, copy;
	uint8_t way;   /* TM_WAY_TO and so on, of a copy */
	uint32_t part; /* of the lender's: which it is there, + 1; it names as it does there */
	struct tm_intervals op; /* tagged with correlation ids, 0 = none; until tm_replay_tracks */
	uint32_t next;          /* track of the rank, or TM_REPLAY_NONE */
};

struct tm_replay_thread {
	uint64_t rank, pid, tid; /* once rows are borrowed: a process as tm_whose_tell says */
	bool has_pid, has_tid, hsa;
	struct tm_intervals call;                       /* as above */
	struct tm_intervals lent[TM_REPLAY_LISTS_LENT]; /* besides: of the lender, and named as its
	                                                 * names are */
	uint32_t next;
};

/* The rows of one rank. */
struct tm_replay_rank_rows {
	uint64_t rank;
	uint32_t track, thread;       /* its first ones, or TM_REPLAY_NONE */
	size_t nop, ncall;            /* of all of them */
	struct tm_replay_op *outside; /* outside the window: those that communicate */
	size_t noutside, outside_cap;
	bool hip; /* it has calls of HIP, inside the window or not: those of HSA do not count */
};

/* The accumulator; {0} but for what tm_replay_rows_init sets. */
struct tm_replay_rows {
	const struct tm_metric_opts *o;
	struct tm_names names;
	uint8_t *comm; /* of each name: 1 = of class comm; made for kernels */
	size_t comm_cap;
	struct tm_groups tracks, threads, ranks;
	struct tm_replay_track *track;
	struct tm_replay_thread *thread;
	struct tm_replay_rank_rows *rank;
	size_t track_cap, thread_cap, rank_cap;
	struct tm_comm_calls comms;
	uint64_t untimed, stats, counters, seen;
	struct tm_work *lender; /* keeps the calls instead (tm_replay_rows_lend), or NULL */
	uint32_t *lent_name;    /* what its names are here, once they are borrowed */
	struct tm_stack *lanes; /* keeps the kernels instead, or NULL */
	uint32_t *lane_name;    /* the same of its */
	struct tm_whose whose;
	bool told; /* private: of all tracks and threads */

	/* the piece being read */
	uint32_t at_rank;
	struct tm_extent window;
	uint32_t *own; /* id + 1 of each of its names */
	size_t nown, own_cap;
	struct tm_buf text;
};

/* The name of operation i of a track. */
static inline uint32_t tm_replay_op_name(const struct tm_replay_rows *r,
                                         const struct tm_replay_track *t, size_t i)
{
	const uint32_t name = tm_interval_name(&t->op, i);

	return t->part ? r->lane_name[name] : name;
}

/* Functions of struct tm_event_sink; the argument is a struct tm_metric_opts. */
bool tm_replay_rows_init(void *acc, const void *arg);
bool tm_replay_rows_piece(void *acc, const struct tm_piece *p);
bool tm_replay_rows_take(void *acc, const struct tm_batch *b);
bool tm_replay_rows_merge(void *into, void *from);
void tm_replay_rows_fini(void *acc);

/* Have the calls that a store keeps and the kernels that a stack does (tm_stack_pool_lanes) instead
 * of keeping them a second time: before the first row.  Both are given every row that *r is, their
 * options are not windowed either, and they have to outlive *r.  NULL = it keeps them itself. */
enum { TM_REPLAY_LENT = TM_WORK_CALLS | TM_WORK_WAITS | TM_WORK_CALL_NAMES | TM_WORK_CORR };
void tm_replay_rows_lend(struct tm_replay_rows *r, struct tm_work *calls, struct tm_stack *kernels);

/* All is there: find out whose it is, and borrow what is lent.  Once; more of it does nothing.
 * False when out of memory. */
bool tm_replay_rows_borrow(struct tm_replay_rows *r);

/* The columns these need. */
tm_ev_set tm_replay_rows_want(void);

#endif
