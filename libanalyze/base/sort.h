/* SPDX-License-Identifier: MIT
 * Sorting without any memory, for qsort_r makes a copy of what it sorts; and places. */
#ifndef TM_BASE_SORT_H
#define TM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* As qsort_r, which is quicker where memory does not matter; at once where all is in order.  Equal
 * ones may change places. */
void tm_sort_in_place(void *base, size_t n, size_t size,
                      int (*cmp)(const void *a, const void *b, void *arg), void *arg);

/* Of the numbers 0 .. n - 1, which `cmp` is given pointers to, the place of each in that order; to
 * be freed.  NULL when out of memory. */
uint32_t *tm_places(uint32_t n, int (*cmp)(const void *a, const void *b, void *arg), void *arg);

#endif
