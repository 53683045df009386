/* SPDX-License-Identifier: MIT */
#include "libperf/lib_bench_rows.h"

#include "base/base.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

enum { ALIKE_COLUMNS = 3 }; /* a row is told again when so many columns agree, and none differs */

static bool add_value(struct tm_lib_rows *a, const struct tm_bench_field *f)
{
	uint32_t name = tm_names_add(&a->names, f->name, f->nname),
	         text = tm_names_add(&a->texts, f->p, f->n);

	if (name == TM_NAME_NONE || text == TM_NAME_NONE ||
	    !tm_grow_array(&a->v, &a->v_cap, a->nv + 1, sizeof *a->v))
		return false;
	a->v[a->nv++] = (struct tm_lib_value) { name, text };
	return true;
}

/* The value of that name among v[0..n), looked for first at place i; NULL when there is none. */
static const struct tm_lib_value *value_at(const struct tm_lib_value *v, size_t n, size_t i,
                                           uint32_t name)
{
	if (i < n && v[i].name == name)
		return &v[i];
	for (i = 0; i < n; i++)
		if (v[i].name == name)
			return &v[i];
	return NULL;
}

/* Does row b say again what row a says? */
static bool alike(const struct tm_lib_rows *all, const struct tm_lib_row *a,
                  const struct tm_lib_row *b)
{
	size_t same = 0;

	if (a->client != b->client)
		return false;
	for (size_t i = 0; i < b->nown; i++) {
		const struct tm_lib_value *want = &all->v[b->from + i],
		                          *got = value_at(all->v + a->from, a->nown, i, want->name);

		if (got && got->text != want->text)
			return false;
		same += got != NULL;
	}
	return same >= ALIKE_COLUMNS;
}

/* What the last row says and the row w does not is added to w; the last row is gone. */
static bool fold(struct tm_lib_rows *a, struct tm_lib_row *w)
{
	struct tm_lib_row *last = &a->row[a->n - 1];
	size_t from = a->nv;

	if (!tm_grow_array(&a->v, &a->v_cap, a->nv + w->n + last->n, sizeof *a->v))
		return false;
	memcpy(a->v + from, a->v + w->from, w->n * sizeof *a->v);
	a->nv += w->n;
	for (size_t i = 0; i < last->n; i++)
		if (!value_at(a->v + w->from, w->n, i, a->v[last->from + i].name))
			a->v[a->nv++] = a->v[last->from + i];
	w->from = from;
	w->n = a->nv - from;
	w->winner = true;
	a->n--;
	return true;
}

/* Where the block of each process begins, by row.who. */
struct blocks {
	size_t *first;
	size_t n, cap;
};

/* A winner ends the rows of its block: the one that it repeats is among those of its process since
 * the last winner. */
static bool take_winner(struct tm_lib_rows *a, struct blocks *b, size_t before)
{
	struct tm_lib_row *last = &a->row[a->n - 1];
	size_t who = last->who;
	bool ok = true;

	if (!tm_grow_array(&b->first, &b->cap, who + 1, sizeof *b->first))
		return false;
	while (b->n <= who)
		b->first[b->n++] = before;
	for (size_t i = a->n - 1; i-- > b->first[who];)
		if (a->row[i].who == who && alike(a, &a->row[i], last)) {
			ok = fold(a, &a->row[i]);
			break;
		}
	b->first[who] = a->n;
	return ok;
}

static bool add_row(struct tm_lib_rows *a, size_t side, uint32_t source,
                    const struct tm_bench_row *row)
{
	struct tm_lib_row *r;

	if (!tm_grow_array(&a->row, &a->cap, a->n + 1, sizeof *a->row))
		return false;
	r = &a->row[a->n++];
	*r = (struct tm_lib_row) { .client = row->client,
		                   .side = side,
		                   .file = a->files,
		                   .source = source,
		                   .who = row->who,
		                   .line = row->line,
		                   .from = a->nv,
		                   .winner = row->winner };
	for (size_t i = 0; i < row->n; i++) {
		/* Names are known in the order of the header, be there a value or not. */
		if (row->v[i].n ? !add_value(a, &row->v[i])
		                : tm_names_add(&a->names, row->v[i].name, row->v[i].nname) ==
		                          TM_NAME_NONE)
			return false;
		r->n = a->nv - r->from;
		if (i < row->nown)
			r->nown = r->n;
	}
	return true;
}

static int by_line(const void *a, const void *b)
{
	const struct tm_lib_row *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* What tests of collectives say of themselves.  A measurement of a wrong result is worth nothing.
 */
static void tell_comm(const struct tm_bench_comm *c, const char *name, struct tm_report *rep)
{
	if (c->wrong.n)
		tm_report_add(rep, TM_SEV_ERROR, name, c->wrong.at,
		              "%llu measurement%s with wrong results (the first is here)",
		              (unsigned long long)c->wrong.n, c->wrong.n == 1 ? "" : "s");
	if (c->bounds.n)
		tm_report_add(rep, TM_SEV_ERROR, name, c->bounds.at,
		              "%llu test%s found values out of bounds: results are wrong",
		              (unsigned long long)c->bounds.n, c->bounds.n == 1 ? "" : "s");
	if (c->unlike.n)
		tm_report_add(rep, TM_SEV_NOTE, name, c->unlike.at,
		              "%llu measurement%s with rates that do not match size, time and "
		              "ranks, beyond rounding (the first is here)",
		              (unsigned long long)c->unlike.n, c->unlike.n == 1 ? "" : "s");
}

enum tm_status tm_lib_rows_take(struct tm_lib_rows *a, struct tm_source *s, size_t side,
                                const char *metric, struct tm_report *rep, struct tm_diag *d)
{
	uint32_t source = tm_names_add(&a->texts, tm_source_name(s), strlen(tm_source_name(s)));
	struct tm_bench *b = tm_bench_open(s, metric);
	struct blocks blocks = { 0 };
	size_t before = a->n;
	enum tm_status st = TM_ST_FATAL;
	struct tm_bench_row row;
	bool ok = b && source != TM_NAME_NONE, many = false;

	while (ok && (st = tm_bench_next(b, &row, d)) == TM_ST_OK) {
		ok = add_row(a, side, source, &row);
		many |= row.who != 0;
		if (ok && row.winner)
			ok = take_winner(a, &blocks, before);
	}
	free(blocks.first);
	/* Each process's rows are in order, all of them are not. */
	if (ok && many && a->n > before)
		qsort(a->row + before, a->n - before, sizeof *a->row, by_line);
	if (!ok) {
		tm_diag_oom(d);
		st = TM_ST_FATAL;
	}
	if (st != TM_ST_FATAL) {
		uint64_t first, n = tm_bench_long_lines(b, &first);

		tm_report_loss(rep, tm_source_name(s), tm_bench_loss(b));
		tell_comm(tm_bench_comm_facts(b), tm_source_name(s), rep);
		if (n)
			tm_report_add(
			        rep, TM_SEV_NOTE, tm_source_name(s), first,
			        "%llu line%s of more than %d bytes skipped (the first is here)",
			        (unsigned long long)n, n == 1 ? "" : "s", TM_BENCH_LINE_MAX);
	}
	if (st == TM_ST_END)
		st = TM_ST_OK;
	if (st == TM_ST_OK && a->n == before) {
		tm_diag_set(d, 0, "no measurements found");
		st = TM_ST_SKIP;
	}
	a->files += st == TM_ST_OK || st == TM_ST_WARN;
	tm_bench_close(b);
	return st;
}

uint32_t tm_lib_rows_text(const struct tm_lib_rows *a, const struct tm_lib_row *row, uint32_t name)
{
	for (size_t i = 0; name != TM_NAME_NONE && i < row->n; i++)
		if (a->v[row->from + i].name == name)
			return a->v[row->from + i].text;
	return TM_NAME_NONE;
}

void tm_lib_rows_fini(struct tm_lib_rows *a)
{
	tm_names_fini(&a->names);
	tm_names_fini(&a->texts);
	free(a->row);
	free(a->v);
	*a = (struct tm_lib_rows) { 0 };
}
