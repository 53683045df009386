/* SPDX-License-Identifier: MIT
 * From when to when does each rank's trace go?  The first pass of a relative window. */
#ifndef TM_STREAM_SPAN_H
#define TM_STREAM_SPAN_H

#include "base/base.h"
#include "stream/drive.h"
#include "stream/window.h"

#include <stddef.h>
#include <stdint.h>

/* Span of one rank: of its GPU work (kernels and copies, but for those from host to host), and of
 * everything. */
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

#define SPAN_WANT (EV_BIT(EVC_START) | EV_BIT(EVC_END) | EV_BIT(EVC_NAME))

/* Wants SPAN_WANT. */
extern const struct event_sink span_sink;

/* Widen a span by the rows of a batch that start inside [w.lo, w.hi); *gpu_ns grows by the
 * durations of its GPU work. */
void span_widen(struct span *s, u128 *gpu_ns, const struct batch *b, struct extent w);

/* Widen a span by another. */
void span_join(struct span *s, const struct span *by);

/* Another sink that keeps the spans of everything it is given, too. */
struct span_watch {
	const struct event_sink *sink;
	struct spans spans;
	/* the accumulator of `sink` follows, aligned */
};

/* Such a sink around `sink`, which must outlive it and whose arg it takes over: its accumulator is
 * a struct span_watch.  Wants SPAN_WANT beside what the other does. */
struct event_sink span_watch(const struct event_sink *sink);

/* The accumulator of the sink inside. */
void *span_watched(struct span_watch *w);

/* What the window means for this rank. */
struct extent span_resolve(const struct span *s, const struct window *w);

#endif
