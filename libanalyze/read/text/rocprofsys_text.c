/* SPDX-License-Identifier: MIT
 * Tables of rocprof-sys and omnitrace: wall_clock.txt, trip_count.txt, cpu_clock.txt,
 * sampling_*.txt ..., and the same printed by a program.  Boxes of bars and dashes:
 *
 *     | LABEL            | COUNT | DEPTH | METRIC     | UNITS | SUM      | ...
 *     | |00>>>   |_solve |    12 |     2 | wall_clock | sec   | 0.064047 | ...
 *
 * Labels hold bars themselves, numbers do not, so a row is read from its end.  Times have six
 * decimals; the JSON beside has them in ns. */
#include "read/lines.h"
#include "read/text/box.h"
#include "read/text/rocprofsys.h"

#include <string.h>

enum { C_LABEL, C_CALLS, C_DEPTH, C_METRIC, C_UNITS, C_SUM, C_MEAN, C_MIN, C_MAX, C_STDDEV, C_N };
enum { MAX_CELLS = 32 };

static const struct {
	const char *name;
	bool required;
} columns[C_N] = {
	[C_LABEL] = { "LABEL", true },  [C_CALLS] = { "COUNT", true },
	[C_DEPTH] = { "DEPTH", true },  [C_METRIC] = { "METRIC", true },
	[C_UNITS] = { "UNITS", false }, [C_SUM] = { "SUM", true },
	[C_MEAN] = { "MEAN", false },   [C_MIN] = { "MIN", false },
	[C_MAX] = { "MAX", false },     [C_STDDEV] = { "STDDEV", false },
};

struct sys_text {
	struct tm_lines lines;
	struct sys_rows rows;
	int col[C_N];         /* cell of each column, -1 = none */
	size_t cells;         /* of a row; 0 = no header yet */
	struct tm_buf metric; /* of the first row: others do not add up with it */
};

/* A header: which cell each column is.  0: it is none. */
static size_t titles_parse(const char *p, const char *end, int col[C_N])
{
	struct tm_small_field cell[MAX_CELLS];
	size_t n = tm_box_cells(p, end, cell, MAX_CELLS);

	for (int i = 0; i < C_N; i++) {
		col[i] = -1;
		for (size_t k = 0; k < n; k++)
			if (cell[k].n == strlen(columns[i].name) &&
			    !memcmp(cell[k].p, columns[i].name, cell[k].n))
				col[i] = (int)k;
	}
	for (int i = 0; i < C_N; i++)
		if (columns[i].required && col[i] < 0)
			return 0;
	return col[C_LABEL] == 0 ? n : 0;
}

static struct tm_small_field cell_of(const struct sys_text *t, const struct tm_small_field *cell,
                                     int c)
{
	return t->col[c] < 0 ? (struct tm_small_field) { "", 0 } : cell[t->col[c]];
}

static unsigned sys_bid(const unsigned char *bytes, size_t n, bool whole)
{
	const char *p = (const char *)bytes, *end = p + n;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		int col[C_N];
		unsigned bits = 0;

		if (!nl && !whole)
			return 0;
		if (titles_parse(p, nl ? nl : end, col))
			for (int i = 0; i < C_N; i++)
				bits += columns[i].required ? 8 : 0;
		if (bits)
			return bits;
		p = nl ? nl + 1 : end;
	}
	return 0;
}

/* ------------------------------------------------------------------------ */

static void misfit(struct tm_reader *r)
{
	struct sys_text *t = r->priv;

	tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->lines.line);
}

/* Does this row measure what the first one does?  False in *same, or when out of memory. */
static bool same_metric(struct sys_text *t, const struct tm_small_field *cell, bool *same)
{
	struct tm_small_field metric = cell_of(t, cell, C_METRIC), unit = cell_of(t, cell, C_UNITS);
	struct tm_buf b = { 0 };
	bool ok;

	tm_buf_add(&b, metric.p, metric.n);
	tm_buf_chr(&b, ' ');
	tm_buf_add(&b, unit.p, unit.n);
	ok = !b.failed;
	*same = ok && t->metric.n == b.n && !memcmp(t->metric.p, b.p, b.n);
	if (ok && !t->metric.n) {
		*same = true;
		tm_sys_unit(&t->rows, unit.p, unit.n);
		t->metric = b;
		return true;
	}
	tm_buf_fini(&b);
	return ok || tm_lines_oom(&t->lines);
}

/* One line.  False when out of memory. */
static bool take_line(struct tm_reader *r, const char *p, size_t n)
{
	struct sys_text *t = r->priv;
	struct tm_small_field cell[MAX_CELLS], unit;
	const char *a = p, *b = p + n;
	int col[C_N];
	size_t cells = titles_parse(p, p + n, col);
	struct sys_row row = { .at = t->lines.at };
	struct sys_rows probe = { 0 };
	bool same;

	if (cells) {
		t->cells = cells;
		memcpy(t->col, col, sizeof col);
		tm_sys_restart(&t->rows);
		return true;
	}
	/* The program's own text, and the title of the box. */
	if (!t->cells || !tm_box_inner(&a, &b) || !memmem(a, (size_t)(b - a), ">>> ", 4))
		return true;
	if (!tm_box_split(p, p + n, t->cells, cell)) {
		misfit(r);
		return true;
	}
	if (!same_metric(t, cell, &same))
		return false;
	unit = cell_of(t, cell, C_UNITS);
	if (!same || (unit.n && !tm_sys_unit(&probe, unit.p, unit.n))) {
		misfit(r);
		return true;
	}
	row.label = cell[0];
	row.calls = cell_of(t, cell, C_CALLS);
	row.depth = cell_of(t, cell, C_DEPTH);
	row.sum = cell_of(t, cell, C_SUM);
	row.mean = cell_of(t, cell, C_MEAN);
	row.min = cell_of(t, cell, C_MIN);
	row.max = cell_of(t, cell, C_MAX);
	row.stddev = cell_of(t, cell, C_STDDEV);
	switch (tm_sys_take(r, &t->rows, &row)) {
	case SYS_MISFIT:
		misfit(r);
		return true;
	case SYS_OOM:
		return tm_lines_oom(&t->lines);
	case SYS_TAKEN:
		break;
	}
	return true;
}

static bool take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n)
{
	struct sys_text *t = r->priv;
	struct tm_small_field cell[MAX_CELLS], row;
	const char *a = p, *b = p + n;

	if (kind != TM_LINE_CUT)
		return kind == TM_LINE_LONG || take_line(r, p, n);
	/* With its last bar a row is whole, unless that is a bar of its label. */
	if (t->cells && tm_box_inner(&a, &b) && tm_box_split(p, p + n, t->cells, cell)) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, r->lines);
		return take_line(r, p, n);
	}
	row = tm_box_trim(p, p + n);
	if (t->cells && row.n && *row.p == '|' && memmem(p, n, ">>> ", 4))
		tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, r->lines);
	else if (n && !t->lines.dead)
		tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, r->lines);
	return true;
}

/* What the first row says of the table. */
static enum tm_status look(struct tm_reader *r, const char *p, const char *end, struct tm_diag *d)
{
	struct sys_text *t = r->priv;
	struct tm_small_field cell[MAX_CELLS], metric, unit;
	struct sys_rows probe = { 0 };
	struct sys_label label;
	enum tm_status st = TM_ST_OK;

	for (const char *nl; p < end; p = nl + 1) {
		size_t cells;
		int col[C_N];

		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl : end;
		cells = titles_parse(p, nl, col);
		if (cells) {
			t->cells = cells;
			memcpy(t->col, col, sizeof col);
		}
		if (cells || !t->cells || !tm_box_split(p, nl, t->cells, cell) ||
		    !tm_sys_label(&cell[0], &label))
			continue;
		metric = cell_of(t, cell, C_METRIC);
		unit = cell_of(t, cell, C_UNITS);
		r->table = tm_sys_table(metric.p, metric.n);
		r->has_rank = label.has_rank;
		r->rank = label.rank;
		if (unit.n && !tm_sys_unit(&probe, unit.p, unit.n)) {
			tm_diag_set(d, 0, "table of %.*s in %.*s: no times, not read",
			            (int)metric.n, metric.p, (int)unit.n, unit.p);
			st = TM_ST_SKIP;
		}
		break;
	}
	t->cells = 0;
	return st;
}

static enum tm_status sys_open(struct tm_reader *r, struct tm_diag *d)
{
	struct sys_text *t = r->priv;
	const unsigned char *p;
	size_t n;

	t->rows.out.b.kind = TM_EV_STAT;
	r->table = "function times";
	r->producer = "rocprof-sys or omnitrace";
	if (tm_source_peek(r->src, &p, &n, d) == TM_ST_FATAL)
		return TM_ST_FATAL;
	return look(r, (const char *)p, (const char *)p + n, d);
}

static enum tm_status sys_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct sys_text *t = r->priv;

	return tm_lines_rows(&t->lines, r, take, &t->rows.out, 1, b, d);
}

static void sys_close(struct tm_reader *r)
{
	struct sys_text *t = r->priv;

	tm_lines_fini(&t->lines);
	tm_sys_fini(&t->rows);
	tm_buf_fini(&t->metric);
}

const struct tm_reader_ops tm_reader_rocprofsys_text = {
	.name = "rocprofsys-text",
	.about = "tables of rocprof-sys and omnitrace (wall_clock.txt, trip_count.txt, "
	         "sampling_*.txt)",
	.bid = sys_bid,
	.priv_size = sizeof(struct sys_text),
	.open = sys_open,
	.next = sys_next,
	.close = sys_close,
};
