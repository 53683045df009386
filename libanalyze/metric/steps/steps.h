/* SPDX-License-Identifier: MIT
 * Every step of every rank, and how its time was used: for kstats steps and regions --steps. */
#ifndef TM_METRIC_STEPS_H
#define TM_METRIC_STEPS_H

#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_step_row {
	struct tm_step step;
	bool gpu;               /* the rank has GPU work: use, kernels */
	bool calls;             /* and API calls: sync, sync_idle */
	bool sized;             /* and copies, and those that start in the step tell their size */
	struct tm_work_use use; /* of the step's time, all agents together */
	uint64_t inside;  /* of its time within the window of the rank: from the first start of GPU
	                  * work to the last end, or what -w says */
	uint64_t kernels; /* that start in it */
	uint64_t sync;    /* of its time a thread blocked on the GPU */
	uint64_t sync_idle; /* of that nothing ran; with TM_WORK_BYTES */
	uint64_t launches;  /* calls that launch and begin in it; with TM_WORK_CALL_NAMES */
	uint64_t copied;    /* bytes of the copies that start in it; with TM_WORK_BYTES */
};

struct tm_step_rows {
	struct tm_step_row *v; /* by rank, then start */
	size_t n, cap;
	bool sequence; /* inferred from a sequence of kernels, not ranges of a marker */
};

/* The steps in *w, which keeps STEP_KEEP of metric/regions.h and is settled here, but for those
 * that --skip and -w leave out.  TM_ST_OK; TM_ST_END when there are none, and *rep says why;
 * TM_ST_FATAL when out of memory.  Call fini whatever it returns. */
enum tm_status tm_step_rows_make(struct tm_step_rows *rows, struct tm_work *w,
                                 const struct tm_metric_opts *o, struct tm_report *rep);

/* The same of n lists of steps side by side, each the steps of all ranks of a settled *w: rows[0 ..
 * n), {0} at first.  *notes has what tm_work_rank_tell says.  False when out of memory. */
bool tm_step_rows_measure(struct tm_work *w, const struct tm_steps *s, size_t n,
                          struct tm_step_rows *rows, struct tm_work_rank_notes *notes);

/* steps_state.c: those of files of totals (question/state.h).  Writing: note what may be the steps
 * of the one rank of *w, a settled store.  False when out of memory. */
bool tm_step_rows_keep(struct tm_work *w, struct tm_state *s, struct tm_table *t);

/* Answering, where no rank has events: the rows of all ranks.  As tm_step_rows_make. */
enum tm_status tm_step_rows_kept(struct tm_step_rows *rows, struct tm_work *w, struct tm_state *s,
                                 struct tm_table *t, struct tm_report *rep);

/* Free them; {0} again. */
void tm_step_rows_fini(struct tm_step_rows *rows);

#endif
