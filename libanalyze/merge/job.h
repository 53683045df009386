/* SPDX-License-Identifier: MIT
 * Every event into a run.db, with what they add up to: joins agg (sums) and store (rows).
 *
 * Workers fill accumulators of their own; whose turn it is (stream/drive.h) writes.  So one thread
 * at a time writes, in the order of the inputs, while others decode, and the database does not
 * depend on how many there are. */
#ifndef TM_MERGE_JOB_H
#define TM_MERGE_JOB_H

#include "merge/align.h"
#include "merge/states.h"
#include "store/store.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* The arg of tm_merge_sink. */
struct tm_merge_opts {
	bool stats_only; /* sums, no events */
	enum tm_align_how align;
};

struct tm_merge;

/* What went in. */
struct tm_merge_totals {
	uint64_t inputs, ranks, events, skipped, lost;
	struct tm_align_done clocks;
};

/* The accumulator is a struct tm_merge; of the total, tm_merge_begin comes between init and
 * tm_drive_run. */
extern const struct tm_event_sink tm_merge_sink;

/* TM_EV_BIT mask of the columns to read.  Of times those that were recorded: TM_DRIVE_RECORDED. */
tm_ev_set tm_merge_want(const struct tm_merge_opts *o);

/* This is the total: what is merged into it goes to `s`, which outlives it; so does `states`, which
 * sees the same events (tm_states_watch), or is NULL. */
void tm_merge_begin(void *total, struct tm_store *s, struct tm_states *states);

/* Write what is left, align the clocks and finish the database.  TM_ST_OK with *t; TM_ST_SKIP with
 * *d when they cannot be aligned as was asked for, so that there is no database; TM_ST_FATAL with
 * *d. */
enum tm_status tm_merge_finish(void *total, bool index, struct tm_merge_totals *t,
                               struct tm_diag *d);

/* Why tm_drive_run gave TM_ST_FATAL: true with *d when the database could not be written, false
 * when it was for want of memory. */
bool tm_merge_failed(const void *total, struct tm_diag *d);

#endif
