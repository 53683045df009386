/* SPDX-License-Identifier: MIT
 * Which collective did a test of rccl-tests run that does not print its name? */
#ifndef TM_LIBPERF_LIB_COMPARE_COMM_H
#define TM_LIBPERF_LIB_COMPARE_COMM_H

#include "libperf/lib_bench_rows.h"
#include "libperf/lib_compare_sample.h"

/* The table whose rows are at hand.  {0} before the first row. */
struct tm_lib_comm_table {
	size_t end;    /* the first row behind it */
	unsigned fits; /* which operations all of its rates fit */
};

/* The operation of a row, rows asked in their order; several that cannot be told apart, with "/"
 * between them; or "collective". */
const char *tm_lib_comm_name(const struct tm_lib_rows *rows, const struct tm_lib_row *row,
                             struct tm_lib_comm_table *t);

/* Samples of operations that could not be told apart become those of one of them, if only that has
 * the same problem, and not in the same file.  False when out of memory. */
bool tm_lib_comm_settle(struct tm_lib_samples *a);

#endif
