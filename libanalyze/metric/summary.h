/* SPDX-License-Identifier: MIT
 * `summary`: the names of its rows, which rules use, and its presets. */
#ifndef TM_METRIC_SUMMARY_H
#define TM_METRIC_SUMMARY_H

#include <stddef.h>

/* The name of possible row i; NULL after the last.  `out` is a buffer for generated names. */
const char *tm_summary_name(size_t i, char out[32]);

/* The words of --preset, ending with NULL. */
extern const char *const tm_summary_presets[];

/* Set the targets: those of a preset; NULL = those of any program.  `own` is what `summary` takes
 * as tm_metric_opts.own. */
void tm_summary_judge(void *own, const char *preset);

#endif
