/* SPDX-License-Identifier: MIT
 * Were the kernels of a run launched by the calls of that run?
 *
 * A profiler that is told the name of its files replaces those of an earlier execution, but only
 * the tables that it writes again.  Then kernels of one execution lie next to launches of another,
 * and correlation ids join them as if they belonged together.  Of a run.db this was asked when it
 * was made, of all; what it has now may be the kernels of one GPU. */
#ifndef TM_STREAM_EXECUTED_H
#define TM_STREAM_EXECUTED_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_batch;
struct tm_piece;
struct tm_report;

/* From the first to the last start of something, and the least file that has it. */
struct tm_executed_span {
	uint64_t first, last; /* ns; first > last: there is none */
	uint32_t path;        /* in executed.paths */
};

/* Of a run, or of one file of it. */
struct tm_executed_run {
	uint32_t run;
	struct tm_executed_span kernels, launches;
};

/* {0} is a valid empty one. */
struct tm_executed {
	struct tm_names paths;
	struct tm_executed_run *v; /* n of them */
	size_t n, cap;
};

/* Note when the kernels and the launches in a batch of a piece started.  False when out of memory.
 */
bool tm_executed_rows(struct tm_executed *e, const struct tm_piece *p, const struct tm_batch *b);

/* Add those of a reading to *all, whose v is by run.  False when out of memory. */
bool tm_executed_take(struct tm_executed *all, const struct tm_executed *e);

/* Are the kernels and the launches of a run in files of two executions?  Then report the first. */
bool tm_executed_tell(const struct tm_executed *all, struct tm_report *rep);

/* Free it; {0} again. */
void tm_executed_fini(struct tm_executed *e);

#endif
