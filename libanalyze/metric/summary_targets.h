/* SPDX-License-Identifier: MIT
 * The targets for the numbers of the summary, by workload. */
#ifndef TM_METRIC_SUMMARY_TARGETS_H
#define TM_METRIC_SUMMARY_TARGETS_H

#include "metric/summary.h"

#include <stdbool.h>
#include <stddef.h>

/* A bound of a share, in percent. */
struct summary_target {
	const char *metric;
	unsigned limit;
	bool at_least;    /* or else below the limit */
	unsigned presets; /* a bit for each of tm_summary_presets that has it */
	bool any;         /* so has a run of which nobody said what it does */
};

/* The target of a number for a workload, NULL = not said which; NULL when it has none. */
const struct summary_target *tm_summary_target(const char *metric, const char *preset);

#endif
