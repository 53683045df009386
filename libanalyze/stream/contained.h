/* SPDX-License-Identifier: MIT
 * Is a run put together from others that count as well?
 *
 * Tables of several processes that somebody concatenated lie next to those of each process, under
 * any name and without a word of their processes.  Kernels of one name that start and end in the
 * same nanoseconds, on one agent as far as that is read, are the same ones: a run has the kernels
 * of all others below some directory if the sums of their hashes agree.  Runs that state different
 * ranks are apart whatever is in them. */
#ifndef TM_STREAM_CONTAINED_H
#define TM_STREAM_CONTAINED_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_batch;
struct tm_piece;
struct tm_report;

/* The kernels of a run. */
struct tm_contained_run {
	uint32_t path;         /* in contained.paths: the least file that has some */
	uint64_t kernels, sum; /* of their hashes */
	uint64_t rank;
	enum tm_rank_rule rule; /* the last by which a file of it got its rank */
};

/* {0} is a valid empty one. */
struct tm_contained {
	struct tm_names runs, paths;
	struct tm_contained_run *v; /* of each run */
	size_t cap;
};

/* Note the kernels in a batch of a piece.  False when out of memory. */
bool tm_contained_rows(struct tm_contained *c, const struct tm_piece *p, const struct tm_batch *b);

/* Add those of a reading to *all.  False when out of memory. */
bool tm_contained_take(struct tm_contained *all, const struct tm_contained *c);

/* Has one run the kernels of several others?  Then report the first.  False also when out of
 * memory: rep->lost. */
bool tm_contained_tell(const struct tm_contained *all, struct tm_report *rep);

/* Free it; {0} again. */
void tm_contained_fini(struct tm_contained *c);

#endif
