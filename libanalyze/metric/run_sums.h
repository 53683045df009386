/* SPDX-License-Identifier: MIT
 * All that runs are compared by: sums of every kernel (call, copy, marker) as `top` has them, the
 * intervals behind them, and what GPUs it ran on. */
#ifndef TM_METRIC_RUN_SUMS_H
#define TM_METRIC_RUN_SUMS_H

#include "agg/agg.h"
#include "metric/gaps.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An accumulator of run_sums_sink, whose argument is a struct metric_opts: of its domains, kernels
 * must be among them.  Names are those of NAME_FULL. */
struct run_sums;
extern const struct event_sink run_sums_sink;
ev_set run_sums_want(const struct metric_opts *o);

/* A name and what was added up of it. */
struct run_sum {
	struct name text;
	enum domain domain;
	const struct moments *m;
};

struct run_rows {
	struct run_sum *v; /* n of them, in no order; free it */
	size_t n;
	u128 total, whole; /* time of all rows; the same, or, where statistics files were cut, what
	                    * they imply that the whole run has */
	bool statistics;   /* some rows are from statistics, without single calls */
};

/* Add up; once.  Texts and moments are the accumulator's.  False when out of memory. */
bool run_sums_rows(struct run_sums *r, struct run_rows *out, struct report *rep);

/* The intervals, not settled yet; work_settle is the caller's to call. */
struct work *run_sums_work(struct run_sums *r);

/* Copies, each once, whatever agents it is between; only where DOMAIN_COPY was asked for. */
struct work *run_sums_copies(struct run_sums *r);

/* Versions of the GPUs it could have run on, as the driver numbers them (90402), ascending; none =
 * not known. */
const uint64_t *run_sums_gfx(const struct run_sums *r, size_t *n);

/* Records that the producer, or the reader, says are missing. */
uint64_t run_sums_lost(const struct run_sums *r);

#endif
