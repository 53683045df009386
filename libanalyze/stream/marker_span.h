/* SPDX-License-Identifier: MIT
 * Finds the times of the marker that -w names: the first pass of such a window. */
#ifndef TM_STREAM_MARKER_SPAN_H
#define TM_STREAM_MARKER_SPAN_H

#include "stream/drive.h"
#include "stream/window.h"

/* One range or mark of that text. */
struct tm_marker_hit {
	uint64_t rank;
	struct tm_extent at;
};

/* Accumulator of tm_marker_sink, whose argument is the struct tm_window. */
struct tm_marker_spans {
	const struct tm_window *w;
	struct tm_marker_hit *v;
	size_t n, cap;
	uint64_t *seen; /* nseen ranks with kernels, copies, calls or markers; settled: ascending,
	                   each once */
	size_t nseen, seen_cap;
	uint64_t rank; /* of the piece being read */
	bool noted;    /* it is among those */
};

/* Wants TM_MARKER_SPAN_WANT. */
extern const struct tm_event_sink tm_marker_sink;
#define TM_MARKER_SPAN_WANT                                                                        \
	(TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_NAME) |                \
	 TM_EV_BIT(TM_EVC_DOMAIN))

/* Sort the hits by rank, start and end: before the next. */
void tm_marker_spans_settle(struct tm_marker_spans *s);

/* Resolve the window for the rank of hit *i, and advance *i to the next rank.  False when that rank
 * has too few. */
bool tm_marker_spans_next(const struct tm_marker_spans *s, size_t *i, struct tm_marker_hit *out);

/* Number of ranks without such a marker; *least: the lowest of them.  After
 * tm_marker_spans_settle. */
size_t tm_marker_spans_without(const struct tm_marker_spans *s, uint64_t *least);

#endif
