/* SPDX-License-Identifier: MIT
 * Resolves -w for each rank: the first pass over the inputs, if needed. */
#ifndef TM_CLI_RESOLVE_H
#define TM_CLI_RESOLVE_H

#include "cli/operands/inputs.h"
#include "question/question.h"
#include "stream/stream.h"

/* What a pass reads, and where it says what went wrong. */
struct resolve {
	const struct tm_drive *drive;
	struct inputs *in;
	const struct common *common;
	const struct tm_classes *classes;
	struct tm_report *first; /* of that pass */
	struct tm_report *rep;   /* of the run: what was chosen, and for what there is no window */
};

/* Fill in the windows of *o, in *extents where they differ from rank to rank (the caller's to
 * free). TM_ST_OK, also where nothing fits the window, which is an error in r->rep; TM_ST_END as
 * tm_inputs_read, and where the runs of a rank have no common window to take a part of (r->rep says
 * so); TM_ST_FATAL when out of memory. */
enum tm_status tm_resolve_window(const struct resolve *r, const struct tm_window *w,
                                 struct tm_metric_opts *o, struct tm_rank_extent **extents);

/* What --region and -w marker:NAME ask for becomes a filter of the inputs, and of *d, which reads
 * them next.  Nothing is done where neither is given; w may be NULL.  TM_ST_OK, also where there is
 * no such region, which is an error in r->rep; TM_ST_END as tm_inputs_read; TM_ST_FATAL when out of
 * memory. */
enum tm_status tm_resolve_inside(const struct resolve *r, const struct tm_window *w,
                                 struct tm_drive *d);

/* A window with times on the trace's clock, all or much of which lies outside the trace, is most
 * likely meant otherwise: say in *rep from when to when the trace goes, and, where they may be
 * distances from its beginning, how to write those.  `text` is what the user wrote. */
void tm_explain_window(const struct tm_window *w, const char *text, const struct tm_spans *spans,
                       struct tm_report *rep);

#endif
