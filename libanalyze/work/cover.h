/* SPDX-License-Identifier: MIT
 * When was the GPU working, whichever of a rank's agents it was?  And unions of any other lists
 * that many questions are asked of. */
#ifndef TM_WORK_COVER_H
#define TM_WORK_COVER_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The union of all work of a rank.  {0} is that of no rank yet, and of nothing. */
struct tm_cover {
	struct tm_intervals v; /* disjoint, ascending */
	uint64_t *before;      /* what they add up to before every TM_COVER_STRIDE-th */
	uint64_t rank;
	bool made;
};

enum { TM_COVER_STRIDE = 16 };

/* That of a rank of a settled struct tm_work, whose operations of the rank go into it; nothing to
 * do when it is that already.  False when out of memory. */
bool tm_cover_make(struct tm_cover *c, struct tm_work *w, uint64_t rank);

/* Make one by hand, from {0}: collect lists, whose intervals go into it, or the intervals of
 * another cover, which keeps its own; then finish it, once.  False when out of memory. */
bool tm_cover_take(struct tm_cover *c, struct tm_intervals *list);
bool tm_cover_copy(struct tm_cover *c, const struct tm_cover *from);
bool tm_cover_finish(struct tm_cover *c);

/* Time in [lo, hi) during which something ran.  Of a rank's cover: inside the window. */
uint64_t tm_cover_busy(const struct tm_cover *c, uint64_t lo, uint64_t hi);

/* Time in [lo, hi) during which something ran in any of n covers, n <= TM_COVER_ANY.  Takes as long
 * as all but the largest have stretches in there. */
enum { TM_COVER_ANY = 4 };
uint64_t tm_cover_any(const struct tm_cover *const *c, size_t n, uint64_t lo, uint64_t hi);

/* Free it; {0} again. */
void tm_cover_fini(struct tm_cover *c);

#endif
