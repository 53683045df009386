/* SPDX-License-Identifier: MIT
 * A roofline: operations a second over operations for each byte, both on scales of logarithms. */
#include "html/draw.h"

#include "html/escape.h"
#include "html/table.h"
#include "render/render.h"

#include <math.h>
#include <stdio.h>

/* The field and its margins; rows that are drawn, and different roofs. */
enum { WIDE = 1000, HIGH = 360, LEFT = 70, RIGHT = 34, TOP = 16, BELOW = 46 };
enum { POINTS = 256, NUMBERED = 99, ROOFS = 8 };

struct roof {
	double peak, memory, published; /* TFLOP/s, GB/s; 0 = not known */
};

struct chart {
	struct tm_buf *b;
	const struct tm_table *t;
	size_t x, y, peak, memory, published; /* columns */
	int x0, x1, y0, y1;                   /* decades */
	struct roof roof[ROOFS];
	size_t nroof, points;
};

static double value(const struct chart *c, size_t row, size_t col)
{
	return (double)tm_cell_value(&c->t->cells[row * c->t->ncols + col]) / 10000;
}

static bool has_point(const struct chart *c, size_t row)
{
	return value(c, row, c->x) > 0 && value(c, row, c->y) > 0;
}

static int across(const struct chart *c, double x)
{
	return (int)lround(LEFT + (log10(x) - c->x0) / (c->x1 - c->x0) * (WIDE - LEFT - RIGHT));
}

static int down(const struct chart *c, double y)
{
	return (int)lround(TOP + (c->y1 - log10(y)) / (c->y1 - c->y0) * (HIGH - TOP - BELOW));
}

static void widen(int *lo, int *hi, double v)
{
	int below = (int)floor(log10(v)), above = (int)ceil(log10(v));

	*lo = below < *lo ? below : *lo;
	*hi = above > *hi ? above : *hi;
}

static void add_roof(struct chart *c, size_t row)
{
	struct roof r = { value(c, row, c->peak), value(c, row, c->memory),
		          value(c, row, c->published) };

	for (size_t i = 0; i < c->nroof; i++)
		if (c->roof[i].peak >= r.peak && c->roof[i].peak <= r.peak &&
		    c->roof[i].memory >= r.memory && c->roof[i].memory <= r.memory)
			return;
	if (r.peak > 0 && r.memory > 0 && c->nroof < ROOFS)
		c->roof[c->nroof++] = r;
}

/* Decades that hold all points and roofs, and where these bend. */
static void range(struct chart *c)
{
	c->x0 = c->y0 = 99;
	c->x1 = c->y1 = -99;
	for (size_t i = 0; i < c->t->nrows && c->points < POINTS; i++) {
		if (!has_point(c, i))
			continue;
		c->points++;
		add_roof(c, i);
		widen(&c->x0, &c->x1, value(c, i, c->x));
		widen(&c->y0, &c->y1, value(c, i, c->y));
	}
	for (size_t i = 0; i < c->nroof; i++) {
		widen(&c->y0, &c->y1, c->roof[i].peak);
		widen(&c->x0, &c->x1, c->roof[i].peak * 1000 / c->roof[i].memory);
	}
	c->x1 += c->x1 == c->x0;
	c->y1 += c->y1 == c->y0;
}

static void put_decade(struct tm_buf *b, int decade)
{
	tm_buf_fmt(b, "%.*f</text>\n", decade < 0 ? -decade : 0, pow(10, decade));
}

static void put_axes(const struct chart *c)
{
	struct tm_buf *b = c->b;

	for (int d = c->x0; d <= c->x1; d++) {
		int x = across(c, pow(10, d));

		tm_buf_fmt(b, "<path d=\"M%d %dV%d\"/><text x=\"%d\" y=\"%d\">", x, TOP,
		           HIGH - BELOW, x, HIGH - BELOW + 16);
		put_decade(b, d);
	}
	for (int d = c->y0; d <= c->y1; d++) {
		int y = down(c, pow(10, d));

		tm_buf_fmt(b, "<path d=\"M%d %dH%d\"/><text class=\"y\" x=\"%d\" y=\"%d\">", LEFT,
		           y, WIDE - RIGHT, LEFT - 8, y + 4);
		put_decade(b, d);
	}
	tm_buf_fmt(b,
	           "<text x=\"%d\" y=\"%d\">operations for each byte (FLOP/B)</text>"
	           "<text transform=\"translate(14 %d) rotate(-90)\">TFLOP/s</text>\n",
	           (LEFT + WIDE - RIGHT) / 2, HIGH - 8, (TOP + HIGH - BELOW) / 2);
}

/* From where the slope comes into the field, to where it bends, to the right. */
static void put_roof(const struct chart *c, const struct roof *r)
{
	double bend = r->peak * 1000 / r->memory, x = pow(10, c->x0), y = x * r->memory / 1000;

	if (y < pow(10, c->y0)) {
		y = pow(10, c->y0);
		x = y * 1000 / r->memory;
	}
	tm_buf_fmt(c->b, "<polyline class=\"line\" points=\"%d,%d %d,%d %d,%d\"/>\n", across(c, x),
	           down(c, y), across(c, bend), down(c, r->peak), WIDE - RIGHT, down(c, r->peak));
	if (r->published > 0)
		tm_buf_fmt(c->b, "<polyline class=\"line dash\" points=\"%d,%d %d,%d\"/>\n",
		           across(c, r->published * 1000 / r->memory), down(c, r->published),
		           WIDE - RIGHT, down(c, r->published));
}

static void put_point(const struct chart *c, size_t row, size_t n)
{
	static const char *const names[] = { "op", "problem" };
	int x = across(c, value(c, row, c->x)), y = down(c, value(c, row, c->y));

	tm_buf_fmt(c->b, "<circle class=\"f-gemm\" cx=\"%d\" cy=\"%d\" r=\"6\"><title>", x, y);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		size_t col = tm_table_find(c->t, names[k]);
		const struct tm_cell *cell = &c->t->cells[row * c->t->ncols + col];

		if (col >= c->t->ncols || cell->type != TM_CELL_TEXT)
			continue;
		tm_html_text(c->b, cell->v.s, cell->len);
		tm_buf_chr(c->b, ' ');
	}
	tm_html_cell(c->b, c->t->columns[c->y], &c->t->cells[row * c->t->ncols + c->y]);
	tm_buf_str(c->b, " TFLOP/s, ");
	tm_html_cell(c->b, c->t->columns[c->x], &c->t->cells[row * c->t->ncols + c->x]);
	tm_buf_str(c->b, " FLOP/B</title></circle>");
	if (n <= NUMBERED)
		tm_buf_fmt(c->b, "<text class=\"n\" x=\"%d\" y=\"%d\">%zu</text>", x + 9, y + 4, n);
	tm_buf_chr(c->b, '\n');
}

bool tm_html_roof(struct tm_buf *b, const struct tm_table *t, const char *about)
{
	struct chart c = { .b = b, .t = t };
	size_t left;

	c.x = tm_table_find(t, "intensity");
	c.y = tm_table_find(t, "tflops");
	c.peak = tm_table_find(t, "peak_tflops");
	c.memory = tm_table_find(t, "memory_gb_per_s");
	c.published = tm_table_find(t, "published_tflops");
	if (c.x < t->ncols && c.y < t->ncols && c.peak < t->ncols && c.memory < t->ncols &&
	    c.published < t->ncols)
		range(&c);
	if (!c.points)
		return !b->failed;
	tm_buf_fmt(b,
	           "<figure><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
	           "<svg class=\"roof\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"roofline; "
	           "its numbers are in the table below\">\n",
	           about, WIDE, HIGH);
	put_axes(&c);
	for (size_t i = 0; i < c.nroof; i++)
		put_roof(&c, &c.roof[i]);
	left = c.points;
	for (size_t i = 0; i < t->nrows && left && !b->failed; i++)
		if (has_point(&c, i)) {
			put_point(&c, i, i + 1);
			left--;
		}
	return tm_buf_fmt(b, "</svg></div><figcaption>%s</figcaption></figure>\n", about);
}
