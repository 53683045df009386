/* SPDX-License-Identifier: MIT */
#include "html/table.h"

#include "html/escape.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80, SHORT = 24, OPEN_ROWS = 60, BAR = 1000 };

/* What a table is laid out with. */
struct layout {
	const struct tm_html_table *h;
	size_t *col; /* shown: n of them */
	size_t n;
	tm_u128 full[TM_TABLE_COLUMNS]; /* of a bar; 0 = none */
	struct tm_brief *brief;         /* names of each column; limit 0 = not asked for yet */
	size_t *pair;                   /* of each row: that of the baseline, SIZE_MAX = none */
};

static const struct tm_cell *cell_at(const struct tm_table *t, size_t row, size_t col)
{
	return &t->cells[row * t->ncols + col];
}

static bool is_number(const struct tm_cell *c)
{
	return c->type == TM_CELL_U64 || c->type == TM_CELL_FIXED || c->type == TM_CELL_DIGITS;
}

bool tm_html_cell(struct tm_buf *b, const struct tm_column *column, const struct tm_cell *c)
{
	switch (c->type) {
	case TM_CELL_NONE:
		return tm_buf_str(b, "\342\200\223");
	case TM_CELL_U64:
	case TM_CELL_FIXED:
		return tm_put_human(b, c, column->unit);
	default:
		return tm_html_text(b, c->v.s, c->len);
	}
}

bool tm_html_name(struct tm_buf *b, struct tm_brief *brief, const struct tm_cell *c)
{
	struct tm_buf name = { 0 };

	tm_brief_put(&name, brief, c);
	tm_html_text(b, name.p ? name.p : "", name.n);
	b->failed |= name.failed;
	tm_buf_fini(&name);
	return !b->failed;
}

/* Times are counted from the beginning of the trace: of what its clock read, only the last digits
 * differ. */
static bool put_value(struct tm_buf *b, const struct tm_table *t, size_t row, size_t col)
{
	struct tm_cell c = *cell_at(t, row, col);

	if (t->columns[col]->unit == TM_UNIT_TIME)
		c = tm_table_since(t, row, c);
	return tm_html_cell(b, t->columns[col], &c);
}

/* A column for people, with a unit where cells have none.  What --columns takes is in the hint. */
static void put_heading(struct tm_buf *b, const struct tm_column *c)
{
	static const char *const ends[][2] = {
		{ "_ns", "" },          { "_bytes", "" },        { "pct", "%" },
		{ "gb_per_s", "GB/s" }, { "tflops", "TFLOP/s" }, { "_j", " J" },
	};
	size_t end = strlen(c->name);
	const char *unit = "";
	struct tm_buf words = { 0 };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t k = strlen(ends[i][0]);

		if (end >= k && !strcmp(c->name + end - k, ends[i][0])) {
			end -= k;
			unit = ends[i][1];
			break;
		}
	}
	for (size_t i = 0; i < end; i++)
		tm_buf_chr(&words, c->name[i] == '_' ? ' ' : c->name[i]);
	tm_buf_str(&words, unit);
	tm_html_text(b, words.p ? words.p : "", words.n);
	b->failed |= words.failed;
	tm_buf_fini(&words);
}

/* ---- the run it is compared with ---- */

static bool same_text(const struct tm_cell *a, const struct tm_cell *b)
{
	if (a->type != b->type)
		return false;
	if (a->type == TM_CELL_TEXT || a->type == TM_CELL_DIGITS)
		return a->len == b->len && !memcmp(a->v.s, b->v.s, a->len);
	return a->type == TM_CELL_NONE || (a->v.u == b->v.u && a->neg == b->neg);
}

static bool same_row(const struct tm_table *a, size_t ra, const struct tm_table *b, size_t rb)
{
	for (size_t i = 0; i < a->ncols; i++)
		if (tm_table_is_key(a, i) && !same_text(cell_at(a, ra, i), cell_at(b, rb, i)))
			return false;
	return true;
}

/* The one row of `b` that is about the same as row `ra` of `a`; SIZE_MAX: none, or several. */
static size_t only_row(const struct tm_table *a, size_t ra, const struct tm_table *b)
{
	size_t found = SIZE_MAX;

	for (size_t r = 0; r < b->nrows; r++)
		if (same_row(a, ra, b, r)) {
			if (found != SIZE_MAX)
				return SIZE_MAX;
			found = r;
		}
	return found;
}

/* The same, unless another row of `a` is about it, too. */
static size_t pair_of(const struct tm_table *a, size_t ra, const struct tm_table *b)
{
	return only_row(a, ra, a) == ra ? only_row(a, ra, b) : SIZE_MAX;
}

/* ---- cells ---- */

static tm_u128 full_bar(const struct tm_table *t, size_t col)
{
	enum { ONE = 10000 };
	tm_u128 most = 0;

	if (!t->columns[col]->bar)
		return 0;
	if (t->columns[col]->unit == TM_UNIT_PCT)
		return (tm_u128)100 * ONE;
	if (t->columns[col]->unit == TM_UNIT_RATIO)
		return ONE;
	for (size_t r = 0; r < t->nrows; r++) {
		tm_u128 v = tm_cell_value(cell_at(t, r, col));

		most = v > most && !cell_at(t, r, col)->own ? v : most;
	}
	return most;
}

static void put_bar(struct tm_buf *b, const struct tm_cell *c, tm_u128 full)
{
	tm_u128 v = tm_cell_value(c);

	if (!full)
		return;
	if (c->neg || (c->own && c->own - 1 != TM_UNIT_PCT))
		v = 0;
	v = v > full ? full : v;
	tm_buf_fmt(b,
	           "<svg class=\"bar\" fill=\"#57606a\" viewBox=\"0 0 %d 1\" "
	           "preserveAspectRatio=\"none\" width=\"60\""
	           " height=\"8\" aria-hidden=\"true\"><rect width=\"%u\" height=\"1\"/></svg>",
	           BAR, (unsigned)(v * BAR / full));
}

/* What of a name is seen at once: as text has it. */
static void put_name(struct tm_buf *b, struct layout *l, size_t col, const struct tm_cell *c)
{
	struct tm_brief *brief = &l->brief[col];

	if (!brief->limit) {
		struct tm_table shown = *l->h->t;

		shown.nrows = shown.nrows < l->h->rows ? shown.nrows : l->h->rows;
		*brief = (struct tm_brief) { .limit = NAME, .utf8 = true };
		b->failed |= !tm_brief_learn(brief, &shown, col);
	}
	tm_html_name(b, brief, c);
}

static bool is_long(const struct tm_cell *c)
{
	return c->type == TM_CELL_TEXT && c->len > NAME;
}

static bool is_shown(const struct layout *l, size_t col)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->col[i] == col)
			return true;
	return false;
}

static bool has_more(const struct layout *l, size_t row)
{
	for (size_t i = 0; i < l->h->t->ncols; i++)
		if (cell_at(l->h->t, row, i)->type != TM_CELL_NONE && !is_shown(l, i))
			return true;
	return false;
}

/* What else is known of a row, for those who open it. */
static void put_row_list(struct tm_buf *b, const struct layout *l, size_t row)
{
	const struct tm_table *t = l->h->t;
	bool any = false;

	for (size_t i = 0; i < t->ncols; i++) {
		const struct tm_cell *c = cell_at(t, row, i);

		if (c->type == TM_CELL_NONE || is_shown(l, i))
			continue;
		tm_buf_str(b, any ? "<dt>" : "<dl><dt>");
		put_heading(b, t->columns[i]);
		tm_buf_str(b, "</dt><dd>");
		put_value(b, t, row, i);
		tm_buf_str(b, "</dd>");
		any = true;
	}
	if (any)
		tm_buf_str(b, "</dl>");
}

static void put_text(struct tm_buf *b, struct layout *l, size_t row, size_t col)
{
	const struct tm_table *t = l->h->t;
	const struct tm_cell *c = cell_at(t, row, col);
	const struct tm_column *column = t->columns[col];
	bool own = l->h->opens && !strcmp(l->h->opens, column->name);
	bool more = own && l->h->more && row < l->h->more_rows;
	bool opens = more || (own && row < OPEN_ROWS && has_more(l, row));

	if (!strcmp(column->name, "class") || !strcmp(column->name, "family")) {
		tm_buf_fmt(b, "<i class=\"sw f-%s\"></i>", tm_hue_of(c->v.s, c->len)->name);
	}
	if (!opens && !is_long(c)) {
		tm_html_text(b, c->v.s, c->len);
		return;
	}
	tm_buf_str(b, "<details><summary>");
	put_name(b, l, col, c);
	tm_buf_str(b, "</summary>");
	tm_buf_str(b, "<p class=\"full\">");
	tm_html_text(b, c->v.s, c->len);
	tm_buf_str(b, "</p>");
	if (opens)
		put_row_list(b, l, row);
	if (more)
		b->failed |= !l->h->more(l->h->arg, row);
	tm_buf_str(b, "</details>");
}

/* What it was before, where that is another number. */
static void put_before(struct tm_buf *b, struct layout *l, size_t row, size_t col)
{
	const struct tm_cell *c = cell_at(l->h->t, row, col), *was;

	if (!l->pair || l->pair[row] == SIZE_MAX)
		return;
	was = cell_at(l->h->base, l->pair[row], col);
	if (!is_number(was) || (is_number(c) && same_text(c, was)) ||
	    tm_unit_names(l->h->t->columns[col]->unit))
		return;
	tm_buf_str(b, " <small>A: ");
	tm_html_cell(b, l->h->t->columns[col], was);
	tm_buf_str(b, "</small>");
}

static void put_cell(struct tm_buf *b, struct layout *l, size_t row, size_t col)
{
	const struct tm_cell *c = cell_at(l->h->t, row, col);

	if (c->type == TM_CELL_TEXT) {
		tm_buf_str(b, l->h->t->columns[col]->elastic ? "<td class=\"x\">"
		              : c->len <= SHORT              ? "<td class=\"w\">"
		                                             : "<td class=\"t\">");
		put_text(b, l, row, col);
	} else {
		tm_buf_str(b, l->h->t->columns[col]->unit == TM_UNIT_TEXT && !is_number(c)
		                      ? "<td class=\"w\">"
		                      : "<td>");
		put_value(b, l->h->t, row, col);
		put_bar(b, c, l->full[col]);
		put_before(b, l, row, col);
	}
	tm_buf_str(b, "</td>");
}

/* ---- rows ---- */

static void put_head(struct tm_buf *b, const struct layout *l)
{
	const struct tm_html_table *h = l->h;

	tm_buf_fmt(
	        b,
	        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s, table\">\n"
	        "<table id=\"t-%s\">\n<caption>%s</caption>\n<thead><tr>",
	        h->caption, h->id, h->caption);
	for (size_t i = 0; i < l->n; i++) {
		const struct tm_column *c = h->t->columns[l->col[i]];

		tm_buf_fmt(b, "<th scope=\"col\"%s data-c=\"%zu\" title=\"",
		           c->unit != TM_UNIT_TEXT ? " class=\"n\"" : "", l->col[i]);
		tm_html_str(b, c->name);
		tm_html_str(b, c->about ? ": " : "");
		tm_html_str(b, c->about ? c->about : "");
		tm_buf_str(b, "\">");
		put_heading(b, c);
		tm_buf_str(b, "</th>");
	}
	tm_buf_str(b, "</tr></thead>\n<tbody>\n");
}

static void put_row(struct tm_buf *b, struct layout *l, size_t row)
{
	tm_buf_str(b, "<tr>");
	for (size_t i = 0; i < l->n; i++)
		put_cell(b, l, row, l->col[i]);
	tm_buf_str(b, "</tr>\n");
}

static void put_foot(struct tm_buf *b, const struct tm_html_table *h, size_t shown)
{
	uint64_t all = h->t->nrows + h->t->more;

	tm_buf_str(b, "</tbody></table></div>\n<p class=\"more\">");
	if (shown < all)
		tm_buf_fmt(b, "%zu of %" PRIu64 " rows%s", shown, all,
		           h->command ? "; all of them: " : "");
	if (h->command) {
		tm_buf_str(b, "<code class=\"cmd\">");
		tm_html_str(b, h->command);
		tm_buf_str(b, shown < all ? " -n 0</code>" : "</code>");
	}
	tm_buf_str(b, "</p>\n");
	for (size_t i = 0; i < h->t->nbelow; i++) {
		const struct tm_cell *c = &h->t->below[i];

		if (c->type != TM_CELL_TEXT)
			continue;
		tm_buf_str(b, "<p class=\"dim\">");
		tm_html_text(b, c->v.s, c->len);
		tm_buf_str(b, "</p>\n");
	}
}

static bool find_layout(struct layout *l)
{
	const struct tm_table *t = l->h->t, *base = l->h->base;

	l->col = tm_shown_columns(t, false, &l->n);
	l->brief = calloc(t->ncols + 1, sizeof *l->brief);
	if (!l->col || !l->brief)
		return false;
	for (size_t i = 0; i < t->ncols; i++)
		l->full[i] = full_bar(t, i);
	if (!base || !base->nrows || base->ncols != t->ncols)
		return true;
	l->pair = calloc(t->nrows + 1, sizeof *l->pair);
	for (size_t r = 0; l->pair && r < t->nrows; r++)
		l->pair[r] = r < l->h->rows ? pair_of(t, r, base) : SIZE_MAX;
	return l->pair != NULL;
}

/* Bytes of a row of JSON, as tm_html_json writes it. */
static size_t json_size(const struct tm_table *t, size_t row)
{
	size_t n = 0;

	for (size_t i = 0; i < t->ncols; i++) {
		const struct tm_cell *c = cell_at(t, row, i);

		n += c->type == TM_CELL_TEXT || c->type == TM_CELL_DIGITS ? c->len + 3 : 12;
		for (size_t k = 0; c->type == TM_CELL_TEXT && k < c->len; k++)
			n += c->v.s[k] == '<' || c->v.s[k] == '>' || c->v.s[k] == '&' ? 5 : 0;
	}
	return n;
}

bool tm_html_table(struct tm_buf *b, const struct tm_html_table *h, size_t *shown)
{
	struct layout l = { .h = h };
	size_t from = b->n, json = 0;
	bool ok = find_layout(&l);

	*shown = 0;
	if (ok) {
		put_head(b, &l);
		while (*shown < h->t->nrows && *shown < h->rows &&
		       (!*shown || b->n - from + json < h->bytes) && !b->failed) {
			json += json_size(h->t, *shown);
			put_row(b, &l, (*shown)++);
		}
		put_foot(b, h, *shown);
	}
	for (size_t i = 0; l.brief && i < h->t->ncols; i++)
		tm_brief_fini(&l.brief[i]);
	free(l.brief);
	free(l.col);
	free(l.pair);
	return ok && !b->failed;
}

bool tm_html_table_json(struct tm_buf *b, const struct tm_html_table *h, size_t rows)
{
	static const char *const units[] = { "text",  "count", "id",    "ns",
		                             "bytes", "pct",   "ratio", "time" };
	const struct tm_table *t = h->t;

	tm_buf_fmt(b, "\"%s\":{\"command\":", h->id);
	if (h->command)
		tm_row_text_json(b, h->command, strlen(h->command));
	else
		tm_buf_str(b, "null");
	tm_buf_fmt(b, ",\"all\":%" PRIu64 ",\"columns\":[", (uint64_t)t->nrows + t->more);
	for (size_t i = 0; i < t->ncols; i++) {
		tm_buf_str(b, i ? "," : "");
		tm_row_text_json(b, t->columns[i]->name, strlen(t->columns[i]->name));
	}
	tm_buf_str(b, "],\"units\":[");
	for (size_t i = 0; i < t->ncols; i++)
		tm_buf_fmt(b, "%s\"%s\"", i ? "," : "", units[t->columns[i]->unit]);
	tm_buf_str(b, "],\"rows\":[");
	for (size_t r = 0; r < rows && r < t->nrows && !b->failed; r++) {
		tm_buf_str(b, r ? ",\n[" : "\n[");
		for (size_t i = 0; i < t->ncols; i++) {
			if (i)
				tm_buf_chr(b, ',');
			tm_put_json(b, cell_at(t, r, i));
		}
		tm_buf_chr(b, ']');
	}
	return tm_buf_str(b, "]}");
}
