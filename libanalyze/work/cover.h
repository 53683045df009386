/* SPDX-License-Identifier: MIT
 * The times when any agent of a rank worked; and other unions of lists with many lookups. */
#ifndef TM_WORK_COVER_H
#define TM_WORK_COVER_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The union of all work of a rank.  {0} is empty, and of no rank yet. */
struct tm_cover {
	struct tm_intervals v; /* disjoint, ascending */
	uint64_t *before;      /* what they add up to before every TM_COVER_STRIDE-th */
	uint64_t rank;
	bool made;
};

enum { TM_COVER_STRIDE = 16 };

/* Make it for a rank of a settled struct tm_work, whose operations of that rank are moved into it;
 * does nothing if it is for that rank already.  False when out of memory. */
bool tm_cover_make(struct tm_cover *c, struct tm_work *w, uint64_t rank);

/* Make one from {0}: move intervals of lists into it, or copy those of another cover; then finish
 * it, once.  False when out of memory. */
bool tm_cover_take(struct tm_cover *c, struct tm_intervals *list);
bool tm_cover_copy(struct tm_cover *c, const struct tm_cover *from);
bool tm_cover_finish(struct tm_cover *c);

/* Time in [lo, hi) during which something ran.  For a rank's cover, inside the window. */
uint64_t tm_cover_busy(const struct tm_cover *c, uint64_t lo, uint64_t hi);

/* Time in [lo, hi) during which something ran in any of n covers, n <= TM_COVER_ANY.  Takes time
 * proportional to the stretches there in all but the largest. */
enum { TM_COVER_ANY = 4 };
uint64_t tm_cover_any(const struct tm_cover *const *c, size_t n, uint64_t lo, uint64_t hi);

/* Free it; {0} again. */
void tm_cover_fini(struct tm_cover *c);

#endif
