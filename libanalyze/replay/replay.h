/* SPDX-License-Identifier: MIT
 * Predicts the gain of a change: a recorded trace as a graph of instants, replayed with other
 * durations.
 *
 * Every call and every operation of the GPU has two instants, its start and its end.  An instant
 * waits for others: of its thread, its lane, the call that launched it, an operation of another
 * lane, a collective of other ranks.  The one it waited for in the recording, the binding edge,
 * follows from the recorded times and the usual latencies.  Edges have a level: 0 certain or seen,
 * 1 likely, 2 possible; a replay at level g has those of levels up to g.  Level 1 is the
 * prediction.  Two more passes resolve everything that the trace leaves open for the smallest and
 * the largest result, and one assumes that concurrent kernels slow each other more than is likely,
 * but less than is possible; the least and the most of all passes are the interval of the
 * prediction.
 *
 * Without a change every instant has its recorded time, to the nanosecond, at each level. */
#ifndef TM_REPLAY_REPLAY_H
#define TM_REPLAY_REPLAY_H

#include "replay/rows.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TM_REPLAY_LEVELS = 3, TM_REPLAY_LIKELY = 1, TM_REPLAY_FEW = 3 };

/* A scenario is replayed so many times: at each level, then at the likely one with everything open
 * decided for the least and for the most, and with kernels that slow each other more. */
enum { TM_REPLAY_PASSES = TM_REPLAY_LEVELS + 3 };

/* A factor is a number of millionths. */
#define TM_REPLAY_UNIT UINT64_C(1000000)

/* A call that waited longer than anything explains. */
struct tm_replay_wait {
	uint64_t start, ns;
	uint32_t name;
};

/* What there is to say about a graph. */
struct tm_replay_counts {
	uint64_t kernels, ops, calls;
	uint64_t uncalled_kernels, uncalled; /* without the call that launched them */
	uint64_t dropped;                    /* edges against the order of time */
	uint64_t overlaps; /* operations that overlap the one before in their lane */
	uint64_t instants, edges;
	uint64_t assumed;           /* ranks without an operation that ever waited in its lane */
	uint64_t awaits;            /* calls of hipStreamWaitEvent */
	uint64_t pause, pause_rank; /* longest gap of a thread, and whose */
	uint64_t waits;             /* waits that nothing explains; the first of them: */
	struct tm_replay_wait wait[TM_REPLAY_FEW];
	uint64_t collectives, coupled, comm_ops, coupled_ops;
	bool lacking;                  /* some of a communicator have more of them than others */
	uint64_t pairs, coupled_pairs; /* of a send and a receive, likewise */
	uint64_t unmatched;  /* sends and receives that are not in a pair that is coupled */
	uint64_t comm_ranks; /* ranks with operations of class comm */
	uint64_t slow;       /* collectives of slow communicators */
};

/* A matched collective. */
struct tm_replay_group {
	uint32_t members;                /* operations */
	uint32_t from;                   /* in tm_replay.member */
	uint64_t arrival;                /* the last start */
	bool pair;                       /* a send and a receive */
	const struct tm_comm_call *call; /* of one of them; NULL = not known */
	uint64_t factor;                 /* in a scenario with .even */
};

struct tm_replay_member {
	uint32_t rank, op;
};

struct tm_replay_rank;
struct weave;

/* The graph of all ranks. */
struct tm_replay {
	struct tm_replay_rows *rows; /* borrowed: names, tracks, threads */
	struct tm_replay_rank **rank;
	size_t nrank;
	const struct tm_replay
	        *names;     /* private: whose `order` and `does` these are; NULL = its own */
	uint32_t *order;    /* of names: as texts */
	uint16_t *class_of; /* of names of kernels; number of the class + 1, 0 = not a kernel */
	uint8_t *does;      /* of names: 0 = of no call that waits in one of the usual ways */
	struct tm_replay_group *group;
	struct tm_replay_member *member;
	size_t ngroup, group_cap, nmember, member_cap;
	uint32_t *place; /* of members: where their operations begin, in the instants of the rank */
	uint32_t *lane_at; /* private, until the graph is made: of all tracks, each of one rank, its
	                    * lane there */
	uint64_t lo, hi;   /* first and last instant */
	bool likely;       /* edges that do not exist at the likely level are left out */
	bool totals;       /* private: nothing else is asked for */
	bool line;         /* private: there is no graph, */
	struct weave *weave; /* or rank[0] has none (plain/plain.h) */
	unsigned jobs_each;  /* private: threads for each of the ranks */
	struct tm_replay_counts counts;
};

/* What it is for: the less, the less time and memory it takes. */
enum tm_replay_for {
	TM_REPLAY_ANY_JOB,
	TM_REPLAY_LIKELY_JOBS, /* those at the likely level alone */
	TM_REPLAY_TOTALS /* of these, those without marks and paths, nor is it asked for ranks */
};

/* Build it with up to `jobs` threads from *rows, which give up their operations and calls and
 * outlive it.  NULL when out of memory.  Ranks are ascending, those without any row left out. */
struct tm_replay *tm_replay_new(struct tm_replay_rows *rows, enum tm_replay_for what,
                                unsigned jobs);
void tm_replay_free(struct tm_replay *r);

/* The graph of each rank that has operations as if it was all there is, up to `jobs` at a time:
 * given to use(), with the place of the rank in rows->rank, and gone when that returns, as are its
 * rows.  It is for jobs at the likely level alone.  False when out of memory, or as soon as use()
 * says so. */
bool tm_replay_apart(struct tm_replay_rows *rows, unsigned jobs,
                     bool (*use)(void *arg, uint32_t which, const struct tm_replay *r), void *arg);

/* The rank of r->rank[i]. */
uint64_t tm_replay_rank_of(const struct tm_replay *r, size_t i);

/* From the first instant of all ranks to the last of r->rank[i]. */
uint64_t tm_replay_recorded(const struct tm_replay *r, size_t i);

/* A call that takes less time loads no kernel. */
enum { TM_REPLAY_LOADS_NS = 50000 };

/* A copy that need not block waits for nothing in a call that takes less time. */
enum { TM_REPLAY_BLOCKS_NS = 20000 };

/* Set name[], zeroed, of copies that need not block, and of which a call waited for its end. */
void tm_replay_blocking(const struct tm_replay *r, uint8_t *name);

/* Do launches load kernels first? */
bool tm_replay_has_loads(const struct tm_replay *r);

/* Do queues of a GPU work one after the other, or one of them never beside others? */
bool tm_replay_has_turns(const struct tm_replay *r);

/* Set called[name], zeroed, of each name that a call has. */
void tm_replay_called(const struct tm_replay *r, uint8_t *called);

/* Add the durations of kernels to ns[name], of each name there is. */
void tm_replay_kernels(const struct tm_replay *r, tm_u128 *ns);

/* ---- scenarios ---- */

/* Kernels that take another time: those of a class, of one name, or of a set of names. */
struct tm_replay_scale {
	uint16_t class_of;  /* as tm_replay.class_of; 0 = any */
	uint32_t name;      /* or TM_REPLAY_NONE */
	const uint8_t *set; /* of each name 1 = in it, or NULL; borrowed */
	uint64_t factor;
};

/* What is changed; factors that are TM_REPLAY_UNIT change nothing. */
struct tm_replay_scenario {
	const struct tm_replay_scale *scale; /* nscale of them; borrowed */
	size_t nscale;
	uint64_t launch, graph, copy, comm, host; /* graph: calls that launch one */
	const uint8_t *nosync; /* of each name 1 = such calls do not wait any more, or NULL */
	bool polling;          /* nor do the pauses between two of them take time */
	bool balance;
	bool no_slower; /* no rank is slower than half of those that run the same kernels */
	bool even;      /* no communicator is much slower than others like it (slow_comm.h) */
	bool prompt;    /* collectives begin when half of their operations are there; the total is
	                 * that of those that are not late, which gain nothing (prompt.h) */
	bool overlap;   /* kernels of queues that work one after the other do not wait for another
	                 * queue */
	bool loaded;    /* no launch loads its kernel first */
	bool blind;     /* every latency is the usual one */
};

/* Nothing is changed. */
struct tm_replay_scenario tm_replay_same(void);

/* A time of one rank that is asked for. */
struct tm_replay_mark {
	uint32_t rank;
	uint64_t at;
	bool gpu, end;     /* it is the start of an operation; or the end of one */
	uint64_t pid, tid; /* else of this thread, or where that has no calls, of the one that
	                    * launches most */
	bool has_pid, has_tid;
};

/* What the GPUs of a rank did: from the first start of an operation to the last end; and when what
 * happens once is over, as a mark: the first kernel that computes or communicates begins, or if it
 * loads first, its launch, once all that ran before has ended.  Where there is no such kernel, or
 * -w sets the start, that is `lo`. */
struct tm_replay_gpu {
	uint64_t lo, hi;
	struct tm_replay_mark begin;
};

/* That of r->rank[i].  False if it has no operations, or there is no graph. */
bool tm_replay_gpu(const struct tm_replay *r, size_t i, struct tm_replay_gpu *gpu);

/* What came out; of each pass. */
struct tm_replay_result {
	uint64_t total[TM_REPLAY_PASSES]; /* from the first instant to the last */
	uint64_t *last[TM_REPLAY_PASSES]; /* of each rank: its last instant, from the first */
	uint64_t *mark[TM_REPLAY_PASSES]; /* of each mark */
	/* With scenario.prompt: what those save that communicate with each other, at most. */
	uint64_t saved[TM_REPLAY_PASSES];
	/* Edges of levels 1 and 2 on its critical path; job.paths. */
	uint64_t uncertain[TM_REPLAY_LEVELS];
	bool identical[TM_REPLAY_PASSES]; /* every instant is where it was */
};

/* What is run. */
struct tm_replay_job {
	const struct tm_replay *replay;
	const struct tm_replay_scenario *scenario; /* n of them */
	struct tm_replay_result *result; /* zeroed; the caller's to tm_replay_result_fini */
	size_t n;
	const struct tm_replay_mark *mark; /* nmark of them */
	size_t nmark;
	unsigned jobs;
	bool likely; /* at the likely level alone: all passes are that one; of a graph that is for
	              * such jobs they have to be */
	bool paths;  /* walk the critical path of each, which takes longer than a pass */
	/* The same of the first `ranked` scenarios but for `most` of them, the shortest, of equals
	 * the first; 0 = of none. */
	size_t ranked, most;
};

/* Replay all of them, at every level, with up to `jobs` threads.  False when out of memory. */
bool tm_replay_run(const struct tm_replay_job *j);
void tm_replay_result_fini(struct tm_replay_result *r);

/* ---- the critical path ---- */

enum tm_replay_piece_kind {
	TM_REPLAY_GPU,
	TM_REPLAY_TRANSFER,
	TM_REPLAY_COPY,
	TM_REPLAY_HOST_CALL,
	TM_REPLAY_HOST_GAP,
	TM_REPLAY_LAUNCH,
	TM_REPLAY_LANE_GAP,
	TM_REPLAY_EVENT,
	TM_REPLAY_RETURN,
	TM_REPLAY_ARRIVE,
	TM_REPLAY_UNEXPLAINED,
	TM_REPLAY_BEFORE,
	TM_REPLAY_KINDS
};

/* A stretch of the window and what determined it. */
struct tm_replay_piece {
	uint64_t start, end;
	enum tm_replay_piece_kind kind;
	uint32_t rank; /* in tm_replay.rank */
	bool host;     /* `of` is a thread of that rank, else a lane */
	uint32_t of;
	uint32_t name; /* in rows->names, or TM_REPLAY_NONE */
	uint16_t class_of;
};

struct tm_replay_path {
	struct tm_replay_piece *v; /* n of them, by time; they are adjacent and fill the window */
	size_t n, cap;
};

/* The path of the recording at a level.  False when out of memory. */
bool tm_replay_path(const struct tm_replay *r, int level, struct tm_replay_path *out);

/* "gpu", "host_call" ...; never NULL. */
const char *tm_replay_piece_text(enum tm_replay_piece_kind k);

/* The resource of a piece: "agent 4/stream 1", "thread 100/101".  False when out of memory. */
bool tm_replay_piece_resource(const struct tm_replay *r, const struct tm_replay_piece *p,
                              struct tm_buf *out);

/* Process and thread of a piece of the host. */
struct tm_replay_thread tm_replay_piece_thread(const struct tm_replay *r,
                                               const struct tm_replay_piece *p);

#endif
