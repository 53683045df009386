/* SPDX-License-Identifier: MIT
 * Sorting in place, without the copy that qsort_r makes; ranking; bisection. */
#ifndef TM_BASE_SORT_H
#define TM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* As qsort_r, which is faster if memory does not matter; returns at once if all is in order.  Not
 * stable. */
void tm_sort_in_place(void *base, size_t n, size_t size,
                      int (*cmp)(const void *a, const void *b, void *arg), void *arg);

/* The place of each of the numbers 0 .. n - 1 in the order of `cmp`, which gets pointers to them;
 * to be freed.  NULL when out of memory. */
uint32_t *tm_places(uint32_t n, int (*cmp)(const void *a, const void *b, void *arg), void *arg);

/* Find by bisection the first number in [lo, hi) for which `before`, an expression of `mid`, is
 * false; those for which it is true must come first.  Sets lo and hi to that number, or to hi if
 * there is none.  A macro, since a call would be noticeable in millions of searches of short
 * lists. */
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

/* The same in [lo, end), if the result is near lo: in steps that double. */
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
