/* SPDX-License-Identifier: MIT
 * What tracecat writes: a header of names that events have, and a row for each event (RFC 4180). */
#include "read/cells.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 128, BLOCK = 256 * 1024, ROW_MOST = 64 * 1024 * 1024 };

struct table {
	struct tm_cells cells;
	unsigned char code[COLUMNS_MOST];
	size_t ncode;
	struct tm_buf in; /* in.p[pos .. in.n) is unread */
	size_t pos;
	struct tm_buf text; /* a field without its quotes */
	bool eof, broken;
	struct tm_diag broke;
};

_Static_assert(TM_CELL_UNKNOWN < 256, "a code is a byte");

/* The codes of a header p[0..n) without its line end; 0 when it is no header of tracecat's. */
static size_t header(const char *p, size_t n, unsigned char code[COLUMNS_MOST])
{
	const char *end = p + n;
	size_t k = 0, need = 0;
	bool seen[TM_CELL_UNKNOWN] = { false };

	while (p <= end && k < COLUMNS_MOST) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		unsigned c = tm_cell_find(p, (size_t)((comma ? comma : end) - p));

		if (c == TM_CELL_UNKNOWN)
			return 0;
		need += tm_cell_needed(c) && !seen[c];
		seen[c] = true;
		code[k++] = (unsigned char)c;
		if (!comma)
			return need == TM_CELLS_NEED ? k : 0;
		p = comma + 1;
	}
	return 0;
}

/* Its length without the line end. */
static size_t line_length(const char *p, size_t n)
{
	const char *nl = memchr(p, '\n', n);
	size_t len = nl ? (size_t)(nl - p) : n;

	return len && p[len - 1] == '\r' ? len - 1 : len;
}

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	unsigned char code[COLUMNS_MOST];

	if (!whole && !memchr(p, '\n', n))
		return 0;
	return 8 * (unsigned)header((const char *)p, line_length((const char *)p, n), code);
}

/* More bytes behind those that are unread.  False when there are none, or out of memory. */
static bool more(struct tm_reader *r)
{
	struct table *t = r->priv;
	enum tm_status st;
	size_t got = 0;

	if (t->eof)
		return false;
	if (t->pos)
		memmove(t->in.p, t->in.p + t->pos, t->in.n - t->pos);
	t->in.n -= t->pos;
	t->pos = 0;
	if (t->in.n > ROW_MOST) {
		t->cells.dead = true;
		tm_diag_set(&t->cells.why, r->lines + 1, "a row of more than %d bytes", ROW_MOST);
		return false;
	}
	if (!tm_buf_reserve(&t->in, BLOCK)) {
		t->cells.dead = true;
		tm_diag_oom(&t->cells.why);
		return false;
	}
	st = tm_source_read(r->src, t->in.p + t->in.n, BLOCK, &got, &t->broke);
	t->in.n += got;
	t->eof = st != TM_ST_OK;
	t->broken = st == TM_ST_FATAL;
	return st == TM_ST_OK;
}

/* The next row, *n bytes of it with its line end, in *p; false at the end.  A newline inside quotes
 * is of the row. */
static bool next_row(struct tm_reader *r, const char **p, size_t *n, uint64_t *lines)
{
	struct table *t = r->priv;
	size_t at = 0;
	bool quoted = false;

	*lines = 0;
	do {
		const char *base = t->in.p ? t->in.p + t->pos : NULL;

		for (; at < t->in.n - t->pos; at++) {
			quoted ^= base[at] == '"';
			if (base[at] != '\n')
				continue;
			++*lines;
			if (quoted)
				continue;
			*p = base;
			*n = at + 1;
			t->pos += at + 1;
			return true;
		}
	} while (more(r));
	if (at && !t->cells.dead && !t->broken) {
		if (quoted)
			tm_loss_line(&r->loss, TM_LOSS_LINE_CUT, r->lines + 1);
		else
			tm_loss_line(&r->loss, TM_LOSS_LINE_UNENDED, r->lines + 1);
	}
	return false;
}

/* The field at p, in *f, without its quotes; returns what follows it: a comma, `end`, or NULL when
 * it is no field.  *oom: out of memory. */
static const char *field(struct table *t, const char *p, const char *end, struct tm_small_field *f,
                         bool *oom)
{
	const char *stop;

	if (p == end || *p != '"') {
		stop = memchr(p, ',', (size_t)(end - p));
		stop = stop ? stop : end;
		*f = (struct tm_small_field) { p, (size_t)(stop - p) };
		return stop;
	}
	tm_buf_clear(&t->text);
	for (p++; (stop = memchr(p, '"', (size_t)(end - p))); p = stop + 2) {
		bool twice = stop + 1 < end && stop[1] == '"';

		*oom |= !tm_buf_add(&t->text, p, (size_t)(stop - p) + twice);
		if (twice)
			continue;
		*f = (struct tm_small_field) { t->text.p ? t->text.p : "", t->text.n };
		return stop + 1 == end || stop[1] == ',' ? stop + 1 : NULL;
	}
	return NULL;
}

/* False when out of memory. */
static bool take_row(struct tm_reader *r, const char *p, const char *end, struct tm_cell_row *row)
{
	struct table *t = r->priv;
	bool oom = false;
	size_t i = 0;

	for (; i < t->ncode; i++) {
		struct tm_small_field f = { 0 };

		p = field(t, p, end, &f, &oom);
		if (oom || (p && f.n && !tm_cell_put(r, row, t->code[i], f.p, f.n)))
			return false;
		if (!p || p == end)
			break;
		p++;
	}
	row->bad |= p != end || i + 1 != t->ncode;
	return true;
}

/* Rows until a batch is full, or there are no more. */
static void fill(struct tm_reader *r)
{
	struct table *t = r->priv;

	while (tm_cells_room(&t->cells)) {
		struct tm_cell_row row = { .bad = false };
		uint64_t lines;
		const char *p;
		size_t n;

		if (!next_row(r, &p, &n, &lines)) {
			if (t->broken && !t->cells.dead)
				t->cells.why = t->broke;
			t->cells.dead |= t->broken;
			return;
		}
		n -= 1;
		n -= n && p[n - 1] == '\r';
		if (n && !take_row(r, p, p + n, &row)) {
			t->cells.dead = true;
			tm_diag_oom(&t->cells.why);
			return;
		}
		if (n)
			tm_cells_add(&t->cells, r, &row, r->lines + 1);
		r->lines += lines;
	}
}

/* The first rows are read here: they say the rank. */
static enum tm_status cat_open(struct tm_reader *r, struct tm_diag *d)
{
	struct table *t = r->priv;
	const char *p;
	uint64_t lines;
	size_t n;

	tm_cells_init(&t->cells);
	r->table = "table of events";
	r->producer = "tracecat";
	if (next_row(r, &p, &n, &lines))
		t->ncode = header(p, line_length(p, n), t->code);
	r->lines = lines;
	if (t->ncode) {
		fill(r);
		return TM_ST_OK;
	}
	if (t->cells.dead || t->broken)
		*d = t->broken ? t->broke : t->cells.why;
	else
		tm_diag_set(d, 1, "no header as tracecat writes it: kind, name, start_ns, end_ns");
	return TM_ST_FATAL;
}

static enum tm_status cat_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct table *t = r->priv;

	fill(r);
	return tm_cells_next(&t->cells, r, b, d);
}

static void cat_close(struct tm_reader *r)
{
	struct table *t = r->priv;

	tm_cells_fini(&t->cells);
	tm_buf_fini(&t->in);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_tracecat_csv = {
	.name = "tracecat-csv",
	.about = "events as tracecat writes them, CSV",
	.bid = bid,
	.ranks = true,
	.priv_size = sizeof(struct table),
	.open = cat_open,
	.next = cat_next,
	.close = cat_close,
};
