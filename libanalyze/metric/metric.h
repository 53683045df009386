/* SPDX-License-Identifier: MIT
 * The questions of kstats: one file each. */
#ifndef TM_METRIC_METRIC_H
#define TM_METRIC_METRIC_H

#include "metric/idle/idle.h"
#include "metric/list.h"
#include "metric/memory_held.h"
#include "metric/run_sums.h"
#include "metric/summary.h"
#include "metric/timeline.h"
#include "metric/top_again.h"
#include "metric/top_join.h"
#include "metric/whatif/whatif.h"

#endif
