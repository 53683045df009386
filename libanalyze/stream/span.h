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
struct tm_span {
	uint64_t rank;
	uint64_t first, last, work_first, work_last; /* ns; first > last = nothing */
};

/* Accumulator of tm_span_sink; v is in ascending order of rank. */
struct tm_spans {
	struct tm_span *v;
	size_t n, cap;
	uint64_t rank; /* of the piece being read */
};

#define TM_SPAN_WANT (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_NAME))

/* Wants TM_SPAN_WANT. */
extern const struct tm_event_sink tm_span_sink;

/* Widen a span by the rows of a batch that start inside [w.lo, w.hi); *gpu_ns grows by the
 * durations of its GPU work. */
void tm_span_widen(struct tm_span *s, tm_u128 *gpu_ns, const struct tm_batch *b,
                   struct tm_extent w);

/* Widen a span by another. */
void tm_span_join(struct tm_span *s, const struct tm_span *by);

/* Another sink that keeps the spans of everything it is given, too. */
struct tm_span_watch {
	const struct tm_event_sink *sink;
	struct tm_spans spans;
	/* the accumulator of `sink` follows, aligned */
};

/* Such a sink around `sink`, which must outlive it and whose arg it takes over: its accumulator is
 * a struct tm_span_watch.  Wants TM_SPAN_WANT beside what the other does. */
struct tm_event_sink tm_span_watch(const struct tm_event_sink *sink);

/* The accumulator of the sink inside. */
void *tm_span_watched(struct tm_span_watch *w);

/* What the window means for this rank. */
struct tm_extent tm_span_resolve(const struct tm_span *s, const struct tm_window *w);

#endif
