/* SPDX-License-Identifier: MIT
 * A roofline chart of characters: operations a second over operations for each byte, both on scales
 * of logarithms. */
#include "render/render_parts.h"
#include "render/roofline.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { HIGH = 18, MARGIN = 9, NARROW = 40, WIDE = 160, LETTERS = 26, FEW = 40 };
enum { BLANK, SLOPE, FLAT, DASHES, FIRST_MARK };

struct plot {
	struct tm_roofline r;
	const struct tm_render_ctx *ctx;
	unsigned width;    /* of the field */
	unsigned char *at; /* width * HIGH: what is drawn there */
};

static double value(const struct plot *p, size_t row, size_t col)
{
	return tm_roofline_value(&p->r, row, col);
}

static unsigned column_of(const struct plot *p, double x)
{
	double at = (log10(x) - p->r.x0) / (p->r.x1 - p->r.x0) * (p->width - 1);

	return at <= 0 ? 0 : at >= p->width - 1 ? p->width - 1 : (unsigned)(at + 0.5);
}

static double x_of(const struct plot *p, unsigned column)
{
	return pow(10, p->r.x0 + (double)column / (p->width - 1) * (p->r.x1 - p->r.x0));
}

/* The line of a height, from above; HIGH = outside. */
static unsigned line_of(const struct plot *p, double y)
{
	double at = (p->r.y1 - log10(y)) / (p->r.y1 - p->r.y0) * (HIGH - 1);

	return at < -0.5 || at > HIGH - 0.5 ? HIGH : (unsigned)(at + 0.5);
}

static void put(struct plot *p, unsigned column, unsigned line, unsigned char what)
{
	if (line < HIGH && (what < FIRST_MARK || p->at[line * p->width + column] < FIRST_MARK))
		p->at[line * p->width + column] = what;
}

/* The roof of a row. */
static void draw_roof(struct plot *p, size_t row)
{
	double peak = value(p, row, p->r.peak), memory = value(p, row, p->r.memory),
	       published = value(p, row, p->r.published);

	for (unsigned c = 0; c < p->width; c++) {
		double slope = memory > 0 ? x_of(p, c) * memory / 1000 : INFINITY;

		if (published > 0 && c % 2 == 0 && slope > published)
			put(p, c, line_of(p, published), DASHES);
		if (peak > 0 && slope >= peak)
			put(p, c, line_of(p, peak), FLAT);
		else if (memory > 0)
			put(p, c, line_of(p, slope), SLOPE);
	}
}

static void put_glyph(struct tm_buf *out, const struct plot *p, unsigned char what)
{
	static const char *const ascii[] = { " ", "/", "-", "-" }, *const utf8[] = {
		" ", "\xe2\x95\xb1", "\xe2\x94\x80", "\xe2\x95\x8c"
	};

	if (what >= FIRST_MARK)
		tm_buf_chr(out,
		           what < FIRST_MARK + LETTERS ? (char)('a' + what - FIRST_MARK) : '+');
	else
		tm_buf_str(out, p->ctx->utf8 ? utf8[what] : ascii[what]);
}

/* A line of the field: a number where a decade is, and what is drawn. */
static void put_line(struct tm_buf *out, const struct plot *p, unsigned line)
{
	unsigned n = p->width;
	struct tm_buf label = { 0 };

	for (int d = p->r.y0; d <= p->r.y1; d++)
		if (line_of(p, pow(10, d)) == line && !label.n)
			tm_roofline_decade(&label, d);
	tm_buf_fmt(out, "%*s %s", MARGIN - 2, label.n && !label.failed ? label.p : "",
	           p->ctx->utf8 ? "\xe2\x94\x82" : "|");
	out->failed |= label.failed;
	tm_buf_fini(&label);
	while (n && p->at[line * p->width + n - 1] == BLANK)
		n--;
	for (unsigned c = 0; c < n; c++)
		put_glyph(out, p, p->at[line * p->width + c]);
	tm_buf_chr(out, '\n');
}

/* Numbers below the decades, as many as fit. */
static void put_axis(struct tm_buf *out, const struct plot *p)
{
	size_t from = out->n, used = 0;

	for (int d = p->r.x0; d <= p->r.x1; d++) {
		struct tm_buf label = { 0 };
		size_t at = MARGIN + column_of(p, pow(10, d));

		tm_roofline_decade(&label, d);
		if (!label.failed && at + 1 >= label.n)
			at -= label.n - 1;
		if (!label.failed && (!used || at > used)) {
			while (!out->failed && out->n - from < at)
				tm_buf_chr(out, ' ');
			tm_buf_str(out, label.p);
			used = out->n - from;
		}
		out->failed |= label.failed;
		tm_buf_fini(&label);
		if (out->failed)
			return;
	}
	tm_buf_str(out, "  FLOP/B\n");
}

/* What a point is, to the end of the line that begins at out->p[from]. */
static void put_names(struct tm_buf *out, const struct plot *p, size_t row, size_t from)
{
	const struct tm_cell *cell[2];
	const size_t n = tm_roofline_names(&p->r, row, cell), used = out->n - from + 2;
	const struct tm_brief brief = { .limit = used + FEW < p->ctx->width ? p->ctx->width - used
		                                                            : FEW,
		                        .utf8 = p->ctx->utf8 };
	struct tm_buf names = { 0 };

	for (size_t k = 0; k < n; k++) {
		tm_buf_str(&names, k ? " " : "");
		tm_put_clean(&names, cell[k]->v.s, cell[k]->len, p->ctx->utf8);
	}
	if (n)
		tm_buf_str(out, "  ");
	if (names.n && p->ctx->width && tm_text_width(names.p, names.n) > brief.limit)
		tm_brief_cut(out, &brief, names.p, names.n);
	else
		tm_buf_add(out, names.p, names.n);
	out->failed |= names.failed;
	tm_buf_fini(&names);
}

/* What each letter is. */
static void put_legend(struct tm_buf *out, const struct plot *p)
{
	size_t points = 0, from;
	bool dashes = false;

	for (size_t i = 0; i < p->r.t->nrows && !out->failed; i++) {
		dashes |= tm_roofline_point(&p->r, i) && value(p, i, p->r.published) > 0;
		if (!tm_roofline_point(&p->r, i) || points++ >= LETTERS)
			continue;
		from = out->n;
		tm_buf_fmt(out, "%c  %.1f TFLOP/s, %.1f FLOP/B", (int)('a' + points - 1),
		           value(p, i, p->r.y), value(p, i, p->r.x));
		put_names(out, p, i, from);
		tm_buf_chr(out, '\n');
	}
	if (dashes)
		tm_buf_str(out, "dashes: published maximum\n");
	if (points > LETTERS)
		tm_buf_fmt(out, "+  %zu more\n", points - LETTERS);
}

static bool draw(struct tm_buf *out, struct plot *p)
{
	size_t mark = 0;

	p->at = calloc((size_t)p->width * HIGH, 1);
	if (!p->at)
		return false;
	for (size_t i = 0; i < p->r.t->nrows; i++)
		if (tm_roofline_point(&p->r, i))
			draw_roof(p, i);
	for (size_t i = 0; i < p->r.t->nrows; i++) {
		if (!tm_roofline_point(&p->r, i))
			continue;
		put(p, column_of(p, value(p, i, p->r.x)), line_of(p, value(p, i, p->r.y)),
		    (unsigned char)(FIRST_MARK + (mark < LETTERS ? mark : LETTERS)));
		mark++;
	}
	tm_buf_str(out, "TFLOP/s\n");
	for (unsigned line = 0; line < HIGH && !out->failed; line++)
		put_line(out, p, line);
	put_axis(out, p);
	put_legend(out, p);
	free(p->at);
	return !out->failed;
}

bool tm_put_roof(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx,
                 bool *done)
{
	struct plot p = { .ctx = ctx };
	unsigned width = ctx->width ? ctx->width : 80;

	*done = tm_roofline_of(&p.r, t, SIZE_MAX);
	width = width < NARROW ? NARROW : width > WIDE ? WIDE : width;
	p.width = width - MARGIN - 8; /* of what is written beside the axis */
	return !*done || draw(out, &p);
}
