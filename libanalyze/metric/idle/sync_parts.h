/* SPDX-License-Identifier: MIT
 * What `sync` remembers: shared by the file that takes in and the file that prints. */
#ifndef TM_METRIC_SYNC_PARTS_H
#define TM_METRIC_SYNC_PARTS_H

#include "agg/agg.h"
#include "base/base.h"
#include "metric/idle/sync.h"

/* Key of a sum: run (a name), rank, enum tm_work_api, function (a name). */
enum { KEY_RUN, KEY_RANK, KEY_API, KEY_NAME, KEY_WORDS };

struct sum {
	uint64_t calls, max;
	tm_u128 total;
	double least; /* what its Percentage says the whole file holds at least */
	bool no_max;
};

struct sync {
	struct tm_work w;
	struct tm_groups keys; /* of the sums */
	struct sum *sum;
	size_t cap;
	struct tm_groups traced; /* runs (names) with API calls of their own */
	struct tm_groups
	        busy; /* ranks with work on a GPU, inside the window or not; when all is there */
	uint64_t unusable; /* rows of statistics that -w or --during cannot choose from */
	uint32_t run;      /* of the piece being read */
};

/* Which part of a call --during asks for: while the GPU was working, or was not. */
enum during { DURING_ALL, DURING_BUSY, DURING_IDLE };

/* sync_table.c: the options, and what they say; metric_opts.own is a struct sync_own. */
struct sync_own {
	const char *during;
};
extern const struct tm_metric_option tm_sync_options[];
enum during tm_sync_during(const struct tm_metric_opts *o);

/* Into *into. */
void tm_sync_add_sum(struct sum *into, const struct sum *from);

/* Add a key of one word; false when out of memory. */
bool tm_sync_note(struct tm_groups *g, uint64_t key);

/* Move all waits of all threads of the process into the empty *all, sorted; false when out of
 * memory (*all is the caller's to fini all the same). */
bool tm_sync_take_waits(const struct tm_sync_process *p, struct tm_intervals *all);

/* struct tm_metric's fill. */
enum tm_status tm_sync_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                            struct tm_report *rep);

extern const struct tm_column tm_sync_columns[];

#endif
