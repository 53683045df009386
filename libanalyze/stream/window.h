/* SPDX-License-Identifier: MIT
 * The window of -w: FROM..TO, marker:NAME[/INDEX], window:NAME[/INDEX] or step:N..M.
 *
 * An edge is
 *     1234567890    a time on the trace's own clock, ns
 *     +1.5s         so long after the first event (units ns us ms s min h; none = ns)
 *     25%           this share of the span of GPU work
 *     (nothing)     the beginning or the end
 * The window is half-open.  An event belongs to it when it starts inside; it counts with its whole
 * duration.  "+" and "%" are taken for each rank on its own: from the first start to the last end
 * of its kernels and copies, or of all its events where it has none of those.
 *
 * window:NAME is from the first start to the last end of all ranges and marks of that text,
 * window:NAME/3 the third of them by start.  marker:NAME is not a time, but selects what was
 * launched inside these ranges, whenever it runs (stack/inside.h).
 *
 * step:5..9 is from the beginning of step 5 to the end of step 9, step:5 that step alone; either
 * end may be omitted.  All of these are resolved rank by rank. */
#ifndef TM_STREAM_WINDOW_H
#define TM_STREAM_WINDOW_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_edge_kind { TM_EDGE_OPEN, TM_EDGE_NS, TM_EDGE_AFTER, TM_EDGE_PCT };

struct tm_edge {
	enum tm_edge_kind kind;
	uint64_t v; /* ns; TM_EDGE_PCT: ten-thousandths of a percent */
};

enum tm_window_kind {
	TM_WINDOW_EDGES,
	TM_WINDOW_MARKER,   /* window:NAME */
	TM_WINDOW_LAUNCHED, /* marker:NAME: no window, but a filter */
	TM_WINDOW_STEPS
};

struct tm_window {
	enum tm_window_kind kind;
	struct tm_edge from, to; /* TM_WINDOW_EDGES */
	const char *name; /* _MARKER, _LAUNCHED: name_len bytes of the text parsed, borrowed */
	size_t name_len;
	uint64_t index;       /* of the marker, from 1; 0 = from the first to the last */
	uint64_t first, last; /* TM_WINDOW_STEPS: numbers of steps, both included */
};

/* [lo, hi): a window resolved for one rank. */
struct tm_extent {
	uint64_t lo, hi;
};

/* Parse; false with *d. */
bool tm_window_parse(struct tm_window *w, const char *text, struct tm_diag *d);

/* Does it depend on the contents of the trace, so that the inputs are read twice? */
bool tm_window_relative(const struct tm_window *w);

/* Resolve edges against a span [first, last), which may be anything unless tm_window_relative. */
struct tm_extent tm_window_resolve(const struct tm_window *w, uint64_t first, uint64_t last);

#endif
