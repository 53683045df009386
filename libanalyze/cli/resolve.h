/* SPDX-License-Identifier: MIT
 * What -w means for each rank: the first pass over the inputs, where it needs one. */
#ifndef CLI_RESOLVE_H
#define CLI_RESOLVE_H

#include "metric/metric.h"
#include "stream/drive.h"
#include "stream/window.h"

#include <stddef.h>

/* What a pass reads, and where it says what went wrong. */
struct resolve {
	const struct drive *drive;
	struct input *in;
	size_t n;
	const struct classes *classes;
	struct report *first; /* of that pass */
	struct report *rep;   /* of the run: what was chosen, and for what there is no window */
};

/* Fill in the windows of *o, in *extents where they differ from rank to rank (the caller's to free).
 * ST_OK, also where nothing fits the window, which is an error in r->rep; ST_FATAL when out of memory. */
enum status resolve_window(const struct resolve *r, const struct window *w, struct metric_opts *o,
                           struct rank_extent **extents);

#endif
