/* SPDX-License-Identifier: MIT
 * What the GPUs and the host did: the intervals for all questions about time (timeline, gaps, sync,
 * launch, copies, regions).
 *
 * One accumulator for all of them.  A metric says with TM_WORK_* bits what it needs; the rest is
 * not kept.  16 bytes per interval (agg/intervals.h).
 *
 * Agents of a copy: those of tm_copy_agents that pass --agent.  A copy from host to host is not
 * work of a GPU: at most its size is kept.  Rows of HSA calls are kept separately: they are nested
 * in HIP calls and count only if a rank has no HIP row.
 *
 * Copies that the runtime does with kernels (blits) are dispatches, not copies; they are counted,
 * for users who look for them among the copies. */
#ifndef TM_WORK_INTERVALS_H
#define TM_WORK_INTERVALS_H

#include "agg/agg.h"
#include "base/base.h"
#include "question/question.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TM_WORK_OP_NAMES = 1,   /* names of GPU operations */
	TM_WORK_CORR = 2,       /* their correlation ids, as tags */
	TM_WORK_CALLS = 4,      /* API calls but for TM_WORK_WAITS, tagged with correlation ids */
	TM_WORK_CALL_NAMES = 8, /* and their names */
	TM_WORK_WAITS = 16,     /* calls in which the host blocks on the GPU, named */
	TM_WORK_REGIONS = 32,   /* markers, named */
	TM_WORK_QUEUES = 64,    /* tracks apart by queue */
	TM_WORK_STREAMS = 128,  /* tracks apart by stream */
	TM_WORK_PIDS =
	        256, /* tracks apart by process, for correlation ids are only unique in one */
	TM_WORK_ALL_CALLS =
	        512,        /* calls outside the window too: what they launched may be inside */
	TM_WORK_ALL = 1024, /* what lies outside the window, too */
	TM_WORK_THREADS =
	        16384,        /* tracks apart by the host thread that the operation itself names */
	TM_WORK_LOOSE = 8192, /* tm_work_settle leaves operations and calls as they come */
	TM_WORK_NODES = 4096, /* tracks apart by node of a HIP graph */
	TM_WORK_RANKS = 2048, /* one track a rank, each operation once: agents are not told apart */
	TM_WORK_EVERY_AGENT = 65536, /* tracks of ranks that did nothing in a window with an open
	                              * edge, too, which they have no window in: {0, 0} */
	TM_WORK_BYTES =
	        32768, /* sizes of copies, as tags (tm_work_bytes); not with TM_WORK_CORR but in
	                        * a lender, which has them in `sized` */
};

/* K, C, V, S and M of docs/metrics.md.  Of operations that start together the first of these comes
 * first. */
enum tm_work_kind {
	TM_WORK_KERNEL, /* kernels of any other class */
	TM_WORK_COMM,   /* kernels of class comm */
	TM_WORK_MOVE,   /* of class memory: copies and fills that the runtime does with kernels */
	TM_WORK_SPIN,   /* of class sync: kernels that only wait */
	TM_WORK_COPY,   /* copies and fills */
	TM_WORK_KINDS,
	TM_WORK_DISPATCHES = TM_WORK_COPY,        /* the kinds before it are kernels */
	TM_WORK_EVERY = (1 << TM_WORK_KINDS) - 1, /* a bit each */
};

/* How the window of a track is used; all in ns.  An instant belongs to the first that holds it:
 *     compute       a kernel that neither communicates nor moves data nor waits
 *     exposed_comm  a communication kernel
 *     move          a kernel of the runtime that copies or fills
 *     exposed_copy  a copy or fill
 *     wait          a kernel that only waits
 *     idle          nothing
 *     compute + exposed_comm + move + exposed_copy + wait + idle = window        exact */
struct tm_work_use {
	uint64_t window, busy, compute, exposed_comm, move, exposed_copy, wait, idle, comm, copy;
};

/* Operations that start inside the window, and those whose call is known (work/calls.h). */
struct tm_calls_found {
	uint64_t ops, calls;
};

/* A stretch of time in which something ran, from tm_pieces_next: list and index of the interval
 * that begins it, and of the one that ends last. */
struct tm_work_piece {
	struct tm_extent at;
	unsigned opener_list, closer_list;
	size_t opener, closer;
};

/* Results for a lent track, computed once for all stores that borrow it; several threads may ask.
 */
struct tm_work_found {
	struct tm_once use_once, calls_once, piece_once, period_once;
	struct tm_work_use use;
	struct tm_calls_found calls;
	struct tm_work_piece *piece; /* npiece of tm_work_pieces_same for `same` tracks, or NULL */
	size_t npiece, same;
	struct tm_period period; /* of the kernel names in order of start ... */
	enum tm_status repeats;  /* ... and the status of tm_period_find */
};

/* What ran on one agent (and queue or stream) of a rank; with -w possibly nothing. */
struct tm_work_track {
	uint64_t rank, agent, lane; /* lane: with TM_WORK_QUEUES, _STREAMS, _NODES or _THREADS */
	bool has_agent, has_lane;   /* the producer said */
	bool has_pid;
	uint64_t pid; /* with TM_WORK_PIDS; one that is not known: as tm_whose_tell says */
	struct tm_intervals op[TM_WORK_KINDS]; /* overlap the window, if there is one */
	struct tm_intervals sized; /* of a lender with TM_WORK_CORR: op[TM_WORK_COPY] again, with
	                            * the tags of TM_WORK_BYTES */
	uint64_t started[TM_WORK_KINDS]; /* operations that start inside the window */
	struct tm_extent asked;          /* after tm_work_settle: what -w says, or all of time */
	struct tm_extent
	        window; /* after tm_work_settle: W, [first start, last end) or what -w says */
	struct tm_work_track *of;    /* private: whose lists were lent, or NULL */
	struct tm_work_found *found; /* private: of a lender */
};

/* HIP and the like (CUDA under its own names), or HSA. */
enum tm_work_api { TM_WORK_HIP, TM_WORK_HSA, TM_WORK_APIS };

/* These, and all other APIs (RCCL, rocDecode, rocJPEG), whose calls are not kept. */
enum { TM_WORK_OTHERS = TM_WORK_APIS, TM_WORK_CALLERS };

/* What one host thread did. */
struct tm_work_thread {
	uint64_t rank, pid, tid; /* a process that is not known: as tm_whose_tell says */
	bool has_pid, has_tid;
	struct tm_intervals
	        call[TM_WORK_APIS]; /* TM_WORK_CALLS; not in order; but for those in `wait` */
	struct tm_intervals wait[TM_WORK_APIS]; /* TM_WORK_WAITS, tagged as calls are */
	struct tm_intervals region;             /* TM_WORK_REGIONS */
	/* inside the window or not: */
	struct tm_extent called[TM_WORK_CALLERS]; /* first start, last end of its calls of each;
	                                           * lo > hi = none */
	uint64_t calls[TM_WORK_APIS];             /* how many */
	enum tm_work_api api; /* after tm_work_settle: tm_work_api_of its rank */
};

/* Copies from host to host of a rank, unsorted and unnamed; with TM_WORK_BYTES, in the tags. */
struct tm_work_host {
	uint64_t rank;
	struct tm_intervals copy;
};

/* What a name was found to be, once. */
struct tm_work_name;

/* work/calls.c */
struct tm_calls;

struct tm_work {
	const struct tm_metric_opts *o;
	unsigned keep; /* WORK_* */
	struct tm_names names;
	struct tm_work_track
	        *track; /* after tm_work_settle: by rank, agent, lane, pid; absent first */
	size_t ntrack, track_cap;
	struct tm_work_thread *thread; /* after tm_work_settle: by rank, pid, tid; absent first */
	size_t nthread, thread_cap;
	struct tm_work_host *host; /* ranks with such copies, in no particular order */
	size_t nhost, host_cap;
	uint32_t *order; /* after tm_work_settle: order[name] = its place among all texts */
	uint64_t seen[TM_DOMAIN_N]; /* rows of each domain, inside the window or not */
	uint64_t untimed;           /* rows without start and end, left out */
	uint64_t stats;             /* rows of statistics files: no intervals, left out */
	uint64_t counters;          /* rows of counter collections, left out */
	uint64_t readings;          /* of sensors and other tracks, which are of no dispatch */
	uint64_t host_copies;       /* copies from host to host */
	uint64_t uncorrelated;      /* operations without correlation id, with TM_WORK_CORR */
	uint64_t *busy; /* after tm_work_settle: nbusy ranks with GPU work, also where none of it is
	                 * inside the window; ascending */
	size_t nbusy;
	uint64_t blits;          /* dispatches of class memory that start inside the window */
	tm_u128 blit_ns;         /* and how long they took in all */
	struct tm_names unknown; /* with --strict: kernels of unknown class that start inside */
	/* once asked for, of each name, for all ranks one after the other: */
	uint8_t *call_kind; /* calls.c */
	uint32_t *label_of; /* tm_labels_move */

	struct tm_work *lender;      /* pool.h: who takes the rows, or NULL */
	bool same_names;             /* private: names have the numbers that they have there */
	struct tm_calls *kept;       /* private: of a lender, after kept_once, for tm_calls_init;
	                              * NULL when out of memory */
	struct tm_work_track *plain; /* private: of a lender, after plain_once, its tracks for who
	                              * wants neither TM_WORK_CORR nor TM_WORK_PIDS */
	size_t nplain;
	/* private: of a lender, results for each track and each plain one; NULL when out of memory
	 */
	struct tm_work_found *found, *plain_found;
	struct tm_once settled_once, kept_once, plain_once;

	struct tm_whose whose;
	bool told; /* private: of all tracks and threads */

	/* the piece being read */
	uint64_t rank;
	const struct tm_only *only;
	struct tm_extent window;
	struct tm_work_name *known;
	size_t nknown, known_cap;
	struct tm_groups tracks, threads, hosts; /* their keys, until tm_work_settle */
	struct tm_buf text;
};

/* The tag of a copy with TM_WORK_BYTES: bytes + TM_WORK_SIZED; sizes that do not fit are unknown.
 * A copy between two agents is on both, and counts on one. */
enum { TM_WORK_COUNTED, TM_WORK_UNSIZED, TM_WORK_SIZED };

/* Set the origin of each rank's times in text to the earliest window of its agents; with -w, times
 * stay as on the clock.  After tm_work_settle.  False when out of memory. */
bool tm_work_origins(const struct tm_work *w, struct tm_table *t);

/* Functions of struct tm_event_sink, except init, whose arguments say what to keep. */
bool tm_work_init(struct tm_work *w, const struct tm_metric_opts *o, unsigned keep);
bool tm_work_piece(void *acc, const struct tm_piece *p);
bool tm_work_take(void *acc, const struct tm_batch *b);
bool tm_work_merge(void *into, void *from);
void tm_work_fini(void *acc);

/* The columns these need. */
tm_ev_set tm_work_want(unsigned keep);

/* Sort everything but calls and compute the windows: the first step of a metric's fill.  False when
 * out of memory. */
bool tm_work_settle(struct tm_work *w);

/* Set `asked` and `window` of a track to the window of -w; open edges of `window` become the first
 * start and last end of all its operations. */
void tm_work_find_window(const struct tm_work *w, struct tm_work_track *t);

/* Add tracks of ranks without events (question/state.h), with names of *w, to a settled *w, which
 * takes their lists.  Recomputes w->order.  False when out of memory. */
bool tm_work_add_tracks(struct tm_work *w, struct tm_work_track *v, size_t n);

/* Recompute w->order after names were added.  False when out of memory. */
bool tm_work_order(struct tm_work *w);

/* The purpose of a call in which the host blocks on the GPU. */
enum tm_wait_kind {
	TM_WAIT_SYNC,
	TM_WAIT_COPY,
	TM_WAIT_FILL,
	TM_WAIT_FREE,
	TM_WAIT_HOST_FREE,
	TM_WAIT_KINDS
};

/* "copy" and so on, ending with NULL. */
extern const char *const tm_wait_words[];

/* A row of schemas/sync_calls.def. */
struct tm_wait {
	enum tm_work_api api; /* whose call */
	enum tm_wait_kind kind;
	const char *name; /* a '*' at its end stands for whatever follows */
};

/* The row for a call of that name; NULL = the host does not block in it. */
const struct tm_wait *tm_wait_of(const char *name);

/* First start, last end of the calls of a thread of any API, inside the window or not; lo > hi =
 * none. */
struct tm_extent tm_work_thread_host(const struct tm_work_thread *t);

/* The tracks, the threads of a rank, after tm_work_settle: [from, to). */
struct tm_work_range {
	size_t from, to;
};
struct tm_work_range tm_work_tracks_of(const struct tm_work *w, uint64_t rank);
struct tm_work_range tm_work_threads_of(const struct tm_work *w, uint64_t rank);

/* Make call_kind and label_of, if they are not there; false when out of memory. */
bool tm_work_know_calls(struct tm_work *w);

/* The kind of kernels of a class: compute, unless they communicate, move data or wait. */
enum tm_work_kind tm_work_kind_of(const char *class_name);

/* The API whose calls count for this rank, after tm_work_settle: TM_WORK_HSA only if it has no HIP
 * rows. */
enum tm_work_api tm_work_api_of(const struct tm_work *w, uint64_t rank);

/* The union of some kinds (bits 1 << enum tm_work_kind) over one track, within its window. */
struct tm_pieces tm_work_pieces(const struct tm_work_track *t, unsigned kinds);

/* Are they of the same rank, agent and lane? */
bool tm_work_same_lane(const struct tm_work_track *a, const struct tm_work_track *b);

/* How many tracks from w->track[i] on are the same but for their process: TM_WORK_SAME at most. */
enum { TM_WORK_SAME = TM_PIECE_LISTS / TM_WORK_KINDS };
size_t tm_work_same(const struct tm_work *w, size_t i);

/* Put the operations of that kind of n tracks in one list, *to, which is empty, in the order of a
 * store without correlation ids.  Tags with correlation ids are lost, those with sizes stay.  The
 * tracks must outlive it.  False when out of memory. */
bool tm_work_join_ops(const struct tm_work *of, struct tm_intervals *to,
                      const struct tm_work_track *t, size_t n, int kind);

/* The union of all kinds over n such tracks, within their common window; list kind * n + k is
 * t[k].op[kind].  Operations that start together are ordered by kind, end, correlation id,
 * process. */
struct tm_pieces tm_work_pieces_same(const struct tm_work_track *t, size_t n);

/* All *n pieces that tm_pieces_next would give for that, if they are few and the store that lends
 * the tracks keeps them; NULL: use tm_pieces_next. */
const struct tm_work_piece *tm_work_pieces_kept(const struct tm_work_track *t, size_t same,
                                                size_t *n);

/* private to this room: the lender's results for this track; NULL when its lists are its own */
struct tm_work_found *tm_work_found_of(const struct tm_work_track *t);

static inline bool tm_work_starts_inside(const struct tm_work_track *t, uint64_t start)
{
	return start >= t->asked.lo && start < t->asked.hi;
}

/* When the first kernel that computes or communicates begins; UINT64_MAX = there is none, or -w
 * sets the start: that is not the start of the program.  What is before it happens once. */
uint64_t tm_work_first_kernel(const struct tm_work_track *t);

/* How the window of n <= TM_WORK_SAME tracks is used together. */
struct tm_work_use tm_work_use_of(const struct tm_work_track *t, size_t n);

/* The same for walks, one for each kind, which are used up; the window is that of the first. */
struct tm_work_use tm_work_use_pieces(struct tm_pieces p[TM_WORK_KINDS]);

/* The same from by[m], the time covered by exactly those kinds whose bit is set in m; their sum is
 * `window`. */
struct tm_work_use tm_work_use_by(const uint64_t by[TM_WORK_EVERY + 1], uint64_t window);

/* The union of each kind over n tracks, within the window of them all. */
void tm_work_kinds_of(const struct tm_work_track *t, size_t n, struct tm_pieces p[TM_WORK_KINDS]);

/* Add the stored values of the numbers that the functions below report to a settled *w, or store
 * them (question/state.h).  `s` may be NULL.  False when out of memory. */
bool tm_work_state(struct tm_work *w, struct tm_state *s);

/* Report skipped rows, and with --strict unknown classes, in *rep. */
void tm_work_tell(const struct tm_work *w, struct tm_report *rep);

/* Report in *rep why there is no answer (what there is instead, what to trace). */
void tm_work_explain_nothing(const struct tm_work *w, const char *wanted, struct tm_report *rep);

/* An agent as text for a table: absent when the producer did not say. */
struct tm_cell tm_work_agent_cell(struct tm_table *t, bool has, uint64_t agent);

/* part / whole in percent; absent when whole is 0. */
static inline struct tm_cell tm_work_pct(tm_u128 part, tm_u128 whole)
{
	return tm_cell_pct(part, whole);
}

/* A sum; absent, with an error in *rep, when it does not fit 64 bits. */
struct tm_cell tm_work_sum_cell(tm_u128 sum, const char *what, struct tm_report *rep);

#endif
