/* SPDX-License-Identifier: MIT */
#include "render/roofline.h"

#include "render/render.h"

#include <math.h>

double tm_roofline_value(const struct tm_roofline *r, size_t row, size_t col)
{
	return (double)tm_cell_value(&r->t->cells[row * r->t->ncols + col]) / 10000;
}

bool tm_roofline_point(const struct tm_roofline *r, size_t row)
{
	return tm_roofline_value(r, row, r->x) > 0 && tm_roofline_value(r, row, r->y) > 0;
}

static void widen(int *lo, int *hi, double v)
{
	int below = (int)floor(log10(v)), above = (int)ceil(log10(v));

	*lo = below < *lo ? below : *lo;
	*hi = above > *hi ? above : *hi;
}

static void range(struct tm_roofline *r, size_t most)
{
	r->x0 = r->y0 = 99;
	r->x1 = r->y1 = -99;
	for (size_t i = 0; i < r->t->nrows && r->points < most; i++) {
		double peak = tm_roofline_value(r, i, r->peak),
		       memory = tm_roofline_value(r, i, r->memory);

		if (!tm_roofline_point(r, i))
			continue;
		r->points++;
		widen(&r->x0, &r->x1, tm_roofline_value(r, i, r->x));
		widen(&r->y0, &r->y1, tm_roofline_value(r, i, r->y));
		if (peak > 0)
			widen(&r->y0, &r->y1, peak);
		if (peak > 0 && memory > 0)
			widen(&r->x0, &r->x1, peak * 1000 / memory);
	}
	r->x1 += r->x1 == r->x0;
	r->y1 += r->y1 == r->y0;
}

bool tm_roofline_of(struct tm_roofline *r, const struct tm_table *t, size_t most)
{
	*r = (struct tm_roofline) { .t = t,
		                    .x = tm_table_find(t, "intensity"),
		                    .y = tm_table_find(t, "tflops"),
		                    .peak = tm_table_find(t, "peak_tflops"),
		                    .memory = tm_table_find(t, "memory_gb_per_s"),
		                    .published = tm_table_find(t, "published_tflops") };
	if (r->x < t->ncols && r->y < t->ncols && r->peak < t->ncols && r->memory < t->ncols &&
	    r->published < t->ncols)
		range(r, most);
	return r->points > 0;
}

size_t tm_roofline_names(const struct tm_roofline *r, size_t row, const struct tm_cell *cell[2])
{
	static const char *const names[] = { "op", "problem", "name" };
	size_t n = 0;

	for (size_t k = 0; k < sizeof names / sizeof *names && (k < 2 || !n); k++) {
		size_t c = tm_table_find(r->t, names[k]);

		if (c < r->t->ncols && r->t->cells[row * r->t->ncols + c].type == TM_CELL_TEXT)
			cell[n++] = &r->t->cells[row * r->t->ncols + c];
	}
	return n;
}

void tm_roofline_decade(struct tm_buf *b, int decade)
{
	tm_buf_fmt(b, "%.*f", decade < 0 ? -decade : 0, pow(10, decade));
}
