/* SPDX-License-Identifier: MIT
 * When was the marker that -w marker:NAME names?  The first pass of such a window. */
#ifndef TM_STREAM_MARKER_SPAN_H
#define TM_STREAM_MARKER_SPAN_H

#include "stream/drive.h"
#include "stream/window.h"

/* One range or mark of that text. */
struct marker_hit {
	uint64_t rank;
	struct extent at;
};

/* Accumulator of marker_sink, whose argument is the struct window. */
struct marker_spans {
	const struct window *w;
	struct marker_hit *v;
	size_t n, cap;
	uint64_t *seen; /* nseen ranks with kernels, copies, calls or markers; settled: ascending,
	                   each once */
	size_t nseen, seen_cap;
	uint64_t rank; /* of the piece being read */
	bool noted;    /* it is among those */
};

/* Wants MARKER_SPAN_WANT. */
extern const struct event_sink marker_sink;
#define MARKER_SPAN_WANT                                                                           \
	(EV_BIT(EVC_START) | EV_BIT(EVC_END) | EV_BIT(EVC_NAME) | EV_BIT(EVC_DOMAIN))

/* Sort the hits by rank, start and end: before the next. */
void marker_spans_settle(struct marker_spans *s);

/* What the window means for the rank of hit *i, which goes on to the next rank.  False when that
 * rank has not as many. */
bool marker_spans_next(const struct marker_spans *s, size_t *i, struct marker_hit *out);

/* How many ranks have no such marker at all; *least: the lowest of them.  After
 * marker_spans_settle. */
size_t marker_spans_without(const struct marker_spans *s, uint64_t *least);

#endif
