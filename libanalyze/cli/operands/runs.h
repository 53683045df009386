/* SPDX-License-Identifier: MIT
 * Runs as separate operands: each is read separately, into an accumulator of its own. */
#ifndef TM_CLI_RUNS_H
#define TM_CLI_RUNS_H

#include "cli/frame/frame.h"
#include "runs/runs.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How runs are read. */
struct runs {
	const struct common *c;
	const struct tm_window *window; /* where o.windowed */
	const struct tm_event_sink *sink;
	const void *arg; /* its argument; NULL = the struct tm_metric_opts of the run */
	tm_ev_set want;
	tm_ev_set with_inputs; /* of these, columns that count only beside what operators take */
	enum tm_drive_clock clock;
	bool keep_apart; /* runs of a rank that are apart are read all the same: the caller asks
	                    tm_run_apart */
};

/* Bytes of the accumulator that a run is read into, and that of `sink` inside it. */
size_t tm_run_size(const struct tm_event_sink *sink);
void *tm_run_inside(void *acc);

/* What runs there were, in that accumulator. */
const struct tm_apart *tm_run_apart(const void *acc);

/* Let go of it. */
void tm_run_fini(const struct tm_event_sink *sink, void *acc);

/* Read one run into an accumulator of tm_run_size(sink) bytes, which is the caller's to tm_run_fini
 * where
 * *made.  `operand` is a file, a directory, "-", or, where no such file is there, a pattern of
 * glob(7), whose files are one run; with "3=" in front its rank.  What -w means for it is filled in
 * *o, and *extents the caller's to free.  TM_ST_OK; TM_ST_SKIP with *d: the command line is wrong;
 * TM_ST_FATAL when out of memory. */
enum tm_status tm_run_read(const struct runs *r, const char *operand, struct tm_metric_opts *o,
                           struct tm_rank_extent **extents, void *acc, bool *made,
                           struct tm_report *rep, struct tm_diag *d);

/* The same of operands that are one run together; none: standard input, unless it is a terminal. */
enum tm_status tm_run_read_all(const struct runs *r, const struct option_list *operands,
                               struct tm_metric_opts *o, struct tm_rank_extent **extents, void *acc,
                               bool *made, struct tm_report *rep, struct tm_diag *d);

#endif
