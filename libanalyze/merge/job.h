/* SPDX-License-Identifier: MIT
 * Write every event and their sums to a run.db: joins agg (sums) and store (rows).
 *
 * Workers fill accumulators of their own, and write in turn (stream/drive.h).  So one thread at a
 * time writes, in the order of the inputs, while others decode, and the database does not depend on
 * their number. */
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

/* The accumulator is a struct tm_merge; for the total, call tm_merge_begin between init and
 * tm_drive_run. */
extern const struct tm_event_sink tm_merge_sink;

/* TM_EV_BIT mask of the columns to read, with times as recorded: TM_DRIVE_RECORDED. */
tm_ev_set tm_merge_want(const struct tm_merge_opts *o);

/* Mark the total: what is merged into it is written to `s`.  `states`, or NULL, sees the same
 * events (tm_states_watch).  Both must outlive it. */
void tm_merge_begin(void *total, struct tm_store *s, struct tm_states *states);

/* Write the rest, align the clocks and finish the database.  TM_ST_OK with *t; TM_ST_SKIP with *d
 * when the requested alignment is impossible, so that there is no database; TM_ST_FATAL with *d. */
enum tm_status tm_merge_finish(void *total, bool index, struct tm_merge_totals *t,
                               struct tm_diag *d);

/* Why tm_drive_run returned TM_ST_FATAL: true with *d when the database could not be written, false
 * when out of memory. */
bool tm_merge_failed(const void *total, struct tm_diag *d);

#endif
