/* SPDX-License-Identifier: MIT
 * The names of the rows of `summary`, by which rules ask for them. */
#ifndef TM_METRIC_SUMMARY_H
#define TM_METRIC_SUMMARY_H

#include <stddef.h>

/* The name of row i, of all that there may be; NULL behind the last.  `out` is room for names that
 * are made. */
const char *tm_summary_name(size_t i, char out[32]);

#endif
