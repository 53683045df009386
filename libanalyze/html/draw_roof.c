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

/* A point, and the size of its number. */
enum { RADIUS = 6, DIGIT = 7, TALL = 11 };

struct roof {
	double peak, memory, published; /* TFLOP/s, GB/s; 0 = not known */
};

struct box {
	int x0, y0, x1, y1;
};

struct chart {
	struct tm_buf *b;
	struct tm_roofline r;
	struct roof roof[ROOFS];
	size_t nroof;
	struct point {
		size_t row;
		int x, y;
	} point[POINTS];
	size_t npoint;
	struct box label[NUMBERED];
	size_t nlabel;
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

		tm_buf_fmt(b,
		           "<path d=\"M%d %dH%d\"/><text class=\"y\" text-anchor=\"end\" x=\"%d\" "
		           "y=\"%d\">",
		           LEFT, y, WIDE - RIGHT, LEFT - 8, y + 4);
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
	tm_buf_fmt(c->b,
	           "<polyline class=\"line\" points=\"%d,%d %d,%d %d,%d\" fill=\"none\" "
	           "stroke=\"#1b1f24\"/>\n",
	           across(c, x), down(c, y), across(c, bend), down(c, r->peak), WIDE - RIGHT,
	           down(c, r->peak));
	if (r->published > 0)
		tm_buf_fmt(c->b,
		           "<polyline class=\"line dash\" points=\"%d,%d %d,%d\" fill=\"none\" "
		           "stroke=\"#1b1f24\" stroke-dasharray=\"6 5\"/>\n",
		           across(c, r->published * 1000 / r->memory), down(c, r->published),
		           WIDE - RIGHT, down(c, r->published));
}

static bool meet(struct box a, struct box b)
{
	return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Is there room for a number: on no other, in the field, and on no point? */
static bool is_free(const struct chart *c, struct box at)
{
	if (at.x0 < 0 || at.x1 > WIDE || at.y0 < 0 || at.y1 > HIGH - BELOW)
		return false;
	for (size_t i = 0; i < c->nlabel; i++)
		if (meet(at, c->label[i]))
			return false;
	for (size_t i = 0; i < c->npoint; i++) {
		const struct point *p = &c->point[i];

		if (meet(at, (struct box) { p->x - RADIUS, p->y - RADIUS, p->x + RADIUS,
		                            p->y + RADIUS }))
			return false;
	}
	return true;
}

/* The number of a point next to it: on the right or wherever there is room. */
static void put_number(struct chart *c, const struct point *p, size_t n)
{
	const int wide = n > 9 ? 2 * DIGIT : DIGIT, off = RADIUS + 3;
	const int place[][2] = { { off, TALL / 2 },     { -off - wide, TALL / 2 },
		                 { -wide / 2, -off },   { -wide / 2, off + TALL },
		                 { off, -off },         { off, off + TALL },
		                 { -off - wide, -off }, { -off - wide, off + TALL } };

	for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
		const int x = p->x + place[i][0], y = p->y + place[i][1];
		const struct box at = { x, y - TALL, x + wide, y };

		if (!is_free(c, at))
			continue;
		c->label[c->nlabel++] = at;
		tm_buf_fmt(c->b,
		           "<text class=\"n\" x=\"%d\" y=\"%d\" text-anchor=\"start\">%zu</text>",
		           x, y - 1, n);
		return;
	}
}

static void put_point(struct chart *c, const struct point *p, size_t numbered)
{
	const struct tm_cell *cell[2], *row = &c->r.t->cells[p->row * c->r.t->ncols];
	const size_t names = tm_roofline_names(&c->r, p->row, cell);

	tm_buf_fmt(c->b, "<circle class=\"f-gemm\" cx=\"%d\" cy=\"%d\" r=\"%d\"", p->x, p->y,
	           RADIUS);
	tm_html_fill(c->b, "gemm");
	tm_buf_str(c->b, "><title>");
	if (p->row < numbered)
		tm_buf_fmt(c->b, "%zu: ", p->row + 1);
	for (size_t k = 0; k < names; k++) {
		tm_html_cut(c->b, cell[k]->v.s, cell[k]->len, TM_HTML_NAME);
		tm_buf_chr(c->b, ' ');
	}
	tm_html_cell(c->b, c->r.t->columns[c->r.y], &row[c->r.y]);
	tm_buf_str(c->b, " TFLOP/s, ");
	tm_html_cell(c->b, c->r.t->columns[c->r.x], &row[c->r.x]);
	tm_buf_str(c->b, " FLOP/B</title></circle>");
	if (p->row < numbered && p->row < NUMBERED)
		put_number(c, p, p->row + 1);
	tm_buf_chr(c->b, '\n');
}

/* What is drawn: of lines, those that are there. */
static void put_about(struct tm_buf *about, const struct chart *c, size_t numbered)
{
	bool dashes = false;

	for (size_t i = 0; i < c->nroof; i++)
		dashes |= c->roof[i].published > 0;
	tm_buf_str(about, "Speed over operations per byte");
	if (numbered)
		tm_buf_str(about, "; numbers are rows of the table, as far as there is room");
	tm_buf_str(about, c->nroof ? ". Line: theoretical peak and memory bandwidth"
	                           : ". The peaks of this GPU are not known");
	tm_buf_str(about, dashes ? "; dashes: published maximum." : ".");
}

bool tm_html_roof(struct tm_buf *b, const struct tm_table *t, size_t numbered)
{
	struct chart c = { .b = b };
	struct tm_buf about = { 0 };

	if (!tm_roofline_of(&c.r, t, POINTS))
		return !b->failed;
	for (size_t i = 0; i < t->nrows && c.npoint < c.r.points; i++)
		if (tm_roofline_point(&c.r, i)) {
			add_roof(&c, i);
			c.point[c.npoint++] = (struct point) { i, across(&c, value(&c, i, c.r.x)),
				                               down(&c, value(&c, i, c.r.y)) };
		}
	put_about(&about, &c, numbered);
	tm_buf_fmt(
	        b,
	        "<figure><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
	        "<svg class=\"roof\" viewBox=\"0 0 %d %d\" font-size=\"12\" text-anchor=\"middle\" "
	        "fill=\"#57606a\" role=\"img\" aria-label=\"roofline; "
	        "its numbers are in the table below\">\n",
	        about.p ? about.p : "", WIDE, HIGH);
	put_axes(&c);
	for (size_t i = 0; i < c.nroof; i++)
		put_roof(&c, &c.roof[i]);
	for (size_t i = 0; i < c.npoint && !b->failed; i++)
		put_point(&c, &c.point[i], numbered);
	tm_buf_fmt(b, "</svg></div><figcaption>%s</figcaption></figure>\n", about.p ? about.p : "");
	b->failed |= about.failed;
	tm_buf_fini(&about);
	return !b->failed;
}
