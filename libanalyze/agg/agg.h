/* SPDX-License-Identifier: MIT
 * Accumulators: moments, quantiles, intervals, groups, tests of significance. */
#ifndef TM_AGG_AGG_H
#define TM_AGG_AGG_H

#include "agg/agents.h"
#include "agg/change_points.h"
#include "agg/end_match.h"
#include "agg/groups.h"
#include "agg/id_set.h"
#include "agg/intervals.h"
#include "agg/line_fit.h"
#include "agg/merged.h"
#include "agg/moments.h"
#include "agg/nth.h"
#include "agg/period.h"
#include "agg/quantile.h"
#include "agg/sequence.h"
#include "agg/significance.h"
#include "agg/stretches.h"
#include "agg/tagged.h"
#include "agg/words.h"

#endif
