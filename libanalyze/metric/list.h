/* SPDX-License-Identifier: MIT
 * The questions of kstats, as metrics.def lists them. */
#ifndef TM_METRIC_LIST_H
#define TM_METRIC_LIST_H

#include "question/question.h"

/* All metrics, ending with NULL, in the order of metrics.def. */
extern const struct tm_metric *const tm_metrics[];

/* The metric of that name, or NULL. */
const struct tm_metric *tm_metric_find(const char *name);

#endif
