/* SPDX-License-Identifier: MIT
 * The steps (iterations) of a program: where each begins and ends, rank by rank.
 *
 * They are the ranges of one marker where there is a fit one, which never overlaps itself:
 * ProfilerStep#N; else a text that names a step ("step", "iteration 3"), or that comes back (but
 * for its numbers) on one thread and fills most of the time from its first start to its last end;
 * texts with "step" or "iter" first, then those that last longest together.  Else they are the
 * repeats of the sequence of kernels on the agent that ran most of them, agg/period.h: only where
 * more than half of its kernels are such repeats. */
#ifndef TM_WORK_STEPS_H
#define TM_WORK_STEPS_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a struct tm_work must keep. */
enum { TM_STEPS_KEEP = TM_WORK_REGIONS | TM_WORK_OP_NAMES | TM_WORK_ALL };

/* Number: the first in the marker's text that goes up from range to range, else counted from 1. */
struct tm_step {
	uint64_t rank, number;
	struct tm_extent at;
	uint64_t pid, tid; /* of the marker */
	bool has_pid, has_tid;
};

/* {0} is none. */
struct tm_steps {
	struct tm_step *v; /* by rank, then start; those of a rank do not overlap */
	size_t n, cap;
	bool sequence; /* they are repeats of a sequence of kernels, not ranges of a marker */
};

/* A struct tm_work that keeps it; the argument is a struct tm_metric_opts.  Wants
 * tm_work_want(TM_STEPS_KEEP).
 */
extern const struct tm_event_sink tm_steps_sink;

/* Find them in a settled *w, whatever its window.  What was chosen is a note in *rep, a rank
 * without steps an error.  TM_ST_OK; TM_ST_END when there are none at all; TM_ST_FATAL when out of
 * memory.
 */
enum tm_status tm_steps_find(struct tm_steps *s, const struct tm_work *w, struct tm_report *rep);

/* Free it; {0} again. */
void tm_steps_fini(struct tm_steps *s);

#endif
