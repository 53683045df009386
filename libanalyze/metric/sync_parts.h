/* SPDX-License-Identifier: MIT
 * What `sync` remembers: shared by the file that takes in and the file that prints. */
#ifndef TM_METRIC_SYNC_PARTS_H
#define TM_METRIC_SYNC_PARTS_H

#include "agg/agg.h"
#include "base/base.h"
#include "metric/sync.h"

/* Key of a sum: run (a name), rank, enum work_api, function (a name). */
enum { KEY_RUN, KEY_RANK, KEY_API, KEY_NAME, KEY_WORDS };

struct sum {
	uint64_t calls, max;
	u128 total;
	double least; /* what its Percentage says the whole file holds at least */
	bool no_max;
};

struct sync {
	struct work w;
	struct groups keys; /* of the sums */
	struct sum *sum;
	size_t cap;
	struct groups traced; /* runs (names) with API calls of their own */
	struct groups
	        busy; /* ranks with work on a GPU, inside the window or not; when all is there */
	uint64_t unusable; /* rows of statistics that -w or --during cannot choose from */
	uint32_t run;      /* of the piece being read */
};

/* Into *into. */
void sync_add_sum(struct sum *into, const struct sum *from);

/* Add a key of one word; false when out of memory. */
bool sync_note(struct groups *g, uint64_t key);

/* Move all waits of all threads of the process into the empty *all, sorted; false when out of
 * memory (*all is the caller's to fini all the same). */
bool sync_take_waits(const struct sync_process *p, struct intervals *all);

/* struct metric's fill. */
enum status sync_fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep);

extern const struct column sync_columns[];

#endif
