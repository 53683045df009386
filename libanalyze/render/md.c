/* SPDX-License-Identifier: MIT
 * A GitHub table, to paste into an issue: numbers as in text, names literal whatever they hold. */
#include "render/render_parts.h"
#include "render/row.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is s[i], a colon, the first of :word:, which GitHub and GitLab draw as a picture?
 * "std::thread::id" has one. */
static bool is_picture(const char *s, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && ((s[end] >= '0' && s[end] <= '9') || (s[end] >= 'a' && s[end] <= 'z') ||
	                   s[end] == '_' || s[end] == '+' || s[end] == '-'))
		end++;
	return end > i + 1 && end < n && s[end] == ':';
}

/* Append s[i], an ASCII character, so that it means nothing but itself. */
static void put_ascii(struct tm_buf *b, const char *s, size_t n, size_t i)
{
	switch (s[i]) {
	case '<':
		tm_buf_str(b, "&lt;");
		return;
	case '>':
		tm_buf_str(b, "&gt;");
		return;
	case '&':
		tm_buf_str(b, "&amp;");
		return;
	case '|':
	case '`':
	case '\\':
	case '*':
	case '~':
	case '[':
	case ']':
	case '$': /* GitHub sets $_0 ... $_1, the names of lambdas, as mathematics */
		tm_buf_chr(b, '\\');
		break;
	case ':': /* http://, but not the :: of C++ */
		if (i + 1 < n && s[i + 1] == '/')
			tm_buf_chr(b, '\\');
		break;
	case '.': /* www.example is a link without http://, too */
		if (i > 2 && !memcmp(s + i - 3, "www", 3))
			tm_buf_chr(b, '\\');
		break;
	default:
		break;
	}
	tm_buf_chr(b, s[i]);
	/* @name is a person, #1 an issue and :name: a picture, unless something is in between. */
	if (i + 1 < n && ((s[i] == '@' && is_word(s[i + 1])) ||
	                  (s[i] == '#' && s[i + 1] >= '0' && s[i + 1] <= '9') ||
	                  (s[i] == ':' && is_picture(s, n, i))))
		tm_buf_str(b, "<!-- -->");
}

/* Append a run of underscores; returns its end.  Inside a word they are never emphasis, and most
 * kernel names are such words: those stay readable in the source. */
static size_t put_underscores(struct tm_buf *b, const char *s, size_t n, size_t i)
{
	size_t end = i;
	bool inside;

	while (end < n && s[end] == '_')
		end++;
	inside = i && is_word(s[i - 1]) && end < n && is_word(s[end]);
	for (; i < end; i++)
		tm_buf_str(b, inside ? "_" : "\\_");
	return end;
}

bool tm_row_text_md(struct tm_buf *b, const char *s, size_t n)
{
	struct glyph g;

	for (size_t i = 0; i < n;) {
		if (s[i] == '_') {
			i = put_underscores(b, s, n, i);
		} else if (s[i] == '\n' || s[i] == '\r') {
			i += s[i] == '\r' && i + 1 < n && s[i + 1] == '\n' ? 2 : 1;
			tm_buf_str(b, "<br>");
		} else if (s[i] == '\t') {
			tm_buf_chr(b, ' ');
			i++;
		} else if (s[i] >= ' ' && s[i] < 0x7f) {
			put_ascii(b, s, n, i++);
		} else {
			i += tm_glyph_get(&g, s + i, n - i, true);
			if (g.escape)
				tm_buf_chr(b, '\\');
			tm_buf_add(b, g.s, g.n);
		}
	}
	return !b->failed;
}

/* Without the blanks that stand for decimals of others: a viewer aligns columns by itself. */
static void put_in_unit(struct tm_buf *out, const struct tm_cell *c, const struct one_unit *unit)
{
	tm_put_in_unit(out, c, unit);
	while (out->n && out->p[out->n - 1] == ' ')
		out->n--;
}

static bool render(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	size_t n;
	size_t *col = tm_shown_columns(t, ctx->all_columns, &n);
	struct one_unit *unit = col ? calloc(n + 1, sizeof *unit) : NULL;

	if (!unit || !tm_units_choose(t, col, n, ctx->units, unit)) {
		free(unit);
		free(col);
		return false;
	}
	if (t->headline.type == TM_CELL_TEXT) {
		tm_row_text_md(out, t->headline.v.s, t->headline.len);
		tm_buf_str(out, "\n\n");
	}
	for (size_t i = 0; i < n; i++) {
		const char *title = t->columns[col[i]]->title;

		tm_buf_str(out, i ? " | " : "| ");
		tm_row_text_md(out, title, strlen(title));
		if (unit[i].size)
			tm_buf_str(out, unit[i].word);
	}
	tm_buf_str(out, " |\n");
	for (size_t i = 0; i < n; i++)
		tm_buf_str(out, t->columns[col[i]]->unit == TM_UNIT_TEXT ? "| --- " : "| ---: ");
	tm_buf_str(out, "|\n");
	for (size_t r = 0; r < t->nrows && !out->failed; r++) {
		for (size_t i = 0; i < n; i++) {
			const struct tm_cell *c = &t->cells[r * t->ncols + col[i]];

			tm_buf_str(out, i ? " | " : "| ");
			if (c->type == TM_CELL_TEXT || c->type == TM_CELL_DIGITS)
				tm_row_text_md(out, c->v.s, c->len);
			else if (c->type == TM_CELL_NONE)
				tm_buf_chr(out, '-');
			else if (unit[i].size && tm_in_unit_of(c, t->columns[col[i]]))
				put_in_unit(out, c, &unit[i]);
			else
				tm_put_human(out, c, t->columns[col[i]]->unit);
		}
		tm_buf_str(out, " |\n");
	}
	for (size_t i = 0; i < t->nbelow && !out->failed; i++) {
		if (t->below[i].type != TM_CELL_TEXT)
			continue;
		tm_buf_str(out, i ? "\\\n" : "\n");
		tm_row_text_md(out, t->below[i].v.s, t->below[i].len);
	}
	if (t->nbelow)
		tm_buf_chr(out, '\n');
	free(unit);
	free(col);
	return !out->failed;
}

const struct tm_render_mode tm_render_md = {
	.name = "md",
	.about = "a GitHub table, units scaled for people",
	.machine = false,
	.render = render,
};
