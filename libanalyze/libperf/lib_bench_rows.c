/* SPDX-License-Identifier: MIT */
#include "libperf/lib_bench_rows.h"

#include "base/base.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

enum { ALIKE_COLUMNS = 3 }; /* a row is told again when so many columns agree, and none differs */

static bool add_value(struct lib_rows *a, const struct bench_field *f)
{
	uint32_t name = names_add(&a->names, f->name, f->nname),
	         text = names_add(&a->texts, f->p, f->n);

	if (name == NAME_NONE || text == NAME_NONE ||
	    !grow_array(&a->v, &a->v_cap, a->nv + 1, sizeof *a->v))
		return false;
	a->v[a->nv++] = (struct lib_value) { name, text };
	return true;
}

/* The value of that name among v[0..n), looked for first at place i; NULL when there is none. */
static const struct lib_value *value_at(const struct lib_value *v, size_t n, size_t i,
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
static bool alike(const struct lib_rows *all, const struct lib_row *a, const struct lib_row *b)
{
	size_t same = 0;

	if (a->client != b->client)
		return false;
	for (size_t i = 0; i < b->nown; i++) {
		const struct lib_value *want = &all->v[b->from + i],
		                       *got = value_at(all->v + a->from, a->nown, i, want->name);

		if (got && got->text != want->text)
			return false;
		same += got != NULL;
	}
	return same >= ALIKE_COLUMNS;
}

/* What the last row says and the row w does not is added to w; the last row is gone. */
static bool fold(struct lib_rows *a, struct lib_row *w)
{
	struct lib_row *last = &a->row[a->n - 1];
	size_t from = a->nv;

	if (!grow_array(&a->v, &a->v_cap, a->nv + w->n + last->n, sizeof *a->v))
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
static bool take_winner(struct lib_rows *a, struct blocks *b, size_t before)
{
	struct lib_row *last = &a->row[a->n - 1];
	size_t who = last->who;
	bool ok = true;

	if (!grow_array(&b->first, &b->cap, who + 1, sizeof *b->first))
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

static bool add_row(struct lib_rows *a, size_t side, uint32_t source, const struct bench_row *row)
{
	struct lib_row *r;

	if (!grow_array(&a->row, &a->cap, a->n + 1, sizeof *a->row))
		return false;
	r = &a->row[a->n++];
	*r = (struct lib_row) { .client = row->client,
		                .side = side,
		                .file = a->files,
		                .source = source,
		                .who = row->who,
		                .line = row->line,
		                .from = a->nv,
		                .winner = row->winner };
	for (size_t i = 0; i < row->n; i++) {
		/* Names are known in the order of the header, be there a value or not. */
		if (row->v[i].n
		            ? !add_value(a, &row->v[i])
		            : names_add(&a->names, row->v[i].name, row->v[i].nname) == NAME_NONE)
			return false;
		r->n = a->nv - r->from;
		if (i < row->nown)
			r->nown = r->n;
	}
	return true;
}

static int by_line(const void *a, const void *b)
{
	const struct lib_row *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* What tests of collectives say of themselves.  A measurement of a wrong result is worth nothing.
 */
static void tell_comm(const struct bench_comm *c, const char *name, struct report *rep)
{
	if (c->wrong)
		report_add(rep, SEV_ERROR, name, c->wrong_line,
		           "%llu measurement%s with wrong results (the first is here)",
		           (unsigned long long)c->wrong, c->wrong == 1 ? "" : "s");
	if (c->bounds)
		report_add(rep, SEV_ERROR, name, c->bounds_line,
		           "%llu test%s found values out of bounds: results are wrong",
		           (unsigned long long)c->bounds, c->bounds == 1 ? "" : "s");
	if (c->unlike)
		report_add(rep, SEV_NOTE, name, c->unlike_line,
		           "%llu measurement%s whose rates are not what size, time and ranks say, "
		           "beyond rounding (the first is here)",
		           (unsigned long long)c->unlike, c->unlike == 1 ? "" : "s");
}

enum status lib_rows_take(struct lib_rows *a, struct source *s, size_t side, const char *metric,
                          struct report *rep, struct diag *d)
{
	uint32_t source = names_add(&a->texts, source_name(s), strlen(source_name(s)));
	struct bench *b = bench_open(s, metric);
	struct blocks blocks = { 0 };
	size_t before = a->n;
	enum status st = ST_FATAL;
	struct bench_row row;
	bool ok = b && source != NAME_NONE, many = false;

	while (ok && (st = bench_next(b, &row, d)) == ST_OK) {
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
		diag_oom(d);
		st = ST_FATAL;
	}
	if (st != ST_FATAL) {
		uint64_t first, n = bench_long_lines(b, &first);

		report_loss(rep, source_name(s), bench_loss(b));
		tell_comm(bench_comm_facts(b), source_name(s), rep);
		if (n)
			report_add(
			        rep, SEV_NOTE, source_name(s), first,
			        "%llu line%s of more than %d bytes passed over (the first is here)",
			        (unsigned long long)n, n == 1 ? "" : "s", BENCH_LINE_MAX);
	}
	if (st == ST_END)
		st = ST_OK;
	if (st == ST_OK && a->n == before) {
		diag_set(d, 0, "no measurement in it");
		st = ST_SKIP;
	}
	a->files += st == ST_OK || st == ST_WARN;
	bench_close(b);
	return st;
}

uint32_t lib_rows_text(const struct lib_rows *a, const struct lib_row *row, uint32_t name)
{
	for (size_t i = 0; name != NAME_NONE && i < row->n; i++)
		if (a->v[row->from + i].name == name)
			return a->v[row->from + i].text;
	return NAME_NONE;
}

void lib_rows_fini(struct lib_rows *a)
{
	names_fini(&a->names);
	names_fini(&a->texts);
	free(a->row);
	free(a->v);
	*a = (struct lib_rows) { 0 };
}
