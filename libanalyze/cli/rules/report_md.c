/* SPDX-License-Identifier: MIT
 * The report as a comment of a merge request: the first screen, and what is different from the
 * baseline.  Below 60 lines and 60000 characters, whatever the names are. */
#include "cli/rules/report_parts.h"

#include <string.h>

enum { KERNELS = 10, CHANGES = 10, LINES = 12, WORDS = 600 };

/* A line that means only itself. */
static void put_line(struct tm_buf *b, const char *text, size_t n)
{
	struct tm_buf shown = { 0 }, cut = { 0 };

	tm_render_visible(&shown, text, n, true);
	tm_render_cut(&cut, shown.p ? shown.p : "", shown.n, WORDS, true);
	tm_row_text_md(b, cut.p ? cut.p : "", cut.n);
	b->failed |= shown.failed || cut.failed;
	tm_buf_fini(&shown);
	tm_buf_fini(&cut);
}

static void put_verdict(const struct report *r)
{
	struct tm_buf *b = r->s.out;
	const struct tm_buf *words = &r->diff.words, *account = &r->diff.short_account;
	size_t n = words->n, lines = 0;

	while (n && words->p[n - 1] == '\n')
		n--;
	tm_buf_str(b, "**Against the baseline: ");
	put_line(b, words->p ? words->p : "", n);
	tm_buf_str(b, "**\n\n");
	for (size_t i = 0, end; i < account->n && lines < LINES; i = end + 1, lines++) {
		for (end = i; end < account->n && account->p[end] != '\n';)
			end++;
		tm_buf_str(b, "- ");
		while (i < end && account->p[i] == ' ')
			i++;
		put_line(b, account->p + i, end - i);
		tm_buf_chr(b, '\n');
	}
	tm_buf_str(b, lines ? "\n" : "");
}

/* Is it about a kernel, and one whose time is another now? */
static bool is_change(const struct tm_table *t, const struct tm_cell *row)
{
	const struct tm_cell *calls = &row[tm_table_find(t, "calls_a")];
	const struct tm_cell *also = &row[tm_table_find(t, "calls_b")];
	const struct tm_cell *delta = &row[tm_table_find(t, "delta_ns")];

	return (calls->type != TM_CELL_NONE || also->type != TM_CELL_NONE) &&
	       delta->type == TM_CELL_U64 && delta->v.u;
}

static bool put_changes(struct report *r)
{
	static const char *const names[] = { "delta_ns",   "delta_pct",   "total_a_ns",
		                             "total_b_ns", "significant", "name" };
	enum { COLUMNS = sizeof names / sizeof *names };
	const struct tm_table *from = &r->rows;
	const struct tm_column *columns[COLUMNS];
	size_t col[COLUMNS], all = 0;
	struct tm_table t;
	bool ok = true;

	if (!from->nrows)
		return true;
	for (size_t i = 0; i < COLUMNS; i++) {
		col[i] = tm_table_find(from, names[i]);
		columns[i] = from->columns[col[i]];
	}
	tm_table_init(&t, columns, COLUMNS);
	for (size_t i = 0; ok && i < from->nrows; i++) {
		const struct tm_cell *row = from->cells + i * from->ncols;
		struct tm_cell *c;

		if (!is_change(from, row) || all++ >= CHANGES)
			continue;
		c = tm_table_row(&t);
		ok = c != NULL;
		for (size_t k = 0; ok && k < COLUMNS; k++)
			c[k] = row[col[k]];
	}
	ok = ok &&
	     tm_screen_md_table(&r->s, &t, all, "kernels whose time differs from A, the baseline");
	tm_table_fini(&t);
	return ok;
}

bool tm_report_md(struct report *r)
{
	const bool compared = r->o->baseline.n != 0;

	if (compared)
		put_verdict(r);
	return tm_screen_md(&r->s, KERNELS) && (!compared || put_changes(r)) && !r->s.out->failed;
}
