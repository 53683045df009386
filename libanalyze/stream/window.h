/* SPDX-License-Identifier: MIT
 * Which part of a trace is asked for: -w FROM..TO.
 *
 * An edge is
 *     1234567890    a time on the trace's own clock, ns
 *     +1.5s         so long after the first event (units ns us ms s; none = ns)
 *     25%           this share of the span of GPU work
 *     (nothing)     the beginning or the end
 * The window is half-open.  An event belongs to it when it starts inside; it counts with its whole
 * duration.  "+" and "%" are taken for each rank on its own: from the first start to the last end of
 * its kernels and copies, or of all its events where it has none of those. */
#ifndef STREAM_WINDOW_H
#define STREAM_WINDOW_H

#include "base/diag.h"
#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum edge_kind { EDGE_OPEN, EDGE_NS, EDGE_AFTER, EDGE_PCT };

struct edge {
	enum edge_kind kind;
	uint64_t v; /* ns; EDGE_PCT: ten-thousandths of a percent */
};

struct window {
	struct edge from, to;
};

/* [lo, hi): what a window means for one rank. */
struct extent {
	uint64_t lo, hi;
};

/* Parse; false with *d. */
bool window_parse(struct window *w, const char *text, struct diag *d);

/* Does it need the span of the trace, so that the inputs are read twice? */
bool window_relative(const struct window *w);

/* Resolve against a span [first, last); not needed (any values) unless window_relative. */
struct extent window_resolve(const struct window *w, uint64_t first, uint64_t last);

#endif
