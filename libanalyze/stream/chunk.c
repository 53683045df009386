/* SPDX-License-Identifier: MIT
 * A file of its own, so that tests can link a smaller chunk: tests/oracle/short_ranges.c. */
#include "stream/tasks.h"

const uint64_t tm_drive_chunk = UINT64_C(8) << 20;
