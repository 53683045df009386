/* SPDX-License-Identifier: MIT
 * The basis of the tables that compare ranks (`kstats ranks`, `kstats collectives`). */
#ifndef TM_METRIC_RANKS_H
#define TM_METRIC_RANKS_H

#include "agg/agg.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANK_PARTS = 8 };

/* What the inputs of a rank say of it.  Names are in ranks.names, TM_NAME_NONE = not known. */
struct rank_facts {
	uint64_t rank;
	uint32_t host;             /* also where they differ: hosts */
	bool has_pid, hosts, pids; /* pids: they differ */
	uint64_t pid;
	bool timed;     /* there were times, so that what follows means something */
	uint32_t clock; /* what they count; also where some input does not say, or they differ */
	bool has_error; /* all were aligned, */
	uint64_t error; /* to no worse than this, ns */
	bool has_line;  /* all by the same line: */
	struct tm_clock_line line;
	struct tm_clock_part part[RANK_PARTS]; /* `parts` of them, or none */
	size_t parts;
};

struct rank_kept;

/* The accumulator. */
struct ranks {
	struct tm_work w;         /* first: functions for work take it */
	struct tm_names names;    /* of hosts and clocks */
	struct tm_groups known;   /* ranks that something is known of, */
	struct rank_facts *facts; /* namely this */
	size_t facts_cap;
	struct rank_facts now; /* of the piece being read */
	bool by_order;         /* some are numbered by the order of the inputs */
	bool match;            /* collectives are wanted: */
	struct tm_comm_calls calls;
	struct rank_kept *kept; /* nkept of them, by rank and agent: collectives of ranks without
	                         * events */
	size_t nkept, kept_cap;
};

/* Of an agent whose events are not here how much of each of its collectives was exposed, in the
 * order of its track. */
struct rank_kept {
	uint64_t rank, agent;
	bool has_agent;
	uint64_t *exposed; /* n of them */
	size_t n;
	uint64_t window, busy; /* how long that of the agent is, and tm_collectives_busy */
};

/* Functions of struct tm_event_sink, but for init, which is told what to keep (WORK_*) and whether
 * collectives are wanted; and the columns that they need. */
bool tm_ranks_init(void *acc, const struct tm_metric_opts *o, unsigned keep, bool match);
bool tm_ranks_piece(void *acc, const struct tm_piece *p);
bool tm_ranks_take(void *acc, const struct tm_batch *b);
bool tm_ranks_merge(void *into, void *from);
bool tm_ranks_done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                   const struct tm_diag *why);
void tm_ranks_fini(void *acc);

/* Such a sink, with the init of the metric. */
#define RANKS_SINK(init_)                                                                          \
	{                                                                                          \
		.size = sizeof(struct ranks), .init = (init_), .piece = tm_ranks_piece,            \
		.take = tm_ranks_take, .merge = tm_ranks_merge, .fini = tm_ranks_fini,             \
		.done = tm_ranks_done                                                              \
	}

tm_ev_set tm_ranks_want(unsigned keep, bool match);

/* What is known of a rank, or NULL. */
const struct rank_facts *tm_ranks_facts(const struct ranks *r, uint64_t rank);

/* The clock of a rank, "boottime"; NULL = not known. */
const struct tm_name *tm_ranks_clock(const struct ranks *r, uint64_t rank);

/* Do all ranks say that they ran on one host and count one clock, and are they several? */
bool tm_ranks_one_clock(const struct ranks *r);

/* Do times of all ranks mean the same: were they all aligned, or is it one clock? */
bool tm_ranks_aligned(const struct ranks *r);

/* What files of totals keep of ranks (question/state.h).  Items of all questions about ranks have
 * RANK_WORDS numbers, the first of them what they are. */
enum { RANK_WORDS = 40 };
enum rank_item { RANK_FACTS, RANK_HOST, RANK_AGENT, RANK_KERNELS, RANK_CALLS };

/* What all ranks say of themselves, into *s, or from there into *r; `other` takes items that are
 * not RANK_FACTS, as tm_state_each gives them, or is NULL where there are none.  `s` may be NULL.
 * False when out of memory. */
bool tm_ranks_state(struct ranks *r, struct tm_state *s,
                    bool (*other)(void *arg, uint64_t rank, const struct tm_state_item *it),
                    void *arg);

/* collectives_state.c: the same, and their collectives; of a settled store, and of calls that are
 * not settled yet, whose order is another then. */
bool tm_collectives_state(struct ranks *r, struct tm_state *s);

/* Where the kernels of class comm of a track are known only so, what of each was exposed; else
 * NULL. */
const uint64_t *tm_collectives_kept(const struct ranks *r, const struct tm_work_track *t);

/* How long the window of a track is, also where only that is known. */
uint64_t tm_collectives_window(const struct ranks *r, const struct tm_work_track *t);

/* In it, how long the agent did something that is no exposed communication. */
uint64_t tm_collectives_busy(const struct ranks *r, const struct tm_work_track *t);

/* Of every kernel of class comm on a track the time in which it began first of those that run, and
 * nothing computed: the caller's to free.  NULL when out of memory. */
uint64_t *tm_collectives_exposed(const struct tm_work_track *t);

/* collectives_list.c: a row for each collective. */
extern const struct tm_column tm_collective_columns[];
enum { COLLECTIVE_KEEP = TM_WORK_OP_NAMES | TM_WORK_ALL };
enum tm_status tm_fill_collectives(struct ranks *r, struct tm_table *t, struct tm_report *rep);

/* What others may use of this room; it needs what stands above. */
#include "metric/ranks/comm_match.h"

#endif
