/* SPDX-License-Identifier: MIT
 * What is said of a finding: its title, which ranks it is about, and the number behind it. */
#include "cli/rules/findings_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ranks ---- */

static int by_rank(const void *pa, const void *pb)
{
	return tm_u64_cmp(*(const uint64_t *)pa, *(const uint64_t *)pb);
}

/* Sort ranks, each once; how many there are. */
static size_t sort_ranks(uint64_t *v, size_t n)
{
	size_t left = 0;

	qsort(v, n, sizeof *v, by_rank);
	for (size_t i = 0; i < n; i++)
		if (!left || v[left - 1] != v[i])
			v[left++] = v[i];
	return left;
}

/* From what the rows of a table are: the ranks of those that are as bad as the worst, of all that
 * there are. */
static bool take_ranks(struct finding_who *w, const struct tm_table *t, size_t col,
                       const unsigned char *kind, size_t worst)
{
	const struct tm_cell *cells = t->cells + col;
	uint64_t *all = malloc((t->nrows + 1) * sizeof *all);
	size_t nall = 0;
	bool ok;

	w->v = malloc((t->nrows + 1) * sizeof *w->v);
	ok = w->v && all;
	for (size_t i = 0; ok && i < t->nrows; i++) {
		const struct tm_cell *c = &cells[i * t->ncols];

		if (c->type != TM_CELL_U64)
			continue;
		all[nall++] = c->v.u;
		if (kind[i] == TM_CHECK_ROW_WORST)
			w->v[w->n++] = c->v.u;
	}
	if (ok) {
		w->n = sort_ranks(w->v, w->n);
		w->of = sort_ranks(all, nall);
		w->one = w->of == 1 || (worst != SIZE_MAX && w->n < w->of &&
		                        cells[worst * t->ncols].type == TM_CELL_U64);
		w->rank = w->of == 1 ? *all : w->one ? cells[worst * t->ncols].v.u : 0;
	}
	free(all);
	return ok;
}

/* From rows about the agents of one rank, one of each: the only one that is as bad as the worst. */
static void take_agent(struct finding_who *w, const struct tm_table *t, const unsigned char *kind)
{
	const size_t col = tm_table_find(t, "agent");
	const struct tm_cell *bad = NULL, *last = NULL;
	size_t n = 0;

	for (size_t i = 0; col < t->ncols && i < t->nrows; i++) {
		const struct tm_cell *c = &t->cells[i * t->ncols + col];

		if (c->type != TM_CELL_TEXT ||
		    (last && last->len == c->len && !memcmp(last->v.s, c->v.s, c->len)))
			return;
		last = c;
		bad = kind[i] == TM_CHECK_ROW_WORST ? c : bad;
		n += kind[i] == TM_CHECK_ROW_WORST;
	}
	w->agent = n == 1 && t->nrows > 1 ? bad : NULL;
}

/* Which of v[0..n) are above their mean by half of what the largest is, or more. */
static bool is_above(uint64_t v, tm_u128 sum, uint64_t most, size_t n)
{
	return 2 * (tm_u128)v * n >= (tm_u128)most * n + sum;
}

/* From a row about all ranks: those that have about as much of its measure, a column of the table
 * of ranks, as the one that has most. */
static bool take_most(struct finding_who *w, const struct tm_table *ranks,
                      const struct tm_cell *measure)
{
	const size_t rank = tm_table_find(ranks, "rank");
	size_t col = 0;
	uint64_t most = 0;
	tm_u128 sum = 0;

	while (col < ranks->ncols &&
	       (strlen(ranks->columns[col]->name) != measure->len ||
	        memcmp(ranks->columns[col]->name, measure->v.s, measure->len) != 0))
		col++;
	w->v = malloc((ranks->nrows + 1) * sizeof *w->v);
	if (!w->v || col == ranks->ncols || rank == ranks->ncols)
		return w->v != NULL;
	for (size_t i = 0; i < ranks->nrows; i++) {
		const struct tm_cell *row = ranks->cells + i * ranks->ncols;

		if (row[col].type != TM_CELL_U64)
			continue;
		w->of++;
		sum += row[col].v.u;
		if (w->of == 1 || row[col].v.u > most) {
			most = row[col].v.u;
			w->rank = row[rank].v.u;
		}
	}
	for (size_t i = 0; i < ranks->nrows; i++) {
		const struct tm_cell *row = ranks->cells + i * ranks->ncols;

		if (row[col].type == TM_CELL_U64 && is_above(row[col].v.u, sum, most, w->of))
			w->v[w->n++] = row[rank].v.u;
	}
	w->one = w->n < w->of;
	return true;
}

/* The table of ranks, if a rule asks for it; else NULL. */
static const struct tm_table *ranks_of(const struct finding_job *j)
{
	for (size_t i = 0; i < j->pages.n; i++)
		if (!strcmp(j->pages.v[i]->word, "ranks") && !j->pages.v[i]->options)
			return &j->pages.v[i]->table[ASK_NOW].t;
	return NULL;
}

bool tm_findings_who(const struct finding_job *j, const struct found *f, struct finding_who *w)
{
	const struct asked_rule *a = &j->asked[f->who == SIZE_MAX ? f->asked : f->who];
	const struct ask_page *page = j->pages.v[a->page];
	const struct tm_table *t = &page->table[ASK_NOW].t;
	const struct tm_table *ranks = ranks_of(j);
	const size_t col = tm_table_find(t, "rank");
	const bool most = tm_table_find(t, "argmax_rank") < t->ncols && ranks;
	size_t worst;
	unsigned char *kind;
	bool ok;

	*w = (struct finding_who) { 0 };
	if (strstr(f->def->title, "%a") || !t->nrows || !a->ask.column ||
	    (col == t->ncols && !most))
		return true;
	/* The only rank, replayed from totals: from its events there is no rank in that table. */
	if (page->late && j->apart && !j->many)
		return true;
	kind = malloc(t->nrows);
	ok = kind && tm_check_rows(&a->ask, t, kind, &worst);
	if (ok && col < t->ncols)
		ok = take_ranks(w, t, col, kind, worst);
	else if (ok && worst != SIZE_MAX)
		ok = take_most(w, ranks, &t->cells[worst * t->ncols]);
	if (ok && w->of == 1)
		take_agent(w, t, kind);
	free(kind);
	if (!ok)
		tm_findings_who_fini(w);
	return ok;
}

void tm_findings_who_fini(struct finding_who *w)
{
	free(w->v);
	*w = (struct finding_who) { 0 };
}

/* "rank 3", "ranks 1, 2 of 4", "ranks 0, 1, 2, 3 and 9 more of 64", after `before`; `all` where it
 * is all ranks, or the only one, of which "agent 5" may be meant. */
static void put_who(struct tm_buf *b, const struct finding_job *j, const struct found *f,
                    const char *before, const char *all)
{
	/* Of a total the value is that of all ranks: most of them are not worth naming. */
	const size_t part = f->who == SIZE_MAX ? 1 : 2;
	enum { NAMED = 4 };
	struct finding_who w;

	if (!tm_findings_who(j, f, &w)) {
		b->failed = true;
		return;
	}
	if (w.n && w.n < w.of && w.n * part <= w.of) {
		const size_t named = w.n > NAMED + 1 ? NAMED : w.n;

		tm_buf_fmt(b, "%srank%s ", before, w.n == 1 ? "" : "s");
		for (size_t i = 0; i < named; i++)
			tm_buf_fmt(b, "%s%" PRIu64, i ? ", " : "", w.v[i]);
		if (w.n > named)
			tm_buf_fmt(b, " and %zu more", w.n - named);
		if (w.n > 1)
			tm_buf_fmt(b, " of %zu", w.of);
	} else if (w.agent && !*all) {
		tm_buf_fmt(b, "%sagent %.*s", before, (int)w.agent->len, w.agent->v.s);
	} else {
		tm_buf_str(b, all);
	}
	tm_findings_who_fini(&w);
}

/* ---- words ---- */

/* A number, short: "11.9", "3"; a ratio below 1 with another digit: "0.74"; what is too small for
 * that as it is, never as nothing: "0.0009". */
static void put_number(struct tm_buf *b, const char *s, size_t n, bool ratio)
{
	const size_t point = strcspn(s, ".");
	const bool neg = *s == '-';
	const char *digits = s + neg;
	uint64_t tenths, cents;

	if (point < n && ratio && tm_num_scaled(digits, n - neg, 100, &cents) && cents &&
	    cents < 100)
		tm_buf_fmt(b, "%s0.%02u", neg ? "-" : "", (unsigned)cents);
	else if (point < n && tm_num_scaled(digits, n - neg, 10, &tenths) && tenths)
		tm_buf_fmt(b, "%s%" PRIu64 ".%u", neg ? "-" : "", tenths / 10,
		           (unsigned)(tenths % 10));
	else
		tm_buf_add(b, s, n);
}

/* A value with its unit: "11.9 %", "5.000 GiB"; what has none is a number. */
static void put_value(struct tm_buf *b, const struct tm_check_result *r)
{
	const enum tm_family family = r->rule->unit ? r->rule->unit->family : TM_FAMILY_NONE;
	struct tm_cell c = tm_cell_u64(0);

	if (!r->value.n) {
		tm_buf_str(b, "unknown");
	} else if (family == TM_FAMILY_BYTES && tm_num_u64(r->value.p, r->value.n, &c.v.u)) {
		tm_put_human(b, &c, TM_UNIT_BYTES);
	} else {
		put_number(b, r->value.p, r->value.n, family != TM_FAMILY_PCT);
		tm_buf_str(b, family == TM_FAMILY_PCT ? " %" : "");
	}
}

/* What the row is called; of a number of the summary what it says beside it. */
static void put_row(struct tm_buf *b, const struct finding_job *j, const struct found *f)
{
	const struct tm_table *t = &tm_findings_summary(j)->table[ASK_NOW].t;
	const size_t metric = tm_table_find(t, "metric"), name = tm_table_find(t, "name");

	if (f->held.row.n || !f->held.rule->plain) {
		tm_buf_add(b, f->held.row.p ? f->held.row.p : "", f->held.row.n);
		return;
	}
	for (size_t r = 0; r < t->nrows; r++) {
		const struct tm_cell *c = t->cells + r * t->ncols;

		if (c[name].type == TM_CELL_TEXT && c[metric].len == strlen(f->held.rule->ref) &&
		    !memcmp(c[metric].v.s, f->held.rule->ref, c[metric].len))
			tm_buf_add(b, c[name].v.s, c[name].len);
	}
}

/* The row, or with `name` what it is called alone, on one line. */
static void put_line(struct tm_buf *b, const struct finding_job *j, const struct found *f,
                     bool name)
{
	size_t from = b->n;

	put_row(b, j, f);
	if (name && !b->failed && b->n > from)
		b->n = from + strcspn(b->p + from, ",");
	for (; from < b->n; from++)
		if ((unsigned char)b->p[from] < ' ')
			b->p[from] = ' ';
}

void tm_findings_title(struct tm_buf *b, const struct finding_job *j, const struct found *f)
{
	bool told = false; /* of which ranks it is */

	for (const char *s = f->def->title; *s; s++) {
		if (*s != '%') {
			tm_buf_chr(b, *s);
			continue;
		}
		s++;
		told |= *s == 'r' || *s == 'w';
		if (*s == 'v')
			put_value(b, &f->held);
		else if (*s == 'w')
			put_who(b, j, f, "", "one rank");
		else if (*s != 'a')
			put_line(b, j, f, *s == 'n');
	}
	if (!told)
		put_who(b, j, f, f->who == SIZE_MAX ? " on " : ", mostly on ", "");
}

void tm_findings_evidence(struct tm_buf *b, const struct found *f)
{
	const struct tm_check_result *r = &f->held;

	tm_buf_fmt(b, "%s = %s", r->rule->ref, r->value.n ? r->value.p : "absent");
	if (r->row.n) {
		tm_buf_str(b, " of ");
		tm_buf_add(b, r->row.p, r->row.n);
	}
	tm_buf_fmt(b, "; healthy: %s", r->rule->text);
}
