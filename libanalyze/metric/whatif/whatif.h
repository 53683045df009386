/* SPDX-License-Identifier: MIT
 * Which calls the usual scenarios of kstats whatif are about: a look costs less than a replay. */
#ifndef TM_METRIC_WHATIF_H
#define TM_METRIC_WHATIF_H

#include <stdbool.h>
#include <stdint.h>

/* May a scenario save anything of calls of that name, of which the longest took `longest` ns?
 * Always, if it is not about calls that set something up, poll or load kernels, nor about copies
 * that need not block. */
bool tm_whatif_may(const char *scenario, const char *call, uint64_t longest);

#endif
