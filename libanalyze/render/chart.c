/* SPDX-License-Identifier: MIT
 * Strips over time: a column is a part of it, and a short gap never vanishes in one.
 *
 * Few lanes have a strip for each part of the time.  Many have one each, of what was busy, in the
 * color of what was most of it. */
#include "render/chart.h"

#include "render/render_parts.h"

#include <string.h>

enum { FEW_LANES = 8, LABEL = 10, PCT = 8, LEAST = 10, WIDE = 120 };

unsigned tm_level(uint64_t part, uint64_t whole)
{
	if (!part || !whole)
		return 0;
	if (part >= whole)
		return TM_LEVELS;
	return 1 + (unsigned)((tm_u128)part * (TM_LEVELS - 1) / whole);
}

void tm_put_level(struct tm_buf *b, unsigned level, bool utf8)
{
	/* U+2581 ... U+2588 have 1 ... 8 eighths. */
	if (utf8 && level)
		tm_buf_fmt(b, "\342\226%c", (char)(0x80 + level));
	else
		tm_buf_chr(b, " .:-=+*%#"[level]);
}

const struct tm_part *tm_part_of(const char *column)
{
	static const struct tm_part parts[] = {
		{ "compute_ns", "compute", "gemm" },   { "exposed_comm_ns", "comm", "comm" },
		{ "exposed_copy_ns", "copy", "copy" }, { "move_ns", "move", "layout" },
		{ "wait_ns", "wait", "sync" },         { "idle_ns", "idle", NULL },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(parts[i].column, column))
			return &parts[i];
	return NULL;
}

/* ---- series ---- */

enum { SERIES_LEAST = 8, SERIES_GOOD = 24, LABEL_LEAST = 16 };

/* `below`: what it is about has a line of its own. */
static bool put_one(struct tm_buf *b, const struct tm_series *s, struct tm_brief *brief,
                    size_t label, size_t room, bool below, uint64_t most)
{
	const size_t n = s->n < room ? s->n : room, start = b->n;

	tm_brief_put(b, brief, &s->label);
	tm_buf_fmt(b, "%*s",
	           (int)(label + 2 - tm_text_width(b->p ? b->p + start : "", b->n - start)), "");
	for (size_t i = 0; i < n; i++)
		tm_put_level(b, tm_level(tm_series_peak(s->v, s->n, i, n), most), brief->utf8);
	tm_buf_fmt(b, "%s  %s\n", below ? "\n" : "", s->about.v.s);
	return !b->failed;
}

/* The largest point of series [from, to). */
static uint64_t most_of(const struct tm_table *t, size_t from, size_t to)
{
	uint64_t most = 0;

	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < t->series[i].n; k++)
			most = t->series[i].v[k] > most ? t->series[i].v[k] : most;
	return most;
}

/* Columns that a label may have beside what its series is about: all in a line of any length. */
static size_t label_limit(const struct tm_render_ctx *ctx, size_t about)
{
	const size_t used = about + 4 + SERIES_GOOD;
	size_t room = ctx->width > used ? ctx->width - used : 0;

	if (!ctx->width)
		return SIZE_MAX;
	room = room > ctx->width / 2 ? ctx->width / 2 : room;
	return room > LABEL_LEAST ? room : LABEL_LEAST;
}

/* How wide the widest label is, shortened so that different ones stay different. */
static bool measure_labels(const struct tm_table *t, struct tm_brief *brief, size_t *width)
{
	struct tm_cell label[TM_SERIES_MOST];
	struct tm_table one = { .cells = label, .nrows = t->nseries, .ncols = 1 };
	struct tm_buf text = { 0 };
	bool ok;

	for (size_t i = 0; i < t->nseries; i++)
		label[i] = t->series[i].label;
	ok = tm_brief_learn(brief, &one, 0);
	for (size_t i = 0; i < t->nseries && ok; i++) {
		tm_buf_clear(&text);
		ok = tm_brief_put(&text, brief, &label[i]);
		if (ok && tm_text_width(text.p, text.n) > *width)
			*width = tm_text_width(text.p, text.n);
	}
	tm_buf_fini(&text);
	return ok;
}

bool tm_put_series(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	size_t label = 0, about = 0, width = ctx->width ? ctx->width : WIDE, room;
	struct tm_brief brief = { .utf8 = ctx->utf8, .plain = true };
	bool ok, below;

	for (size_t i = 0; i < t->nseries; i++)
		about = t->series[i].about.len > about ? t->series[i].about.len : about;
	brief.limit = label_limit(ctx, about);
	ok = !t->nseries || measure_labels(t, &brief, &label);
	below = width < label + about + 4 + SERIES_LEAST;
	about = below ? 0 : about + 2;
	room = width > label + about + 2 + SERIES_LEAST ? width - label - about - 2 : SERIES_LEAST;
	for (size_t i = 0; i < t->nseries && ok; i++)
		ok = put_one(out, &t->series[i], &brief, label, room, below,
		             t->apart ? most_of(t, i, i + 1) : most_of(t, 0, t->nseries));
	tm_brief_fini(&brief);
	if (ok && t->series_more)
		tm_buf_fmt(out, "%zu more are not drawn\n", t->series_more);
	return ok && !out->failed;
}

struct strips {
	const struct tm_table *t;
	const struct tm_render_ctx *ctx;
	size_t from, to, part, idle; /* columns: of the bin, of the first part and of the last */
};

static uint64_t value(const struct strips *s, size_t row, size_t col)
{
	return s->t->cells[row * s->t->ncols + col].v.u;
}

static bool same_lane(const struct strips *s, size_t a, size_t b)
{
	for (size_t i = 0; i < s->from; i++) {
		const struct tm_cell *x = &s->t->cells[a * s->t->ncols + i];
		const struct tm_cell *y = &s->t->cells[b * s->t->ncols + i];

		if (x->type != y->type ||
		    (x->type == TM_CELL_U64 ? x->v.u != y->v.u
		     : x->type == TM_CELL_TEXT
		             ? x->len != y->len || memcmp(x->v.s, y->v.s, x->len) != 0
		             : false))
			return false;
	}
	return value(s, a, s->to) == value(s, b, s->from) || a == b;
}

/* Rows of the lane that begins with `row`. */
static size_t lane_rows(const struct strips *s, size_t row)
{
	size_t n = 1;

	while (row + n < s->t->nrows && same_lane(s, row + n - 1, row + n))
		n++;
	return n;
}

/* The lane whose first bin is `row` as it is drawn: n bins in `columns` columns. */
struct strip {
	size_t row, n, columns;
};

/* With so many columns beside it. */
static struct strip strip_of(const struct strips *s, size_t row, size_t n, size_t beside)
{
	const size_t width = s->ctx->width;
	const size_t room = width > beside + LEAST ? width - beside : LEAST;

	return (struct strip) { row, n, width && n > room ? room : n };
}

/* The sum of a part over the bins of column k; s->to: how long they are. */
static uint64_t sum_of(const struct strips *s, const struct strip *l, size_t k, size_t col)
{
	const size_t from = l->row + l->n * k / l->columns;
	const size_t to = l->row + l->n * (k + 1) / l->columns;
	uint64_t sum = 0;

	if (col == s->to)
		return value(s, to - 1, s->to) - value(s, from, s->from);
	for (size_t i = from; i < to; i++)
		sum += value(s, i, col);
	return sum;
}

static void put_pct(struct tm_buf *b, tm_u128 part, tm_u128 whole)
{
	uint64_t tenths = whole ? (uint64_t)((part * 1000 + whole / 2) / whole) : 0;

	tm_buf_fmt(b, " %3llu.%llu %%", (unsigned long long)(tenths / 10),
	           (unsigned long long)(tenths % 10));
}

static void begin(struct tm_buf *b, const struct strips *s, const char *family)
{
	if (family)
		tm_hue_begin(b, tm_hue_of(family, strlen(family)), s->ctx->color, s->ctx->light);
}

static void end(struct tm_buf *b, const struct strips *s, const char *family)
{
	if (family)
		tm_hue_end(b, s->ctx->color);
}

/* "rank 3, agent 4" */
static void put_lane_name(struct tm_buf *b, const struct strips *s, size_t row)
{
	for (size_t i = 0; i < s->from; i++) {
		const struct tm_cell *c = &s->t->cells[row * s->t->ncols + i];

		if (c->type == TM_CELL_NONE)
			continue;
		tm_buf_fmt(b, "%s%s ", i ? ", " : "", s->t->columns[i]->name);
		if (c->type == TM_CELL_TEXT)
			tm_put_clean(b, c->v.s, c->len, s->ctx->utf8);
		else
			tm_buf_u64(b, c->v.u);
	}
}

static void put_ns(struct tm_buf *b, uint64_t ns)
{
	struct tm_cell c = tm_cell_u64(ns);

	tm_put_human(b, &c, TM_UNIT_NS);
}

/* The parts of one lane, a strip for each that there is. */
static void put_parts(struct tm_buf *b, const struct strips *s, const struct strip *l)
{
	for (size_t col = s->part; col <= s->idle; col++) {
		const struct tm_part *part = tm_part_of(s->t->columns[col]->name);
		tm_u128 sum = 0, whole = 0;

		for (size_t k = 0; k < l->columns; k++) {
			sum += sum_of(s, l, k, col);
			whole += sum_of(s, l, k, s->to);
		}
		if (!part || !sum)
			continue;
		tm_buf_fmt(b, "%-*s", LABEL, part->label);
		begin(b, s, part->family);
		for (size_t k = 0; k < l->columns; k++)
			tm_put_level(b, tm_level(sum_of(s, l, k, col), sum_of(s, l, k, s->to)),
			             s->ctx->utf8);
		end(b, s, part->family);
		put_pct(b, sum, whole);
		tm_buf_chr(b, '\n');
	}
}

/* What was most of the busy time of column k. */
static size_t most(const struct strips *s, const struct strip *l, size_t k)
{
	size_t best = s->part;

	for (size_t col = s->part; col < s->idle; col++)
		if (sum_of(s, l, k, col) > sum_of(s, l, k, best))
			best = col;
	return best;
}

/* One strip of what was busy.  Where something else than computing was most of it, a letter says
 * so: the first of its label, or that of the others in capitals. */
static void put_busy(struct tm_buf *b, const struct strips *s, const struct strip *l)
{
	tm_u128 sum = 0, all = 0;

	for (size_t k = 0; k < l->columns; k++) {
		uint64_t whole = sum_of(s, l, k, s->to);
		uint64_t busy = whole - sum_of(s, l, k, s->idle);
		size_t col = most(s, l, k);
		const struct tm_part *part = tm_part_of(s->t->columns[col]->name);
		const char *family = busy && part ? part->family : NULL;

		sum += busy;
		all += whole;
		begin(b, s, family);
		if (busy && part && col != s->part)
			tm_buf_chr(b, part->label[2]);
		else
			tm_put_level(b, tm_level(busy, whole), s->ctx->utf8);
		end(b, s, family);
	}
	put_pct(b, sum, all);
}

static void put_axis(struct tm_buf *b, const struct strips *s, const struct strip *l, size_t indent)
{
	uint64_t lo = value(s, l->row, s->from), hi = value(s, l->row + l->n - 1, s->to);
	const size_t n = l->columns;
	struct tm_buf middle = { 0 }, last = { 0 };
	size_t left;

	tm_buf_chr(&middle, '+');
	put_ns(&middle, (hi - lo) / 2);
	tm_buf_chr(&last, '+');
	put_ns(&last, hi - lo);
	tm_buf_fmt(b, "%*s+0", (int)indent, "");
	left = n > 2 ? n - 2 : 0;
	if (!middle.failed && !last.failed && middle.n + last.n + 8 < left) {
		size_t before = n / 2 - 2, after;

		tm_buf_fmt(b, "%*s%s", (int)before, "", middle.p);
		left -= before + tm_text_width(middle.p, middle.n);
		after = left - tm_text_width(last.p, last.n);
		tm_buf_fmt(b, "%*s%s", (int)after, "", last.p);
	} else {
		tm_buf_fmt(b, " .. %s", last.p ? last.p : "");
	}
	b->failed |= middle.failed || last.failed;
	tm_buf_chr(b, '\n');
	tm_buf_fini(&middle);
	tm_buf_fini(&last);
}

static void put_few(struct tm_buf *b, const struct strips *s)
{
	struct tm_buf head = { 0 };

	for (size_t row = 0, n; row < s->t->nrows; row += n) {
		struct strip l;

		n = lane_rows(s, row);
		l = strip_of(s, row, n, LABEL + PCT);
		if (row)
			tm_buf_chr(b, '\n');
		tm_buf_clear(&head);
		put_lane_name(&head, s, row);
		tm_buf_str(&head, "; a column is ");
		put_ns(&head, sum_of(s, &l, 0, s->to));
		if (head.n)
			tm_render_wrap(b, head.p, head.n, s->ctx->width, 0);
		tm_buf_chr(b, '\n');
		put_parts(b, s, &l);
		put_axis(b, s, &l, LABEL);
	}
	b->failed |= head.failed;
	tm_buf_fini(&head);
}

static void put_many(struct tm_buf *b, const struct strips *s)
{
	static const char legend[] = "busy; where mostly not computing: m communication, p copies, "
	                             "v moves, i waiting kernels";
	size_t width = 0, rows = 0;
	struct tm_buf name = { 0 };

	for (size_t row = 0; row < s->t->nrows; row += lane_rows(s, row)) {
		tm_buf_clear(&name);
		put_lane_name(&name, s, row);
		width = name.n > width ? name.n : width;
	}
	tm_render_wrap(b, legend, sizeof legend - 1, s->ctx->width, 0);
	tm_buf_chr(b, '\n');
	for (size_t row = 0; row < s->t->nrows; row += rows) {
		struct strip l;

		rows = lane_rows(s, row);
		tm_buf_clear(&name);
		put_lane_name(&name, s, row);
		tm_buf_fmt(b, "%-*s  ", (int)width, name.p ? name.p : "");
		l = strip_of(s, row, rows, width + 2 + PCT);
		put_busy(b, s, &l);
		tm_buf_chr(b, '\n');
		if (row + rows == s->t->nrows)
			put_axis(b, s, &l, width + 2);
	}
	b->failed |= name.failed;
	tm_buf_fini(&name);
}

/* The columns of the contract in model/table.h; false: these are not such. */
static bool find_columns(struct strips *s)
{
	s->from = tm_table_find(s->t, "from_ns");
	s->to = tm_table_find(s->t, "to_ns");
	s->part = s->to + 1;
	for (s->idle = s->part; s->idle + 1 < s->t->ncols; s->idle++)
		if (!tm_part_of(s->t->columns[s->idle + 1]->name))
			break;
	return s->from < s->t->ncols && s->to == s->from + 1 && s->idle < s->t->ncols;
}

bool tm_put_strips(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx,
                   bool *done)
{
	struct strips s = { .t = t, .ctx = ctx };
	size_t lanes = 0;

	*done = t->nrows && find_columns(&s);
	if (!*done)
		return true;
	for (size_t row = 0; row < t->nrows && lanes <= FEW_LANES; row += lane_rows(&s, row))
		lanes++;
	if (lanes > FEW_LANES)
		put_many(out, &s);
	else
		put_few(out, &s);
	return !out->failed;
}
