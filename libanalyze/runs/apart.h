/* SPDX-License-Identifier: MIT
 * Do the runs of a rank belong to one window?
 *
 * Values relative to a window (idle time, shares) are meaningless if a rank has several runs that
 * are apart: two executions on different days, or on different boots, whose clocks are not
 * comparable.  Runs of a rank are apart when
 *     - their hosts are known, and differ;
 *     - their clocks have one name, and began at moments more than TM_APART_BOOT_NS away from each
 *       other, as readings of CLOCK_REALTIME say: the machine was started anew in between;
 *     - the GPU work of one ends before that of another begins, with none of a third run in between
 *       that touches both.  What RANK=FILE gives one rank is one process, as the user says,
 *       whenever it worked.
 * With -w, only runs with GPU work that starts inside can be apart, by all of the work that they
 * have.
 * Clocks that were aligned compare. */
#ifndef TM_RUNS_APART_H
#define TM_RUNS_APART_H

#include "agg/agg.h"
#include "question/question.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger than any correction of a clock while a program runs. */
#define TM_APART_BOOT_NS UINT64_C(60000000000)

/* A window at least this long, of which less than this part is work, is reported. */
enum { TM_APART_TIMES = 1000 };
#define TM_APART_LONG_NS UINT64_C(60000000000)

/* One rank in one run.  Names are numbers in apart.names, TM_NAME_NONE = unknown. */
struct tm_apart_run {
	uint64_t rank;
	struct tm_span span;   /* of all that it has */
	struct tm_span inside; /* of what starts inside -w */
	tm_u128 gpu_ns;        /* sum of its GPU work that does */
	uint32_t path;         /* the least of its files */
	uint32_t run, host, clock;
	struct tm_realtime realtime;
	bool aligned;
	bool given; /* all of it has the rank from RANK=FILE */
};

/* The argument of tm_apart_watch; both outlive the sink. */
struct tm_apart_opts {
	const struct tm_event_sink *sink;
	const struct tm_metric_opts *o;
};

/* The accumulator of a wrapped sink that also keeps the runs of everything it gets. */
struct tm_apart {
	const struct tm_apart_opts *how;
	struct tm_event_sink sink;
	struct tm_names names;
	struct tm_groups keys;  /* rank, run */
	struct tm_apart_run *v; /* keys.n of them */
	size_t cap;
	/* private: the piece being read */
	size_t at;
	struct tm_extent window;
	/* the accumulator of `sink` follows, aligned */
};

/* Wrap a sink in one whose accumulator is a struct tm_apart.  Needs TM_SPAN_WANT in addition to
 * what the other needs. */
struct tm_event_sink tm_apart_watch(const struct tm_apart_opts *how);

/* The accumulator of the wrapped sink. */
void *tm_apart_watched(struct tm_apart *a);

/* Is there a rank whose runs are apart?  Then add a finding of that severity to *rep, which ends in
 * `then`: what that means for the question.  False also when out of memory: rep->lost. */
bool tm_apart_tell(const struct tm_apart *a, enum tm_severity severity, const char *then,
                   struct tm_report *rep);

/* The same for the states of ranks without events (question/state.h). */
bool tm_apart_kept(const struct tm_state *kept, enum tm_severity severity, const char *then,
                   struct tm_report *rep);

/* Write what tm_apart_tell_idle would report for the only rank of *a to *r; texts belong to *a.
 * False when out of memory. */
bool tm_apart_idle(const struct tm_apart *a, struct tm_state_runs *r);

/* Report the first rank whose GPU work is less than 1 / TM_APART_TIMES of a window of at least
 * TM_APART_LONG_NS, including ranks in `kept` (NULL = none).  True if there is one. */
bool tm_apart_tell_idle(const struct tm_apart *a, const struct tm_state *kept,
                        struct tm_report *rep);

#endif
