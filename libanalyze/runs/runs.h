/* SPDX-License-Identifier: MIT
 * Which traces are of one run, and which of them counts. */
#ifndef TM_RUNS_RUNS_H
#define TM_RUNS_RUNS_H

#include "runs/apart.h"
#include "runs/content.h"
#include "runs/inventory.h"
#include "runs/seen.h"
#include "runs/sources.h"
#include "runs/wholes.h"

#endif
