/* SPDX-License-Identifier: MIT
 * What is different from the baseline: the tables of tracediff. */
#include "cli/rules/report_parts.h"

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

static int64_t delta_of(const struct tm_table *t, size_t row)
{
	const struct tm_cell *c = cell(t, row, "delta_ns");

	if (c->type != TM_CELL_U64 || c->v.u > INT64_MAX)
		return 0;
	return c->neg ? -(int64_t)c->v.u : (int64_t)c->v.u;
}

/* One step of the way: where it begins and ends, between least and most. */
static void put_fall(struct tm_buf *b, const struct tm_table *t, size_t row, tm_i128 at,
                     tm_i128 least, tm_i128 span)
{
	int64_t delta = delta_of(t, row);
	tm_i128 lo = delta < 0 ? at + delta : at, hi = delta < 0 ? at : at + delta;
	unsigned x = (unsigned)((lo - least) * WIDE / span);
	unsigned to = (unsigned)((hi - least) * WIDE / span);
	static const char *const names[] = { "part", "name", "cause" };
	bool any = false;

	tm_buf_str(b, "<span>");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct tm_cell *c = cell(t, row, names[i]);
		struct tm_buf name = { 0 };

		if (c->type != TM_CELL_TEXT || !c->len)
			continue;
		tm_buf_str(b, any ? ", " : "");
		tm_render_visible(&name, c->v.s, c->len, true);
		if (name.p) {
			struct tm_buf cut = { 0 };

			tm_render_cut(&cut, name.p, name.n, 40, true);
			tm_html_text(b, cut.p ? cut.p : "", cut.n);
			b->failed |= cut.failed;
			tm_buf_fini(&cut);
		}
		b->failed |= name.failed;
		tm_buf_fini(&name);
		any = true;
	}
	tm_buf_fmt(b,
	           "</span><svg class=\"stack\" viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\" "
	           "aria-hidden=\"true\"><rect class=\"%s\" x=\"%u\" width=\"%u\" "
	           "height=\"10\"/></svg>"
	           "<span>%s",
	           WIDE, delta < 0 ? "neg" : "pos", x, to > x ? to - x : 1, delta < 0 ? "" : "+");
	tm_html_cell(b, t->columns[tm_table_find(t, "delta_ns")], cell(t, row, "delta_ns"));
	tm_buf_str(b, "</span>\n");
}

static void put_falls(struct report *r)
{
	const struct tm_table *t = &r->account;
	size_t n = t->nrows < FALLS ? t->nrows : FALLS;
	tm_i128 at = 0, least = 0, most = 0;

	if (tm_table_find(t, "delta_ns") >= t->ncols)
		return;
	for (size_t i = 0; i < n; i++) {
		at += delta_of(t, i);
		least = at < least ? at : least;
		most = at > most ? at : most;
	}
	if (most == least)
		return;
	tm_buf_str(r->s.out, "<h3>From A to B</h3>\n<p class=\"dim\">Each bar begins where the "
	                     "one above ends; green is time saved.</p>\n<div class=\"bars\">\n");
	at = 0;
	for (size_t i = 0; i < n; i++) {
		put_fall(r->s.out, t, i, at, least, most - least);
		at += delta_of(t, i);
	}
	tm_buf_str(r->s.out, "</div>\n");
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
		put_falls(r);
		ok = tm_report_any(r, &r->account, NULL, &account);
	}
	if (ok && r->rows.nrows)
		ok = tm_report_any(r, &r->rows, NULL, &rows);
	return ok;
}
