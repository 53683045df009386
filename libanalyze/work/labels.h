/* SPDX-License-Identifier: MIT
 * Several lists as one, each interval still knowing which list it was of: instead of a name it has
 * a label, which stands for the list and the name.  For lists that are looked through together, and
 * must not be kept twice for that. */
#ifndef TM_WORK_LABELS_H
#define TM_WORK_LABELS_H

#include "agg/agg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is that of no list yet. */
struct tm_labels {
	uint32_t *who, *name; /* of each label; n of them */
	uint32_t *order; /* after tm_labels_order: its place by who, then by order of the name */
	size_t n, who_cap, name_cap;
};

/* Move all of *from into *into, as those of `who`.  A list may come in parts.  `of` is room for a
 * number for each name there is, all 0 before and after.  False when out of memory. */
bool tm_labels_move(struct tm_labels *l, uint32_t *of, struct tm_intervals *into,
                    struct tm_intervals *from, uint32_t who);

/* Fill in `order`; `order` as in tm_intervals_sort.  False when out of memory. */
bool tm_labels_order(struct tm_labels *l, const uint32_t *order);

/* Free it; {0} again. */
void tm_labels_fini(struct tm_labels *l);

#endif
