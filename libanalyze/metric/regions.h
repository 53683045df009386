/* SPDX-License-Identifier: MIT
 * The tables of `kstats regions`. */
#ifndef TM_METRIC_REGIONS_H
#define TM_METRIC_REGIONS_H

#include "work/work.h"

/* regions_table.c: a row for each region of each thread. */
extern const struct column region_columns[];
enum {
	REGION_KEEP = WORK_CORR | WORK_CALLS | WORK_REGIONS | WORK_ALL | WORK_RANKS | WORK_PIDS |
	              WORK_THREADS,
};
enum status fill_regions(struct work *w, const struct metric_opts *o, struct table *t,
                         struct report *rep);

/* steps_table.c: a row for each step, with --steps. */
extern const struct column step_columns[];
enum { STEP_KEEP = STEPS_KEEP | WORK_WAITS };
enum status fill_steps(struct work *w, const struct metric_opts *o, struct table *t,
                       struct report *rep);

#endif
