/* SPDX-License-Identifier: MIT
 * The same bytes through tm_csv_row_split alone and through a row scanner that falls back on it, as
 * text that can be compared.  Shared by the unit test and the fuzz target.
 *
 * A table is a word of letters, one for each column: W word (interned), A agent, D domain, N
 * number, R real, K kernel id (a number right before the text), T the free text. */
#ifndef TESTS_FUZZ_SCAN_DIFF_H
#define TESTS_FUZZ_SCAN_DIFF_H

#include "base/buf.h"
#include "base/num.h"
#include "read/csv/csv_row.h"
#include "read/csv/scan.h"

#include <stdlib.h>
#include <string.h>

enum { DIFF_COLS = 40, DIFF_AHEAD = 64 };

/* One way to read a table. */
struct diff_plan {
	const char *cols; /* fewer than DIFF_COLS letters */
	uint64_t want;    /* bit i = column i */
	bool escaped;
	size_t step;       /* bytes that become visible at a time, 0 = all at once */
	unsigned align;    /* 0 .. 63: where in a line of the cache the input begins */
	unsigned char pad; /* what stands around the input */
};

struct diff_variant {
	const char *name;
	scan_rows_fn *rows; /* NULL = tm_csv_row_split alone */
};

static const struct diff_variant diff_variants[] = {
	{ "csv_row_split", NULL },
	{ "scalar", tm_scan_rows_scalar },
#if defined(__x86_64__)
	{ "sse2", tm_scan_rows_sse2 },
	{ "avx2", tm_scan_rows_avx2 },
#elif defined(__aarch64__)
	{ "neon", scan_rows_neon },
#endif
};

enum { DIFF_VARIANTS = sizeof diff_variants / sizeof *diff_variants };

static bool diff_can_run(size_t variant)
{
#if defined(__x86_64__)
	if (diff_variants[variant].rows == tm_scan_rows_avx2)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif
	return variant < DIFF_VARIANTS;
}

struct diff_run {
	const struct diff_plan *plan;
	struct csv_shape shape;
	unsigned char type[DIFF_COLS];
	struct csv_field field[DIFF_COLS];
	struct csv_scan *scan;
	struct tm_names names;
	struct scan_field fields[DIFF_COLS + 1];
	struct tm_buf text;
	uint64_t fast; /* rows the scanner took */
};

static enum csv_cell diff_cell(char letter)
{
	switch (letter) {
	case 'A':
		return CELL_AGENT;
	case 'D':
		return CELL_DOMAIN;
	case 'R':
		return CELL_REAL;
	case 'W':
	case 'T':
		return CELL_NAME;
	default:
		return CELL_NUMBER;
	}
}

/* Every column has an array of its own; the free text must be TM_EVC_NAME, which is the first. */
static unsigned char diff_col(const struct diff_run *r, uint32_t i)
{
	return (int32_t)i == r->shape.text ? TM_EVC_NAME : (unsigned char)(i + 1);
}

/* One run at a time: what is large is not allocated again and again. */
static struct csv_scan diff_scan;
static uint64_t diff_recovered; /* rows of the last run that needed the recovery rule */
static uint64_t diff_store[DIFF_COLS + 1][TM_BATCH_ROWS];
static uint32_t diff_at[DIFF_COLS + 1];

static void diff_setup(struct diff_run *r, const struct diff_plan *plan)
{
	struct csv_scan *s = &diff_scan;
	uint32_t n = (uint32_t)strlen(plan->cols), text;

	memset(s, 0, sizeof *s);
	*r = (struct diff_run) { .plan = plan, .scan = s };
	r->shape = (struct csv_shape) { .ncols = n, .text = -1, .escaped = plan->escaped };
	for (uint32_t i = 0; i < n; i++) {
		r->type[i] = strchr("NRK", plan->cols[i]) ? CSV_NUMBER : CSV_WORD;
		if (plan->cols[i] == 'T')
			r->shape.text = (int32_t)i;
	}
	text = r->shape.text < 0 ? 0 : (uint32_t)r->shape.text;
	s->names = &r->names;
	s->fields = r->fields;
	s->at = diff_at;
	s->text = r->shape.text >= 0;
	s->head = text;
	s->tail = n - (s->text ? text + 1 : 0);
	s->tail_number = s->text && s->tail && r->type[text + 1] == CSV_NUMBER;
	s->by_kernel_id = text && plan->cols[text - 1] == 'K';
	for (uint32_t i = 0; i < n; i++) {
		struct scan_field f = { .cell = (uint8_t)diff_cell(plan->cols[i]),
			                .col = diff_col(r, i) };

		if (!(plan->want >> i & 1))
			continue;
		s->out[f.col] = diff_store[f.col];
		if (s->text && i == text) {
			s->want_text = true;
			continue;
		}
		f.at = s->text && i > text ? i - text - 1 : i;
		/* As if the third column numbered the rows. */
		s->nrepeat += s->text && i < text && i < 3 && s->nrepeat == s->nhead;
		if (s->text && i < text)
			s->nhead++;
		else
			s->ntail++;
		r->fields[s->nhead + s->ntail - 1] = f;
	}
}

static void diff_teardown(struct diff_run *r)
{
	tm_names_fini(&r->names);
	tm_buf_fini(&r->text);
	tm_scan_forget(r->scan);
}

/* How many quotes an ordinary row has, from the first good one: as the readers learn it. */
static void diff_learn(struct diff_run *r, const unsigned char *p, size_t n)
{
	struct csv_memo memo = { 0 };
	size_t next, pos = 0;
	uint64_t lines;

	while (pos < n) {
		enum csv_verdict v;

		/* As in the readers: a doubled quote cannot harm here. */
		r->shape.escaped = true;
		r->shape.type = r->type;
		v = tm_csv_row_split(&r->shape, &memo, pos, p + pos, n - pos, true, r->field, &next,
		                     &lines);
		r->shape.escaped = r->plan->escaped;
		if (v == CSV_ROW || v == CSV_RECOVERED)
			break;
		if (!next)
			return;
		pos += next;
	}
	for (uint32_t i = 0; i < r->shape.ncols && pos < n; i++) {
		if (!r->field[i].quoted || (int32_t)i == r->shape.text)
			continue;
		if ((int32_t)i > r->shape.text)
			r->scan->tail_quotes += 2;
		else
			r->scan->head_quotes += 2;
	}
}

/* A value as text: the same for both ways exactly when the values are the same. */
static void diff_value(struct diff_run *r, struct tm_buf *out, uint32_t i, uint64_t v)
{
	tm_buf_chr(out, '|');
	if (diff_cell(r->plan->cols[i]) == CELL_NAME)
		tm_buf_add(out, r->names.v[v].text, r->names.v[v].len);
	else
		tm_buf_u64(out, v);
}

static void diff_fast_row(struct diff_run *r, struct tm_buf *out, uint32_t row, uint64_t line)
{
	tm_buf_fmt(out, "%llu", (unsigned long long)line);
	for (uint32_t i = 0; i < r->shape.ncols; i++)
		if (r->plan->want >> i & 1)
			diff_value(r, out, i, r->scan->out[diff_col(r, i)][row]);
	tm_buf_chr(out, '\n');
}

/* One cell of a split row; false: not there, or no such value. */
static bool diff_slow_cell(struct diff_run *r, uint32_t i, uint64_t *v)
{
	struct scan_field f = { .cell = (uint8_t)diff_cell(r->plan->cols[i]),
		                .col = diff_col(r, i) };
	const struct csv_field *in = &r->field[i];
	const unsigned char *p = in->p;
	size_t n = in->n;
	double real;

	if (!n && (int32_t)i != r->shape.text)
		return false;
	if (f.cell == CELL_NUMBER)
		return tm_num_u64_any(p, n, v);
	if (f.cell == CELL_REAL) {
		if (!tm_num_real(p, n, &real))
			return false;
		*v = tm_real_bits(real);
		return true;
	}
	tm_buf_clear(&r->text);
	tm_buf_reserve(&r->text, n + 1);
	n = tm_csv_unquote(in, (unsigned char *)r->text.p);
	if ((int32_t)i == r->shape.text) {
		*v = tm_names_add(&r->names, r->text.p, n);
		return true;
	}
	return tm_scan_cell_text(r->scan, &f, (const unsigned char *)r->text.p, n, v);
}

static void diff_slow_row(struct diff_run *r, struct tm_buf *out, uint64_t line)
{
	tm_buf_fmt(out, "%llu", (unsigned long long)line);
	for (uint32_t i = 0; i < r->shape.ncols; i++) {
		uint64_t v;

		if (!(r->plan->want >> i & 1))
			continue;
		if (diff_slow_cell(r, i, &v))
			diff_value(r, out, i, v);
		else
			tm_buf_str(out, "|-");
	}
	tm_buf_chr(out, '\n');
}

/* The text of a split row, for the scanner, as the readers tell it. */
static void diff_remember(struct diff_run *r)
{
	uint64_t id = TM_NAME_NONE;

	if (r->scan->want_text)
		diff_slow_cell(r, (uint32_t)r->shape.text, &id);
	tm_scan_remember(r->scan, r->field, (uint32_t)id);
}

/* Read in[0..len) into *out: a line for each row, "bad", "cut" with their line numbers.  Returns
 * the number of rows the scanner took. */
static uint64_t diff_read(const struct diff_plan *plan, size_t variant, const unsigned char *in,
                          size_t len, struct tm_buf *out)
{
	size_t room = SCAN_PAD + plan->align + len + SCAN_PAD, pos = 0;
	size_t seen = plan->step ? 0 : len;
	unsigned char *p;
	scan_rows_fn *rows = diff_variants[variant].rows;
	struct csv_memo memo = { 0 };
	uint64_t lines = 0, fast;
	struct diff_run r;
	void *block;

	diff_recovered = 0;
	/* The padding ends where the block does: a sanitizer sees a read past it. */
	if (posix_memalign(&block, 64, room) != 0)
		abort();
	memset(block, plan->pad, room);
	p = (unsigned char *)block + SCAN_PAD + plan->align;
	if (len)
		memcpy(p, in, len);
	diff_setup(&r, plan);
	r.shape.type = r.type;
	diff_learn(&r, p, len);
	tm_buf_clear(out);
	tm_buf_str(out, "");
	while (pos < len) {
		enum csv_verdict v;
		uint64_t newlines;
		size_t next;

		if (rows) {
			uint32_t row = 0;

			pos = (size_t)(rows(r.scan, p + pos, p + seen, p + seen, &row,
			                    TM_BATCH_ROWS) -
			               p);
			/* A row of the fast path is one line, but for newlines in its text. */
			for (uint32_t i = 0; i < row; i++) {
				diff_fast_row(&r, out, i, ++lines);
				lines += r.scan->raws ? r.scan->raws->lines[i] : 0;
			}
			r.fast += row;
			if (row)
				continue;
		}
		v = CSV_MORE;
		if (pos < seen)
			v = tm_csv_row_split(&r.shape, &memo, pos, p + pos, seen - pos, seen == len,
			                     r.field, &next, &newlines);
		if (v == CSV_MORE) {
			seen = len - seen > plan->step ? seen + plan->step : len;
			continue;
		}
		diff_recovered += v == CSV_RECOVERED;
		if (v == CSV_ROW && plan->escaped && r.shape.text >= 0)
			diff_remember(&r);
		if (v == CSV_ROW || v == CSV_RECOVERED)
			diff_slow_row(&r, out, lines + 1);
		else if (v != CSV_BLANK)
			tm_buf_fmt(out, "%llu %s\n", (unsigned long long)lines + 1,
			           v == CSV_CUT       ? "cut"
			           : v == CSV_UNENDED ? "open"
			                              : "bad");
		pos += next;
		lines += newlines;
	}
	fast = r.fast;
	diff_teardown(&r);
	free(block);
	return fast;
}

#endif
