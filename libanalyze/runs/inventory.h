/* SPDX-License-Identifier: MIT
 * The contents of files, a row for each trace read: tracecat info. */
#ifndef TM_RUNS_INVENTORY_H
#define TM_RUNS_INVENTORY_H

#include "question/question.h"

/* The inventory as a metric; it uses no member of metric_opts. */
extern const struct tm_metric tm_inventory_metric;

#endif
