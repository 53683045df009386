/* SPDX-License-Identifier: MIT
 * A roofline chart of characters: operations a second over operations for each byte, both on scales
 * of logarithms. */
#include "render/render_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HIGH = 18, MARGIN = 9, NARROW = 40, WIDE = 160, LETTERS = 26, ROOFS = 8 };
enum { BLANK, SLOPE, FLAT, DASHES, FIRST_MARK };

struct plot {
	const struct tm_table *t;
	const struct tm_render_ctx *ctx;
	size_t x, y, peak, memory, published; /* columns */
	unsigned width;                       /* of the field */
	int x0, x1, y0, y1;                   /* decades */
	unsigned char *at;                    /* width * HIGH: what is drawn there */
};

static double value(const struct plot *p, size_t row, size_t col)
{
	return (double)tm_cell_value(&p->t->cells[row * p->t->ncols + col]) / 10000;
}

static bool has_point(const struct plot *p, size_t row)
{
	return value(p, row, p->x) > 0 && value(p, row, p->y) > 0;
}

static unsigned column_of(const struct plot *p, double x)
{
	double at = (log10(x) - p->x0) / (p->x1 - p->x0) * (p->width - 1);

	return at <= 0 ? 0 : at >= p->width - 1 ? p->width - 1 : (unsigned)(at + 0.5);
}

static double x_of(const struct plot *p, unsigned column)
{
	return pow(10, p->x0 + (double)column / (p->width - 1) * (p->x1 - p->x0));
}

/* The line of a height, from above; HIGH = outside. */
static unsigned line_of(const struct plot *p, double y)
{
	double at = (p->y1 - log10(y)) / (p->y1 - p->y0) * (HIGH - 1);

	return at < -0.5 || at > HIGH - 0.5 ? HIGH : (unsigned)(at + 0.5);
}

static void widen(int *lo, int *hi, double v)
{
	int below = (int)floor(log10(v)), above = (int)ceil(log10(v));

	*lo = below < *lo ? below : *lo;
	*hi = above > *hi ? above : *hi;
}

/* Decades that hold all points, the roofs and where these bend.  False: there is no point. */
static bool range(struct plot *p)
{
	bool any = false;

	p->x0 = p->y0 = 99;
	p->x1 = p->y1 = -99;
	for (size_t i = 0; i < p->t->nrows; i++) {
		double peak = value(p, i, p->peak), memory = value(p, i, p->memory);

		if (!has_point(p, i))
			continue;
		any = true;
		widen(&p->x0, &p->x1, value(p, i, p->x));
		widen(&p->y0, &p->y1, value(p, i, p->y));
		if (peak > 0)
			widen(&p->y0, &p->y1, peak);
		if (peak > 0 && memory > 0)
			widen(&p->x0, &p->x1, peak * 1000 / memory);
	}
	p->x1 += p->x1 == p->x0;
	p->y1 += p->y1 == p->y0;
	return any;
}

static void put(struct plot *p, unsigned column, unsigned line, unsigned char what)
{
	if (line < HIGH && (what < FIRST_MARK || p->at[line * p->width + column] < FIRST_MARK))
		p->at[line * p->width + column] = what;
}

/* The roof of a row. */
static void draw_roof(struct plot *p, size_t row)
{
	double peak = value(p, row, p->peak), memory = value(p, row, p->memory),
	       published = value(p, row, p->published);

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

static void put_decade(struct tm_buf *out, int decade)
{
	if (decade < 0)
		tm_buf_fmt(out, "%.*f", -decade, pow(10, decade));
	else
		tm_buf_fmt(out, "%.0f", pow(10, decade));
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

	for (int d = p->y0; d <= p->y1; d++)
		if (line_of(p, pow(10, d)) == line && !label.n)
			put_decade(&label, d);
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

	for (int d = p->x0; d <= p->x1; d++) {
		struct tm_buf label = { 0 };
		size_t at = MARGIN + column_of(p, pow(10, d));

		put_decade(&label, d);
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

/* What each letter is. */
static void put_legend(struct tm_buf *out, const struct plot *p)
{
	static const char *const names[] = { "op", "problem" };
	size_t points = 0;
	bool dashes = false;

	for (size_t i = 0; i < p->t->nrows && !out->failed; i++) {
		dashes |= has_point(p, i) && value(p, i, p->published) > 0;
		if (!has_point(p, i) || points++ >= LETTERS)
			continue;
		tm_buf_fmt(out, "%c  %.1f TFLOP/s, %.1f FLOP/B", (int)('a' + points - 1),
		           value(p, i, p->y), value(p, i, p->x));
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			size_t c = tm_table_find(p->t, names[k]);
			const struct tm_cell *cell = &p->t->cells[i * p->t->ncols + c];

			if (c == p->t->ncols || cell->type != TM_CELL_TEXT)
				continue;
			tm_buf_str(out, k ? " " : "  ");
			tm_put_clean(out, cell->v.s, cell->len, p->ctx->utf8);
		}
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
	for (size_t i = 0; i < p->t->nrows; i++)
		if (has_point(p, i))
			draw_roof(p, i);
	for (size_t i = 0; i < p->t->nrows; i++) {
		if (!has_point(p, i))
			continue;
		put(p, column_of(p, value(p, i, p->x)), line_of(p, value(p, i, p->y)),
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
	struct plot p = { .t = t, .ctx = ctx };
	unsigned width = ctx->width ? ctx->width : 80;

	p.x = tm_table_find(t, "intensity");
	p.y = tm_table_find(t, "tflops");
	p.peak = tm_table_find(t, "peak_tflops");
	p.memory = tm_table_find(t, "memory_gb_per_s");
	p.published = tm_table_find(t, "published_tflops");
	*done = p.x < t->ncols && p.y < t->ncols && p.peak < t->ncols && p.memory < t->ncols &&
	        p.published < t->ncols && range(&p);
	width = width < NARROW ? NARROW : width > WIDE ? WIDE : width;
	p.width = width - MARGIN - 8; /* of what is written beside the axis */
	return !*done || draw(out, &p);
}
