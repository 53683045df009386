/* SPDX-License-Identifier: MIT
 * Rows of trace tables in batches of events.  Plain rows go through the fast scanner; the first row
 * that is not plain goes through tm_csv_row_split, then the scanner goes on.
 *
 * A row may be two kinds of events: of a table in which counters are columns a dispatch and its
 * counters, of one with a row a counter that counter and, the first time, its dispatch.  The second
 * kind is made out of the batch of the first.  Of one with a row for each XCC of the GPU counters
 * are made at the end, when all XCCs are added up. */
#include "base/base.h"
#include "read/csv/csv_table.h"
#include "read/csv/table.h"

#include <stdlib.h>

enum { CELLS = 1 << 16 }; /* values of counters after which a batch is closed */

static bool is_time(const struct scan_field *f)
{
	return f->cell == CELL_NUMBER && (f->col == TM_EVC_START || f->col == TM_EVC_END);
}

/* One cell of a split row.  0 = absent, 1 = there, -1 = no such value, -2 = out of memory. */
static int read_cell(struct csv_table *t, const struct scan_field *f, const struct csv_field *in,
                     uint64_t *v)
{
	const unsigned char *p = in->p;
	size_t n = in->n;
	double real;
	bool exact;

	if (!n && f->col != TM_EVC_NAME)
		return 0;
	if (f->cell == CELL_NUMBER && tm_num_u64_any(p, n, v))
		return 1;
	if (is_time(f) && tm_num_shown(p, n)) {
		t->shown = true;
		return -1;
	}
	if (is_time(f) && tm_num_nearest(p, n, v, &exact)) {
		t->inexact |= !exact;
		return 1;
	}
	if (f->cell == CELL_NUMBER)
		return n == 4 && !memcmp(p, "None", 4) ? 0 : -1;
	if (f->cell == CELL_REAL) {
		int k = tm_table_counter(in, &real);

		if (k == 1)
			*v = tm_real_bits(real);
		return k;
	}
	if (in->doubled) {
		tm_buf_clear(&t->text);
		if (!tm_buf_reserve(&t->text, n))
			return -2;
		n = tm_csv_unquote(in, (unsigned char *)t->text.p);
		p = (const unsigned char *)t->text.p;
	}
	if (f->col == TM_EVC_NAME) {
		uint32_t id = tm_names_add(t->scan->names, (const char *)p, n);

		*v = id;
		return id == TM_NAME_NONE ? -2 : 1;
	}
	if (tm_scan_cell_text(t->scan, f, p, n, v))
		return 1;
	return t->scan->oom ? -2 : -1;
}

/* The counters of the row at hand.  False when out of memory. */
static bool take_counters(struct tm_reader *r, struct csv_table *t, uint32_t row, uint64_t line)
{
	uint64_t bad = 0;

	/* Which of them a row has that lacks some, or has more, nothing tells. */
	if (t->ragged && t->ncounter) {
		tm_loss_count(&r->loss, TM_LOSS_COUNTERS, 1, line);
		return true;
	}
	if (!tm_grow_array(&t->cell, &t->cell_cap, t->ncell + t->ncounter, sizeof *t->cell))
		return false;
	for (uint32_t i = 0; i < t->ncounter; i++) {
		const struct counter_column *c = &t->counter[i];
		double v;
		int k = tm_table_counter(&t->fields[c->at], &v);

		if (k > 0)
			t->cell[t->ncell++] = (struct counter_cell) { row, c->name,
				                                      tm_real_bits(v) };
		bad += k < 0;
	}
	tm_loss_count(&r->loss, TM_LOSS_VALUES, bad, line);
	return true;
}

/* The fields of a split row into row `row` of the batch.  False when the row is unusable. */
static bool take_row(struct tm_reader *r, struct csv_table *t, uint32_t row, uint64_t line,
                     bool *oom)
{
	tm_ev_set has = 0;

	t->inexact = t->shown = false;
	for (uint32_t i = 0; i < t->nbound; i++) {
		const struct scan_field *f = &t->bound[i];
		int k = read_cell(t, f, &t->fields[f->at], &t->batch.col[f->col][row]);

		if (k == -2) {
			*oom = true;
			return false;
		}
		if (k == 1)
			has |= TM_EV_BIT(f->col);
		if (k == -1 && f->cell == CELL_REAL)
			tm_loss_count(&r->loss, TM_LOSS_VALUES, 1, line);
	}
	if (t->def->domain != TM_DOMAIN_N)
		has |= t->fast_has & TM_EV_BIT(TM_EVC_DOMAIN);
	t->batch.row_has[row] = has;
	if ((has & t->need) != t->need)
		return false;
	if (t->ncounter && !take_counters(r, t, row, line)) {
		*oom = true;
		return false;
	}
	if (t->inexact)
		tm_loss_count(&r->loss, TM_LOSS_ROUNDED, 1, line);
	return true;
}

/* Rows whose columns differ from the header's only in the number of counters at the end. */
static enum csv_verdict split_ragged(struct csv_table *t, const unsigned char *p, size_t n,
                                     size_t *next, uint64_t *lines, bool *oom)
{
	const unsigned char *nl = memchr(p, '\n', n);
	size_t len = nl ? (size_t)(nl - p) : n;
	const unsigned char *quote = memrchr(p, '"', len);
	struct csv_shape shape = t->shape;
	struct csv_memo memo = { 0 };
	size_t tail = 0, end;
	enum csv_verdict v;
	uint64_t skipped;

	if (!quote)
		return CSV_BAD;
	for (const unsigned char *q = quote; q < p + len; q++)
		tail += *q == ',';
	shape.ncols = (uint32_t)((uint32_t)shape.text + 1 + tail);
	for (uint32_t i = 0; i < t->nbound; i++)
		if (t->bound[i].at >= shape.ncols)
			return CSV_BAD;
	if (!tm_table_room(t, shape.ncols)) {
		*oom = true;
		return CSV_BAD;
	}
	shape.type = t->types;
	shape.last = LAST_ANY;
	v = tm_csv_row_split(&shape, &memo, 0, p, len + (nl != NULL), true, t->fields, &end,
	                     &skipped);
	if (v != CSV_ROW && v != CSV_UNENDED)
		return CSV_BAD;
	*next = end;
	*lines = skipped;
	t->ragged = true;
	return v == CSV_ROW ? CSV_RECOVERED : v;
}

/* In concatenated files a header stands among the rows.  Does one begin at data[pos], as no row
 * does?  It is passed over when it is ours.  The rows after another one would be read by the
 * columns of ours, so nothing more is read.  *at_hand: there was one.  False when out of memory. */
static bool header_among_rows(struct tm_reader *r, struct csv_table *t, bool *at_hand)
{
	struct csv_header h = { 0 }, ours = { 0 };
	unsigned bits;
	bool oom;

	*at_hand = tm_header_parse(&h, t->data + t->pos, t->n - t->pos, t->whole) && !h.partial &&
	           tm_header_table(&h, t->def->format, &bits);
	oom = h.oom;
	if (*at_hand && tm_header_parse(&ours, (const unsigned char *)t->head.p, t->head.n, true) &&
	    tm_header_same(&h, &ours)) {
		tm_loss_count(&r->loss, TM_LOSS_HEADERS, 1, r->lines + 1);
		t->pos += h.bytes;
		r->lines += h.lines;
	} else if (*at_hand && !ours.oom) {
		tm_diag_set(&t->why, r->lines + 1,
		            "a header with other columns: several tables in one file; only the "
		            "part before it was read, give each as a separate file");
		t->n = t->pos;
		t->whole = t->broken = t->other = true;
	}
	oom |= ours.oom;
	tm_header_fini(&h);
	tm_header_fini(&ours);
	return !oom;
}

/* What a split row is: in a table of operations, one without a kernel is a copy, and its operation
 * is its name. */
static enum tm_ev_kind kind_of_row(struct csv_table *t)
{
	struct csv_field *name = &t->fields[t->shape.text];

	if (!(t->def->flags & TABLE_OPS) || name->n)
		return t->def->kind;
	*name = t->fields[t->operation];
	return TM_EV_COPY;
}

/* One careful step at data[pos].  TM_ST_OK = went on (*row may have grown); TM_ST_END = no more
 * rows; TM_ST_SKIP = a row of another kind, for the next batch; TM_ST_FATAL = out of memory. */
static enum tm_status slow_step(struct tm_reader *r, struct csv_table *t, uint32_t *row)
{
	const unsigned char *p = t->data + t->pos;
	uint64_t line = r->lines + 1, lines = 0;
	size_t next = 0, n = t->n - t->pos;
	enum csv_verdict v;
	bool oom = false;

	if (!n)
		return tm_table_refill(t, &oom) ? TM_ST_OK : oom ? TM_ST_FATAL : TM_ST_END;
	v = tm_csv_row_split(&t->shape, &t->memo, t->base + t->pos, p, n, t->whole, t->fields,
	                     &next, &lines);
	if (v == CSV_MORE) {
		tm_table_refill(t, &oom);
		return oom ? TM_ST_FATAL : TM_ST_OK;
	}
	if (v == CSV_BAD) {
		bool at_hand;

		if (!header_among_rows(r, t, &at_hand))
			return TM_ST_FATAL;
		if (at_hand)
			return TM_ST_OK;
	}
	t->ragged = false;
	if (v == CSV_BAD && t->def->flags & TABLE_RAGGED && t->shape.text >= 0)
		v = split_ragged(t, p, n, &next, &lines, &oom);
	if (oom)
		return TM_ST_FATAL;
	/* Where the source broke more is missing than a newline. */
	if ((v <= CSV_RECOVERED || v == CSV_UNENDED) && t->broken && !csv_row_ended(p, next))
		v = CSV_CUT;
	if (v <= CSV_JOINED) {
		enum tm_ev_kind kind = kind_of_row(t);

		if (*row && kind != t->batch.kind)
			return TM_ST_SKIP;
		t->batch.kind = kind;
	}
	t->pos += next;
	r->lines += lines;
	switch (v) {
	case CSV_ROW:
	case CSV_RECOVERED:
	case CSV_JOINED:
		if (v == CSV_JOINED)
			tm_loss_count(&r->loss, TM_LOSS_JOINED, 1, line);
		if (!take_row(r, t, *row, line, &oom)) {
			if (oom)
				return TM_ST_FATAL;
			tm_loss_line(&r->loss,
			             t->shown ? TM_LOSS_LINE_SHOWN : TM_LOSS_LINE_MALFORMED, line);
			break;
		}
		if (v == CSV_ROW && t->fast && t->shape.escaped)
			tm_scan_remember(t->scan, t->fields,
			                 t->scan->want_text
			                         ? (uint32_t)t->batch.col[TM_EVC_NAME][*row]
			                         : TM_NAME_NONE);
		if (v == CSV_RECOVERED)
			tm_loss_line(&r->loss, TM_LOSS_LINE_RECOVERED, line);
		if (v != CSV_JOINED && !csv_row_ended(p, next))
			tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, line);
		t->batch.has &= t->batch.row_has[*row];
		t->batch.some |= t->batch.row_has[*row];
		t->line[*row] = line;
		++*row;
		break;
	case CSV_BAD:
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, line);
		break;
	case CSV_CUT:
		tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, line);
		break;
	case CSV_UNENDED:
		tm_loss_line(&r->loss, TM_LOSS_LINE_UNENDED, line);
		break;
	case CSV_BLANK:
	case CSV_MORE:
		break;
	}
	return TM_ST_OK;
}

/* Rows that end before they start: firmware bugs write some.  Leave them out, count them. */
static uint32_t drop_reversed(struct tm_reader *r, struct csv_table *t, uint32_t n)
{
	const tm_ev_set both = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	const uint64_t *start = t->batch.col[TM_EVC_START], *end = t->batch.col[TM_EVC_END];
	uint32_t keep = 0, bad = 0, at[TM_BATCH_ROWS];
	size_t cells = 0;

	if ((t->batch.some & both) != both)
		return n;
	for (uint32_t i = 0; i < n; i++)
		bad += end[i] < start[i];
	if (!bad)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		if ((t->batch.row_has[i] & both) == both && end[i] < start[i]) {
			tm_loss_line(&r->loss, TM_LOSS_LINE_REVERSED, t->line[i]);
			at[i] = UINT32_MAX;
			continue;
		}
		at[i] = keep;
		t->batch.row_has[keep] = t->batch.row_has[i];
		for (int c = 0; c < TM_EVC_N; c++)
			if (t->batch.some & TM_EV_BIT(c))
				t->batch.col[c][keep] = t->batch.col[c][i];
		keep++;
	}
	for (size_t i = 0; i < t->ncell; i++)
		if (at[t->cell[i].row] != UINT32_MAX) {
			t->cell[cells] = t->cell[i];
			t->cell[cells++].row = at[t->cell[i].row];
		}
	t->ncell = cells;
	t->batch.has = ~(tm_ev_set)0;
	t->batch.some = 0;
	for (uint32_t i = 0; i < keep; i++) {
		t->batch.has &= t->batch.row_has[i];
		t->batch.some |= t->batch.row_has[i];
	}
	return keep;
}

/* Fill a batch, perhaps with no row at the very end. */
static enum tm_status fill(struct tm_reader *r, struct csv_table *t, uint32_t *out)
{
	uint32_t row = 0;

	t->batch.kind = t->def->kind;
	t->batch.has = ~(tm_ev_set)0;
	t->batch.some = 0;
	t->ncell = t->taken = 0;
	while (row < TM_BATCH_ROWS && t->ncell < CELLS && t->base + t->pos < t->end) {
		enum tm_status st;

		if (t->fast) {
			const unsigned char *p = t->data + t->pos, *end = t->data + t->n;
			uint64_t ours = t->end - t->base;
			const unsigned char *lim = ours < t->n ? t->data + ours : end;
			uint32_t from = row;

			t->pos = (size_t)(t->scan_rows(t->scan, p, lim, end, &row, TM_BATCH_ROWS) -
			                  t->data);
			if (t->scan->oom)
				return TM_ST_FATAL;
			for (uint32_t i = from; i < row; i++) {
				t->batch.row_has[i] = t->fast_has;
				t->line[i] = ++r->lines;
				r->lines += t->scan->raws ? t->scan->raws->lines[i] : 0;
			}
			if (row > from) {
				t->batch.has &= t->fast_has;
				t->batch.some |= t->fast_has;
				continue;
			}
			if (t->base + t->pos >= t->end)
				break;
		}
		st = slow_step(r, t, &row);
		if (st == TM_ST_FATAL)
			return TM_ST_FATAL;
		if (st != TM_ST_OK)
			break;
	}
	if (t->def->domain != TM_DOMAIN_N && t->batch.col[TM_EVC_DOMAIN])
		for (uint32_t i = 0; i < row; i++)
			t->batch.col[TM_EVC_DOMAIN][i] = t->batch.kind == TM_EV_COPY
			                                         ? TM_DOMAIN_COPY
			                                         : t->def->domain;
	*out = drop_reversed(r, t, row);
	return row ? TM_ST_OK : TM_ST_END;
}

/* ---- one row, two kinds of events ---- */

/* Room for the second batch, which has the columns of the first, and a counter's. */
static bool make_more(struct csv_table *t)
{
	tm_ev_set cols = t->fast_has | TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	uint64_t *p;

	if (t->more_store)
		return true;
	t->more_store = malloc(TM_BATCH_ROWS * (sizeof(tm_ev_set) + tm_ev_count(cols) * sizeof *p));
	if (!t->more_store)
		return false;
	t->more.row_has = t->more_store;
	p = (uint64_t *)(t->more.row_has + TM_BATCH_ROWS);
	t->more.names = t->batch.names;
	for (int c = 0; c < TM_EVC_N; c++)
		if (cols & TM_EV_BIT(c))
			t->more.col[c] = p, p += TM_BATCH_ROWS;
	return true;
}

/* Row `from` of the first batch, but for the columns of a counter, as the next of the second. */
static void copy_row(struct csv_table *t, uint32_t from)
{
	struct tm_batch *m = &t->more;
	enum tm_ev_col c;
	tm_ev_set has = t->batch.row_has[from] &
	                ~(TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE));

	TM_EV_EACH(c, has)
	m->col[c][m->n] = t->batch.col[c][from];
	m->row_has[m->n] = has;
}

static void begin_more(struct csv_table *t, enum tm_ev_kind kind)
{
	t->more.kind = kind;
	t->more.n = 0;
	t->more.has = ~(tm_ev_set)0;
	t->more.some = 0;
}

static void end_row(struct csv_table *t)
{
	struct tm_batch *m = &t->more;

	m->has &= m->row_has[m->n];
	m->some |= m->row_has[m->n++];
}

/* The next counters of the batch that was given last. */
static void more_cells(struct csv_table *t)
{
	begin_more(t, TM_EV_COUNTER);
	for (; t->taken < t->ncell && t->more.n < TM_BATCH_ROWS; t->taken++) {
		const struct counter_cell *c = &t->cell[t->taken];
		uint32_t n = t->more.n;

		copy_row(t, c->row);
		t->more.row_has[n] |= TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
		t->more.col[TM_EVC_COUNTER][n] = c->name;
		t->more.col[TM_EVC_VALUE][n] = c->value;
		end_row(t);
	}
	if (t->taken == t->ncell)
		t->rest = REST_NONE;
}

/* Which rows are the first of their dispatches?  Those that agree in all but the counter, and in
 * which XCC it is, are of one. False when out of memory. */
static bool find_fresh(struct csv_table *t, uint32_t n)
{
	const tm_ev_set not = TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);

	t->nfresh = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct tm_ev_row row;
		enum tm_ev_col c;
		bool fresh;

		row.has = t->batch.row_has[i] & ~not ;
		TM_EV_EACH(c, row.has)
		row.v[c] = t->batch.col[c][i];
		t->of[i] = tm_instances_of(&t->seen, &row, &fresh);
		if (t->of[i] == TM_NAME_NONE)
			return false;
		if (fresh)
			t->fresh[t->nfresh++] = i;
	}
	return true;
}

/* The counters of the rows, each of an XCC, to their dispatches.  False when out of memory. */
static bool add_cells(struct csv_table *t)
{
	for (size_t i = 0; i < t->ncell; i++) {
		const struct counter_cell *c = &t->cell[i];

		if (!tm_instances_add(&t->seen, t->of[c->row], c->name, tm_cell_real(c->value)))
			return false;
	}
	t->ncell = 0;
	return true;
}

/* The next sums over XCCs, all rows being read; false when there is none. */
static bool more_sums(struct csv_table *t)
{
	struct tm_batch *m = &t->more;
	struct tm_ev_row row;

	begin_more(t, TM_EV_COUNTER);
	while (m->n < TM_BATCH_ROWS && tm_instances_next(&t->seen, &row)) {
		enum tm_ev_col c;

		TM_EV_EACH(c, row.has)
		m->col[c][m->n] = row.v[c];
		m->row_has[m->n] = row.has;
		end_row(t);
	}
	return m->n != 0;
}

/* What comes of the n rows that were read: *b and TM_ST_OK, TM_ST_END when nothing does,
 * TM_ST_FATAL when out of memory. */
static enum tm_status first_part(struct csv_table *t, uint32_t n, bool values,
                                 const struct tm_batch **b)
{
	const bool by_counter = t->def->flags & TABLE_LONG;

	t->batch.n = n;
	*b = &t->batch;
	if ((t->ncell || by_counter || t->per_xcc) && !make_more(t))
		return TM_ST_FATAL;
	if (!by_counter && !t->per_xcc) {
		t->rest = t->ncell ? REST_CELLS : REST_NONE;
		return TM_ST_OK;
	}
	if (!find_fresh(t, n) || (t->per_xcc && !add_cells(t)))
		return TM_ST_FATAL;
	if (!t->nfresh)
		return by_counter && values ? TM_ST_OK : TM_ST_END;
	begin_more(t, TM_EV_DISPATCH);
	for (uint32_t i = 0; i < t->nfresh; i++) {
		copy_row(t, t->fresh[i]);
		end_row(t);
	}
	t->rest = by_counter && values ? REST_ROWS : REST_NONE;
	*b = &t->more;
	return TM_ST_OK;
}

enum tm_status tm_table_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct csv_table *t = table_of(r);
	enum tm_status st = TM_ST_OK, part = TM_ST_END;
	uint32_t n = 0;

	if (t->rest == REST_ROWS) {
		*b = &t->batch;
		t->rest = REST_NONE;
		part = TM_ST_OK;
	} else if (t->rest == REST_CELLS) {
		*b = &t->more;
		more_cells(t);
		part = TM_ST_OK;
	}
	while (st == TM_ST_OK && part == TM_ST_END) {
		st = fill(r, t, &n);
		if (n)
			part = first_part(t, n, r->want & TM_EV_BIT(TM_EVC_VALUE), b);
	}
	r->stop = t->base + t->pos;
	if (st == TM_ST_END && part == TM_ST_END && t->per_xcc && more_sums(t)) {
		*b = &t->more;
		part = TM_ST_OK;
	}
	if (st == TM_ST_FATAL || part == TM_ST_FATAL) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	if (part == TM_ST_OK) {
		r->loss.rows += (*b)->n;
		return TM_ST_OK;
	}
	if (!t->broken)
		return TM_ST_END;
	if (t->other)
		r->stop = UINT64_MAX;
	if (d)
		*d = t->why;
	return TM_ST_FATAL;
}
