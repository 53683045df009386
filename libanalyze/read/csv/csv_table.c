/* SPDX-License-Identifier: MIT
 * Trace tables in CSV: the header, what of it is wanted, and blocks of bytes. */
#include "read/csv/csv_table.h"

#include "base/base.h"
#include "read/csv/table.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum {
	BLOCK = 512 * 1024, /* bytes read at a time: stays in the second-level cache */
	LOOK = 64,          /* rows looked at to learn how an ordinary row is quoted */
};

unsigned tm_table_bid(enum table_format f, const unsigned char *p, size_t n, bool whole)
{
	struct csv_header h = { 0 };
	unsigned bits = 0;

	if (tm_header_parse(&h, p, n, whole))
		tm_header_table(&h, f, &bits);
	tm_header_fini(&h);
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

bool tm_table_refill(struct csv_table *t, bool *oom)
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
			enum tm_status st = tm_source_read(t->src, t->data + t->n, t->cap - t->n,
			                                   &got, &t->why);

			if (st == TM_ST_OK) {
				t->n += got;
				continue;
			}
			t->broken = st != TM_ST_END;
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
				tm_diag_set(&t->why, 0, "cannot read: %s", strerror(errno));
				t->broken = true;
			}
		}
		t->whole = true;
		break;
	}
	return t->n > had;
}

bool tm_table_room(struct csv_table *t, size_t n)
{
	unsigned char *types;
	struct csv_field *fields;

	if (n <= t->room)
		return true;
	n += n / 2;
	types = realloc(t->types, n);
	if (!types)
		return false;
	memset(types + t->room, CSV_WORD, n - t->room);
	t->types = types;
	t->shape.type = types;
	fields = realloc(t->fields, n * sizeof *fields);
	if (!fields)
		return false;
	t->fields = fields;
	t->room = n;
	return true;
}

/* What the reader needs to know of a row, given what the caller wants. */
static tm_ev_set wanted(const struct tm_reader *r, const struct csv_table *t)
{
	const tm_ev_set times = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	const tm_ev_set counter = TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	tm_ev_set want = r->want | (r->want & times ? times : 0);

	if (t->def->flags & TABLE_OPS)
		want |= TM_EV_BIT(TM_EVC_NAME);
	/* All that is said of a dispatch tells it from others. */
	if (t->def->flags & TABLE_LONG || t->per_xcc)
		want |= TM_EV_ALL & ~counter & ~TM_EV_BIT(TM_EVC_DOMAIN);
	if (t->def->flags & TABLE_LONG && !(r->want & TM_EV_BIT(TM_EVC_VALUE)))
		want &= ~counter;
	return want;
}

/* Is a column of the header taken otherwise than as one of events? */
static bool is_taken(const struct csv_header *h, uint32_t i, const struct csv_table *t)
{
	return ((int)i == t->operation && t->def->flags & TABLE_OPS) ||
	       tm_header_counter(h, i, t->def);
}

/* The columns of the header that the caller wants, and those without which a row means nothing. */
static bool bind(struct tm_reader *r, struct csv_table *t, const struct csv_header *h)
{
	const tm_ev_set times = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);
	bool counters = t->def->flags & TABLE_WIDE && r->want & TM_EV_BIT(TM_EVC_VALUE);
	tm_ev_set want, seen = 0;

	t->per_xcc = t->def->flags & TABLE_WIDE && tm_header_find(h, "xcc_index") >= 0;
	want = wanted(r, t);
	t->bound = calloc(h->n, sizeof *t->bound);
	t->counter = counters ? calloc(h->n, sizeof *t->counter) : NULL;
	t->shape = (struct csv_shape) { .ncols = h->n, .text = -1 };
	t->operation = tm_header_find(h, "operation");
	t->address = tm_header_find(h, "address");
	if (!tm_table_room(t, h->n) || !t->bound || (counters && !t->counter))
		return false;
	for (uint32_t i = 0; i < h->n; i++) {
		enum tm_ev_col col;
		enum csv_cell cell;

		if (tm_header_counter(h, i, t->def))
			t->types[i] = CSV_VALUE;
		if (counters && t->types[i] == CSV_VALUE) {
			uint32_t name = tm_names_add(&r->names, (const char *)h->field[i].p,
			                             h->field[i].len);

			if (name == TM_NAME_NONE)
				return false;
			t->counter[t->ncounter++] = (struct counter_column) { .at = i,
				                                              .name = name };
		}
		if (!tm_header_column(h, i, t->def, &col, &cell) || seen & TM_EV_BIT(col)) {
			if (!is_taken(h, i, t) &&
			    !tm_reader_unused(r, TM_UNUSED_COLUMN, (const char *)h->field[i].p,
			                      h->field[i].len))
				return false;
			continue;
		}
		seen |= TM_EV_BIT(col);
		if (cell == CELL_NUMBER || cell == CELL_REAL)
			t->types[i] = CSV_NUMBER;
		if (col == TM_EVC_COMMENT)
			t->types[i] = CSV_TEXT;
		if (col == TM_EVC_NAME && !(t->def->flags & TABLE_FIXED))
			t->shape.text = (int32_t)i;
		if (col == TM_EVC_START)
			t->shape.start = i;
		if (col == TM_EVC_END && i + 1 == h->n && seen & TM_EV_BIT(TM_EVC_START))
			t->shape.last = LAST_TIME;
		if (want & TM_EV_BIT(col))
			t->bound[t->nbound++] = (struct scan_field) { .at = i,
				                                      .cell = (uint8_t)cell,
				                                      .col = (uint8_t)col };
	}
	t->need = seen & want & (times | TM_EV_BIT(TM_EVC_NAME));
	t->fast_has = seen & want;
	if (t->def->domain != TM_DOMAIN_N && r->want & TM_EV_BIT(TM_EVC_DOMAIN))
		t->fast_has |= TM_EV_BIT(TM_EVC_DOMAIN);
	return true;
}

/* Does nearly each row have another number there? */
static bool numbers_rows(const struct scan_field *f)
{
	return f->col == TM_EVC_CORR || f->col == TM_EVC_DISPATCH_ID || f->col == TM_EVC_KERNEL_ID;
}

/* The scanner over the bound columns, and the arrays it writes. */
static bool make_scanner(struct tm_reader *r, struct csv_table *t)
{
	uint32_t text = t->shape.text < 0 ? 0 : (uint32_t)t->shape.text;
	struct csv_scan *s = calloc(1, sizeof *s);
	tm_ev_set cols = t->fast_has;
	uint64_t *p;

	t->scan = s;
	t->scan_rows = tm_scan_rows_best();
	t->store = malloc(TM_BATCH_ROWS * (sizeof(tm_ev_set) + tm_ev_count(cols) * sizeof *p));
	if (!s || !t->store)
		return false;
	s->fields = calloc(t->nbound + 1, sizeof *s->fields);
	s->at = calloc((size_t)t->shape.ncols + 1, sizeof *s->at);
	if (!s->fields || !s->at)
		return false;
	t->batch.row_has = t->store;
	p = (uint64_t *)(t->batch.row_has + TM_BATCH_ROWS);
	t->batch.names = &r->names;
	for (int c = 0; c < TM_EVC_N; c++)
		if (cols & TM_EV_BIT(c))
			t->batch.col[c] = s->out[c] = p, p += TM_BATCH_ROWS;
	s->names = &r->names;
	s->text = t->shape.text >= 0;
	s->head = text;
	s->tail = t->shape.ncols - (s->text ? text + 1 : 0);
	s->tail_number = s->text && s->tail && t->types[text + 1] == CSV_NUMBER;
	t->fast = s->tail >= 1 && !t->quoted_numbers && !t->ncounter &&
	          !(t->def->flags & TABLE_OPS);
	for (uint32_t i = 0; i < t->nbound; i++) {
		struct scan_field f = t->bound[i];

		if (s->text && f.at == text) {
			s->want_text = true;
		} else if (s->text && f.at < text) {
			if (s->nrepeat == s->nhead && s->nrepeat < SCAN_HEAD_CELLS &&
			    !numbers_rows(&f))
				s->nrepeat++;
			s->fields[s->nhead++] = f;
		} else {
			f.at -= t->shape.ncols - s->tail;
			s->fields[s->nhead + s->ntail++] = f;
		}
	}
	return true;
}

int tm_table_counter(const struct csv_field *f, double *v)
{
	if (tm_num_real(f->p, f->n, v))
		return 1;
	return !f->n || (f->n == 4 && !strncasecmp((const char *)f->p, "none", 4)) ? 0 : -1;
}

/* A row of those looked at: what stands in the columns of counters? */
static void look_at_counters(struct csv_table *t)
{
	for (uint32_t i = 0; i < t->ncounter; i++) {
		const struct csv_field *f = &t->fields[t->counter[i].at];
		double v;

		t->counter[i].number |= tm_table_counter(f, &v) > 0;
		t->counter[i].text |= !tm_csv_fits(CSV_NUMBER, f->p, f->n);
	}
}

/* How this row is quoted. */
static void look_at_quotes(struct csv_table *t)
{
	uint32_t quotes[2] = { 0, 0 };

	for (uint32_t k = 0; k < t->shape.ncols; k++) {
		if (!t->fields[k].quoted)
			continue;
		t->quoted_numbers |= t->types[k] == CSV_NUMBER && (int32_t)k != t->shape.text &&
		                     t->address != (int)k;
		if ((int32_t)k != t->shape.text)
			quotes[(int32_t)k > t->shape.text] += 2;
	}
	t->scan->head_quotes = quotes[0];
	t->scan->tail_quotes = quotes[1];
}

/* How ordinary rows are quoted, seen on the first good one: only a matter of speed.  And which
 * columns hold words, not counters.  False when out of memory. */
static bool learn(struct csv_table *t)
{
	struct csv_memo memo = { 0 };
	size_t off = 0; /* from t->pos */
	uint32_t n = 0;
	bool good = false, oom = false;

	t->shape.escaped = true;
	for (int i = 0; i < LOOK && t->pos + off < t->n; i++) {
		size_t next = 0;
		uint64_t lines;
		enum csv_verdict v = tm_csv_row_split(&t->shape, &memo, t->base + t->pos + off,
		                                      t->data + t->pos + off, t->n - t->pos - off,
		                                      t->whole, t->fields, &next, &lines);

		if (v == CSV_MORE && !good && tm_table_refill(t, &oom))
			continue;
		if (v == CSV_MORE || v == CSV_CUT || v == CSV_UNENDED)
			break;
		off += next;
		if (v > CSV_JOINED)
			continue;
		if (!good)
			look_at_quotes(t);
		good = true;
		look_at_counters(t);
		if (!t->ncounter)
			break;
	}
	for (uint32_t i = 0; i < t->ncounter; i++)
		if (t->counter[i].number || !t->counter[i].text)
			t->counter[n++] = t->counter[i];
	t->ncounter = n;
	return !oom;
}

/* The first bytes and the header in them, however long it is. */
static enum tm_status read_header(struct csv_table *t, struct csv_header *h, struct tm_diag *d)
{
	bool oom = false;

	while (tm_table_refill(t, &oom) && !oom) {
		bool good = tm_header_parse(h, t->data, t->n, t->whole);

		oom |= h->oom;
		if (good && !h->partial)
			return TM_ST_OK;
		if (t->n > CSV_ROW_MAX)
			break;
	}
	if (oom || h->oom)
		tm_diag_oom(d);
	else if (t->broken && d)
		*d = t->why;
	else
		tm_diag_set(d, 1, "no CSV header in the first %zu bytes", t->n);
	return TM_ST_FATAL;
}

/* The table of that header. */
static enum tm_status choose_table(struct tm_reader *r, struct csv_table *t, enum table_format f,
                                   const struct csv_header *h, struct tm_diag *d)
{
	char missing[TM_HEADER_NAME];
	const char *label;
	unsigned bits;

	t->def = tm_header_table(h, f, &bits);
	if (t->def)
		return TM_ST_OK;
	if (tm_header_nearly(h, f, &label, missing))
		tm_diag_set(d, 1, "looks like %s%s of %s, but has no column %s",
		            tm_reader_article(label), label, r->ops->name, missing);
	else
		tm_diag_set(d, 1, "no table of %s has this header", r->ops->name);
	return TM_ST_FATAL;
}

static enum tm_status open_whole(struct tm_reader *r, struct csv_table *t, enum table_format f,
                                 struct csv_header *h, struct tm_diag *d)
{
	bool escaped, by_kernel_id;

	t->src = r->src;
	t->end = UINT64_MAX;
	if (!set_buffer(t, BLOCK))
		goto nomem;
	if (read_header(t, h, d) != TM_ST_OK || choose_table(r, t, f, h, d) != TM_ST_OK)
		return TM_ST_FATAL;
	if (!bind(r, t, h) || !tm_buf_add(&t->head, t->data, h->bytes))
		goto nomem;
	t->pos = h->bytes;
	r->begin = r->stop = h->bytes;
	r->lines = h->lines ? h->lines : 1;
	/* rocprofv3 quotes every header name and escapes nothing; tables that went through a CSV
	 * library (rocpd's converter writes Guid first, pandas leaves names bare) double quotes. */
	escaped = !h->all_quoted || tm_header_find(h, "guid") >= 0;
	by_kernel_id = t->shape.text > 0 && tm_header_find(h, "kernel_id") == t->shape.text - 1;
	r->table = t->def->label;
	r->producer = tm_header_producer(h, t->def);
	/* The HSA system clock; what rocprof v1 counted depends on the release. */
	r->clock = f == TABLE_v1 ? NULL : "boottime";
	if (!make_scanner(r, t) || !learn(t))
		goto nomem;
	t->shape.escaped = escaped || t->quoted_numbers;
	t->fast &= !t->quoted_numbers && !t->ncounter;
	t->scan->by_kernel_id = t->scan->head > 0 && by_kernel_id;
	return TM_ST_OK;
nomem:
	tm_diag_oom(d);
	return TM_ST_FATAL;
}

bool tm_table_nearly(enum table_format f, const unsigned char *p, size_t n, const char **label,
                     char missing[TM_HEADER_NAME])
{
	struct csv_header h = { 0 };
	bool near = tm_header_parse(&h, p, n, n < TM_SOURCE_PEEK) &&
	            tm_header_nearly(&h, f, label, missing);

	tm_header_fini(&h);
	return near;
}

enum tm_status tm_table_open(struct tm_reader *r, enum table_format f, struct tm_diag *d)
{
	struct csv_table *t = calloc(1, sizeof *t);
	struct csv_header h = { 0 };
	enum tm_status st;

	if (!t) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	memcpy(r->priv, &t, sizeof t);
	st = open_whole(r, t, f, &h, d);
	tm_header_fini(&h);
	return st;
}

void tm_table_close(struct tm_reader *r)
{
	struct csv_table *t = table_of(r);

	if (!t)
		return;
	if (t->data)
		free(t->data - SCAN_PAD);
	if (t->scan) {
		free(t->scan->fields);
		free(t->scan->at);
		tm_scan_forget(t->scan);
	}
	free(t->scan);
	free(t->store);
	free(t->more_store);
	free(t->types);
	free(t->bound);
	free(t->counter);
	free(t->cell);
	free(t->fields);
	tm_instances_fini(&t->seen);
	tm_buf_fini(&t->text);
	tm_buf_fini(&t->head);
	free(t);
}

/* A copy of an open reader's binding, over a range of the same file. */
static bool copy_table(struct tm_reader *r, struct csv_table *t, const struct csv_table *of)
{
	uint32_t n = of->shape.ncols;

	t->def = of->def;
	if (!tm_buf_add(&t->head, of->head.p, of->head.n))
		return false;
	t->shape = of->shape;
	t->bound = calloc(n, sizeof *t->bound);
	t->counter = of->ncounter ? calloc(of->ncounter, sizeof *t->counter) : NULL;
	if (!tm_table_room(t, n) || !t->bound || (of->ncounter && !t->counter))
		return false;
	memcpy(t->types, of->types, n);
	memcpy(t->bound, of->bound, n * sizeof *t->bound);
	t->nbound = of->nbound;
	for (; t->ncounter < of->ncounter; t->ncounter++) {
		struct counter_column c = of->counter[t->ncounter];
		const struct tm_name *name = &of->scan->names->v[c.name];

		c.name = tm_names_add(&r->names, name->text, name->len);
		if (c.name == TM_NAME_NONE)
			return false;
		t->counter[t->ncounter] = c;
	}
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

/* Whether a dispatch was there before only one reader can know. */
bool tm_table_splits(const struct tm_reader *r)
{
	const struct csv_table *t = table_of(r);

	return !(t->def->flags & TABLE_LONG) && !t->per_xcc;
}

struct tm_reader *tm_table_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                 bool exact, struct tm_diag *d)
{
	struct csv_table *of = table_of(r), *t = calloc(1, sizeof *t);
	struct tm_reader *c = calloc(1, sizeof *c);
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

		if (!tm_table_refill(t, &oom))
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
	tm_diag_oom(d);
	tm_reader_close(c);
	return NULL;
}
