/* SPDX-License-Identifier: MIT
 * What tracecat writes: a header of names that events have, and a row for each event (RFC 4180). */
#include "read/csv/csv_small.h"
#include "read/ranked.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 128 };

struct table {
	struct tm_ranked rows; /* the first member */
	unsigned char code[COLUMNS_MOST];
	size_t ncode, rank; /* rank: the column of it, or past them all */
	struct tm_buf text; /* a field without its quotes */
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
static bool take_row(struct tm_reader *r, const char *p, size_t n, struct tm_cell_row *row)
{
	struct table *t = r->priv;
	const char *end = p + n;
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

/* Its cell in the column that says the rank. */
static bool rank_of(struct tm_reader *r, const char *p, size_t n, uint64_t *rank)
{
	struct table *t = r->priv;
	const char *end = p + n;
	struct tm_small_field f;
	bool oom = false;

	if (t->rank >= t->ncode)
		return false;
	for (size_t i = 0;; i++, p++) {
		p = field(t, p, end, &f, &oom);
		if (!p || oom)
			return false;
		if (i == t->rank)
			return tm_num_u64(f.p, f.n, rank);
		if (p == end)
			return false;
	}
}

static bool head(struct tm_reader *r, const char *p, size_t n, struct tm_diag *d)
{
	struct table *t = r->priv;

	t->ncode = header(p, n, t->code);
	while (t->rank < t->ncode && t->code[t->rank] != TM_CELL_RANK)
		t->rank++;
	if (!t->ncode)
		tm_diag_set(d, 1,
		            "no header with kind, name, start_ns, end_ns, as tracecat writes it");
	return t->ncode > 0;
}

static enum tm_ranked_tail tail(struct tm_reader *r, const char *p, size_t n, bool quoted)
{
	(void)r;
	(void)p;
	(void)n;
	return quoted ? TM_RANKED_CUT : TM_RANKED_UNENDED;
}

static enum tm_status cat_open(struct tm_reader *r, struct tm_diag *d)
{
	static const struct tm_ranked_form form = { .table = "table of events",
		                                    .head = head,
		                                    .quotes = true,
		                                    .rank = rank_of,
		                                    .take = take_row,
		                                    .tail = tail };

	return tm_ranked_open(r, &form, d);
}

static void cat_close(struct tm_reader *r)
{
	struct table *t = r->priv;

	tm_ranked_fini(&t->rows);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_tracecat_csv = {
	.name = "tracecat-csv",
	.about = "events as tracecat writes them, CSV",
	.bid = bid,
	.ranks = true,
	.priv_size = sizeof(struct table),
	.open = cat_open,
	.next = tm_ranked_next,
	.close = cat_close,
};
