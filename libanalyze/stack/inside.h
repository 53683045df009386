/* SPDX-License-Identifier: MIT
 * Which events were launched inside a region: --region PATH and -w marker:NAME.
 *
 * A first pass keeps the frames and calls of all ranks; then it is asked for each event, by several
 * threads at a time.  An operation of the GPU is inside if a range of the region was around its
 * launch (stack.h) or, if no call is known, around its own start.  A call, a marker, an operator
 * and an allocation are inside if they begin there, on their thread; so is the region itself.
 *
 * PATH is a list of texts separated by '/', from outer to inner region, the last one the region
 * itself: "step/attn".  It may begin at any level; with a leading '/', at the outermost region.  A
 * text is that of the marker, or that with '*' for its numbers; "\/" is a '/' in a text, "\\" a
 * '\'. */
#ifndef TM_STACK_INSIDE_H
#define TM_STACK_INSIDE_H

#include "agg/agg.h"
#include "base/base.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The filters; if both are given, both apply. */
struct tm_inside_opts {
	const char *path; /* of --region, or NULL; borrowed */
	const char *name; /* of the marker, name_len bytes, or NULL; borrowed */
	size_t name_len;
	uint64_t index; /* of the marker, from 1, as they start on a rank; 0 = all */
};

struct tm_inside;

/* Create it, ready to read.  NULL when out of memory. */
struct tm_inside *tm_inside_new(const struct tm_inside_opts *o);

/* The sink that reads frames and calls for it, and the columns that this needs.  The argument of
 * the sink is the tm_inside; it has an accumulator of its own. */
struct tm_event_sink tm_inside_sink(const struct tm_inside *in);
tm_ev_set tm_inside_want(void);

/* Call after reading: moves the contents of the accumulator to *in.  False when out of memory. */
bool tm_inside_settle(struct tm_inside *in, void *acc);

/* What was found, counting ranks with events. */
struct tm_inside_found {
	uint64_t ranks;   /* with such a range */
	uint64_t points;  /* with nothing but marks without duration */
	uint64_t without; /* the others; the lowest is .first_without */
	uint64_t first_without;
};
struct tm_inside_found tm_inside_found(const struct tm_inside *in);

/* For tm_only.inside, of stream/only.h. */
enum tm_only_inside tm_inside_row(const void *in, const struct tm_piece *p,
                                  const struct tm_batch *b, uint32_t i);

/* Free it; NULL is fine. */
void tm_inside_free(struct tm_inside *in);

#endif
