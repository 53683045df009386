/* SPDX-License-Identifier: MIT
 * In a file of its own, so that a test can be linked with another: tests/oracle/short_ranges.c. */
#include "stream/tasks.h"

const uint64_t tm_drive_chunk = UINT64_C(8) << 20;
