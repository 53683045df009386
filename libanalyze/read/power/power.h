/* SPDX-License-Identifier: MIT
 * Readings of power, clocks and temperature. */
#ifndef TM_READ_POWER_POWER_H
#define TM_READ_POWER_POWER_H

#include "read/power/power_csv.h"

#endif
