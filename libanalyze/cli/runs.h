/* SPDX-License-Identifier: MIT
 * Runs that are operands of their own: each is read by itself, into an accumulator of its own. */
#ifndef TM_CLI_RUNS_H
#define TM_CLI_RUNS_H

#include "cli/common.h"
#include "runs/runs.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How runs are read. */
struct runs {
	const struct common *c;
	const struct window *window; /* where o.windowed */
	const struct event_sink *sink;
	const void *arg; /* its argument; NULL = the struct metric_opts of the run */
	ev_set want;
	enum drive_clock clock;
	bool keep_apart; /* runs of a rank that are apart are read all the same: the caller asks
	                    run_apart */
};

/* Bytes of the accumulator that a run is read into, and that of `sink` inside it. */
size_t run_size(const struct event_sink *sink);
void *run_inside(void *acc);

/* What runs there were, in that accumulator. */
const struct apart *run_apart(const void *acc);

/* Let go of it. */
void run_fini(const struct event_sink *sink, void *acc);

/* Read one run into an accumulator of run_size(sink) bytes, which is the caller's to run_fini where
 * *made.  `operand` is a file, a directory, "-", or, where no such file is there, a pattern of
 * glob(7), whose files are one run; with "3=" in front its rank.  What -w means for it is filled in
 * *o, and *extents the caller's to free.  ST_OK; ST_SKIP with *d: the command line is wrong;
 * ST_FATAL when out of memory. */
enum status run_read(const struct runs *r, const char *operand, struct metric_opts *o,
                     struct rank_extent **extents, void *acc, bool *made, struct report *rep,
                     struct diag *d);

/* The same of operands that are one run together; none: standard input, unless it is a terminal. */
enum status run_read_all(const struct runs *r, const struct option_list *operands,
                         struct metric_opts *o, struct rank_extent **extents, void *acc, bool *made,
                         struct report *rep, struct diag *d);

#endif
