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
	struct tm_roofline r;
	struct roof roof[ROOFS];
	size_t nroof;
};

static double value(const struct chart *c, size_t row, size_t col)
{
	return tm_roofline_value(&c->r, row, col);
}

static int across(const struct chart *c, double x)
{
	return (int)lround(LEFT +
	                   (log10(x) - c->r.x0) / (c->r.x1 - c->r.x0) * (WIDE - LEFT - RIGHT));
}

static int down(const struct chart *c, double y)
{
	return (int)lround(TOP + (c->r.y1 - log10(y)) / (c->r.y1 - c->r.y0) * (HIGH - TOP - BELOW));
}

static void add_roof(struct chart *c, size_t row)
{
	struct roof r = { value(c, row, c->r.peak), value(c, row, c->r.memory),
		          value(c, row, c->r.published) };

	for (size_t i = 0; i < c->nroof; i++)
		if (c->roof[i].peak >= r.peak && c->roof[i].peak <= r.peak &&
		    c->roof[i].memory >= r.memory && c->roof[i].memory <= r.memory)
			return;
	if (r.peak > 0 && r.memory > 0 && c->nroof < ROOFS)
		c->roof[c->nroof++] = r;
}

static void put_axes(const struct chart *c)
{
	struct tm_buf *b = c->b;

	for (int d = c->r.x0; d <= c->r.x1; d++) {
		int x = across(c, pow(10, d));

		tm_buf_fmt(b, "<path d=\"M%d %dV%d\"/><text x=\"%d\" y=\"%d\">", x, TOP,
		           HIGH - BELOW, x, HIGH - BELOW + 16);
		tm_roofline_decade(b, d);
		tm_buf_str(b, "</text>\n");
	}
	for (int d = c->r.y0; d <= c->r.y1; d++) {
		int y = down(c, pow(10, d));

		tm_buf_fmt(b, "<path d=\"M%d %dH%d\"/><text class=\"y\" x=\"%d\" y=\"%d\">", LEFT,
		           y, WIDE - RIGHT, LEFT - 8, y + 4);
		tm_roofline_decade(b, d);
		tm_buf_str(b, "</text>\n");
	}
	tm_buf_fmt(b,
	           "<text x=\"%d\" y=\"%d\">operations per byte (FLOP/B)</text><text "
	           "transform=\"translate(14 %d) rotate(-90)\">TFLOP/s</text>\n",
	           (LEFT + WIDE - RIGHT) / 2, HIGH - 8, (TOP + HIGH - BELOW) / 2);
}

/* From where the slope comes into the field, to where it bends, to the right. */
static void put_roof(const struct chart *c, const struct roof *r)
{
	double bend = r->peak * 1000 / r->memory, x = pow(10, c->r.x0), y = x * r->memory / 1000;

	if (y < pow(10, c->r.y0)) {
		y = pow(10, c->r.y0);
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
	const struct tm_cell *cell[2];
	const size_t names = tm_roofline_names(&c->r, row, cell);
	int x = across(c, value(c, row, c->r.x)), y = down(c, value(c, row, c->r.y));

	tm_buf_fmt(c->b, "<circle class=\"f-gemm\" cx=\"%d\" cy=\"%d\" r=\"6\"><title>", x, y);
	for (size_t k = 0; k < names; k++) {
		tm_html_text(c->b, cell[k]->v.s, cell[k]->len);
		tm_buf_chr(c->b, ' ');
	}
	tm_html_cell(c->b, c->r.t->columns[c->r.y], &c->r.t->cells[row * c->r.t->ncols + c->r.y]);
	tm_buf_str(c->b, " TFLOP/s, ");
	tm_html_cell(c->b, c->r.t->columns[c->r.x], &c->r.t->cells[row * c->r.t->ncols + c->r.x]);
	tm_buf_str(c->b, " FLOP/B</title></circle>");
	if (n <= NUMBERED)
		tm_buf_fmt(c->b, "<text class=\"n\" x=\"%d\" y=\"%d\">%zu</text>", x + 9, y + 4, n);
	tm_buf_chr(c->b, '\n');
}

bool tm_html_roof(struct tm_buf *b, const struct tm_table *t, const char *about)
{
	struct chart c = { .b = b };
	size_t left;

	if (!tm_roofline_of(&c.r, t, POINTS))
		return !b->failed;
	left = c.r.points;
	for (size_t i = 0; i < t->nrows && left; i++)
		if (tm_roofline_point(&c.r, i)) {
			add_roof(&c, i);
			left--;
		}
	tm_buf_fmt(b,
	           "<figure><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
	           "<svg class=\"roof\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"roofline; "
	           "its numbers are in the table below\">\n",
	           about, WIDE, HIGH);
	put_axes(&c);
	for (size_t i = 0; i < c.nroof; i++)
		put_roof(&c, &c.roof[i]);
	left = c.r.points;
	for (size_t i = 0; i < t->nrows && left && !b->failed; i++)
		if (tm_roofline_point(&c.r, i)) {
			put_point(&c, i, i + 1);
			left--;
		}
	return tm_buf_fmt(b, "</svg></div><figcaption>%s</figcaption></figure>\n", about);
}
