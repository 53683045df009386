/* SPDX-License-Identifier: MIT
 * Further tables of `top`, after its usual one. */
#ifndef TM_METRIC_TOP_AGAIN_H
#define TM_METRIC_TOP_AGAIN_H

#include <stddef.h>

/* The options of its view "hist" for the durations of exactly that name, filled from the same
 * accumulator after the usual table; `name` is borrowed, the rest to be freed.  NULL when out of
 * memory. */
void *tm_top_again_own(const char *name, size_t n);

#endif
