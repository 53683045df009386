/* SPDX-License-Identifier: MIT
 * What rocprofv3 --summary prints: statistics in tables of bars, in a file of their own or amid
 * what the program printed, then with four blanks in front.
 *
 *     ROCPROFV3 KERNEL_DISPATCH SUMMARY:
 *
 *     | NAME | DOMAIN          | CALLS | DURATION (nsec) | AVERAGE (nsec) | PERCENT (INC) | MIN
 *     (nsec) | ...  |------|-----------------|-------|-----------------| ...
 *     | gemm | KERNEL_DISPATCH |   480 |         5426660 | ...
 *
 * A table for each domain (-D), then those of several ("HIP_API + MEMORY_COPY SUMMARY"), then one
 * of all (-S): the same numbers again.  Of a domain the first table counts.  A title that comes
 * again, or any after that of all, is of another process.
 *
 * Names hold bars themselves, numbers do not.  In other units than nsec times are real numbers, of
 * which as many digits are printed as it takes.  AVERAGE and STDDEV have four digits: the average
 * follows from the total, and a deviation whose squares did not fit cannot be mended. */
#include "base/base.h"
#include "read/lines.h"
#include "read/text/box.h"
#include "read/text/rocprofsys.h"

#include <math.h>
#include <string.h>

enum { C_NAME, C_DOMAIN, C_CALLS, C_TOTAL, C_PCT, C_MIN, C_MAX, C_STDDEV, C_N };
enum { MAX_CELLS = 32, COLUMNS_NEEDED = 4 };

static const struct {
	const char *name;
	bool required, timed; /* timed: a unit in brackets follows */
} columns[C_N] = {
	[C_NAME] = { "NAME", true, false },
	[C_DOMAIN] = { "DOMAIN", true, false },
	[C_CALLS] = { "CALLS", true, false },
	[C_TOTAL] = { "DURATION", true, true },
	[C_PCT] = { "PERCENT (INC)", false, false },
	[C_MIN] = { "MIN", false, true },
	[C_MAX] = { "MAX", false, true },
	[C_STDDEV] = { "STDDEV", false, false },
};

struct summary {
	struct tm_lines lines;
	struct tm_ev_rows out;
	bool has_title;       /* of the table that follows */
	bool own;             /* it is of one domain: its percentages are shares of that */
	bool all;             /* the table of all domains was there */
	struct tm_names seen; /* titles of this process */
	unsigned counted;     /* domains of earlier tables, a bit each */
	unsigned here;        /* ... of the table at hand */
	bool in_table;
	int col[C_N]; /* cell of each column, -1 = none */
	size_t cells;
	uint64_t unit; /* ns */
};

/* ---- headers and titles ---- */

/* Is that the name of the column?  *unit: what stands in brackets after it. */
static bool is_column(int c, const struct tm_small_field *f, uint64_t *unit)
{
	size_t n = strlen(columns[c].name);

	if (f->n < n || memcmp(f->p, columns[c].name, n) != 0)
		return false;
	if (!columns[c].timed)
		return f->n == n;
	if (f->n < n + 4 || f->p[n] != ' ' || f->p[n + 1] != '(' || f->p[f->n - 1] != ')')
		return false;
	*unit = tm_sys_unit_ns(f->p + n + 2, f->n - n - 3);
	return *unit != 0;
}

/* A header: which cell each column is.  0: it is none. */
static size_t titles_parse(const char *p, const char *end, int col[C_N], uint64_t *unit)
{
	struct tm_small_field cell[MAX_CELLS];
	size_t n = tm_box_cells(p, end, cell, MAX_CELLS);

	for (int i = 0; i < C_N; i++) {
		col[i] = -1;
		for (size_t k = 0; k < n; k++)
			if (is_column(i, &cell[k], unit))
				col[i] = (int)k;
	}
	for (int i = 0; i < C_N; i++)
		if (columns[i].required && col[i] < 0)
			return 0;
	return col[C_NAME] == 0 ? n : 0;
}

/* "ROCPROFV3 HIP_API SUMMARY:": what stands between, nothing for the table of all.  False: no
 * title. */
static bool title_parse(const char *p, const char *end, struct tm_small_field *title)
{
	static const char front[] = "ROCPROFV3 ", back[] = "SUMMARY:";
	struct tm_small_field f = tm_box_trim(p, end);

	if (f.n && f.p[f.n - 1] == '\r')
		f.n--;
	if (f.n < sizeof front - 1 + sizeof back - 1 || memcmp(f.p, front, sizeof front - 1) != 0 ||
	    memcmp(f.p + f.n - (sizeof back - 1), back, sizeof back - 1) != 0)
		return false;
	*title = tm_box_trim(f.p + sizeof front - 1, f.p + f.n - (sizeof back - 1));
	return true;
}

static unsigned summary_bid(const unsigned char *bytes, size_t n, bool whole)
{
	const char *p = (const char *)bytes, *end = p + n;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		uint64_t unit;
		int col[C_N];

		if (!nl && !whole)
			return 0;
		if (titles_parse(p, nl ? nl : end, col, &unit))
			return 8 * COLUMNS_NEEDED;
		p = nl ? nl + 1 : end;
	}
	return 0;
}

/* ---- rows ---- */

/* A table ends; what it counted is counted. */
static void end_table(struct summary *t)
{
	t->counted |= t->here;
	t->here = 0;
	t->in_table = t->has_title = false;
}

/* False when out of memory. */
static bool take_title(struct summary *t, const struct tm_small_field *title)
{
	bool again;

	end_table(t);
	again = tm_names_find(&t->seen, title->p, title->n) != TM_NAME_NONE;
	if (again || t->all) {
		tm_names_fini(&t->seen);
		t->counted = 0;
	}
	t->has_title = true;
	t->all = !title->n;
	t->own = title->n && !memchr(title->p, '+', title->n);
	return tm_names_add(&t->seen, title->p, title->n) != TM_NAME_NONE ||
	       tm_lines_oom(&t->lines);
}

static const struct tm_small_field *cell_of(const struct summary *t,
                                            const struct tm_small_field *cell, int c)
{
	return t->col[c] < 0 || !cell[t->col[c]].n ? NULL : &cell[t->col[c]];
}

/* A time of the table in ns; an empty cell is absent.  False: it is no time. */
static bool take_time(const struct summary *t, const struct tm_small_field *cell, int c,
                      enum tm_ev_col col, struct tm_ev_row *row)
{
	const struct tm_small_field *f = cell_of(t, cell, c);
	uint64_t v;

	if (!f)
		return true;
	if (!tm_num_scaled(f->p, f->n, t->unit, &v))
		return false;
	tm_ev_put(row, col, v);
	return true;
}

/* A real number, times `scale`.  False: it is none. */
static bool take_real(const struct summary *t, const struct tm_small_field *cell, int c,
                      enum tm_ev_col col, double scale, struct tm_ev_row *row)
{
	const struct tm_small_field *f = cell_of(t, cell, c);
	double v;

	if (!f || (f->n >= 3 && !memcmp(f->p + f->n - 3, "nan", 3)))
		return true;
	if (!tm_num_real(f->p, f->n, &v))
		return false;
	tm_ev_put(row, col, tm_real_bits(v * scale));
	return true;
}

/* The cells as an event, but for its name.  False: they do not fit. */
static bool parse_row(const struct summary *t, const struct tm_small_field *cell,
                      struct tm_ev_row *row)
{
	const struct tm_small_field *domain = cell_of(t, cell, C_DOMAIN),
	                            *calls = cell_of(t, cell, C_CALLS);
	uint64_t v;

	if (!domain || !calls || !tm_num_u64_any(calls->p, calls->n, &v))
		return false;
	tm_ev_put(row, TM_EVC_DOMAIN, tm_domain_of_producer(domain->p, domain->n));
	tm_ev_put(row, TM_EVC_CALLS, v);
	if (!take_time(t, cell, C_TOTAL, TM_EVC_TOTAL, row) ||
	    !take_time(t, cell, C_MIN, TM_EVC_MIN, row) ||
	    !take_time(t, cell, C_MAX, TM_EVC_MAX, row) ||
	    !take_real(t, cell, C_STDDEV, TM_EVC_STDDEV, (double)t->unit, row) ||
	    !take_real(t, cell, C_PCT, TM_EVC_PCT, 1, row) || !(row->has & TM_EV_BIT(TM_EVC_TOTAL)))
		return false;
	if (!t->own)
		row->has &= ~TM_EV_BIT(TM_EVC_PCT);
	if (row->has & TM_EV_BIT(TM_EVC_PCT))
		tm_ev_put(row, TM_EVC_PCT_ERR, tm_real_bits(5e-7));
	/* Its square of the total has 64 bits. */
	if (row->v[TM_EVC_TOTAL] > UINT32_MAX)
		row->has &= ~TM_EV_BIT(TM_EVC_STDDEV);
	return true;
}

/* A row of the table at hand.  False when out of memory. */
static bool take_row(struct tm_reader *r, const char *p, size_t n)
{
	struct summary *t = r->priv;
	struct tm_small_field cell[MAX_CELLS];
	struct tm_ev_row row = { .has = 0 };
	struct tm_small_field f = tm_box_trim(p, p + n);
	unsigned bit;
	uint32_t id;

	if (f.n > 1 && f.p[1] == '-')
		return true;
	if (!tm_box_split(p, p + n, t->cells, cell) || !parse_row(t, cell, &row)) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->lines.line);
		return true;
	}
	bit = 1u << row.v[TM_EVC_DOMAIN];
	if (t->counted & bit)
		return true;
	t->here |= bit;
	id = tm_names_add(&r->names, cell[0].p, cell[0].n);
	if (id == TM_NAME_NONE)
		return tm_lines_oom(&t->lines);
	tm_ev_put(&row, TM_EVC_NAME, id);
	if (!tm_ev_rows_add(&t->out, &row))
		return tm_lines_oom(&t->lines);
	r->loss.rows++;
	return true;
}

/* ---- lines ---- */

/* One line.  False when out of memory. */
static bool take_line(struct tm_reader *r, const char *p, size_t n)
{
	struct summary *t = r->priv;
	struct tm_small_field title;
	int col[C_N];
	uint64_t unit;
	size_t cells;

	if (title_parse(p, p + n, &title))
		return take_title(t, &title);
	cells = titles_parse(p, p + n, col, &unit);
	if (cells) {
		/* A document may have lost the title. */
		if (!t->has_title) {
			end_table(t);
			t->own = false;
		}
		memcpy(t->col, col, sizeof col);
		t->cells = cells;
		t->unit = unit;
		t->in_table = true;
		return true;
	}
	if (t->in_table && tm_box_begins(p, n))
		return take_row(r, p, n);
	if (t->in_table)
		end_table(t);
	return true;
}

/* The last line, without a newline: a row is whole with its last bar.  False when out of memory. */
static bool take_last(struct tm_reader *r, const char *p, size_t n)
{
	struct summary *t = r->priv;
	struct tm_small_field cell[MAX_CELLS];
	bool row = t->in_table && tm_box_begins(p, n);

	if (t->lines.dead)
		return true;
	if (row && !tm_box_split(p, p + n, t->cells, cell)) {
		tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, t->lines.line);
		return true;
	}
	tm_loss_line(&r->loss, TM_LOSS_LINE_OPEN_END, t->lines.line);
	return !row || take_line(r, p, n);
}

static bool take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n)
{
	const struct summary *t = r->priv;

	if (kind == TM_LINE_LONG && t->in_table && tm_box_begins(p, n))
		tm_loss_line(&r->loss, TM_LOSS_LINE_MALFORMED, t->lines.line);
	return kind == TM_LINE_WHOLE ? take_line(r, p, n)
	                             : kind != TM_LINE_CUT || take_last(r, p, n);
}

static enum tm_status summary_open(struct tm_reader *r, struct tm_diag *d)
{
	struct summary *t = r->priv;

	(void)d;
	t->out.b.kind = TM_EV_STAT;
	r->table = "summary";
	r->producer = "rocprofv3";
	return TM_ST_OK;
}

static enum tm_status summary_next(struct tm_reader *r, const struct tm_batch **b,
                                   struct tm_diag *d)
{
	struct summary *t = r->priv;

	return tm_lines_rows(&t->lines, r, take, &t->out, 1, b, d);
}

static void summary_close(struct tm_reader *r)
{
	struct summary *t = r->priv;

	tm_lines_fini(&t->lines);
	tm_ev_rows_fini(&t->out);
	tm_names_fini(&t->seen);
}

const struct tm_reader_ops tm_reader_rocprofv3_summary = {
	.name = "rocprofv3-summary",
	.about = "tables that rocprofv3 --summary prints, also mixed with the program's output",
	.bid = summary_bid,
	.priv_size = sizeof(struct summary),
	.open = summary_open,
	.next = summary_next,
	.close = summary_close,
};
