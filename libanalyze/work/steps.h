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

/* Of the agent of a rank that ran most kernels: is there a sequence of them that repeats? */
struct tm_steps_sequence {
	bool any, found;                 /* any: there are kernels */
	uint64_t steps, length, kernels; /* repeats, and kernels of each; kernels in all */
	bool has_agent;
	uint64_t agent;
	const char *first; /* len bytes: the kernel that a repeat begins with */
	size_t len;
};

/* What may be the steps of a rank, as long as nothing is known of other ranks: the ranges of a
 * marker, or, of a rank that has none that are fit, repeats. */
struct tm_steps_maybe {
	char *marker; /* its text, with * for numbers; NULL = repeats */
	size_t len;
	tm_u128 total; /* how long its fit ranges last together */
	struct tm_steps steps;
	struct tm_steps_sequence sequence; /* texts are those of the store */
};

/* Those of the one rank of a settled *w: *n of them in *v, all that can become its steps by what
 * other ranks have.  False when out of memory; free them in any case. */
bool tm_steps_maybe(const struct tm_work *w, struct tm_steps_maybe **v, size_t *n);
void tm_steps_maybe_free(struct tm_steps_maybe *v, size_t n);

/* Of two markers, with their totals over all ranks, the one whose ranges are the steps comes first:
 * <0, 0, >0. */
int tm_steps_compare(const struct tm_name *a, tm_u128 total_a, const struct tm_name *b,
                     tm_u128 total_b);

/* What there is to say of what was chosen, rank by rank and at the end; `marker` NULL = repeats. */
struct tm_steps_told {
	struct tm_report_few found, none, without;
};
void tm_steps_tell_repeats(struct tm_steps_told *told, uint64_t rank,
                           const struct tm_steps_sequence *q, struct tm_report *rep);
void tm_steps_tell_without(struct tm_steps_told *told, uint64_t rank, const struct tm_name *marker,
                           struct tm_report *rep);
void tm_steps_tell_end(struct tm_steps_told *told, const struct tm_name *marker, size_t steps,
                       uint64_t ranks, struct tm_report *rep);

/* Find them in a settled *w, whatever its window.  What was chosen is a note in *rep, a rank
 * without steps an error.  TM_ST_OK; TM_ST_END with an error when there are none at all;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_steps_find(struct tm_steps *s, const struct tm_work *w, struct tm_report *rep);

/* Free it; {0} again. */
void tm_steps_fini(struct tm_steps *s);

#endif
