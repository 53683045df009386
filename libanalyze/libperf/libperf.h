/* SPDX-License-Identifier: MIT
 * The questions of libperf: library calls and bench tables. */
#ifndef TM_LIBPERF_LIBPERF_H
#define TM_LIBPERF_LIBPERF_H

#include "libperf/lib_bench_rows.h"
#include "libperf/lib_compare_sample.h"
#include "libperf/lib_opts.h"
#include "libperf/lib_take.h"

#endif
