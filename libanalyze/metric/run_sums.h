/* SPDX-License-Identifier: MIT
 * Everything that runs are compared by: sums of every kernel (call, copy, marker) as in `top`,
 * their intervals, and the GPUs used. */
#ifndef TM_METRIC_RUN_SUMS_H
#define TM_METRIC_RUN_SUMS_H

#include "agg/agg.h"
#include "metric/idle/idle.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An accumulator of tm_run_sums_sink, whose argument is a struct tm_metric_opts; its domains must
 * include kernels.  Names are those of TM_NAME_FULL. */
struct tm_run_sums;
extern const struct tm_event_sink tm_run_sums_sink;
tm_ev_set tm_run_sums_want(const struct tm_metric_opts *o);

/* A name and its sums. */
struct tm_run_sum {
	struct tm_name text;
	enum tm_domain domain;
	const struct tm_moments *m;
};

struct tm_run_rows {
	struct tm_run_sum *v; /* n of them, in no order; free it */
	size_t n;
	tm_u128 total,
	        whole;   /* time of all rows; the same, or, where statistics files were cut, what
	                  * they imply that the whole run has */
	bool statistics; /* some rows are from statistics, without single calls */
};

/* Compute the sums; call once.  Texts and moments belong to the accumulator.  False when out of
 * memory. */
bool tm_run_sums_rows(struct tm_run_sums *r, struct tm_run_rows *out, struct tm_report *rep);

/* The intervals, not settled yet; the caller calls tm_work_settle. */
struct tm_work *tm_run_sums_work(struct tm_run_sums *r);

/* Copies, each once, whatever its agents; only if TM_DOMAIN_COPY was requested. */
struct tm_work *tm_run_sums_copies(struct tm_run_sums *r);

/* Versions of the GPUs it could have run on, as the driver numbers them (90402), ascending; none =
 * not known. */
const uint64_t *tm_run_sums_gfx(const struct tm_run_sums *r, size_t *n);

/* Rank, has agent, agent: of the kernels that are known from files of totals only. */
enum { TM_RUN_SUMS_GPU = 3 };
struct tm_groups *tm_run_sums_gpus(struct tm_run_sums *r);

/* What its inputs lost; lives as long as *r. */
const struct tm_loss *tm_run_sums_loss(const struct tm_run_sums *r);

#endif
