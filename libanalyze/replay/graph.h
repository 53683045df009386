/* SPDX-License-Identifier: MIT
 * The graph of one rank: instants in recorded order, each with the instants it depends on. */
#ifndef REPLAY_GRAPH_H
#define REPLAY_GRAPH_H

#include "replay/replay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NONE TM_REPLAY_NONE

enum { LEVELS = TM_REPLAY_LEVELS, PASSES = TM_REPLAY_PASSES, LIKELY = 1 };

/* The latency of what was never seen to be late; what begins more than SEEN_NS later than it could
 * was held back by something else. */
enum { ASSUMED_NS = 1000, SEEN_NS = 3000 };

/* What an instant is; the stretch of time before it that its thread or operation spent. */
enum node_kind {
	NODE_GAP,   /* call `owner` begins; its thread was in no call before */
	NODE_INNER, /* a call begins inside call `owner` */
	NODE_BACK,  /* a call inside call `owner` went before: `owner` itself ends, or goes on */
	NODE_START, /* operation `owner` begins */
	NODE_END,   /* and ends */
};

/* Kinds of edges, in the order in which ties are decided. */
enum edge_kind {
	EDGE_SEG,    /* along the thread, as long as it took */
	EDGE_OWN,    /* along a call that was seen to wait: what it takes when nothing is pending */
	EDGE_LAUNCH, /* start of the call -> start of its operation */
	EDGE_ORDER,  /* start of the operation before -> start */
	EDGE_FIFO,   /* end of one before -> start */
	EDGE_JIT,    /* start of one that overlaps by little -> start */
	EDGE_EVENT,  /* end of an operation of another lane -> start */
	EDGE_SYNC,   /* end of an operation -> end of the call that waited for it */
	EDGE_ROOM, /* start of an operation -> end of the launch that its queue has room for then */
	EDGE_THREAD,   /* end of a call of another thread -> start of a call after a pause */
	EDGE_UNTRACED, /* not before its recorded time; of an end only if is_elsewhere() */
	EDGE_DUR,      /* never stored: start -> end of an operation */
	EDGE_COLL,     /* never stored: the last has come -> end of a collective on this rank */
	EDGE_NO,       /* an instant that waits for nothing */
};

/* A stored edge: its kind, the levels at which it exists, at which it binds, whether it is one of
 * several that the recorded times let bind, whether it is the last one to its instant, whether only
 * one of its kind to that is, of the first one whether any edge is open, the levels at which the
 * instant was ready before what it waits for had ended, and whether that had ended when the wait
 * began. */
struct edge {
	uint32_t pred, est, meta;
};

enum {
	MASK_AT = 4,
	BIND_AT = 7,
	OPEN_AT = 10,
	LAST_AT = 11,
	ONLY_AT = 12,
	ANY_AT = 13,
	LATE_AT = 14,
	OVER_AT = 17,
	MASK_ALL = 7,
	MASK_OPEN = 1 << (OPEN_AT - MASK_AT) /* with a mask: open as it is made */
};

static inline enum edge_kind edge_kind(const struct edge *e)
{
	return (enum edge_kind)(e->meta & 15);
}

static inline bool edge_at(const struct edge *e, int level)
{
	return e->meta >> (MASK_AT + level) & 1;
}

static inline bool edge_binds(const struct edge *e, int level)
{
	return e->meta >> (BIND_AT + level) & 1;
}

static inline bool edge_open(const struct edge *e)
{
	return e->meta >> OPEN_AT & 1;
}

static inline bool edge_only(const struct edge *e)
{
	return e->meta >> ONLY_AT & 1;
}

/* Had the operation of another lane ended only when all else was ready, in the recording? */
static inline bool edge_late(const struct edge *e, int level)
{
	return e->meta >> (LATE_AT + level) & 1;
}

/* What is_over() says of it. */
static inline bool edge_over(const struct edge *e)
{
	return e->meta >> OVER_AT & 1;
}

/* An edge from a level on: certain ones exist at all three. */
static inline unsigned mask_from(int level)
{
	return (unsigned)MASK_ALL << level & MASK_ALL;
}

/* What a call does, as far as waiting goes. */
enum call_does {
	DOES_OTHER,
	DOES_DEVICE, /* waits for all lanes */
	DOES_STREAM, /* for one */
	DOES_EVENT,  /* for one operation */
	DOES_FREE,   /* for all, or for nothing */
	DOES_COPY,   /* for its own operation */
	DOES_MAYBE,  /* the same, where it ended after that */
	DOES_AWAIT,  /* lets a stream wait for an event */
	DOES_RECORD, /* records an event */
	DOES_GRAPH,  /* launches a graph */
	DOES_LAUNCH, /* launches a kernel */
	DOES_POLL,   /* of a name: asks whether something has ended; see call_does() */
};

/* Operations that run one after the other: of one stream or queue. */
struct lane {
	uint64_t pid, agent, id;
	bool has_pid, has_agent, has_id; /* without an id: operations of no known lane */
	bool stream;
	uint8_t way;
	uint32_t from, to; /* its operations */
	uint8_t level;     /* at which one waits for the one before, unless seen */
	bool overlaps;     /* some run side by side */
	uint32_t process;  /* whose calls launched them; NONE = not known */
};

/* One more than a call's: of a rank, in order of process and thread. */
struct thread {
	uint64_t pid, tid;
	bool has_pid, has_tid;
	uint32_t from, to; /* its calls, by start */
	uint32_t process;
	uint64_t pause;     /* median of its gaps */
	bool aside;         /* it neither launches work nor waits for it */
	uint32_t last_wait; /* the wait that stays with `nosync`: its last, with nothing launched
	                     * after it; NONE */
};

/* Does an idle lane take longer to begin than one at work? */
enum rousing { ROUSES_OPEN, ROUSES_NOT, ROUSES };

/* Usual latency of one kind of operation and function, or of one function. */
struct usual {
	uint32_t name; /* of the function */
	bool copy;
	uint64_t n, median, least;
};

/* All of them of one rank, by name and kind. */
struct usuals {
	struct usual *v;
	size_t n;
	uint64_t samples, median, least; /* of all */
};

struct tm_replay_rank {
	uint64_t rank;
	struct tm_replay *all;
	struct tm_replay_op *op;     /* nop, by lane */
	struct tm_replay_call *call; /* ncall, by thread and start */
	struct lane *lane;
	struct thread *thread;
	uint32_t nop, ncall, nlane, nthread, nprocess;
	uint32_t *arm, *record; /* calls that let a stream wait or launch a graph, and that record
	                         * an event; by process and start; until the graph is made */
	uint32_t *arm_of, *record_of;      /* where those of a process begin */
	struct usuals launch, back, alone; /* launch latency, return latency, waits for nothing */
	struct usual gap[2];               /* lane latency of kernels and copies */
	struct usual gaps;                 /* and of both */
	uint64_t event;                    /* usual latency from another lane, of waits seen */
	struct usuals room;                /* lengths of launches whose queue had room */
	uint8_t *polled;                   /* a bit of each call that stands for a loop of calls
	                                    * that poll, or NULL */
	uint8_t *full;                     /* a bit of each call that waited for room, or NULL */
	uint8_t *loads;         /* a bit of each launch that loads its kernel first, or NULL */
	uint8_t *turns;         /* a bit of each kernel that waits for another lane, or NULL */
	uint64_t launched;      /* usual length of a call that launches */
	uint8_t *unmatched;     /* a bit of each operation that sends or receives, nobody knows with
	                     * whom, or NULL */
	bool queued;            /* any operation ever waited for the one before */
	bool untraced;          /* operations without call */
	uint32_t slope;         /* part of a launch call before submission, of 10^6 */
	uint64_t rouse;         /* usual time from submission to its operation on an idle lane */
	uint32_t rouses;        /* of how many */
	uint32_t roused, alike; /* operations that began earlier than one that an idle lane takes
	                         * up, as their lane was at work; and those that did not */
	enum rousing rousing;   /* what they tell */

	/* instants, in recorded order */
	uint32_t n;
	uint64_t *t;
	uint64_t hi; /* the last, but for those of threads aside */
	bool any_aside;
	uint32_t *prev;  /* of its thread or lane; its own start of an end; NONE */
	uint32_t *owner; /* operation or call */
	uint8_t *what;   /* its kind, and how many edges it has: struct edges */
	uint32_t *first; /* the first edge of each EDGES_BLOCK of them */
	struct edge *edge;
	size_t nedge;
	struct tm_replay_counts counts;
};

/* Edges to one instant: from .. to in tm_replay_rank.edge.  An instant with EDGES_MANY or more has
 * that number, and its last edge is marked. */
struct edges {
	uint32_t from, to;
};

enum { KIND_BITS = 3, KIND_MASK = 7, EDGES_MANY = 31, EDGES_BLOCK = 16 };

static inline enum node_kind node_kind(const struct tm_replay_rank *r, uint32_t i)
{
	return (enum node_kind)(r->what[i] & KIND_MASK);
}

/* Is it one of a thread aside?  A thread that looks after others goes on as long as these do: what
 * it does last does not say how long the program takes. */
static inline bool is_aside(const struct tm_replay_rank *r, uint32_t i)
{
	return r->any_aside && node_kind(r, i) < NODE_START &&
	       r->thread[r->call[r->owner[i]].thread].aside;
}

/* Edges to instant i, which begin at `from`. */
static inline struct edges edges_from(const struct tm_replay_rank *r, uint32_t i, uint32_t from)
{
	struct edges e = { from, from + (r->what[i] >> KIND_BITS) };

	if (e.to - from == EDGES_MANY)
		while (!(r->edge[e.to - 1].meta >> LAST_AT & 1))
			e.to++;
	return e;
}

/* Edges to instant i: the instants of its block before it are gone through. */
static inline struct edges edges_of(const struct tm_replay_rank *r, uint32_t i)
{
	uint32_t at = i - i % EDGES_BLOCK, from = r->first[i / EDGES_BLOCK];

	for (; at < i; at++)
		from = edges_from(r, at, from).to;
	return edges_from(r, i, from);
}

/* Where the call begins that ends at instant i, of which `all` are the edges; NONE. */
static inline uint32_t wait_begins(const struct tm_replay_rank *r, uint32_t i, struct edges all)
{
	for (uint32_t e = all.from; e < all.to; e++)
		if (edge_kind(&r->edge[e]) == EDGE_OWN)
			return r->edge[e].pred;
	return r->prev[i];
}

/* Had the operation of an edge ended when the call began, in the recording?  Then it did not wait
 * for it. */
static inline bool is_over(const struct tm_replay_rank *r, uint32_t i, struct edges all,
                           const struct edge *e)
{
	uint32_t begins = edge_kind(e) == EDGE_SYNC ? wait_begins(r, i, all) : NONE;

	return begins != NONE && r->t[e->pred] <= r->t[begins];
}

/* The first level that the graph is made for; the last is *to - 1. */
static inline int first_level(const struct tm_replay_rank *r, int *to)
{
	*to = r->all->likely ? LIKELY + 1 : LEVELS;
	return r->all->likely ? LIKELY : 0;
}

/* Are the operations of the lane another process's?  Nothing of this one waits for them. */
static inline bool lane_of_others(const struct lane *l, uint32_t process)
{
	return l->process != NONE && process != NONE && l->process != process;
}

/* Where edges are before instants have their places. */
struct loose {
	uint32_t node;
	struct edge e;
};

/* What is known while edges are made. */
struct making {
	struct tm_replay_rank *r;
	struct loose *v;
	size_t n, cap;
	bool failed;
	uint32_t *last_op; /* of each call: its operation that ends last, or NONE */
	uint32_t *latest;  /* of each call: the last of its thread up to it that has operations */
	uint64_t *ready;   /* of each operation: when it could have begun, but for other lanes */
	/* of instants of calls, by their first numbers; those of operations say it themselves: */
	uint32_t *prev;
	uint8_t *kind, *tier;
	uint32_t *owner;
	uint64_t *t;
	uint32_t *place; /* of all instants, in recorded order */
};

/* One edge more, unless it exists at none of the levels that the graph is for. */
void tm_replay_edge(struct making *m, uint32_t node, uint32_t pred, enum edge_kind kind,
                    uint64_t est, unsigned mask);

/* The same, at whatever level. */
void tm_replay_any_edge(struct making *m, uint32_t node, uint32_t pred, enum edge_kind kind,
                        uint64_t est, unsigned mask);

/* ns * factor / 10^6, rounded down; UINT64_MAX when it is more. */
static inline uint64_t tm_replay_scaled(uint64_t ns, uint64_t factor)
{
	uint64_t product;
	tm_u128 v;

	if (!__builtin_mul_overflow(ns, factor, &product))
		return product / TM_REPLAY_UNIT;
	v = (tm_u128)ns * factor / TM_REPLAY_UNIT;
	return v >> 64 ? UINT64_MAX : (uint64_t)v;
}

/* Numbers of instants before they are in order: calls first, then operations. */
static inline uint32_t call_starts(uint32_t call)
{
	return 2 * call;
}
static inline uint32_t call_ends(uint32_t call)
{
	return 2 * call + 1;
}
static inline uint32_t op_starts(const struct tm_replay_rank *r, uint32_t op)
{
	return 2 * (r->ncall + op);
}
static inline uint32_t op_ends(const struct tm_replay_rank *r, uint32_t op)
{
	return 2 * (r->ncall + op) + 1;
}

#endif
