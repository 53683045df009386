/* SPDX-License-Identifier: MIT */
#include "metric/summary_targets.h"

#include <string.h>

enum { TRAINING = 1, PREFILL = 2, DECODE = 4, HPC = 8, ALL = 15 };

const char *const tm_summary_presets[] = { "training", "prefill", "decode", "hpc", NULL };

/* Matrix products should fill a prefill; how much of another workload they are is no fault of it,
 * but in decoding, where they are small. */
static const struct summary_target targets[] = {
	{ "timeline.exposed_comm_pct", 10, false, ALL, true },
	{ "timeline.exposed_copy_pct", 5, false, ALL, true },
	{ "timeline.move_pct", 5, false, TRAINING | PREFILL, true },
	{ "timeline.wait_pct", 5, false, TRAINING, true },
	{ "timeline.idle_pct", 10, false, ALL, true },
	{ "gemm.kernel_pct", 60, false, DECODE, true },
	{ "gemm+moe.kernel_pct", 60, true, PREFILL, false },
	{ "unclassified.kernel_pct", 5, false, ALL & ~HPC, true },
	{ "comm.kernel_pct", 50, false, ALL, true },
	{ "sync.idle_pct", 5, false, ALL, true },
	{ "gaps.launch_pct", 1, false, ALL, true },
};

const struct summary_target *tm_summary_target(const char *metric, const char *preset)
{
	unsigned bit = 0;

	for (size_t i = 0; preset && tm_summary_presets[i]; i++)
		if (!strcmp(tm_summary_presets[i], preset))
			bit = 1u << i;
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (!strcmp(targets[i].metric, metric) &&
		    (bit ? (targets[i].presets & bit) != 0 : targets[i].any))
			return &targets[i];
	return NULL;
}
