/* SPDX-License-Identifier: MIT
 * The frames of a thread, linked. */
#ifndef STACK_FRAMES_H
#define STACK_FRAMES_H

#include "stack/stack.h"

#define FRAME_NONE UINT32_MAX

/* The frame that began last before this one and was still open then; FRAME_NONE = none. */
static inline uint32_t frame_below(const struct tm_intervals *s, size_t i)
{
	return (uint32_t)tm_interval_tag(s, i);
}

/* The last frame that begins not after that time; FRAME_NONE = none. */
uint32_t tm_frames_last(const struct tm_intervals *s, uint64_t at);

/* Which thread of a rank has the thing of that number; *at: which of its own it is.  before[i]: how
 * many are in the threads before the i-th of the rank. */
size_t tm_stack_whose(const struct tm_stack_rank *r, const uint64_t *before, uint32_t number,
                      uint32_t *at);

/* Find out which operators of a rank are forward ones (path.c).  False when out of memory. */
bool tm_stack_pair(struct tm_stack_rank *r);

#endif
