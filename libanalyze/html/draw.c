/* SPDX-License-Identifier: MIT
 * Bars and columns. */
#include "html/draw.h"

#include "html/escape.h"
#include "html/table.h"
#include "render/render.h"

#include <inttypes.h>
#include <string.h>

enum { WIDE = 1000, HIGH = 100 };

bool tm_html_fill(struct tm_buf *b, const char *family)
{
	const uint32_t idle = 0xe4e8ec;

	return tm_buf_fmt(b, " fill=\"#%06" PRIx32 "\"",
	                  family ? tm_hue_of(family, strlen(family))->light : idle);
}

static void put_part_name(struct tm_buf *b, const struct tm_html_part *p)
{
	tm_buf_fmt(b, "%s ", p->label);
	tm_html_cell(b, p->column, p->c);
}

bool tm_html_stack(struct tm_buf *b, const struct tm_html_part *part, size_t n, uint64_t whole)
{
	tm_u128 sum = 0;

	tm_buf_fmt(b,
	           "<svg class=\"stack\" viewBox=\"0 0 %d 10\" width=\"100%%\" height=\"22\" "
	           "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
	           WIDE);
	for (size_t i = 0; i < n; i++) {
		tm_buf_str(b, i ? ", " : "");
		put_part_name(b, &part[i]);
	}
	tm_buf_str(b, "\">");
	for (size_t i = 0; i < n && whole; i++) {
		unsigned x = (unsigned)(sum * WIDE / whole), to;

		if (part[i].c->type != TM_CELL_U64)
			continue;
		sum += part[i].c->v.u;
		sum = sum > whole ? whole : sum;
		to = (unsigned)(sum * WIDE / whole);
		if (to == x)
			continue;
		tm_buf_fmt(b, "<rect class=\"f-%s\" x=\"%u\" width=\"%u\" height=\"10\"",
		           part[i].family ? part[i].family : "none", x, to - x);
		tm_html_fill(b, part[i].family);
		tm_buf_str(b, "><title>");
		put_part_name(b, &part[i]);
		tm_buf_str(b, "</title></rect>");
	}
	return tm_buf_str(b, "</svg>");
}

bool tm_html_legend(struct tm_buf *b, const struct tm_html_part *part, size_t n)
{
	tm_buf_str(b, "<ul class=\"legend\">");
	for (size_t i = 0; i < n; i++) {
		tm_buf_fmt(b,
		           "<li><svg class=\"sw f-%s\" width=\"11\" height=\"11\">"
		           "<rect width=\"11\" height=\"11\"",
		           part[i].family ? part[i].family : "none");
		tm_html_fill(b, part[i].family);
		tm_buf_fmt(b, "/></svg>%s</li>", part[i].label);
	}
	return tm_buf_str(b, "</ul>\n");
}

/* ---- columns ---- */

static const struct tm_cell *cell_at(const struct tm_html_columns *c, size_t row, size_t col)
{
	return &c->t->cells[row * c->t->ncols + col];
}

/* The highest, and where it is first. */
static uint64_t most_of(const struct tm_html_columns *c, size_t *row)
{
	uint64_t most = 0;

	*row = c->from;
	for (size_t r = c->from; r < c->to; r++)
		if (cell_at(c, r, c->value)->v.u > most &&
		    cell_at(c, r, c->value)->type != TM_CELL_NONE) {
			most = cell_at(c, r, c->value)->v.u;
			*row = r;
		}
	return most;
}

static void put_line(struct tm_buf *b, const struct tm_html_columns *c)
{
	enum { PERCENT = 10000 };
	size_t n = c->to - c->from;

	if (c->line >= c->t->ncols)
		return;
	tm_buf_str(b, "<polyline class=\"line\" fill=\"none\" stroke=\"#1b1f24\" "
	              "vector-effect=\"non-scaling-stroke\" points=\"");
	for (size_t i = 0; i < n; i++) {
		const struct tm_cell *share = cell_at(c, c->from + i, c->line);

		if (share->type == TM_CELL_FIXED && share->v.u <= (uint64_t)100 * PERCENT)
			tm_buf_fmt(b, "%zu,%u ", (2 * i + 1) * WIDE / (2 * n),
			           (unsigned)(HIGH - share->v.u / PERCENT));
	}
	tm_buf_str(b, "\"/>");
}

/* In the color of the class of the row, where it has one. */
static const char *family_of(const struct tm_html_columns *c, size_t row)
{
	size_t col = tm_table_find(c->t, "class");
	const struct tm_cell *of = col < c->t->ncols ? cell_at(c, row, col) : NULL;

	return of && of->type == TM_CELL_TEXT ? tm_hue_of(of->v.s, of->len)->name : c->family;
}

/* Does the cell hold more than nothing? */
static bool is_marked(const struct tm_cell *c)
{
	return c && (c->type == TM_CELL_TEXT ? c->len > 0 : c->type == TM_CELL_U64 && c->v.u);
}

/* A number as its table has it, without zeros at the end that only align it there. */
static void put_number(struct tm_buf *b, const struct tm_column *column, const struct tm_cell *c)
{
	const size_t from = b->n;

	tm_html_cell(b, column, c);
	if (column->unit != TM_UNIT_RATIO || c->own || c->type != TM_CELL_FIXED)
		return;
	while (b->n > from && b->p[b->n - 1] == '0')
		b->n--;
	b->n -= b->n > from && b->p[b->n - 1] == '.';
}

static void put_column(struct tm_buf *b, const struct tm_html_columns *c, struct tm_brief *names,
                       size_t i, uint64_t most)
{
	size_t n = c->to - c->from, x = i * WIDE / n, to = (i + 1) * WIDE / n;
	const struct tm_cell *v = cell_at(c, c->from + i, c->value),
	                     *name = cell_at(c, c->from + i, c->name);
	unsigned high = v->type == TM_CELL_NONE ? 0 : (unsigned)((tm_u128)v->v.u * HIGH / most);
	const struct tm_cell *mark = c->mark < c->t->ncols ? cell_at(c, c->from + i, c->mark)
	                                                   : NULL;

	if (!high && v->type != TM_CELL_NONE && v->v.u)
		high = 1; /* however short: it shows */
	if (!high)
		return;
	tm_buf_fmt(b, "<rect class=\"f-%s%s\" x=\"%zu\" y=\"%u\" width=\"%zu\" height=\"%u\"",
	           family_of(c, c->from + i), is_marked(mark) ? " mark" : "", x, HIGH - high,
	           to - x > 4 ? to - x - 2 : to - x, high);
	tm_html_fill(b, family_of(c, c->from + i));
	tm_buf_str(b, "><title>");
	if (name->type == TM_CELL_TEXT)
		tm_html_name(b, names, name);
	else
		tm_html_cell(b, c->t->columns[c->name], name);
	tm_buf_str(b, ": ");
	put_number(b, c->t->columns[c->value], v);
	tm_buf_str(b, "</title></rect>");
}

bool tm_html_columns(struct tm_buf *b, const struct tm_html_columns *c)
{
	struct tm_brief names = { .limit = TM_HTML_NAME, .utf8 = true };
	struct tm_table drawn = *c->t;
	size_t row;
	uint64_t most = most_of(c, &row);

	if (!most || c->from >= c->to)
		return !b->failed;
	drawn.cells += c->from * drawn.ncols;
	drawn.nrows = c->to - c->from;
	b->failed |= !tm_brief_learn(&names, &drawn, c->name);
	tm_buf_fmt(
	        b,
	        "<figure><svg class=\"chart\" viewBox=\"0 0 %d %d\" width=\"100%%\" height=\"130\" "
	        "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s\">",
	        WIDE, HIGH, c->about);
	for (size_t i = 0; i < c->to - c->from && !b->failed; i++)
		put_column(b, c, &names, i, most);
	tm_brief_fini(&names);
	put_line(b, c);
	tm_buf_fmt(b, "</svg><figcaption>%s; highest: ", c->about);
	put_number(b, c->t->columns[c->value], cell_at(c, row, c->value));
	return tm_buf_str(b, "</figcaption></figure>\n");
}
