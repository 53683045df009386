/* SPDX-License-Identifier: MIT
 * Linked into a tool instead of libanalyze/stream/chunk.c, has it read small files in ranges. */
#include "stream/tasks.h"

const uint64_t tm_drive_chunk = UINT64_C(2) << 10;
