/* SPDX-License-Identifier: MIT
 * tracemerge: many traces become one run.db, clocks aligned. */
#ifndef TM_MERGE_MERGE_H
#define TM_MERGE_MERGE_H

#include "merge/align.h"
#include "merge/job.h"
#include "merge/states.h"

#endif
