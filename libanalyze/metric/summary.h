/* SPDX-License-Identifier: MIT
 * `summary`: the names of its rows, by which rules ask for them, and the workloads it knows. */
#ifndef TM_METRIC_SUMMARY_H
#define TM_METRIC_SUMMARY_H

#include <stddef.h>

/* The name of row i, of all that there may be; NULL after the last.  `out` is room for names that
 * are made. */
const char *tm_summary_name(size_t i, char out[32]);

/* The words of --preset, ending with NULL. */
extern const char *const tm_summary_presets[];

/* Judge by the targets of one of these; NULL = by those of any program.  `own` is what `summary`
 * takes as tm_metric_opts.own. */
void tm_summary_judge(void *own, const char *preset);

#endif
