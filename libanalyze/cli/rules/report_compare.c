/* SPDX-License-Identifier: MIT
 * What is different from the baseline: the tables of tracediff. */
#include "cli/rules/report_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FALLS = 24, WIDE = 1000 };

static bool compare(struct report *r, bool account, struct tm_table *t, struct tm_diff_answer *a,
                    struct tm_report *rep)
{
	const struct tm_diff_opts o = { .allow = r->o->allow,
		                        .alpha = TM_SIG_ALPHA,
		                        .floor = -1,
		                        .fail_over = -1,
		                        .account = account };

	return tm_diff_compare(r->run, 1, TM_SIDES, &o, t, a, rep) != TM_ST_FATAL && !rep->lost;
}

bool tm_report_compare(struct report *r)
{
	struct tm_diff_answer again = { 0 };
	struct tm_report twice = { 0 };
	bool ok = compare(r, false, &r->rows, &r->diff, &r->refused) &&
	          compare(r, true, &r->account, &again, &twice);

	tm_diff_answer_fini(&again);
	tm_report_fini(&twice);
	return ok;
}

void tm_report_verdict(struct report *r)
{
	struct tm_buf *b = r->s.out;

	tm_buf_str(b, "<p><a href=\"#compare\">Compared with the baseline</a>: <span "
	              "class=\"verdict\">");
	for (size_t i = 0, end; i < r->diff.words.n; i = end + 1) {
		for (end = i; end < r->diff.words.n && r->diff.words.p[end] != '\n';)
			end++;
		tm_html_text(b, r->diff.words.p + i, end - i);
		tm_buf_chr(b, ' ');
	}
	tm_buf_str(b, "</span></p>\n");
}

/* ---- from A to B ---- */

static const struct tm_cell *cell(const struct tm_table *t, size_t row, const char *column)
{
	return &t->cells[row * t->ncols + tm_table_find(t, column)];
}

/* One step of the way from A to B. */
struct fall {
	tm_i128 delta;
	size_t row; /* of the account; SIZE_MAX = of the text below */
	char text[48];
};

static tm_u128 size_of(tm_i128 delta)
{
	return delta < 0 ? (tm_u128)-delta : (tm_u128)delta;
}

static tm_i128 delta_of(const struct tm_table *t, size_t row)
{
	const struct tm_cell *c = cell(t, row, "delta_ns");

	if (c->type != TM_CELL_U64)
		return 0;
	return c->neg ? -(tm_i128)c->v.u : (tm_i128)c->v.u;
}

/* The largest first; equals in the order of the table. */
static int by_size(const void *a, const void *b)
{
	const struct fall *x = a, *y = b;
	const tm_u128 p = size_of(x->delta), q = size_of(y->delta);

	return p != q ? (p < q) - (p > q) : (x->row > y->row) - (x->row < y->row);
}

/* The steps in their order, *n of them, to be freed: the largest, one of all others if there are
 * many.  NULL when out of memory. */
static struct fall *falls_of(const struct tm_table *t, size_t *n)
{
	struct fall *f = calloc(t->nrows, sizeof *f);

	*n = t->nrows;
	for (size_t i = 0; f && i < t->nrows; i++)
		f[i] = (struct fall) { .delta = delta_of(t, i), .row = i };
	if (f)
		qsort(f, t->nrows, sizeof *f, by_size);
	if (!f || t->nrows <= FALLS)
		return f;
	for (size_t i = FALLS; i < t->nrows; i++)
		f[FALLS - 1].delta += f[i].delta;
	f[FALLS - 1].row = SIZE_MAX;
	snprintf(f[FALLS - 1].text, sizeof f->text, "others (%zu parts)", t->nrows - (FALLS - 1));
	*n = FALLS;
	return f;
}

/* The names of the parts that are drawn. */
struct fall_names {
	struct tm_table t;
	struct tm_brief brief;
};

/* False when out of memory. */
static bool learn_names(struct fall_names *names, const struct tm_table *t, const struct fall *f,
                        size_t n)
{
	const size_t name = tm_table_find(t, "name");
	bool ok = true;

	tm_table_init(&names->t, &t->columns[name], 1);
	for (size_t i = 0; ok && i < n; i++) {
		struct tm_cell *c = f[i].row < t->nrows ? tm_table_row(&names->t) : NULL;

		if (c)
			*c = t->cells[f[i].row * t->ncols + name];
		ok = c || f[i].row == SIZE_MAX;
	}
	names->brief = (struct tm_brief) { .limit = 40, .utf8 = true };
	return ok && tm_brief_learn(&names->brief, &names->t, 0);
}

/* What a part of the difference is called. */
static void put_fall_name(struct tm_buf *b, const struct tm_table *t, struct fall_names *names,
                          size_t row)
{
	const struct tm_cell *part = cell(t, row, "part"), *name = cell(t, row, "name"),
	                     *cause = cell(t, row, "cause");

	tm_html_text(b, part->v.s, part->len);
	if (name->type == TM_CELL_TEXT && name->len) {
		tm_buf_str(b, ", ");
		tm_html_name(b, &names->brief, name);
	}
	if (cause->type == TM_CELL_TEXT && cause->len) {
		tm_buf_str(b, ", ");
		tm_html_text(b, cause->v.s, cause->len);
	}
}

/* Where it begins and ends, between least and least + span. */
static void put_fall(struct tm_buf *b, const struct tm_table *t, struct fall_names *names,
                     const struct fall *f, tm_i128 at, tm_i128 least, tm_i128 span)
{
	const tm_i128 lo = f->delta < 0 ? at + f->delta : at,
	              hi = f->delta < 0 ? at : at + f->delta;
	const unsigned x = (unsigned)((lo - least) * WIDE / span);
	const unsigned to = (unsigned)((hi - least) * WIDE / span);
	const tm_u128 size = size_of(f->delta);
	const struct tm_cell delta = tm_cell_signed(f->delta<0, size> UINT64_MAX ? UINT64_MAX
	                                                                         : (uint64_t)size);

	tm_buf_str(b, "<span>");
	if (f->row < t->nrows)
		put_fall_name(b, t, names, f->row);
	else
		tm_html_str(b, f->text);
	tm_buf_fmt(
	        b,
	        "</span><svg class=\"stack\" viewBox=\"0 0 %d 10\" width=\"100%%\" height=\"22\" "
	        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"%s\" x=\"%u\" "
	        "width=\"%u\" "
	        "height=\"10\" fill=\"%s\"/></svg>"
	        "<span>%s",
	        WIDE, f->delta < 0 ? "neg" : "pos", x, to > x ? to - x : 1,
	        f->delta < 0 ? "#1a6e33" : "#b3261e", f->delta < 0 ? "" : "+");
	tm_html_cell(b, t->columns[tm_table_find(t, "delta_ns")], &delta);
	tm_buf_str(b, "</span>\n");
}

/* False when out of memory. */
static bool put_falls(struct report *r)
{
	const struct tm_table *t = &r->account;
	struct fall *f, all = { .row = SIZE_MAX, .text = "all together" };
	struct fall_names names = { 0 };
	bool ok;
	tm_i128 at = 0, least = 0, most = 0;
	size_t n;

	if (tm_table_find(t, "delta_ns") >= t->ncols)
		return true;
	f = falls_of(t, &n);
	for (size_t i = 0; f && i < n; i++) {
		all.delta += f[i].delta;
		least = all.delta < least ? all.delta : least;
		most = all.delta > most ? all.delta : most;
	}
	if (!f || most == least) {
		free(f);
		return f != NULL;
	}
	ok = learn_names(&names, t, f, n);
	tm_buf_str(r->s.out,
	           "<h3>From A to B</h3>\n<p class=\"dim\">The largest parts first. Each bar "
	           "begins where the one above ends; green is time saved. The last bar is "
	           "the whole difference.</p>\n<div class=\"bars\">\n");
	for (size_t i = 0; i < n; at += f[i++].delta)
		put_fall(r->s.out, t, &names, &f[i], at, least, most - least);
	put_fall(r->s.out, t, &names, &all, 0, least, most - least);
	free(f);
	tm_brief_fini(&names.brief);
	tm_table_fini(&names.t);
	return tm_buf_str(r->s.out, "</div>\n") && ok;
}

bool tm_report_compared(struct report *r)
{
	static const struct report_table rows = { "tracediff", NULL,
		                                  "tracediff", "Kernels of A, the baseline, and B",
		                                  NULL,        NULL };
	static const struct report_table account = { "tracediff --account",
		                                     NULL,
		                                     "account",
		                                     "What the difference consists of",
		                                     NULL,
		                                     NULL };
	struct tm_buf *b = r->s.out;
	bool ok = true;

	if (!r->o->baseline.n)
		return tm_buf_str(b, "<p class=\"dim\">Not requested: <code>--baseline RUN</code> "
		                     "compares with an earlier run.</p>\n");
	tm_report_verdict(r);
	if (r->diff.short_account.n) {
		tm_buf_str(b, "<pre>");
		for (size_t i = 0, end; i < r->diff.short_account.n; i = end + 1) {
			const char *p = r->diff.short_account.p;

			for (end = i; end < r->diff.short_account.n && p[end] != '\n';)
				end++;
			tm_html_text(b, p + i, end - i);
			tm_buf_chr(b, '\n');
		}
		tm_buf_str(b, "</pre>\n");
	}
	if (r->account.nrows) {
		ok = put_falls(r) && tm_report_any(r, &r->account, NULL, &account);
	}
	if (ok && r->rows.nrows)
		ok = tm_report_any(r, &r->rows, NULL, &rows);
	return ok;
}
