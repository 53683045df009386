/* SPDX-License-Identifier: MIT
 * The questions of kstats: one file each. */
#ifndef TM_METRIC_METRIC_H
#define TM_METRIC_METRIC_H

#include "metric/budget.h"
#include "metric/gaps.h"
#include "metric/list.h"
#include "metric/run_sums.h"
#include "metric/summary.h"
#include "metric/sync.h"

#endif
