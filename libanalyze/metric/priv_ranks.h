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

/* What the times of a rank count, as its inputs say. */
struct rank_clock {
	uint64_t rank;
	uint32_t name; /* in work.names; NAME_NONE = some input does not say, or they differ */
};

/* The accumulator. */
struct ranks {
	struct work w; /* first: functions for work take it */
	struct rank_clock *clock;
	size_t nclock, clock_cap;
	uint32_t now;            /* of the piece being read */
	struct comm_calls calls; /* with --collectives */
};

/* The clock of a rank, "boottime"; NULL = not known. */
const struct name *ranks_clock(const struct ranks *r, uint64_t rank);

/* collectives.c: a row for each collective, with --collectives. */
extern const struct column collective_columns[];
enum { COLLECTIVE_KEEP = WORK_OP_NAMES | WORK_ALL };
enum status fill_collectives(struct ranks *r, struct table *t, struct report *rep);

#endif
