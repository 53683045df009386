/* SPDX-License-Identifier: MIT
 * The shape of a launch: workgroup and grid in work-items, if the producer gives them. */
#ifndef TM_METRIC_SHAPE_H
#define TM_METRIC_SHAPE_H

#include "question/question.h"

#include <stdbool.h>
#include <stdint.h>

/* X is the product where there is no Y and Z.  Of words that are not there (SHAPE_HAS, bit k = word
 * k) the number is 0, so that shapes are equal if all words are. */
enum shape_word {
	SHAPE_WG_X,
	SHAPE_WG_Y,
	SHAPE_WG_Z,
	SHAPE_GRID_X,
	SHAPE_GRID_Y,
	SHAPE_GRID_Z,
	SHAPE_HAS,
	SHAPE_WORDS,
};

/* The columns it is made of. */
tm_ev_set tm_shape_want(void);

/* That of row i. */
void tm_shape_of(const struct tm_batch *b, uint32_t i, uint64_t word[SHAPE_WORDS]);

/* Workgroups of a launch: three sizes of a workgroup, then of the grid, bit k of `has` = size k is
 * known.  A dimension may end in a part of one.  0 = not known. */
uint64_t tm_shape_groups(const uint64_t size[SHAPE_HAS], uint64_t has);

/* That of each row of a batch, to groups[0 .. n). */
void tm_shape_groups_all(const struct tm_batch *b, uint64_t *groups);

/* Append "wg 256 grid 65536x2", nothing where nothing is known; dimensions of 1 at the end are left
 * out.  False when out of memory. */
bool tm_shape_put(struct tm_buf *b, const uint64_t word[SHAPE_WORDS]);

#endif
