/* SPDX-License-Identifier: MIT
 * What the tables that compare ranks (`kstats ranks`, `kstats collectives`) are made of. */
#ifndef TM_METRIC_RANKS_H
#define TM_METRIC_RANKS_H

#include "agg/agg.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANK_PARTS = 8 };

/* What the inputs of a rank say of it.  Names are in work.names, NAME_NONE = not known. */
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
	struct clock_line line;
	struct clock_part part[RANK_PARTS]; /* `parts` of them, or none */
	size_t parts;
};

/* The accumulator. */
struct ranks {
	struct work w;            /* first: functions for work take it */
	struct groups known;      /* ranks that something is known of, */
	struct rank_facts *facts; /* namely this */
	size_t facts_cap;
	struct rank_facts now; /* of the piece being read */
	bool match;            /* collectives are wanted: */
	struct comm_calls calls;
};

/* Functions of struct event_sink, but for init, which is told what to keep (WORK_*) and whether
 * collectives are wanted; and the columns that they need. */
bool ranks_init(void *acc, const struct metric_opts *o, unsigned keep, bool match);
bool ranks_piece(void *acc, const struct piece *p);
bool ranks_take(void *acc, const struct batch *b);
bool ranks_merge(void *into, void *from);
bool ranks_done(void *acc, const struct piece *p, const struct loss *l, const struct diag *why);
void ranks_fini(void *acc);

/* Such a sink, with the init of the metric. */
#define RANKS_SINK(init_)                                                                          \
	{                                                                                          \
		.size = sizeof(struct ranks), .init = (init_), .piece = ranks_piece,               \
		.take = ranks_take, .merge = ranks_merge, .fini = ranks_fini, .done = ranks_done   \
	}

ev_set ranks_want(unsigned keep, bool match);

/* What is known of a rank, or NULL. */
const struct rank_facts *ranks_facts(const struct ranks *r, uint64_t rank);

/* The clock of a rank, "boottime"; NULL = not known. */
const struct name *ranks_clock(const struct ranks *r, uint64_t rank);

/* Do all ranks say that they ran on one host and count one clock, and are they several? */
bool ranks_one_clock(const struct ranks *r);

/* collectives_list.c: a row for each collective. */
extern const struct column collective_columns[];
enum { COLLECTIVE_KEEP = WORK_OP_NAMES | WORK_ALL };
enum status fill_collectives(struct ranks *r, struct table *t, struct report *rep);

#endif
