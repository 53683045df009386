/* SPDX-License-Identifier: MIT
 * One run, reduced to what is compared: sums of its events. */
#ifndef TM_DIFF_DIGEST_H
#define TM_DIFF_DIGEST_H

#include "metric/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel, call, copy or marker. */
struct tm_digest_name {
	uint32_t name; /* in digest.names */
	enum tm_domain domain;
	const char *class_name; /* of a kernel; else what its domain is called */
	struct tm_moments m;
	size_t from, n; /* its durations in digest.sample, in order of time; n = 0: not known */
	struct tm_budget_name use; /* of a kernel: where its time counts */
	uint32_t before, after; /* names of the kernels that run before and after most of its calls,
	                         * or TM_NAME_NONE */
};

/* Copies and fills, by what they do: they take time, too. */
struct tm_digest_copy {
	uint32_t name; /* in digest.names */
	struct tm_budget_name use;
};

enum tm_digest_steps { TM_STEPS_NONE, TM_STEPS_MARKER, TM_STEPS_SEQUENCE };

/* A fingerprint: equal only for the same run. */
struct tm_digest_print {
	uint64_t v[2];
};

struct tm_digest {
	const char *path; /* the operand; borrowed */
	struct tm_names names;
	struct tm_digest_name *v;
	size_t n;
	struct tm_digest_copy *copy;
	size_t ncopies;
	double *sample; /* ns */
	size_t *place;  /* of each sample, among all of its domain in order of time, by agent */
	struct tm_budget_sum sum[TM_BUDGETS];
	enum tm_digest_steps steps;
	double *step;          /* nsteps of them: mean length over the agents, ns */
	size_t nsteps;         /* that count; 0 = there are none */
	size_t warm_up;        /* steps before them, skipped */
	size_t step_ranks;     /* ranks that have steps, each as many */
	uint64_t agents;       /* GPUs that did anything, of all ranks */
	uint64_t kernel_gpus;  /* GPUs that ran kernels, also those known from totals */
	bool totals;           /* there are such */
	uint64_t ops, matched; /* see struct tm_budget */
	bool has_calls;        /* API calls were traced */
	uint64_t *gfx;         /* ngfx versions of GPUs, ascending */
	size_t ngfx;
	bool statistics;      /* nothing but sums: no window, no steps */
	tm_u128 total, whole; /* see struct tm_run_rows */
	uint64_t kernels;     /* calls of all kernels */
	/* Of all kernels: their starts and ends; calls and time of each name, which statistics have
	 * as well; starts and ends as counted from the first. */
	struct tm_digest_print times, sums, moved;
	char *broken;                /* why it was not read whole, or NULL */
	bool failed;                 /* ... which is an error of the reading */
	struct tm_report step_notes; /* how the steps were found: of interest where they decide */
};

struct tm_digest_opts {
	const struct tm_metric_opts *o; /* as the run was read with */
	uint64_t skip;                  /* steps to leave out; UINT64_MAX = find out */
	bool samples;                   /* keep durations */
};

/* Digest what was read; *d is empty but for its path.  *run cannot be used afterwards.  False when
 * out of memory. */
bool tm_digest_make(struct tm_digest *d, struct tm_run_sums *run, const struct tm_digest_opts *o,
                    struct tm_report *rep);

/* Free it; {0} again. */
void tm_digest_fini(struct tm_digest *d);

/* Are both the same run, in whatever formats? */
bool tm_digest_same_run(const struct tm_digest *a, const struct tm_digest *b);

/* How many steps at the beginning of v[0..n) are warm-up: those longer than 1.1 times the median of
 * the later half, up to the first that is not, at most a quarter.  False when out of memory. */
bool tm_digest_warm_up(const double *v, size_t n, size_t *steps);

#endif
