/* SPDX-License-Identifier: MIT
 * Sorting without any memory, for qsort_r makes a copy of what it sorts; places; bisection. */
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

/* The first of the numbers [lo, hi) for which `before`, an expression in which `mid` is one of
 * them, is false, by bisection: those for which it is true come first.  Both become that number, hi
 * where there is none.  A macro, for millions of searches of short lists in which a call would
 * count. */
#define TM_BISECT(lo, hi, mid, before)                                                             \
	do {                                                                                       \
		while ((lo) < (hi)) {                                                              \
			__typeof__(lo) mid = (lo) + ((hi) - (lo)) / 2;                             \
			if (before)                                                                \
				(lo) = mid + 1;                                                    \
			else                                                                       \
				(hi) = mid;                                                        \
		}                                                                                  \
	} while (0)

/* The same of [lo, end), where few come first: in steps that double. */
#define TM_GALLOP(lo, end, mid, before)                                                            \
	do {                                                                                       \
		__typeof__(lo) gallop_to = (lo), gallop_by = 1;                                    \
		while (gallop_to < (end)) {                                                        \
			const __typeof__(lo) mid = gallop_to;                                      \
			if (!(before))                                                             \
				break;                                                             \
			(lo) = mid + 1;                                                            \
			gallop_to = (end)-mid > gallop_by ? mid + gallop_by : (end);               \
			gallop_by *= 2;                                                            \
		}                                                                                  \
		TM_BISECT(lo, gallop_to, mid, before);                                             \
	} while (0)

#endif
