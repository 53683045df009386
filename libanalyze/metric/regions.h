/* SPDX-License-Identifier: MIT
 * The tables of `kstats regions`. */
#ifndef TM_METRIC_REGIONS_H
#define TM_METRIC_REGIONS_H

#include "work/work.h"

/* regions_table.c: a row for each region of each thread. */
extern const struct tm_column tm_region_columns[];
enum {
	REGION_KEEP = TM_WORK_CORR | TM_WORK_CALLS | TM_WORK_REGIONS | TM_WORK_ALL | TM_WORK_RANKS |
	              TM_WORK_PIDS | TM_WORK_THREADS,
};
enum tm_status tm_fill_regions(struct tm_work *w, const struct tm_metric_opts *o,
                               struct tm_table *t, struct tm_report *rep);

/* steps_table.c: a row for each step, with --steps, and what the options say; metric_opts.own is a
 * struct step_own. */
struct step_own {
	uint64_t skip; /* warm-up steps left out */
};
extern const struct tm_metric_option tm_step_options[];
extern const struct tm_column tm_step_columns[];
enum { STEP_KEEP = TM_STEPS_KEEP | TM_WORK_WAITS };
enum tm_status tm_fill_steps(struct tm_work *w, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep);

#endif
