/* SPDX-License-Identifier: MIT */
#include "model/clock_line.h"

static const i128 one = (i128)1 << CLOCK_RATE_BITS;

/* a / b to the nearest, b > 0. */
static int64_t nearest(i128 a, i128 b)
{
	return (int64_t)((a < 0 ? a - b / 2 : a + b / 2) / b);
}

struct clock_line clock_line_back(const struct clock_line *l)
{
	return (struct clock_line) {
		.origin_ns = clock_line_at(l, l->origin_ns),
		.offset_ns = -l->offset_ns,
		.rate = nearest(-(i128)l->rate * one, one + l->rate),
	};
}

struct clock_line clock_line_then(const struct clock_line *l, const struct clock_line *m)
{
	uint64_t there = clock_line_at(l, l->origin_ns);
	i128 both = (i128)l->rate * m->rate;

	return (struct clock_line) {
		.origin_ns = l->origin_ns,
		.offset_ns = clock_line_at(m, there) - l->origin_ns,
		.rate = l->rate + m->rate + nearest(both, one),
	};
}
