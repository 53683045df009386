/* SPDX-License-Identifier: MIT
 * Why is the GPU idle? */
#ifndef TM_METRIC_IDLE_H
#define TM_METRIC_IDLE_H

#include "metric/idle/budget.h"
#include "metric/idle/gaps.h"
#include "metric/idle/sync.h"

#endif
