/* SPDX-License-Identifier: MIT
 * The views of `gemm` that are based on names of kernels. */
#ifndef TM_METRIC_GEMM_TILES_H
#define TM_METRIC_GEMM_TILES_H

#include "metric/shares.h"

extern const struct tm_column tm_gemm_tiles_columns[], tm_gemm_types_columns[];

/* A row for each matrix kernel, by time; a row for each type and instruction of them.  False when
 * out of memory. */
bool tm_gemm_tiles_rows(const struct share_sum *s, struct tm_table *t);
bool tm_gemm_types_rows(const struct share_sum *s, struct tm_table *t);

/* "256x128x64": the tile that a name says, absent where it says none. */
struct tm_cell tm_gemm_tile(struct tm_table *t, const struct tm_kernel_facts *f);

#endif
