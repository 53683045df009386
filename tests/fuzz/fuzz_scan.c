/* SPDX-License-Identifier: MIT
 * The row scanners against tm_csv_row_split, and tm_csv_row_split against libcsv: the same rows
 * from any bytes.  The first three bytes choose the table, the columns and how the input is handed
 * out. NO_LIBCSV: for a machine whose libcsv is not here; the scanners are compared alone. */
#include "scan_diff.h"

#include "replay.h"

#ifndef NO_LIBCSV
#include <csv.h>
#endif
#include <stdio.h>

static const char *const tables[] = {
	"WANNKTNNN",   /* a kernel trace */
	"DTNNNNN",     /* API calls */
	"NNANTNNWRNN", /* counters */
	"WWNAANNN",    /* copies: no free text */
	"TNN",         "NNNNTN",
	"KTN",         "NWT", /* nothing after the text: the scanner must not be asked */
};

/* Must the scanners say the same as tm_csv_row_split, which has said this?  Not where it gave up a
 * row: that may look plain to them, a word with a quote inside.  Nor, unless all columns are
 * wanted, where it had to mend one: a column nobody wants may be no number, and only
 * tm_csv_row_split cares. */
static bool must_be_same(const struct diff_plan *plan, const struct tm_buf *b)
{
	return (plan->want == UINT64_MAX || !diff_recovered) && !memmem(b->p, b->n, " bad\n", 5) &&
	       !memmem(b->p, b->n, " cut\n", 5);
}

static void die(const char *what, const char *a, const char *b)
{
	fprintf(stderr, "%s differ:\n--- one\n%s--- other\n%s", what, a, b);
	abort();
}

/* ---- libcsv as the other opinion ---- */

#ifndef NO_LIBCSV
struct other {
	struct tm_buf text;
	uint32_t field, ncols;
	bool fits; /* every record so far has all its columns, and what they may hold */
	const struct diff_run *run;
};

static int is_cr(unsigned char c)
{
	return c == '\r';
}

static int is_lf(unsigned char c)
{
	return c == '\n';
}

static void other_field(void *p, size_t n, void *arg)
{
	struct other *o = arg;

	if (o->field < o->ncols && (int32_t)o->field != o->run->shape.text)
		o->fits &= tm_csv_fits((enum csv_type)o->run->type[o->field], p, n);
	o->field++;
	tm_buf_chr(&o->text, '|');
	tm_buf_add(&o->text, p, n);
}

static void other_row(int c, void *arg)
{
	struct other *o = arg;

	(void)c;
	o->fits &= o->field == o->ncols;
	o->field = 0;
	tm_buf_chr(&o->text, '\n');
}

/* Where libcsv, being strict, has nothing to object, the rows must be the same. */
static void compare_libcsv(const struct diff_plan *plan, const unsigned char *p, size_t n)
{
	struct diff_run run;
	struct csv_memo memo = { 0 };
	struct csv_parser parser;
	struct other o = { .run = &run, .fits = true };
	struct tm_buf own = { 0 };
	size_t at = 0, next;
	bool good = n && p[n - 1] == '\n';

	diff_setup(&run, plan);
	run.shape.type = run.type;
	o.ncols = run.shape.ncols;
	csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
	csv_set_space_func(&parser, is_cr);
	csv_set_term_func(&parser, is_lf);
	good = good && csv_parse(&parser, p, n, other_field, other_row, &o) == n;
	good = good && csv_fini(&parser, other_field, other_row, &o) == 0;
	csv_free(&parser);
	/* A carriage return is trimmed by libcsv wherever a field ends; ours belongs to the
	 * newline. */
	good = good && o.fits && !memchr(p, '\r', n);
	while (good && at < n) {
		uint64_t lines;
		enum csv_verdict v = tm_csv_row_split(&run.shape, &memo, at, p + at, n - at, true,
		                                      run.field, &next, &lines);

		at += next;
		if (v == CSV_BLANK)
			continue;
		/* libcsv needs no newline at the end. */
		if (v != CSV_ROW && v != CSV_UNENDED) {
			/* Two rows run together are well-formed CSV, but no row of a profiler. */
			if (v == CSV_BAD && run.shape.text >= 4)
				good = false;
			else
				tm_buf_fmt(&own, "verdict %d", (int)v);
			break;
		}
		for (uint32_t i = 0; i < run.shape.ncols; i++) {
			unsigned char *t = malloc(run.field[i].n + 1);

			tm_buf_chr(&own, '|');
			tm_buf_add(&own, t, tm_csv_unquote(&run.field[i], t));
			free(t);
		}
		tm_buf_chr(&own, '\n');
	}
	if (good && (own.n != o.text.n || (own.n && memcmp(own.p, o.text.p, own.n) != 0)))
		die("csv_row_split and libcsv", own.p ? own.p : "", o.text.p ? o.text.p : "");
	tm_buf_fini(&own);
	tm_buf_fini(&o.text);
	diff_teardown(&run);
}
#endif

/* ---- the target ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diff_plan plan = { .want = UINT64_MAX, .pad = ',' };
	struct tm_buf out[DIFF_VARIANTS] = { { 0 } };
	bool same = false;

	if (n < 3)
		return 0;
	plan.cols = tables[data[0] & 7];
	plan.escaped = data[0] & 8;
	plan.pad = (unsigned char)",\"\n0"[data[0] >> 4 & 3];
	if (!(data[0] & 64))
		plan.want = data[1] * UINT64_C(0x8040201);
	plan.align = data[2] & 63;
	plan.step = data[2] & 64 ? 1u + (data[2] & 31u) * 7u : 0;
	data += 3;
	n -= 3;
	for (size_t i = 0; i < DIFF_VARIANTS; i++) {
		const struct tm_buf *first = &out[same ? 0 : 1];

		if (!diff_can_run(i) || plan.cols[strlen(plan.cols) - 1] == 'T')
			continue;
		diff_read(&plan, i, data, n, &out[i]);
		if (!i) {
			same = must_be_same(&plan, &out[i]);
			continue;
		}
		if (out[i].n != first->n || (first->n && memcmp(out[i].p, first->p, first->n) != 0))
			die(diff_variants[i].name, first->p, out[i].p);
	}
#ifndef NO_LIBCSV
	if (plan.escaped)
		compare_libcsv(&plan, data, n);
#endif
	for (size_t i = 0; i < DIFF_VARIANTS; i++)
		tm_buf_fini(&out[i]);
	return 0;
}
