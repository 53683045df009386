/* SPDX-License-Identifier: MIT
 * The time span of each rank's trace: the first pass of a relative window. */
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

/* The accumulator of a wrapped sink that also keeps the spans of everything it gets. */
struct tm_span_watch {
	const struct tm_event_sink *sink;
	struct tm_spans spans;
	/* the accumulator of `sink` follows, aligned */
};

/* Wrap `sink`, which must outlive the result, in one whose accumulator is a struct tm_span_watch,
 * with the same arg.  Needs TM_SPAN_WANT in addition to what the other needs. */
struct tm_event_sink tm_span_watch(const struct tm_event_sink *sink);

/* The accumulator of the wrapped sink. */
void *tm_span_watched(struct tm_span_watch *w);

/* Resolve the window for this rank. */
struct tm_extent tm_span_resolve(const struct tm_span *s, const struct tm_window *w);

#endif
