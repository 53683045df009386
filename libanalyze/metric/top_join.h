/* SPDX-License-Identifier: MIT
 * Questions asked together of the same rows add up each name once. */
#ifndef TM_METRIC_TOP_JOIN_H
#define TM_METRIC_TOP_JOIN_H

#include <stddef.h>

struct tm_top; /* metric/top.h; tm_metric.sums gives that of an accumulator */

/* v[0 .. n) are given the same rows, and merged side by side: those without quantiles leave theirs
 * to one that adds up the same, which must live as long.  Before the first row. */
void tm_top_join(struct tm_top *const *v, size_t n);

#endif
