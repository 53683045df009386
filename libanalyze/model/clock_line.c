/* SPDX-License-Identifier: MIT */
#include "model/clock_line.h"

static const tm_i128 one = (tm_i128)1 << TM_CLOCK_RATE_BITS;

/* a / b to the nearest, b > 0. */
static int64_t nearest(tm_i128 a, tm_i128 b)
{
	return (int64_t)((a < 0 ? a - b / 2 : a + b / 2) / b);
}

struct tm_clock_line tm_clock_line_back(const struct tm_clock_line *l)
{
	return (struct tm_clock_line) {
		.origin_ns = tm_clock_line_at(l, l->origin_ns),
		.offset_ns = -l->offset_ns,
		.rate = nearest(-(tm_i128)l->rate * one, one + l->rate),
	};
}

struct tm_clock_line tm_clock_line_then(const struct tm_clock_line *l,
                                        const struct tm_clock_line *m)
{
	uint64_t there = tm_clock_line_at(l, l->origin_ns);
	tm_i128 both = (tm_i128)l->rate * m->rate;

	return (struct tm_clock_line) {
		.origin_ns = l->origin_ns,
		.offset_ns = tm_clock_line_at(m, there) - l->origin_ns,
		.rate = l->rate + m->rate + nearest(both, one),
	};
}
