/* SPDX-License-Identifier: MIT
 * Trace tables in CSV: blocks of bytes in, batches of events out.  Plain rows go through the fast
 * scanner; the first row that is not plain goes through csv_row_split, then the scanner goes on. */
#include "read/priv_table.h"

#include "base/buf.h"
#include "base/num.h"
#include "read/csv_row.h"
#include "read/priv_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BLOCK = 512 * 1024, /* bytes read at a time: stays in the second-level cache */
	LOOK = 64,          /* rows looked at to learn how an ordinary row is quoted */
	MORE_FIELDS = 64,   /* counters a ragged row may have beyond its header */
};

struct csv_table {
	const struct table_def *def;

	/* the header, bound */
	struct csv_shape shape;
	unsigned char *types;     /* shape.type */
	struct scan_field *bound; /* every wanted field, `at` counted over the whole row */
	uint32_t nbound;
	uint64_t need;     /* columns without which a row is malformed */
	uint64_t fast_has; /* columns of a row the scanner took */
	bool fast;         /* the scanner may be used at all */
	bool quoted_numbers;
	int operation; /* TABLE_OPS: column that names a copy */

	/* the bytes: data[pos..n) is unread, data[0] stands at offset `base` of the input */
	struct source *src;
	int fd; /* a split reads here, at any place */
	unsigned char *data;
	size_t pos, n, cap;
	uint64_t base, end; /* rows that begin at or behind `end` are not ours */
	bool whole;         /* nothing follows data[n) */
	bool broken;        /* ... because the source failed: why */
	struct diag why;

	/* the rows */
	struct csv_memo memo;
	struct csv_field *fields;
	struct csv_scan *scan;
	scan_rows_fn *scan_rows;
	uint64_t *store; /* the arrays of the batch */
	struct batch batch;
	struct buf text;           /* a name with its quotes made single */
	uint64_t line[BATCH_ROWS]; /* where each row of the batch began */
};

static struct csv_table *table_of(const struct reader *r)
{
	struct csv_table *t;

	memcpy(&t, r->priv, sizeof t);
	return t;
}

unsigned table_bid(enum table_format f, const unsigned char *p, size_t n)
{
	struct csv_header h;
	unsigned bits = 0;

	if (header_parse(&h, p, n, true))
		header_table(&h, f, &bits);
	return bits;
}

static bool set_buffer(struct csv_table *t, size_t cap)
{
	unsigned char *p = calloc(1, cap + 2 * SCAN_PAD);

	if (!p)
		return false;
	if (t->n)
		memcpy(p + SCAN_PAD, t->data + t->pos, t->n - t->pos);
	if (t->data)
		free(t->data - SCAN_PAD);
	t->base += t->pos;
	t->n -= t->pos;
	t->pos = 0;
	t->data = p + SCAN_PAD;
	t->cap = cap;
	return true;
}

/* More bytes behind data[n): false when there are none, or out of memory (then *oom). */
static bool refill(struct csv_table *t, bool *oom)
{
	size_t had;

	if (t->whole)
		return false;
	if (t->n - t->pos > t->cap / 2) {
		if (!set_buffer(t, t->cap * 2)) {
			*oom = true;
			return false;
		}
	} else if (t->pos) {
		memmove(t->data, t->data + t->pos, t->n - t->pos);
		t->base += t->pos;
		t->n -= t->pos;
		t->pos = 0;
	}
	had = t->n;
	while (t->n < t->cap) {
		size_t got = 0;

		if (t->src) {
			enum status st = source_read(t->src, t->data + t->n, t->cap - t->n, &got,
			                             &t->why);

			if (st == ST_OK) {
				t->n += got;
				continue;
			}
			t->broken = st != ST_END;
		} else {
			ssize_t k = pread(t->fd, t->data + t->n, t->cap - t->n,
			                  (off_t)(t->base + t->n));

			if (k > 0) {
				t->n += (size_t)k;
				continue;
			}
			if (k < 0 && errno == EINTR)
				continue;
			if (k < 0) {
				diag_set(&t->why, 0, "cannot read: %s", strerror(errno));
				t->broken = true;
			}
		}
		t->whole = true;
		break;
	}
	return t->n > had;
}

/* The columns of the header that the caller wants, and those without which a row means nothing. */
static bool bind(struct reader *r, struct csv_table *t, const struct csv_header *h)
{
	uint64_t times = EV_BIT(EVC_START) | EV_BIT(EVC_END), seen = 0;
	uint64_t want = r->want | (r->want & times ? times : 0);

	if (t->def->flags & TABLE_OPS)
		want |= EV_BIT(EVC_NAME);
	t->types = calloc(h->n + MORE_FIELDS, 1);
	t->bound = calloc(h->n, sizeof *t->bound);
	t->fields = calloc(h->n + MORE_FIELDS, sizeof *t->fields);
	if (!t->types || !t->bound || !t->fields)
		return false;
	t->shape = (struct csv_shape) { .ncols = h->n, .text = -1, .type = t->types };
	for (uint32_t i = 0; i < h->n; i++) {
		enum ev_col col;
		enum csv_cell cell;

		t->types[i] = CSV_WORD;
		if (!header_column(h, i, t->def, &col, &cell) || seen & EV_BIT(col))
			continue;
		seen |= EV_BIT(col);
		if (cell == CELL_NUMBER || cell == CELL_REAL)
			t->types[i] = CSV_NUMBER;
		if (col == EVC_NAME && !(t->def->flags & TABLE_FIXED))
			t->shape.text = (int32_t)i;
		if (want & EV_BIT(col))
			t->bound[t->nbound++] = (struct scan_field) { .at = (uint16_t)i,
				                                      .cell = (uint8_t)cell,
				                                      .col = (uint8_t)col };
	}
	t->operation = header_find(h, "operation");
	t->need = seen & want & (times | EV_BIT(EVC_NAME));
	t->fast_has = seen & want;
	if (t->def->domain != DOMAIN_N && r->want & EV_BIT(EVC_DOMAIN))
		t->fast_has |= EV_BIT(EVC_DOMAIN);
	return true;
}

/* The scanner over the bound columns, and the arrays it writes. */
static bool make_scanner(struct reader *r, struct csv_table *t)
{
	uint32_t text = t->shape.text < 0 ? 0 : (uint32_t)t->shape.text;
	struct csv_scan *s = calloc(1, sizeof *s);
	uint64_t cols = t->fast_has;
	uint64_t *p;

	t->scan = s;
	t->scan_rows = scan_rows_best();
	t->store = malloc(((size_t)__builtin_popcountll(cols) + 1) * BATCH_ROWS * sizeof *p);
	if (!s || !t->store)
		return false;
	s->fields = calloc(t->nbound + 1, sizeof *s->fields);
	if (!s->fields)
		return false;
	p = t->store;
	t->batch.row_has = p;
	t->batch.names = &r->names;
	for (int c = 0; c < EVC_N; c++)
		if (cols & EV_BIT(c))
			t->batch.col[c] = s->out[c] = p += BATCH_ROWS;
	s->names = &r->names;
	s->text = t->shape.text >= 0;
	s->head = text;
	s->tail = t->shape.ncols - (s->text ? text + 1 : 0);
	s->tail_number = s->text && s->tail && t->types[text + 1] == CSV_NUMBER;
	t->fast = s->head <= SCAN_FIELDS && s->tail >= 1 && !t->quoted_numbers &&
	          !(t->def->flags & TABLE_OPS);
	for (uint32_t i = 0; i < t->nbound; i++) {
		struct scan_field f = t->bound[i];

		if (s->text && f.at == text) {
			s->want_text = true;
		} else if (s->text && f.at < text) {
			s->fields[s->nhead++] = f;
		} else {
			f.at = (uint16_t)(f.at - (t->shape.ncols - s->tail));
			t->fast &= f.at < SCAN_FIELDS;
			s->fields[s->nhead + s->ntail++] = f;
		}
	}
	return true;
}

/* How ordinary rows are quoted, seen on the first good one: only a matter of speed. */
static void learn(struct csv_table *t, const struct csv_header *h)
{
	struct csv_memo memo = { 0 };
	size_t pos = t->pos;

	t->shape.escaped = true;
	for (int i = 0; i < LOOK && pos < t->n; i++) {
		size_t next = 0;
		uint64_t lines;
		enum csv_verdict v = csv_row_split(&t->shape, &memo, t->base + pos, t->data + pos,
		                                   t->n - pos, t->whole, t->fields, &next, &lines);

		if (v == CSV_ROW || v == CSV_RECOVERED) {
			uint32_t quotes[2] = { 0, 0 };

			for (uint32_t k = 0; k < t->shape.ncols; k++) {
				if (!t->fields[k].quoted)
					continue;
				t->quoted_numbers |= t->types[k] == CSV_NUMBER &&
				                     (int32_t)k != t->shape.text &&
				                     header_find(h, "address") != (int)k;
				if ((int32_t)k != t->shape.text)
					quotes[(int32_t)k > t->shape.text] += 2;
			}
			t->scan->head_quotes = quotes[0];
			t->scan->tail_quotes = quotes[1];
			break;
		}
		if (v == CSV_MORE || v == CSV_CUT)
			break;
		pos += next;
	}
}

static enum status open_whole(struct reader *r, struct csv_table *t, enum table_format f,
                              struct diag *d)
{
	struct csv_header h;
	char missing[HEADER_NAME];
	const unsigned char *p;
	const char *label;
	bool oom = false;
	unsigned bits;
	size_t n;

	if (source_peek(r->src, &p, &n, d) == ST_FATAL)
		return ST_FATAL;
	if (!header_parse(&h, p, n, n < SOURCE_PEEK)) {
		diag_set(d, 1, "no CSV header in the first %d bytes", SOURCE_PEEK);
		return ST_FATAL;
	}
	t->def = header_table(&h, f, &bits);
	if (!t->def) {
		if (header_nearly(&h, f, &label, missing))
			diag_set(d, 1, "looks like %s%s of %s, but has no column %s",
			         reader_article(label), label, r->ops->name, missing);
		else
			diag_set(d, 1, "no table of %s has such a header", r->ops->name);
		return ST_FATAL;
	}
	t->src = r->src;
	t->end = UINT64_MAX;
	if (!bind(r, t, &h) || !make_scanner(r, t) || !set_buffer(t, BLOCK))
		goto nomem;
	/* The peek is still there: read the same bytes into our own buffer, skip the header. */
	refill(t, &oom);
	if (oom)
		goto nomem;
	if (header_parse(&h, t->data, t->n, t->whole))
		t->pos = h.bytes;
	r->begin = r->stop = h.bytes;
	r->lines = 1;
	learn(t, &h);
	/* rocprofv3 quotes every header name and escapes nothing; tables that went through a CSV
	 * library (rocpd's converter writes Guid first, pandas leaves names bare) double quotes. */
	t->shape.escaped = !h.all_quoted || t->quoted_numbers || header_find(&h, "guid") >= 0;
	t->fast &= !t->quoted_numbers;
	t->scan->by_kernel_id = t->scan->head > 0 && t->shape.text > 0 &&
	                        header_find(&h, "kernel_id") == t->shape.text - 1;
	r->table = t->def->label;
	r->producer = header_producer(&h, t->def);
	/* The HSA system clock; what rocprof v1 counted depends on the release. */
	r->clock = f == TABLE_v1 ? NULL : "boottime";
	return ST_OK;
nomem:
	diag_oom(d);
	return ST_FATAL;
}

bool table_nearly(enum table_format f, const unsigned char *p, size_t n, const char **label,
                  char missing[HEADER_NAME])
{
	struct csv_header h;

	return header_parse(&h, p, n, true) && header_nearly(&h, f, label, missing);
}

enum status table_open(struct reader *r, enum table_format f, struct diag *d)
{
	struct csv_table *t = calloc(1, sizeof *t);

	if (!t) {
		diag_oom(d);
		return ST_FATAL;
	}
	memcpy(r->priv, &t, sizeof t);
	return open_whole(r, t, f, d);
}

void table_close(struct reader *r)
{
	struct csv_table *t = table_of(r);

	if (!t)
		return;
	if (t->data)
		free(t->data - SCAN_PAD);
	if (t->scan)
		free(t->scan->fields);
	free(t->scan);
	free(t->store);
	free(t->types);
	free(t->bound);
	free(t->fields);
	buf_fini(&t->text);
	free(t);
}

/* A copy of an open reader's binding, over a range of the same file. */
static bool copy_table(struct reader *r, struct csv_table *t, const struct csv_table *of)
{
	uint32_t n = of->shape.ncols;

	t->def = of->def;
	t->shape = of->shape;
	t->types = malloc(n + MORE_FIELDS);
	t->bound = calloc(n, sizeof *t->bound);
	t->fields = calloc(n + MORE_FIELDS, sizeof *t->fields);
	if (!t->types || !t->bound || !t->fields)
		return false;
	memcpy(t->types, of->types, n + MORE_FIELDS);
	memcpy(t->bound, of->bound, n * sizeof *t->bound);
	t->shape.type = t->types;
	t->nbound = of->nbound;
	t->need = of->need;
	t->operation = of->operation;
	t->fast_has = of->fast_has;
	t->quoted_numbers = of->quoted_numbers;
	if (!make_scanner(r, t) || !set_buffer(t, BLOCK))
		return false;
	t->fast = of->fast;
	t->scan->head_quotes = of->scan->head_quotes;
	t->scan->tail_quotes = of->scan->tail_quotes;
	t->scan->by_kernel_id = of->scan->by_kernel_id;
	return true;
}

struct reader *table_split(const struct reader *r, int fd, uint64_t begin, uint64_t end, bool exact,
                           struct diag *d)
{
	struct csv_table *of = table_of(r), *t = calloc(1, sizeof *t);
	struct reader *c = calloc(1, sizeof *c);
	bool oom = !t || !c;

	if (c)
		c->priv = calloc(1, r->ops->priv_size);
	if (oom || !c->priv) {
		free(t);
		goto nomem;
	}
	memcpy(c->priv, &t, sizeof t);
	c->ops = r->ops;
	c->want = r->want;
	c->table = r->table;
	c->producer = r->producer;
	c->clock = r->clock;
	if (!copy_table(c, t, of))
		goto nomem;
	t->fd = fd;
	t->end = end;
	t->base = exact ? begin : begin - 1;
	while (!exact) {
		unsigned char *nl;

		if (!refill(t, &oom))
			break;
		nl = memchr(t->data + t->pos, '\n', t->n - t->pos);
		t->pos = nl ? (size_t)(nl - t->data) + 1 : t->n;
		if (nl)
			break;
	}
	if (oom)
		goto nomem;
	c->begin = c->stop = t->base + t->pos;
	if (exact && begin == r->begin)
		c->lines = r->lines;
	return c;
nomem:
	diag_oom(d);
	reader_close(c);
	return NULL;
}

/* One cell of a split row.  0 = absent, 1 = there, -1 = no such value, -2 = out of memory. */
static int read_cell(struct csv_table *t, const struct scan_field *f, const struct csv_field *in,
                     uint64_t *v)
{
	const unsigned char *p = in->p;
	size_t n = in->n;
	double real;

	if (!n && f->col != EVC_NAME)
		return 0;
	if (f->cell == CELL_NUMBER)
		return num_u64_any(p, n, v) ? 1 : n == 4 && !memcmp(p, "None", 4) ? 0 : -1;
	if (f->cell == CELL_REAL) {
		if (!num_real(p, n, &real))
			return -1;
		*v = real_bits(real);
		return 1;
	}
	if (in->doubled) {
		buf_clear(&t->text);
		if (!buf_reserve(&t->text, n))
			return -2;
		n = csv_unquote(in, (unsigned char *)t->text.p);
		p = (const unsigned char *)t->text.p;
	}
	if (f->col == EVC_NAME) {
		uint32_t id = names_add(t->scan->names, (const char *)p, n);

		*v = id;
		return id == NAME_NONE ? -2 : 1;
	}
	if (scan_cell_text(t->scan, f, p, n, v))
		return 1;
	return t->scan->oom ? -2 : -1;
}

/* The fields of a split row into row `row` of the batch.  False when the row is unusable. */
static bool take_row(struct csv_table *t, uint32_t row, bool *oom)
{
	uint64_t has = 0;

	for (uint32_t i = 0; i < t->nbound; i++) {
		const struct scan_field *f = &t->bound[i];
		int k = read_cell(t, f, &t->fields[f->at], &t->batch.col[f->col][row]);

		if (k == -2) {
			*oom = true;
			return false;
		}
		if (k == 1)
			has |= EV_BIT(f->col);
	}
	if (t->def->domain != DOMAIN_N)
		has |= t->fast_has & EV_BIT(EVC_DOMAIN);
	t->batch.row_has[row] = has;
	return (has & t->need) == t->need;
}

/* Rows whose columns differ from the header's only in the number of counters at the end. */
static enum csv_verdict split_ragged(struct csv_table *t, const unsigned char *p, size_t n,
                                     size_t *next, uint64_t *lines)
{
	const unsigned char *nl = memchr(p, '\n', n);
	size_t len = nl ? (size_t)(nl - p) : n;
	const unsigned char *quote = memrchr(p, '"', len);
	struct csv_shape shape = t->shape;
	struct csv_memo memo = { 0 };
	uint32_t tail = 0;

	if (!quote)
		return CSV_BAD;
	for (const unsigned char *q = quote; q < p + len; q++)
		tail += *q == ',';
	shape.ncols = (uint32_t)shape.text + 1 + tail;
	for (uint32_t i = 0; i < t->nbound; i++)
		if (t->bound[i].at >= shape.ncols)
			return CSV_BAD;
	if (shape.ncols > t->shape.ncols + MORE_FIELDS)
		return CSV_BAD;
	return csv_row_split(&shape, &memo, 0, p, len + (nl != NULL), true, t->fields, next,
	                     lines) == CSV_ROW
	               ? CSV_RECOVERED
	               : CSV_BAD;
}

/* What a split row is: in a table of operations, one without a kernel is a copy, and its operation
 * is its name. */
static enum ev_kind kind_of_row(struct csv_table *t)
{
	struct csv_field *name = &t->fields[t->shape.text];

	if (!(t->def->flags & TABLE_OPS) || name->n)
		return t->def->kind;
	*name = t->fields[t->operation];
	return EV_COPY;
}

/* One careful step at data[pos].  ST_OK = went on (*row may have grown); ST_END = no more rows;
 * ST_SKIP = a row of another kind, for the next batch; ST_FATAL = out of memory. */
static enum status slow_step(struct reader *r, struct csv_table *t, uint32_t *row)
{
	const unsigned char *p = t->data + t->pos;
	uint64_t line = r->lines + 1, lines = 0;
	size_t next = 0, n = t->n - t->pos;
	enum csv_verdict v;
	bool oom = false;

	if (!n)
		return refill(t, &oom) ? ST_OK : oom ? ST_FATAL : ST_END;
	v = csv_row_split(&t->shape, &t->memo, t->base + t->pos, p, n, t->whole, t->fields, &next,
	                  &lines);
	if (v == CSV_MORE) {
		refill(t, &oom);
		return oom ? ST_FATAL : ST_OK;
	}
	if (v == CSV_BAD && t->def->flags & TABLE_RAGGED && t->shape.text >= 0)
		v = split_ragged(t, p, n, &next, &lines);
	/* A source that broke may have broken inside the last digits: that row is not whole. */
	if ((v == CSV_ROW || v == CSV_RECOVERED) && t->broken && next == n && p[n - 1] != '\n')
		v = CSV_CUT;
	if (v == CSV_ROW || v == CSV_RECOVERED) {
		enum ev_kind kind = kind_of_row(t);

		if (*row && kind != t->batch.kind)
			return ST_SKIP;
		t->batch.kind = kind;
	}
	t->pos += next;
	r->lines += lines;
	switch (v) {
	case CSV_ROW:
	case CSV_RECOVERED:
		if (!take_row(t, *row, &oom)) {
			if (oom)
				return ST_FATAL;
			loss_line(&r->loss.malformed, &r->loss.malformed_line, line);
			break;
		}
		if (v == CSV_RECOVERED)
			loss_line(&r->loss.recovered, &r->loss.recovered_line, line);
		t->batch.has &= t->batch.row_has[*row];
		t->batch.some |= t->batch.row_has[*row];
		t->line[*row] = line;
		++*row;
		break;
	case CSV_BAD:
		loss_line(&r->loss.malformed, &r->loss.malformed_line, line);
		break;
	case CSV_CUT:
		r->loss.cut = 1;
		r->loss.cut_line = line;
		break;
	case CSV_BLANK:
	case CSV_MORE:
		break;
	}
	return ST_OK;
}

/* Rows that end before they start: firmware bugs write some.  Leave them out, count them. */
static uint32_t drop_reversed(struct reader *r, struct csv_table *t, uint32_t n)
{
	const uint64_t both = EV_BIT(EVC_START) | EV_BIT(EVC_END);
	const uint64_t *start = t->batch.col[EVC_START], *end = t->batch.col[EVC_END];
	uint32_t keep = 0, bad = 0;

	if ((t->batch.some & both) != both)
		return n;
	for (uint32_t i = 0; i < n; i++)
		bad += end[i] < start[i];
	if (!bad)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		if ((t->batch.row_has[i] & both) == both && end[i] < start[i]) {
			loss_line(&r->loss.reversed, &r->loss.reversed_line, t->line[i]);
			continue;
		}
		t->batch.row_has[keep] = t->batch.row_has[i];
		for (int c = 0; c < EVC_N; c++)
			if (t->batch.some & EV_BIT(c))
				t->batch.col[c][keep] = t->batch.col[c][i];
		keep++;
	}
	t->batch.has = ~UINT64_C(0);
	t->batch.some = 0;
	for (uint32_t i = 0; i < keep; i++) {
		t->batch.has &= t->batch.row_has[i];
		t->batch.some |= t->batch.row_has[i];
	}
	return keep;
}

/* Fill a batch, perhaps with no row at the very end. */
static enum status fill(struct reader *r, struct csv_table *t, uint32_t *out)
{
	uint32_t row = 0;

	t->batch.kind = t->def->kind;
	t->batch.has = ~UINT64_C(0);
	t->batch.some = 0;
	while (row < BATCH_ROWS && t->base + t->pos < t->end) {
		enum status st;

		if (t->fast) {
			const unsigned char *p = t->data + t->pos, *end = t->data + t->n;
			uint64_t ours = t->end - t->base;
			const unsigned char *lim = ours < t->n ? t->data + ours : end;
			uint32_t from = row;

			t->pos = (size_t)(t->scan_rows(t->scan, p, lim, end, &row, BATCH_ROWS) -
			                  t->data);
			if (t->scan->oom)
				return ST_FATAL;
			for (uint32_t i = from; i < row; i++) {
				t->batch.row_has[i] = t->fast_has;
				t->line[i] = ++r->lines;
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
		if (st == ST_FATAL)
			return ST_FATAL;
		if (st != ST_OK)
			break;
	}
	if (t->def->domain != DOMAIN_N && t->batch.col[EVC_DOMAIN])
		for (uint32_t i = 0; i < row; i++)
			t->batch.col[EVC_DOMAIN][i] = t->batch.kind == EV_COPY ? DOMAIN_COPY
			                                                       : t->def->domain;
	*out = drop_reversed(r, t, row);
	return row ? ST_OK : ST_END;
}

enum status table_next(struct reader *r, const struct batch **b, struct diag *d)
{
	struct csv_table *t = table_of(r);
	enum status st;
	uint32_t n = 0;

	do
		st = fill(r, t, &n);
	while (st == ST_OK && !n);
	r->stop = t->base + t->pos;
	if (st == ST_FATAL) {
		diag_oom(d);
		return ST_FATAL;
	}
	if (st == ST_END) {
		if (!t->broken)
			return ST_END;
		if (d)
			*d = t->why;
		return ST_FATAL;
	}
	t->batch.n = n;
	r->loss.rows += n;
	*b = &t->batch;
	return ST_OK;
}
