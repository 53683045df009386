/* SPDX-License-Identifier: MIT
 * The tables of `kstats ranks`. */
#ifndef METRIC_PRIV_RANKS_H
#define METRIC_PRIV_RANKS_H

#include "metric/comm_calls.h"
#include "metric/work.h"
#include "metric/work_rank.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
};

/* The accumulator. */
struct ranks {
	struct work w; /* first: functions for work take it */
	struct rank_facts *facts;
	size_t nfacts, facts_cap;
	struct rank_facts now;   /* of the piece being read */
	struct comm_calls calls; /* with --collectives */
};

/* The clock of a rank, "boottime"; NULL = not known. */
const struct name *ranks_clock(const struct ranks *r, uint64_t rank);

/* collectives.c: a row for each collective, with --collectives. */
extern const struct column collective_columns[];
enum { COLLECTIVE_KEEP = WORK_OP_NAMES | WORK_ALL };
enum status fill_collectives(struct ranks *r, struct table *t, struct report *rep);

#endif
