/* SPDX-License-Identifier: MIT
 * Every event into a run.db, with what they add up to: joins agg (sums) and store (rows).
 *
 * Workers fill accumulators of their own; whose turn it is (stream/drive.h) writes.  So one thread
 * at a time writes, in the order of the inputs, while others decode, and the database does not
 * depend on how many there are. */
#ifndef TM_MERGE_JOB_H
#define TM_MERGE_JOB_H

#include "merge/align.h"
#include "store/store.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* The arg of merge_sink. */
struct merge_opts {
	bool stats_only; /* sums, no events */
	enum align_how align;
};

struct merge;

/* What went in. */
struct merge_totals {
	uint64_t inputs, ranks, events, skipped, lost;
	struct align_done clocks;
};

/* The accumulator is a struct merge; of the total, merge_begin comes between init and drive_run. */
extern const struct event_sink merge_sink;

/* EV_BIT mask of the columns to read.  Of times those that were recorded: DRIVE_RECORDED. */
ev_set merge_want(const struct merge_opts *o);

/* This is the total: what is merged into it goes to `s`, which outlives it. */
void merge_begin(void *total, struct store *s);

/* Write what is left, align the clocks and finish the database.  ST_OK with *t; ST_SKIP with *d
 * when they cannot be aligned as was asked for, so that there is no database; ST_FATAL with *d. */
enum status merge_finish(void *total, bool index, struct merge_totals *t, struct diag *d);

/* Why drive_run gave ST_FATAL: true with *d when the database could not be written, false when it
 * was for want of memory. */
bool merge_failed(const void *total, struct diag *d);

#endif
