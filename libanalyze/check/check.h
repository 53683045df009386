/* SPDX-License-Identifier: MIT
 * Rules applied to tables. */
#ifndef TM_CHECK_CHECK_H
#define TM_CHECK_CHECK_H

#include "check/answer.h"
#include "check/decimal.h"
#include "check/presets.h"
#include "check/rules.h"
#include "check/units.h"
#include "check/values.h"

#endif
