/* SPDX-License-Identifier: MIT
 * The questions of powerstats. */
#ifndef TM_POWER_POWER_H
#define TM_POWER_POWER_H

#include "power/energy.h"
#include "power/power_series.h"
#include "power/readings.h"
#include "power/sensors.h"

#endif
