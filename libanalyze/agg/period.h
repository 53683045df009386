/* SPDX-License-Identifier: MIT
 * Does a sequence repeat, and how? */
#ifndef AGG_PERIOD_H
#define AGG_PERIOD_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* v[i] == v[i + length] for all from <= i < to - length, and not one further on either side. */
struct period {
	size_t length, from, to;
};

/* The shortest period that some stretch of more than half of v[0 .. n) has, at least twice over; of
 * several stretches the longest, then the first.  What is before and behind the stretch (a warm-up, the end)
 * may be anything.  Time and memory grow with n, whatever v holds.  ST_OK; ST_END when nothing repeats
 * like that; ST_FATAL when out of memory. */
enum status period_find(const uint32_t *v, size_t n, struct period *out);

#endif
