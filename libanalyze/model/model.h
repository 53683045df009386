/* SPDX-License-Identifier: MIT
 * What a trace holds: events, kernel names and classes, result tables. */
#ifndef TM_MODEL_MODEL_H
#define TM_MODEL_MODEL_H

#include "model/clock_line.h"
#include "model/event.h"
#include "model/kernel_class.h"
#include "model/kernel_facts.h"
#include "model/kernel_name.h"
#include "model/launcher.h"
#include "model/loss.h"
#include "model/problem.h"
#include "model/problem_op.h"
#include "model/sensor.h"
#include "model/table.h"
#include "model/trace.h"

#endif
