/* SPDX-License-Identifier: MIT
 * Logs and bench tables of GPU libraries. */
#ifndef TM_READ_LIBRARY_LIBRARY_H
#define TM_READ_LIBRARY_LIBRARY_H

#include "read/library/lib_bench.h"
#include "read/library/lib_calls.h"
#include "read/library/lib_columns.h"
#include "read/library/lib_log.h"
#include "read/library/rccl.h"

#endif
