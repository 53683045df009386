/* SPDX-License-Identifier: MIT
 * When was the GPU working, whichever of a rank's agents it was? */
#ifndef METRIC_COVER_H
#define METRIC_COVER_H

#include "metric/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The union of all work of a rank.  {0} is that of no rank yet. */
struct cover {
	struct intervals v; /* disjoint, ascending */
	uint64_t *before;   /* what they add up to before every COVER_STRIDE-th */
	uint64_t rank;
	bool made;
};

enum { COVER_STRIDE = 64 };

/* That of a rank of a settled struct work, whose operations of the rank go into it; nothing to do when it is
 * that already.  False when out of memory. */
bool cover_make(struct cover *c, struct work *w, uint64_t rank);

/* Time in [lo, hi), which is inside the window, during which something ran. */
uint64_t cover_busy(const struct cover *c, uint64_t lo, uint64_t hi);

/* Free it; {0} again. */
void cover_fini(struct cover *c);

#endif
