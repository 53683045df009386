/* SPDX-License-Identifier: MIT
 * Sorting without any memory: qsort_r makes a copy of what it sorts. */
#ifndef TM_BASE_SORT_H
#define TM_BASE_SORT_H

#include <stddef.h>

/* As qsort_r, which is quicker where memory does not matter; at once where all is in order.  Equal
 * ones may change places. */
void tm_sort_in_place(void *base, size_t n, size_t size,
                      int (*cmp)(const void *a, const void *b, void *arg), void *arg);

#endif
