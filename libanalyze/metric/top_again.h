/* SPDX-License-Identifier: MIT
 * What else `top` can tell when its usual table was filled. */
#ifndef TM_METRIC_TOP_AGAIN_H
#define TM_METRIC_TOP_AGAIN_H

#include <stddef.h>

/* The options of its view "hist" for the durations of exactly that name, which are filled from the
 * same accumulator after its usual table; `name` is borrowed, the rest to be freed.  NULL when out
 * of memory. */
void *tm_top_again_own(const char *name, size_t n);

#endif
