/* SPDX-License-Identifier: MIT
 * The first screen as a comment of a merge request: below 60 lines and 60000 characters, whatever
 * the names are. */
#include "cli/rules/screen_parts.h"

#include <inttypes.h>
#include <string.h>

enum { FINDINGS = 5, DOUBTS = 5, KERNELS = 30, BAR = 50, TEXT = 400, NAME = 200 };

static const char *words(const struct tm_buf *b)
{
	return b->p ? b->p : "";
}

/* Append a text that means only itself, of at most so many bytes of it. */
static void put(const struct screen *s, const char *text, size_t n, size_t most)
{
	size_t cut = n > most ? most : n;

	/* Not inside a character. */
	while (cut && cut < n && ((unsigned char)text[cut] & 0xc0) == 0x80)
		cut--;
	tm_row_text_md(s->out, text, cut);
	if (cut < n)
		tm_buf_str(s->out, "\342\200\246");
}

static void put_buf(const struct screen *s, struct tm_buf *b)
{
	put(s, words(b), b->n, TEXT);
	s->out->failed |= b->failed;
	tm_buf_clear(b);
}

/* A text in a code span, with a fence that it does not hold. */
static void put_code(const struct screen *s, struct tm_buf *b)
{
	struct tm_buf shown = { 0 };
	size_t run = 0, most = 0;

	tm_render_visible(&shown, words(b), b->n, true);
	for (size_t i = 0; i < shown.n; i++) {
		run = shown.p[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	for (size_t i = 0; i <= most; i++)
		tm_buf_chr(s->out, '`');
	tm_buf_fmt(s->out, "%s%s%s", most ? " " : "", words(&shown), most ? " " : "");
	for (size_t i = 0; i <= most; i++)
		tm_buf_chr(s->out, '`');
	s->out->failed |= shown.failed || b->failed;
	tm_buf_fini(&shown);
	tm_buf_clear(b);
}

/* ---- the bar: full blocks for what computes, lighter ones for the rest, blanks for idle ---- */

static void put_bar(const struct screen *s)
{
	static const char *const cell[] = { "\342\226\210", "\342\226\223", "\342\226\222" };
	uint64_t shown = 0, sum = 0;
	size_t n = 0;

	if (!tm_screen_some(s, "timeline.busy_pct"))
		return;
	tm_buf_str(s->out, "`");
	for (const struct screen_part *p = tm_screen_parts; p->metric; p++) {
		struct tm_cell c = tm_screen_cell(s, p->metric, s->value);
		uint64_t to;

		if (c.type != TM_CELL_FIXED)
			continue;
		sum += c.v.u;
		to = (sum * BAR + 500000) / 1000000;
		for (; shown < to; shown++)
			tm_buf_str(s->out, p->family ? cell[n < 2 ? n : 2] : "\302\267");
		n++;
	}
	tm_buf_str(s->out, "`");
	for (const struct screen_part *p = tm_screen_parts; p->metric; p++) {
		if (!tm_screen_some(s, p->metric))
			continue;
		tm_buf_fmt(s->out, " %s ", p->label);
		tm_screen_put_pct(s->out, tm_screen_cell(s, p->metric, s->value));
	}
	tm_buf_str(s->out, "\n\n");
}

static void put_findings(const struct screen *s)
{
	struct tm_buf b = { 0 };
	size_t nth = 0, doubts = 0;

	for (size_t i = 0; i < s->n && nth < FINDINGS; i++) {
		const struct found *f = &s->v[i];

		if (f->severity == SEV_TRUST && doubts == DOUBTS)
			continue;
		doubts += f->severity == SEV_TRUST;
		if (f->severity == SEV_TRUST)
			tm_buf_str(s->out, "- \342\232\240 ");
		else
			tm_buf_fmt(s->out, "%zu. ", ++nth);
		tm_findings_title(&b, s->j, f);
		put_buf(s, &b);
		if (f->saves) {
			tm_buf_str(&b, ", up to ");
			tm_work_put_ns(&b, f->saves);
			put_buf(s, &b);
		}
		tm_buf_str(&b, ": ");
		tm_buf_str(&b, f->def->advice);
		put_buf(s, &b);
		tm_buf_str(s->out, " (");
		tm_findings_command(&b, s->j, f->def->command);
		put_code(s, &b);
		tm_buf_str(s->out, ")\n");
	}
	if (nth + doubts < s->n) {
		tm_buf_fmt(s->out, "- and %zu more (", s->n - nth - doubts);
		tm_screen_put_all(s, &b);
		put_code(s, &b);
		tm_buf_str(s->out, ")\n");
	}
	if (s->j->events)
		tm_buf_str(s->out, "- findings of 2 to 64 ranks need events: give the traces\n");
	if (!nth && !s->j->events) {
		tm_buf_str(s->out, "- ");
		tm_screen_put_none(s, s->out);
		tm_buf_chr(s->out, '\n');
	}
	s->out->failed |= b.failed;
	tm_buf_fini(&b);
}

/* Shorten long names as text does: what tells them apart stays.  They are in `names` then. */
static bool shorten(struct tm_table *t, size_t col, struct tm_buf *names)
{
	struct tm_brief how = { .limit = NAME, .utf8 = true };
	bool ok = tm_brief_learn(&how, t, col);
	size_t at = 0;

	for (size_t r = 0; ok && r < t->nrows; r++) {
		struct tm_cell *c = &t->cells[r * t->ncols + col];
		size_t from = names->n;

		if (c->type != TM_CELL_TEXT || c->len <= NAME)
			continue;
		ok = tm_brief_put(names, &how, c);
		c->len = (uint32_t)(names->n - from);
		c->v.s = NULL; /* until the buffer moves no more */
	}
	for (size_t r = 0; ok && r < t->nrows; r++) {
		struct tm_cell *c = &t->cells[r * t->ncols + col];

		if (c->type == TM_CELL_TEXT && !c->v.s) {
			c->v.s = names->p + at;
			at += c->len;
		}
	}
	tm_brief_fini(&how);
	return ok && !names->failed;
}

bool tm_screen_md_table(const struct screen *s, struct tm_table *t, size_t all, const char *what)
{
	size_t name = tm_table_find(t, "name");
	struct tm_buf names = { 0 };
	bool ok;

	if (!t->nrows)
		return true;
	ok = name == t->ncols || shorten(t, name, &names);
	tm_buf_fmt(s->out, "\n<details><summary>%zu of %zu %s</summary>\n\n", t->nrows, all, what);
	ok = ok && tm_render_find("md")->render(s->out, t, &s->ctx);
	tm_buf_fini(&names);
	return tm_buf_str(s->out, "\n</details>\n") && ok;
}

static bool put_kernels(const struct screen *s, uint64_t limit)
{
	struct tm_table t;
	size_t all;
	bool ok = tm_screen_kernels(s, !limit || limit > KERNELS ? KERNELS : limit, &t, &all) &&
	          tm_screen_md_table(s, &t, all, "kernels");

	tm_table_fini(&t);
	return ok;
}

bool tm_screen_md(const struct screen *s, uint64_t kernels)
{
	struct tm_buf b = { 0 };
	bool ok;

	tm_buf_str(s->out, "**Targets: ");
	tm_screen_put_verdict(s, &b);
	put_buf(s, &b);
	tm_buf_str(s->out, "**\n\n");
	tm_screen_put_head(s, &b, ", ");
	put_buf(s, &b);
	tm_buf_str(s->out, "; ");
	tm_screen_put_losses(s, &b);
	put_buf(s, &b);
	tm_buf_str(s->out, "\n\n");
	put_bar(s);
	put_findings(s);
	ok = put_kernels(s, kernels);
	tm_buf_fini(&b);
	return ok && !s->out->failed;
}
