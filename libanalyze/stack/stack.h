/* SPDX-License-Identifier: MIT
 * Attribution of work: the ranges of the host that launched each operation of the GPU.
 *
 * A frame is a range of a host thread: an operator of the framework (cpu_op of Kineto), an
 * annotation (roctx, user_annotation, regions of rocprof-sys), or a function of Python, modules
 * among them.  A GPU operation belongs to the frames that were open when it was launched:
 *
 *   1. its External id is that of a frame: that frame, and those around it;
 *   2. else the call with its correlation id: the frames that were open on the thread of the call
 *      when that began.  All operations of a graph have the id of the one call that launched it;
 *   3. else, if requested, the frames that are open when the operation itself starts, on the
 *      thread that it names or on any: a guess, for the GPU runs behind the host;
 *   4. else unknown: the reason is reported, and the time is not lost.
 *
 * If there are no operators and annotations, the innermost function of Python is used.  Frames of
 * unknown thread contain what any thread launches; calls of unknown thread may be inside frames of
 * any thread.
 *
 * 16 bytes a frame, a call and an operation (agg/intervals.h); 8 more where it has an External id,
 * and 12 for the frame of that; for whole paths 20 for each operator with a sequence number.
 */
#ifndef TM_STACK_STACK_H
#define TM_STACK_STACK_H

#include "agg/agg.h"
#include "base/base.h"
#include "model/model.h"
#include "stack/fold.h"
#include "stack/inside.h"
#include "stack/launching.h"
#include "stack/pool.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_stack_kind {
	TM_STACK_OPERATOR,
	TM_STACK_ANNOTATION,
	TM_STACK_PYTHON,
};

enum { TM_STACK_KEY = 4, TM_STACK_TOLD_BITS = 13 };

/* What is kept. */
struct tm_stack_opts {
	/* The window of a rank: an operation that starts inside counts with its whole duration.
	 * Frames and calls outside are also kept, since what they launched may be inside. */
	void (*window)(const void *arg, uint64_t rank, struct tm_extent *w);
	const void *arg;
	bool dispatches, copies; /* which operations of the GPU */
	bool inputs;             /* operators apart by what they take, */
	bool values;             /* ... and by the values of what is no tensor */
	bool pairs;              /* which operators are backward, and of which: for whole paths */
	bool names, bytes;       /* of each operation: its name, how many bytes it moved */
	/* With `names`: a text that replaces the name of an operation.  named_keys() writes what it
	 * depends on for each row of a batch, first the number of the name in the piece; anything
	 * for rows without a name.  named() appends the text, once for each key of a piece.  False
	 * when out of memory. */
	void (*named_keys)(const struct tm_batch *b, uint64_t (*key)[TM_STACK_KEY]);
	bool (*named)(struct tm_buf *out, const struct tm_names *names,
	              const uint64_t key[TM_STACK_KEY]);
	tm_ev_set named_want; /* columns of the key */
	bool annotations; /* only these hold operations, and those without length are kept too */
	bool by_time;     /* rule 3 */
	bool overlapping; /* operations too that only overlap the window */
	bool one_by_one;  /* operations are not kept, but asked for with tm_stack_find_op */
	bool sums;        /* tm_stack_rank.sum */
	bool in_order;    /* sort operations by start in ranks that have frames, except tracks with
	                   * External ids; not with `bytes` */
};

/* The label of a frame; its index is the name of the frame's interval. */
struct tm_stack_label {
	enum tm_stack_kind kind;
	uint32_t name, inputs, values; /* in stack.names; the last two TM_NAME_NONE = not asked for,
	                                * not known */
};

/* Frames of a thread; functions of Python apart, for there are many. */
enum tm_stack_list { TM_STACK_FRAMES, TM_STACK_FUNCTIONS, TM_STACK_LISTS };

/* Calls of HIP count if the rank has any, else those of HSA, which are nested in them. */
enum tm_stack_api { TM_STACK_HIP, TM_STACK_HSA, TM_STACK_APIS };

struct tm_stack_thread {
	uint64_t rank, pid, tid; /* a process that is not known: as tm_whose_tell says */
	bool has_pid, has_tid;
	struct tm_intervals frame[TM_STACK_LISTS]; /* tagged with External ids, 0 = none, until
	                                        stack_rank_init */
	/* Operators with a sequence number, as tag; name: the forward thread, 0 = it is this. */
	struct tm_intervals pair;
	struct tm_intervals
	        call[TM_STACK_APIS];   /* tagged with correlation ids; name 1 = of a graph */
	uint64_t calls[TM_STACK_APIS]; /* with or without such an id */
};

/* GPU operations of one process, kernels and copies apart. */
struct tm_stack_track {
	uint64_t rank, pid, tid; /* pid: as of a thread; tid: with opts.by_time, the host thread
	                          * that they name */
	bool has_pid, has_tid, has_external, copies;
	/* Of a stack with `lanes`: */
	uint64_t agent, queue, stream;
	bool has_agent, has_queue, has_stream;
	struct tm_intervals op;    /* tagged with correlation ids, 0 = none; opts.names: named by
	                                 their places in stack.names */
	struct tm_words external;  /* has_external: of each of them */
	struct tm_intervals bytes; /* opts.bytes: of each of them, as a start; tag 0 = not known */
};

struct tm_stack {
	const struct tm_stack_opts *o;
	struct tm_names names;
	struct tm_groups labels; /* kind << 32 | name, inputs, values */
	struct tm_stack_label *label;
	size_t label_cap;
	uint32_t *order; /* after tm_stack_settle: of labels, the same for any order of input */
	struct tm_stack_thread *thread; /* after tm_stack_settle: by rank, pid, tid; absent first */
	size_t nthread, thread_cap;
	struct tm_stack_track *track; /* after tm_stack_settle: by rank, pid; absent first */
	size_t ntrack, track_cap;
	uint64_t untimed;  /* rows without start and end, left out */
	uint64_t stats;    /* rows of statistics files: no events, left out */
	uint64_t counters; /* rows of counter collections, left out */

	/* Which rows it takes, by its options, or by those of all that share it: */
	bool marks;     /* annotations without length */
	bool functions; /* functions of Python */
	bool tids;      /* tracks apart by the host thread that operations name, */
	bool lanes;     /* and by agent, queue and stream */
	uint32_t
	        *kernel; /* with `lanes` and opts.named: of what operations are told by, in `names`,
	                   * the name that they have */
	size_t kernel_cap;

	struct tm_stack *lender; /* takes its rows instead (stack/pool.h); NULL = it takes them */
	bool lent;               /* settled: all above is the lender's */
	struct tm_whose whose;

	/* For a lender: true, and each rank looked up so far, nkept of them. */
	bool keeps, settled;
	struct tm_stack_rank *kept;
	size_t nkept, kept_cap;
	uint32_t *sum_at; /* private to bare.c: of each name, its sums of the rank being made */

	/* the piece being read */
	uint64_t rank;
	struct tm_extent window;
	struct tm_stack_seen *seen; /* of each of its names */
	struct tm_groups told;      /* keys of opts.named_keys, and what they are in `names` */
	uint32_t *told_name;
	size_t told_cap;
	uint32_t told_last[1 << TM_STACK_TOLD_BITS]; /* some of their numbers, + 1 */
	uint64_t (*key)[TM_STACK_KEY];               /* those of the batch at hand, ... */
	bool keyed;                                  /* ... once they are there */
	size_t nseen, seen_cap;
	struct tm_buf text;
	struct tm_groups threads, tracks; /* their keys, until tm_stack_settle */
};

/* Functions of struct tm_event_sink, except init, whose argument says what to keep. */
bool tm_stack_init(struct tm_stack *s, const struct tm_stack_opts *o);
bool tm_stack_piece(void *acc, const struct tm_piece *p);
bool tm_stack_take(void *acc, const struct tm_batch *b);
bool tm_stack_merge(void *into, void *from);
void tm_stack_fini(void *acc);

/* The columns these need. */
tm_ev_set tm_stack_want(const struct tm_stack_opts *o);

/* Sort everything, after the last row.  False when out of memory. */
bool tm_stack_settle(struct tm_stack *s);

/* ---- one rank (place.c) ---- */

/* Most frames around an operation that are examined: only a crafted trace nests deeper. */
enum { TM_STACK_DEPTH = 256 };

/* How an operation was placed, or why it was not. */
enum tm_stack_how {
	TM_STACK_BY_EXTERNAL,
	TM_STACK_BY_CALL,
	TM_STACK_BY_FUNCTION, /* by its call, but only functions of Python were open */
	TM_STACK_BY_TIME,     /* no call is known: by when it starts itself */
	TM_STACK_PLACED,      /* from here on it was not: */
	TM_STACK_NO_LAUNCH = TM_STACK_PLACED, /* no launch in the trace */
	TM_STACK_OUTSIDE,                     /* launched outside any operator */
	TM_STACK_GRAPH_OUTSIDE,               /* with a graph, launched outside any operator */
	TM_STACK_HOWS,
};

/* A frame: its thread in stack.thread, and which frame of it; with TM_STACK_BY_FUNCTION, which
 * function. */
struct tm_stack_frame {
	uint32_t thread, frame, label;
};

/* The frames around an operation, innermost first; those of no known thread after those of the
 * thread that launched it. */
struct tm_stack_place {
	enum tm_stack_how how;
	bool graph;    /* launched with a graph */
	bool unshared; /* it depends on frames of any thread: tm_stack_rank_share, and ask again */
	size_t thread; /* in stack.thread, if n; SIZE_MAX = any */
	struct tm_stack_frame open[TM_STACK_DEPTH];
	size_t n;
	uint64_t at;    /* when it was launched, as far as known */
	uint32_t frame; /* of the frames of the thread the last that began before, or itself */
	bool deep;      /* there were more at some time; never reset */
	size_t near;    /* where the last call was looked for: the next is near; never reset */
};

/* The sum of operations with the same name (0 without opts.names) and the same `how`. */
struct tm_stack_sum {
	uint32_t name;
	enum tm_stack_how how;
	uint64_t n;
	tm_u128 ns;
};

struct tm_stack_external;
struct tm_stack_shared;

/* The lookup structures for the operations of a rank. */
struct tm_stack_rank {
	struct tm_stack *s;
	bool lent; /* but for `any`, `by_tid` and what `own_loose` says it is the lender's */
	bool own_loose;
	size_t thread_from, thread_to, track_from, track_to; /* its part of s */
	struct tm_intervals calls; /* by correlation id; name = thread << 1 | graph */
	/* No frame is ever open, and calls are of one process and launch no graphs: all that is
	 * known of an operation is whether its call is among `launched`. */
	bool bare;
	struct tm_id_set launched;
	struct tm_stack_sum *sum; /* nsum of them: all its operations, with opts.sums */
	size_t nsum;
	struct tm_processes_seen callers, all; /* processes with calls, and with anything */
	struct tm_stack_external *external;    /* nexternal of them, by id */
	size_t nexternal;
	uint64_t *frames; /* with it: how many are in the threads before each */
	uint32_t
	        *forward; /* nforward of them, by sequence number, with opts.pairs: places among the
	                      pairs of all its threads */
	size_t nforward;
	uint64_t *pairs;               /* with it, as `frames` */
	struct tm_stack_shared *loose; /* frames of no known thread; NULL = none */
	struct tm_stack_shared *any;   /* of any, once tm_stack_rank_share was asked for */
	uint32_t *by_tid;              /* the same: ntid threads of known id, by that */
	size_t ntid;
	struct tm_groups home; /* process, id of a forward thread, thread: how often it fits */
	uint64_t *fits;
};

/* Prepare to place the operations of the rank of thread s->thread[at_thread] or track
 * s->track[at_track], whichever is lower, and advance both to the next rank.  After
 * tm_stack_settle.  Its calls are moved out of the threads.  False when out of memory (call fini
 * all the same), or, with *done, when there are no more. */
bool tm_stack_rank_next(struct tm_stack_rank *r, struct tm_stack *s, size_t *at_thread,
                        size_t *at_track, bool *done);

/* The rank itself. */
uint64_t tm_stack_rank_of(const struct tm_stack_rank *r);

/* What is known of an operation; 0 = no such id.  Its process as tracks and threads have it. */
struct tm_stack_op {
	uint64_t pid, tid, external, corr, start;
	bool has_pid, has_tid;
};

/* Prepare for operations launched by an unknown thread.  False when out of memory. */
bool tm_stack_rank_share(struct tm_stack_rank *r);

/* Place an operation.  Several threads may call it at a time. */
void tm_stack_find_op(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                      struct tm_stack_place *out);

/* The frames around the start of an event of the host, on its thread if that is known.  Only after
 * tm_stack_rank_share; several threads may call it at a time. */
void tm_stack_find_start(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                         struct tm_stack_place *out);

/* Place operation i of a track of this rank, with preparations as needed.  False when out of
 * memory. */
bool tm_stack_find(struct tm_stack_rank *r, const struct tm_stack_track *t, size_t i,
                   struct tm_stack_place *out);

/* The thread of a rank: its number in stack.thread; SIZE_MAX = there is none. */
size_t tm_stack_thread_find(const struct tm_stack_rank *r, bool has_pid, uint64_t pid, bool has_tid,
                            uint64_t tid);

/* The frames open on a thread at that time, as if a call had begun there: `how` is
 * TM_STACK_BY_CALL, even if none was open. */
void tm_stack_at(const struct tm_stack_rank *r, size_t thread, uint64_t at,
                 struct tm_stack_place *out);

/* Every frame and function around a placed operation, outermost first.  A backward operator is
 * preceded by the annotations and functions around the forward one: the latest operator with its
 * sequence number, on the thread that the forward id denotes; if the number is on several threads,
 * that is the one with most of its numbers. */
struct tm_stack_path {
	uint32_t label[5 * TM_STACK_DEPTH];
	size_t n;
	bool backward; /* there was a forward one */
};
void tm_stack_path(const struct tm_stack_rank *r, const struct tm_stack_place *p,
                   struct tm_stack_path *out);

/* Set *out to the text of a label by which tables group: for an annotation, without its numbers
 * (stack/fold.h).  False when out of memory. */
bool tm_stack_label_text(const struct tm_stack *s, uint32_t label, struct tm_buf *out);

/* Is frame i of a list an annotation without length?  It contains nothing, and without
 * opts.annotations it does not count: a shared stack may have it anyway. */
static inline bool tm_stack_is_mark(const struct tm_stack *s, const struct tm_intervals *list,
                                    size_t i)
{
	return !tm_interval_dur(list, i) &&
	       s->label[tm_interval_name(list, i)].kind == TM_STACK_ANNOTATION;
}

/* Free it; {0} again. */
void tm_stack_rank_fini(struct tm_stack_rank *r);

/* The annotations that completely contain frame `i` of a thread, innermost first; returns how many.
 * They are the regions around it, even if two of them overlap without nesting.  *deep is set if
 * there may be more: only some 2 TM_STACK_DEPTH of the open frames are examined. */
uint32_t tm_stack_around(const struct tm_stack *s, size_t thread, uint32_t i,
                         uint32_t around[TM_STACK_DEPTH], bool *deep);

/* Report skipped rows in *rep. */
void tm_stack_tell(const struct tm_stack *s, struct tm_report *rep);

/* "launched outside any operator" and so on, for a how that is not placed.  Never NULL. */
const char *tm_stack_how_text(enum tm_stack_how how);

#endif
