/* SPDX-License-Identifier: MIT
 * From when to when does each rank's trace go?  The first pass of a relative window. */
#ifndef STREAM_SPAN_H
#define STREAM_SPAN_H

#include "stream/drive.h"
#include "stream/window.h"

/* Span of one rank: of its GPU work (kernels and copies), and of everything. */
struct span {
	uint64_t rank;
	uint64_t first, last, work_first, work_last; /* ns; first > last = nothing */
};

/* Accumulator of span_sink; v is in ascending order of rank. */
struct spans {
	struct span *v;
	size_t n, cap;
	uint64_t rank; /* of the piece being read */
};

/* Wants EV_BIT(EVC_START) | EV_BIT(EVC_END). */
extern const struct event_sink span_sink;

/* What the window means for this rank. */
struct extent span_resolve(const struct span *s, const struct window *w);

#endif
