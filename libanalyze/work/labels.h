/* SPDX-License-Identifier: MIT
 * Merge several lists into one without losing which list each interval is from: instead of a name
 * it has a label, which stands for the list and the name.  For lists that are searched together,
 * without a second copy. */
#ifndef TM_WORK_LABELS_H
#define TM_WORK_LABELS_H

#include "agg/agg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} has no lists yet. */
struct tm_labels {
	uint32_t *who, *name; /* of each label; n of them */
	uint32_t *order; /* after tm_labels_order: its place by who, then by order of the name */
	size_t n, who_cap, name_cap;
};

/* Move all of *from into *into, as those of `who`.  A list may come in parts.  `of` is a buffer
 * with a number for each name, all 0 before and after.  False when out of memory. */
bool tm_labels_move(struct tm_labels *l, uint32_t *of, struct tm_intervals *into,
                    struct tm_intervals *from, uint32_t who);

/* Compute l->order; `order` as in tm_intervals_sort.  False when out of memory. */
bool tm_labels_order(struct tm_labels *l, const uint32_t *order);

/* Free it; {0} again. */
void tm_labels_fini(struct tm_labels *l);

#endif
