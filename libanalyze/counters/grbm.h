/* SPDX-License-Identifier: MIT
 * Find whether a value of GRBM_GUI_ACTIVE is the sum over the XCCs of a GPU, or that of one.
 *
 * Profilers add up the XCCs, which formulas rely on; some write the value of one.  No input says
 * which, but the clock derived from the value shows it: a GPU is not faster than its largest clock,
 * and hardly slower than a quarter of it. */
#ifndef TM_COUNTERS_GRBM_H
#define TM_COUNTERS_GRBM_H

#include "agg/agg.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user says of GPUs; gfx 0 and any other UINT64_MAX = nothing. */
struct tm_grbm_given {
	uint64_t gfx, cus, max_mhz, xccs;
};

/* What is known of a GPU; 0 = nothing. */
struct tm_grbm_gpu {
	uint64_t gfx, cus, max_mhz, xccs;
	bool stated; /* the user gave xccs */
};

/* Of an agent: what the input says, then what the user gave, then what its product has; but the
 * XCCs that the user gave count before all. */
void tm_grbm_gpu(struct tm_grbm_gpu *g, const struct tm_agents *a, uint64_t rank, bool has_agent,
                 uint64_t agent, const struct tm_grbm_given *given);

/* Cycles by duration, in kHz; 0 without a duration. */
uint64_t tm_grbm_khz(uint64_t cycles, uint64_t ns);

/* What counts of that GPU are divided by for those of one XCC: 1, g->xccs, or 0 where that cannot
 * be known.  `khz` is the median of its dispatches of TM_KNOWN_LONG_NS or more, or, `brief`, of
 * others: these may make any clock, as the counter also counts around them, but none too low.
 * Where both are possible, or neither, it is what the user gave.  Pure. */
uint64_t tm_grbm_divide(const struct tm_grbm_gpu *g, uint64_t khz, bool brief);

/* Report what was found of an agent: a note, or a warning where the clock fits neither. */
void tm_grbm_tell(struct tm_report *rep, uint64_t rank, bool has_agent, uint64_t agent,
                  const struct tm_grbm_gpu *g, uint64_t khz, bool brief);

#endif
