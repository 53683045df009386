/* SPDX-License-Identifier: MIT
 * The intervals of a run that several questions share. */
#ifndef TM_WORK_WORK_H
#define TM_WORK_WORK_H

#include "work/calls.h"
#include "work/causes.h"
#include "work/columns.h"
#include "work/comm_calls.h"
#include "work/comm_join.h"
#include "work/comm_lanes.h"
#include "work/cover.h"
#include "work/intervals.h"
#include "work/labels.h"
#include "work/pool.h"
#include "work/steps.h"
#include "work/work_rank.h"
#include "work/work_time.h"

#endif
