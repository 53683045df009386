/* SPDX-License-Identifier: MIT
 * Dispatches with several rows in an input: one for each counter, or for each XCC of the GPU.  Rows
 * with equal facts about the dispatch belong to one dispatch; counters of XCCs are added up, which
 * is complete only after reading everything. */
#ifndef TM_READ_INSTANCES_H
#define TM_READ_INSTANCES_H

#include "base/base.h"
#include "read/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is a valid empty one. */
struct tm_instances {
	struct tm_names seen; /* dispatches, each as its values */
	struct tm_names keys; /* a dispatch and a counter: the sum is at the same place in `sum` */
	double *sum;
	size_t cap;
	uint32_t given; /* sums */
};

/* The number of the dispatch that this row, without counters, is of; *fresh: the first of it.
 * TM_NAME_NONE when out of memory. */
uint32_t tm_instances_of(struct tm_instances *in, const struct tm_ev_row *row, bool *fresh);

/* Add a value of a counter, by its name, to that dispatch.  False when out of memory. */
bool tm_instances_add(struct tm_instances *in, uint32_t dispatch, uint32_t counter, double value);

/* The next sum, as a row of TM_EV_COUNTER; false when all were given. */
bool tm_instances_next(struct tm_instances *in, struct tm_ev_row *row);

/* Free it; {0} again. */
void tm_instances_fini(struct tm_instances *in);

#endif
