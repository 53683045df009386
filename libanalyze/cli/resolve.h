/* SPDX-License-Identifier: MIT
 * What -w means for each rank: the first pass over the inputs, where it needs one. */
#ifndef TM_CLI_RESOLVE_H
#define TM_CLI_RESOLVE_H

#include "cli/inputs.h"
#include "question/question.h"
#include "stream/stream.h"

/* What a pass reads, and where it says what went wrong. */
struct resolve {
	const struct drive *drive;
	struct inputs *in;
	const struct common *common;
	const struct classes *classes;
	struct report *first; /* of that pass */
	struct report *rep;   /* of the run: what was chosen, and for what there is no window */
};

/* Fill in the windows of *o, in *extents where they differ from rank to rank (the caller's to
 * free). ST_OK, also where nothing fits the window, which is an error in r->rep; ST_END as
 * inputs_read, and where the runs of a rank have no common window to take a part of (r->rep says
 * so); ST_FATAL when out of memory. */
enum status resolve_window(const struct resolve *r, const struct window *w, struct metric_opts *o,
                           struct rank_extent **extents);

/* A window with times on the trace's clock, all or much of which lies outside the trace, is most
 * likely meant otherwise: say in *rep from when to when the trace goes, and, where they may be
 * distances from its beginning, how to write those.  `text` is what the user wrote. */
void explain_window(const struct window *w, const char *text, const struct spans *spans,
                    struct report *rep);

#endif
