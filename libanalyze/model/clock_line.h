/* SPDX-License-Identifier: MIT
 * From one clock to another: an offset, and a rate for clocks that drift apart.
 *
 * Integers only, so that a line gives the same nanosecond on every machine, and can be computed in
 * SQL, too (the views of schemas/run.sql). */
#ifndef TM_MODEL_CLOCK_LINE_H
#define TM_MODEL_CLOCK_LINE_H

#include "base/base.h"

#include <stdint.h>

__extension__ typedef __int128 tm_i128;

/* A rate counts units of 2^-TM_CLOCK_RATE_BITS: one is 5.7e-14, some 5 ns in a day. */
enum { TM_CLOCK_RATE_BITS = 44 };

/* Time t of one clock is t + offset_ns + (t - origin_ns) * rate / 2^44, rounded down, on the other.
 * {0} is the identity.  The rate is between -TM_CLOCK_RATE_MOST and TM_CLOCK_RATE_MOST, which
 * preserves order in time. */
struct tm_clock_line {
	uint64_t origin_ns, offset_ns; /* offset_ns modulo 2^64: it may be negative */
	int64_t rate;
};

/* 1000 ppm: no working clock is that bad. */
#define TM_CLOCK_RATE_MOST (INT64_C(1) << (TM_CLOCK_RATE_BITS - 10))

/* What the rate adds at a time. */
static inline int64_t tm_clock_line_drift(const struct tm_clock_line *l, uint64_t t)
{
	return (int64_t)((tm_i128)(int64_t)(t - l->origin_ns) * l->rate >> TM_CLOCK_RATE_BITS);
}

/* A time of the first clock on the second; modulo 2^64. */
static inline uint64_t tm_clock_line_at(const struct tm_clock_line *l, uint64_t t)
{
	return t + l->offset_ns + (uint64_t)tm_clock_line_drift(l, t);
}

/* The inverse, from the second clock to the first, exact to a nanosecond or two. */
struct tm_clock_line tm_clock_line_back(const struct tm_clock_line *l);

/* First *l, then *m, as one line, exact to a nanosecond or two. */
struct tm_clock_line tm_clock_line_then(const struct tm_clock_line *l,
                                        const struct tm_clock_line *m);

#endif
