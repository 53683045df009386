/* SPDX-License-Identifier: MIT
 * The contents of a roofline chart, independent of how it is drawn: the rows of a table that are
 * points, and the decades of its scales. */
#ifndef TM_RENDER_ROOFLINE_H
#define TM_RENDER_ROOFLINE_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_roofline {
	const struct tm_table *t;
	size_t x, y;                    /* columns of a point: FLOP/B, TFLOP/s */
	size_t peak, memory, published; /* of its roof: TFLOP/s, GB/s, TFLOP/s */
	int x0, x1, y0, y1;             /* decades that hold points, roofs and where these bend */
	size_t points;
};

/* Find the first `most` points of a table.  False: there is none. */
bool tm_roofline_of(struct tm_roofline *r, const struct tm_table *t, size_t most);

/* A cell of such a column, 0 = absent. */
double tm_roofline_value(const struct tm_roofline *r, size_t row, size_t col);

/* Is a row a point? */
bool tm_roofline_point(const struct tm_roofline *r, size_t row);

/* The cells that name a point: operator and problem, or else the kernel.  Returns how many. */
size_t tm_roofline_names(const struct tm_roofline *r, size_t row, const struct tm_cell *cell[2]);

/* Append 10^decade. */
void tm_roofline_decade(struct tm_buf *b, int decade);

#endif
