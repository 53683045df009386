/* SPDX-License-Identifier: MIT
 * Hardware counters of dispatches, joined over passes, and metrics derived from them. */
#ifndef TM_COUNTERS_COUNTERS_H
#define TM_COUNTERS_COUNTERS_H

#include "counters/formula.h"
#include "counters/gather.h"
#include "counters/grbm.h"
#include "counters/known.h"

#endif
