/* SPDX-License-Identifier: MIT
 * The steps (iterations) of a program: where each begins and ends, rank by rank.
 *
 * They are the ranges of one marker, if there is a suitable one that never overlaps itself:
 * ProfilerStep#N; else a text that names a step ("step", "iteration 3"), or that repeats (except
 * for its numbers) on one thread and fills most of the time from its first start to its last end;
 * texts with "step" or "iter" first, then those with the longest total.  Else they are the repeats
 * of a sequence of kernels on the agent that ran most kernels, agg/period.h: only if more than half
 * of its kernels are such repeats. */
#ifndef TM_WORK_STEPS_H
#define TM_WORK_STEPS_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a struct tm_work must keep. */
enum { TM_STEPS_KEEP = TM_WORK_REGIONS | TM_WORK_OP_NAMES | TM_WORK_ALL };

/* `number`: the first number in the marker's text that increases from range to range, else counted
 * from 1. */
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

/* A sink for a struct tm_work that keeps it; the argument is a struct tm_metric_opts.  Needs
 * tm_work_want(TM_STEPS_KEEP). */
extern const struct tm_event_sink tm_steps_sink;

/* The repeating sequence of kernels, if any, on the agent of a rank that ran most kernels. */
struct tm_steps_sequence {
	bool any, found;                 /* any: there are kernels */
	uint64_t steps, length, kernels; /* repeats, and kernels of each; kernels in all */
	bool has_agent;
	uint64_t agent;
	const char *first; /* len bytes: the kernel that a repeat begins with */
	size_t len;
};

/* A candidate for the steps of a rank, before other ranks are known: the ranges of a marker or, if
 * no marker is suitable, repeats. */
struct tm_steps_maybe {
	char *marker; /* its text, with * for numbers; NULL = repeats */
	size_t len;
	tm_u128 total; /* how long its fit ranges last together */
	struct tm_steps steps;
	struct tm_steps_sequence sequence; /* texts are those of the store */
};

/* The candidates for the only rank of a settled *w: *n of them in *v, all that can become its steps
 * depending on other ranks.  False when out of memory; free them in any case. */
bool tm_steps_maybe(const struct tm_work *w, struct tm_steps_maybe **v, size_t *n);
void tm_steps_maybe_free(struct tm_steps_maybe *v, size_t n);

/* Order of two markers, with their totals over all ranks, by preference for steps: <0, 0, >0. */
int tm_steps_compare(const struct tm_name *a, tm_u128 total_a, const struct tm_name *b,
                     tm_u128 total_b);

/* Report what was chosen, rank by rank and at the end; `marker` NULL = repeats. */
struct tm_steps_told {
	struct tm_report_few found, none, without;
};
void tm_steps_tell_repeats(struct tm_steps_told *told, uint64_t rank,
                           const struct tm_steps_sequence *q, struct tm_report *rep);
void tm_steps_tell_without(struct tm_steps_told *told, uint64_t rank, const struct tm_name *marker,
                           struct tm_report *rep);
void tm_steps_tell_end(struct tm_steps_told *told, const struct tm_name *marker, size_t steps,
                       uint64_t ranks, struct tm_report *rep);

/* Find the steps in a settled *w, whatever its window.  Notes in *rep what was chosen; a rank
 * without steps is an error.  TM_ST_OK; TM_ST_END with an error when there are none at all;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_steps_find(struct tm_steps *s, const struct tm_work *w, struct tm_report *rep);

/* Free it; {0} again. */
void tm_steps_fini(struct tm_steps *s);

#endif
