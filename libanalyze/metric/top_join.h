/* SPDX-License-Identifier: MIT
 * Share the sums of names between questions about the same rows. */
#ifndef TM_METRIC_TOP_JOIN_H
#define TM_METRIC_TOP_JOIN_H

#include <stddef.h>

struct tm_top; /* metric/top.h; tm_metric.sums gives that of an accumulator */

/* v[0 .. n) get the same rows, and are merged side by side: those without quantiles use the sums of
 * one that adds up the same, which must live as long.  Call before the first row. */
void tm_top_join(struct tm_top *const *v, size_t n);

#endif
