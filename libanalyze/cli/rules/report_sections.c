/* SPDX-License-Identifier: MIT
 * What the report consists of: its sections in their order, and what they draw. */
#include "cli/rules/report_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CARDS = 7,
	PARETO = 40,
	PARTS = 8,
	FEW = 16,
	MESSAGES = 100,
	OPEN_KERNELS = 20,
	NAME_MOST = 500
};

/* ---- cells ---- */

/* The cell of that column, or NULL. */
static const struct tm_cell *cell(const struct tm_table *t, size_t row, const char *column)
{
	size_t col = tm_table_find(t, column);

	return col < t->ncols ? &t->cells[row * t->ncols + col] : NULL;
}

static uint64_t whole_of(const struct tm_table *t, size_t row, const char *column)
{
	const struct tm_cell *c = cell(t, row, column);

	return c && c->type == TM_CELL_U64 ? c->v.u : 0;
}

static bool says(const struct tm_table *t, size_t row, const char *column, const char *word)
{
	const struct tm_cell *c = cell(t, row, column);

	return c && c->type == TM_CELL_TEXT && c->len == strlen(word) &&
	       !memcmp(c->v.s, word, c->len);
}

static void put(struct tm_buf *b, const struct tm_table *t, size_t row, const char *column)
{
	size_t col = tm_table_find(t, column);

	if (col < t->ncols)
		tm_html_cell(b, t->columns[col], &t->cells[row * t->ncols + col]);
}

/* Which GPU a row is about. */
static void put_gpu(struct tm_buf *b, const struct tm_table *t, size_t row)
{
	tm_buf_str(b, "rank ");
	put(b, t, row, "rank");
	tm_buf_str(b, ", agent ");
	put(b, t, row, "agent");
}

/* ---- findings ---- */

static void put_prose(struct tm_buf *b, const struct tm_table *t, size_t row, const char *column)
{
	const struct tm_cell *c = cell(t, row, column);

	if (c && c->type == TM_CELL_TEXT)
		tm_html_prose(b, c->v.s, c->len);
}

static bool is_doubt(const struct tm_table *t, size_t row)
{
	return says(t, row, "severity", "trust");
}

static void put_card(struct tm_buf *b, const struct tm_table *t, size_t row)
{
	tm_buf_str(b, "<li class=\"card ");
	put(b, t, row, "severity");
	tm_buf_str(b, "\" tabindex=\"0\"><h3>");
	put(b, t, row, "title");
	tm_buf_str(b, "</h3>\n<p><span class=\"");
	put(b, t, row, "severity");
	tm_buf_str(b, "\">");
	if (is_doubt(t, row))
		tm_buf_str(b, "doubt: other numbers may be wrong");
	else
		put(b, t, row, "severity");
	tm_buf_str(b, "</span>");
	if (whole_of(t, row, "saves_ns")) {
		tm_buf_fmt(b, "%s <span class=\"saves\">up to ",
		           is_doubt(t, row) ? "; could save" : ",");
		put(b, t, row, "saves_ns");
		tm_buf_str(b, "</span> (");
		put(b, t, row, "saves_pct");
		tm_buf_str(b, ")");
	}
	tm_buf_str(b, "</p>\n<p>");
	put_prose(b, t, row, "advice");
	tm_buf_str(b, "</p>\n<p class=\"dim\"><small>");
	put_prose(b, t, row, "evidence");
	tm_buf_str(b, "</small></p>\n<code class=\"cmd\">");
	put(b, t, row, "command");
	tm_buf_str(b, "</code></li>\n");
}

static bool put_none(struct report *r)
{
	struct tm_buf words = { 0 };

	tm_screen_put_none(&r->s, &words);
	tm_buf_str(r->s.out, "<p>");
	tm_html_prose(r->s.out, words.p ? words.p : "", words.n);
	r->s.out->failed |= words.failed;
	tm_buf_fini(&words);
	return tm_buf_str(r->s.out, ".</p>\n");
}

static bool put_findings(struct report *r)
{
	/* Where no time of a GPU is known, as of statistics files, it has no answer. */
	const struct report_table all = {
		r->s.window ? "kstats findings" : "",     NULL, "findings",
		"All findings, with what each relies on", NULL, NULL
	};
	const struct tm_table *t = &r->findings;
	struct tm_buf *b = r->s.out;

	if (!t->nrows)
		return put_none(r);
	tm_buf_str(b, "<ol class=\"cards\">\n");
	for (size_t i = 0; i < t->nrows && i < CARDS; i++)
		put_card(b, t, i);
	tm_buf_str(b, "</ol>\n");
	if (t->nrows > CARDS)
		return tm_report_any(r, t, NULL, &all);
	/* The cards have all of it. */
	tm_buf_str(b, "<details><summary>As a table</summary>\n");
	return tm_report_any(r, t, NULL, &all) && tm_buf_str(b, "</details>\n");
}

/* ---- the budget ---- */

/* The parts of the time of a row of the timeline. */
static size_t parts_of(const struct tm_table *t, size_t row, struct tm_html_part part[PARTS])
{
	size_t n = 0;

	/* What was not used comes last. */
	for (size_t i = 0; i < 2 * t->ncols && n < PARTS; i++) {
		size_t col = i % t->ncols;
		const struct tm_part *p = tm_part_of(t->columns[col]->name);

		if (p && !p->family == (i >= t->ncols))
			part[n++] = (struct tm_html_part) { p->label, p->family, t->columns[col],
				                            &t->cells[row * t->ncols + col] };
	}
	return n;
}

/* A rank that is often late, and its part of the delay, as in findings. */
struct late_rank {
	uint64_t rank;
	const struct tm_cell *share;
};

static int by_share(const void *a, const void *b)
{
	const struct late_rank *x = a, *y = b;

	if (x->share->v.u != y->share->v.u)
		return x->share->v.u < y->share->v.u ? 1 : -1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* *n of them, the worst first; to be freed.  NULL when out of memory. */
static struct late_rank *late_ranks(const struct report *r, size_t *n)
{
	const struct tm_table *t = &tm_report_find(r, "collectives", "--ranks")->t;
	struct late_rank *late = calloc(t->nrows + 1, sizeof *late);

	*n = 0;
	for (size_t i = 0; late && i < t->nrows; i++) {
		const struct tm_cell *c = cell(t, i, "late_pct");

		if (c && c->type == TM_CELL_FIXED && says(t, i, "pattern", "often"))
			late[(*n)++] = (struct late_rank) { whole_of(t, i, "rank"), c };
	}
	if (late)
		qsort(late, *n, sizeof *late, by_share);
	return late;
}

static bool is_late(const struct late_rank *late, size_t n, uint64_t rank)
{
	for (size_t i = 0; i < n; i++)
		if (late[i].rank == rank)
			return true;
	return false;
}

static void put_late(struct report *r, const struct late_rank *late, size_t n)
{
	const struct tm_table *t = &tm_report_find(r, "collectives", "--ranks")->t;
	const size_t col = tm_table_find(t, "late_pct");
	struct tm_buf *b = r->s.out;

	if (!n)
		return;
	if (n == 1)
		tm_buf_fmt(b, "<p>Rank %" PRIu64 " is late to collectives: ", late[0].rank);
	else
		tm_buf_fmt(b, "<p>%zu ranks are late to collectives: ", n);
	for (size_t i = 0; i < n && i < FEW; i++) {
		if (n > 1)
			tm_buf_fmt(b, "%srank %" PRIu64 " ", i ? ", " : "", late[i].rank);
		tm_html_cell(b, t->columns[col], late[i].share);
	}
	if (n > FEW)
		tm_buf_fmt(b, ", and %zu more", n - FEW);
	tm_buf_str(b, " of the delay.</p>\n");
}

static void put_bars(struct report *r, const struct late_rank *late, size_t nlate)
{
	const struct tm_table *t = &tm_report_find(r, "timeline", NULL)->t;
	struct tm_html_part part[PARTS];
	struct tm_buf *b = r->s.out;

	tm_html_legend(b, part, parts_of(t, 0, part));
	tm_buf_fmt(b, "<div class=\"bars%s\">\n", t->nrows > FEW ? " many" : "");
	for (size_t i = 0; i < t->nrows; i++) {
		const bool outlined = is_late(late, nlate, whole_of(t, i, "rank"));

		tm_buf_fmt(b, "%s<span>", outlined ? "<div class=\"late\">" : "");
		put_gpu(b, t, i);
		tm_buf_str(b, "</span>");
		tm_html_stack(b, part, parts_of(t, i, part), whole_of(t, i, "window_ns"));
		tm_buf_str(b, "<span>");
		if (whole_of(t, i, "window_ns")) {
			put(b, t, i, "busy_pct");
			tm_buf_str(b, " busy of ");
		}
		put(b, t, i, "window_ns");
		tm_buf_str(b, outlined ? ", late</span></div>\n" : "</span>\n");
	}
	tm_buf_str(b, "</div>\n");
}

static bool put_budget(struct report *r)
{
	const size_t rows = tm_report_find(r, "timeline", NULL)->t.nrows;
	size_t n;
	struct late_rank *late = late_ranks(r, &n);

	if (late && rows) {
		put_late(r, late, n);
		if (rows <= REPORT_LANES)
			put_bars(r, late, n);
		else if (rows <= REPORT_LANES_MOST)
			tm_buf_str(r->s.out, "<p>More than 64 GPUs: the map below has one line for "
			                     "each.</p>\n");
	}
	free(late);
	return late && !r->s.out->failed;
}

/* ---- over time ---- */

/* Do all lanes begin and end at the same times? */
static bool same_time(const struct report *r)
{
	const struct tm_table *t = &r->s.chart;
	const struct tm_html_lane *l = r->lane;

	for (size_t i = 1; i < r->nlanes; i++)
		if (whole_of(t, l[i].row, "from_ns") != whole_of(t, l[0].row, "from_ns") ||
		    whole_of(t, l[i].row + l[i].n - 1, "to_ns") !=
		            whole_of(t, l[0].row + l[0].n - 1, "to_ns"))
			return false;
	return true;
}

/* What time it is from left to right. */
static void put_axis(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane l)
{
	enum { TICKS = 4 };
	const uint64_t whole = whole_of(t, l.row + l.n - 1, "to_ns") -
	                       whole_of(t, l.row, "from_ns");

	tm_buf_str(b, "<p class=\"axis dim\">");
	for (unsigned i = 0; i <= TICKS; i++) {
		const struct tm_cell at = tm_cell_u64((uint64_t)((tm_u128)whole * i / TICKS));

		tm_buf_str(b, "<span>+");
		tm_put_human(b, &at, TM_UNIT_NS);
		tm_buf_str(b, "</span>");
	}
	tm_buf_str(b, "</p>\n");
}

static bool put_time(struct report *r)
{
	struct tm_buf *b = r->s.out;
	const struct tm_table *t = &tm_report_find(r, "timeline", NULL)->t;
	struct tm_html_part part[PARTS];
	bool ok;

	if (t->nrows > REPORT_LANES_MOST)
		return tm_buf_fmt(b,
		                  "<p>%zu GPUs are too many for one picture: see "
		                  "<code>kstats timeline --chart --rank LIST</code>.</p>\n",
		                  t->nrows);
	if (!r->nlanes)
		return tm_buf_fmt(b, "<p class=\"dim\">%s.</p>\n",
		                  t->nrows ? "The window of each GPU has length 0"
		                           : "No GPU times are known");
	if (r->nlanes > REPORT_LANES) {
		tm_buf_str(b, "<figure>");
		tm_html_heat(b, &r->s.chart, r->lane, r->nlanes);
		if (same_time(r))
			put_axis(b, &r->s.chart, r->lane[0]);
		tm_buf_fmt(b,
		           "<figcaption>One line per GPU, in the order of the table above; the "
		           "stronger the color, the busier.%s</figcaption></figure>\n",
		           same_time(r) ? "" : " Each line has its own time.");
		return !b->failed;
	}
	tm_html_legend(b, part, parts_of(t, 0, part));
	tm_buf_str(b, "<div id=\"strips\">\n");
	ok = tm_report_strips(r);
	if (same_time(r))
		put_axis(b, &r->s.chart, r->lane[0]);
	return tm_buf_str(b, "</div>\n") && ok;
}

/* ---- columns ---- */

/* Draw rows [from, to) of a table; false when out of memory. */
static bool draw(struct report *r, const struct tm_table *t, size_t from, size_t to,
                 const char *value, const char *name, const char *line, const char *mark,
                 const char *about, const char *family)
{
	struct tm_buf words = { 0 };
	bool ok;
	struct tm_html_columns c = { .t = t,
		                     .from = from,
		                     .to = to,
		                     .value = tm_table_find(t, value),
		                     .name = tm_table_find(t, name),
		                     .line = line ? tm_table_find(t, line) : t->ncols,
		                     .mark = mark ? tm_table_find(t, mark) : t->ncols,
		                     .about = about,
		                     .family = family };

	if (c.value >= t->ncols || c.name >= t->ncols)
		return true;
	/* Columns that are ranges of lengths have no axis: the ends say where they are. */
	if (!strcmp(name, "from_ns") && to > from) {
		tm_buf_fmt(&words, "%s, from ", about);
		tm_put_human(&words, cell(t, from, name), TM_UNIT_NS);
		tm_buf_str(&words, " to ");
		tm_put_human(&words, cell(t, to - 1, "to_ns"), TM_UNIT_NS);
		c.about = words.p;
	}
	ok = !words.failed && tm_html_columns(r->s.out, &c);
	tm_buf_fini(&words);
	return ok;
}

/* A name as `kstats kernel` takes it: as a regular expression that matches nothing else, and as a
 * word of a shell. */
static void put_regex(struct tm_buf *b, const char *name, size_t n)
{
	struct tm_buf regex = { 0 };

	tm_buf_chr(&regex, '^');
	for (size_t i = 0; i < n; i++) {
		if (strchr("\\^$.[]|()*+?{}", name[i]))
			tm_buf_chr(&regex, '\\');
		tm_buf_chr(&regex, name[i]);
	}
	tm_buf_chr(&regex, '$');
	tm_findings_word(b, regex.p ? regex.p : "", true);
	b->failed |= regex.failed;
	tm_buf_fini(&regex);
}

/* How long the calls of a kernel took, and what says more. */
static bool put_kernel(struct report *r, size_t row)
{
	const struct ask_page *page = tm_screen_page(r->s.j, "top");
	const struct tm_table *top = &tm_report_find(r, "top", NULL)->t;
	const struct tm_cell *name = cell(top, row, "name"), *class = cell(top, row, "class");
	struct tm_table hist = { 0 };
	struct tm_buf words = { 0 };
	void *own;
	bool ok;

	if (!name || name->type != TM_CELL_TEXT || !name->len || memchr(name->v.s, '\0', name->len))
		return true;
	own = tm_top_again_own(name->v.s, name->len);
	ok = own && tm_ask_again(&r->s.j->side, page, "hist", own, &hist);
	free(own);
	if (ok && hist.nrows > 1)
		ok = draw(r, &hist, 0, hist.nrows, "calls", "from_ns", NULL, NULL,
		          "Calls by duration, four columns per doubling",
		          class && class->type == TM_CELL_TEXT
		                  ? tm_hue_of(class->v.s, class->len)->name
		                  : "other");
	tm_table_fini(&hist);
	if (name->len > NAME_MOST)
		return ok;
	tm_buf_str(&words, "kstats kernel ");
	put_regex(&words, name->v.s, name->len);
	tm_buf_add(&words, r->tail.p ? r->tail.p : "", r->tail.n);
	tm_buf_str(r->s.out, "<code class=\"cmd\">");
	tm_html_text(r->s.out, words.p ? words.p : "", words.n);
	tm_buf_str(r->s.out, "</code>");
	r->s.out->failed |= words.failed;
	tm_buf_fini(&words);
	return ok;
}

static bool put_kernels(struct report *r)
{
	const struct tm_table *t = &tm_report_find(r, "top", NULL)->t;

	return !t->nrows || draw(r, t, 0, t->nrows < PARETO ? t->nrows : PARETO, "total_ns", "name",
	                         "cum_pct", NULL,
	                         "Kernels by total time; the line is their cumulative share of all "
	                         "kernel time",
	                         "gemm");
}

/* The gaps of the GPU that was idle longest, the first of equals, by their length. */
static bool put_gaps(struct report *r, const struct tm_table *t)
{
	struct tm_buf about = { 0 };
	size_t gpus, at = 0;
	struct tm_html_lane *gpu = tm_html_lanes(t, &gpus);
	uint64_t most = 0;
	bool ok;

	for (size_t i = 0; gpu && i < gpus; i++) {
		uint64_t sum = 0;

		for (size_t k = gpu[i].row; k < gpu[i].row + gpu[i].n; k++)
			sum += whole_of(t, k, "total_ns");
		at = sum > most ? i : at;
		most = sum > most ? sum : most;
	}
	tm_buf_str(&about, "Idle time");
	if (gpu && gpus > 1) {
		tm_buf_str(&about, " of ");
		put_gpu(&about, t, gpu[at].row);
		tm_buf_str(&about, ", the GPU that was idle longest,");
	}
	tm_buf_str(&about, " by length of the gaps, each column twice as long as the previous one");
	ok = gpu && !about.failed &&
	     draw(r, t, gpu[at].row, gpu[at].row + gpu[at].n, "total_ns", "from_ns", NULL, NULL,
	          about.p, "sync");
	free(gpu);
	tm_buf_fini(&about);
	return ok;
}

static bool put_idle(struct report *r)
{
	const struct tm_table *t = &tm_report_find(r, "gaps", "--hist")->t;
	struct tm_buf calls = { 0 };

	if (tm_screen_put_calls(&r->s, &calls)) {
		tm_buf_str(r->s.out, "<p>Idle time by call: ");
		tm_html_text(r->s.out, calls.p ? calls.p : "", calls.n);
		tm_buf_str(r->s.out, ".</p>\n");
	}
	r->s.out->failed |= calls.failed;
	tm_buf_fini(&calls);
	return !t->nrows || put_gaps(r, t);
}

/* Of rows [0, n) the one with the most of a column of each `each` that follow one another, as rows
 * of *most, which has the same columns. */
static bool most_of_each(struct tm_table *most, const struct tm_table *t, size_t n, size_t each,
                         const char *column)
{
	tm_table_init(most, t->columns, t->ncols);
	for (size_t i = 0; i < n; i += each) {
		struct tm_cell *c = tm_table_row(most);
		size_t at = i;

		if (!c)
			return false;
		for (size_t k = i + 1; k < n && k < i + each; k++)
			if (whole_of(t, k, column) > whole_of(t, at, column))
				at = k;
		memcpy(c, &t->cells[at * t->ncols], t->ncols * sizeof *c);
	}
	return true;
}

static bool put_steps(struct report *r)
{
	const struct tm_table *t = &tm_report_find(r, "steps", NULL)->t;
	const struct tm_table *total = &tm_report_find(r, "steps", "--total")->t;
	const size_t n = total->nrows ? (size_t)whole_of(total, 0, "steps") : 0;
	const size_t each = (n + REPORT_ROWS - 1) / REPORT_ROWS;
	struct tm_table most = { 0 };
	char about[120];
	bool ok;

	if (n < 2)
		return true;
	if (each == 1)
		return draw(r, t, 0, n, "window_ns", "step", NULL, "slow",
		            "Length of each step of the first rank; slow ones are outlined",
		            "conv");
	snprintf(about, sizeof about,
	         "Length of the steps of the first rank; a column is the longest of %zu; slow ones "
	         "are outlined",
	         each);
	if (t->more) /* it is a picture of them */
		return draw(r, t, 0, t->nrows, "window_ns", "step", NULL, "slow", about, "conv");
	ok = most_of_each(&most, t, n, each, "window_ns") &&
	     draw(r, &most, 0, most.nrows, "window_ns", "step", NULL, "slow", about, "conv");
	tm_table_fini(&most);
	return ok;
}

static bool put_attributed(struct report *r)
{
	const struct tm_table *t = &tm_report_find(r, "ops", "--paths")->t;
	const struct tm_table *base = tm_report_base(r, "ops", "--paths");

	return !t->nrows ||
	       tm_html_flame(r->s.out, t, base,
	                     base ? "GPU time of all ranks by what launched it, the outermost "
	                            "above; a frame is as wide as its time; red ones take more "
	                            "than in the baseline, green ones less"
	                          : "GPU time of all ranks by what launched it, the outermost "
	                            "above; a frame is as wide as its time");
}

/* ---- ranks ---- */

static bool same_text(const struct tm_cell *a, const struct tm_cell *b)
{
	return a->type == b->type &&
	       (a->type != TM_CELL_TEXT || (a->len == b->len && !memcmp(a->v.s, b->v.s, a->len)));
}

/* Bus bandwidth by size, of the operation and communicator that took most time. */
static bool put_bandwidth(struct report *r)
{
	const struct tm_table *t = &tm_report_find(r, "collectives", NULL)->t;
	const size_t size = tm_table_find(t, "bytes"), speed = tm_table_find(t, "busbw_gb_per_s");
	struct tm_table by = { 0 };
	bool ok = true;

	if (!t->nrows || size >= t->ncols || speed >= t->ncols)
		return true;
	tm_table_init(&by, (const struct tm_column *[]) { t->columns[size], t->columns[speed] }, 2);
	for (size_t i = 0; ok && i < t->nrows; i++) {
		struct tm_cell *c;

		if (!same_text(cell(t, i, "op"), cell(t, 0, "op")) ||
		    !same_text(cell(t, i, "comm"), cell(t, 0, "comm")) ||
		    cell(t, i, "bytes")->type == TM_CELL_NONE)
			continue;
		c = tm_table_row(&by);
		ok = c != NULL;
		if (ok) {
			c[0] = *cell(t, i, "bytes");
			c[1] = *cell(t, i, "busbw_gb_per_s");
		}
	}
	ok = ok && tm_table_sort(&by, (const size_t[]) { 0 }, 1);
	for (size_t i = 0; ok && i < by.nrows / 2; i++)
		for (size_t k = 0; k < by.ncols; k++) {
			struct tm_cell *lo = &by.cells[i * by.ncols + k];
			struct tm_cell *hi = &by.cells[(by.nrows - 1 - i) * by.ncols + k],
			               one = *lo;

			*lo = *hi;
			*hi = one;
		}
	ok = ok && (by.nrows < 2 || draw(r, &by, 0, by.nrows, "busbw_gb_per_s", "bytes", NULL, NULL,
	                                 "Bus bandwidth in GB/s of the first collective in the "
	                                 "table, one column per size, smallest first",
	                                 "comm"));
	tm_table_fini(&by);
	return ok;
}

static bool put_ranks(struct report *r)
{
	static const char one[] = "Who came last to collectives, in order of time, one line per "
	                          "rank; the stronger the color, the longer the others waited";
	static const char many[] =
	        "Who came last to collectives, one communicator after the other, "
	        "each in order of time, one line per rank; the stronger the "
	        "color, the longer the others waited";
	const struct tm_table *t = &tm_report_find(r, "collectives", "--list")->t;
	const struct tm_table *of = &tm_report_find(r, "ranks", NULL)->t;
	const size_t last = t->nrows ? t->nrows - 1 : 0;
	const bool several = t->nrows && !same_text(cell(t, 0, "comm"), cell(t, last, "comm"));

	/* Rows are in the order of communicators.  A rank alone is always last. */
	return put_bandwidth(r) &&
	       (of->nrows < 2 || tm_html_late(r->s.out, t, of, several ? many : one));
}

static const struct report_table roofline[] = {
	{ "roofline", NULL, "roofline", "Products of matrices, convolutions and attention", NULL,
	  NULL },
	{ 0 },
};

static bool put_roofline(struct report *r)
{
	size_t shown;

	return tm_report_shown(r, roofline, &shown) &&
	       tm_html_roof(r->s.out, &tm_report_find(r, "roofline", NULL)->t, shown);
}

/* ---- power ---- */

/* Do two rows of the sensors over time belong to one? */
static bool same_sensor(const struct tm_table *t, size_t a, size_t b)
{
	return whole_of(t, a, "rank") == whole_of(t, b, "rank") &&
	       same_text(cell(t, a, "agent"), cell(t, b, "agent")) &&
	       same_text(cell(t, a, "sensor"), cell(t, b, "sensor"));
}

/* Where the times of a rank begin in all tables: at its first work, if one of them knows it. */
static const struct tm_table_origin *first_work(const struct report *r, uint64_t rank)
{
	const struct ask_pages *p = &r->s.j->pages;

	for (size_t i = 0; i < p->n; i++) {
		const struct tm_table *t = &p->v[i]->table[ASK_NOW].t;

		for (size_t k = 0; k < t->norigin; k++)
			if (t->origin[k].rank == rank)
				return &t->origin[k];
	}
	return NULL;
}

/* Count times from there or, if it is unknown, from the first reading of the rank.  False when out
 * of memory. */
static bool count_times(const struct report *r, struct tm_table *t)
{
	for (size_t i = 0, end; i < t->nrows; i = end) {
		const uint64_t rank = whole_of(t, i, "rank");
		const struct tm_table_origin *o = first_work(r, rank);
		uint64_t at = whole_of(t, i, "from_ns");

		for (end = i; end < t->nrows && whole_of(t, end, "rank") == rank; end++)
			if (whole_of(t, end, "from_ns") < at)
				at = whole_of(t, end, "from_ns");
		if (!tm_table_origin(t, rank, o ? o->at : at))
			return false;
	}
	tm_table_make_relative(t);
	return true;
}

/* Rows [from, to) of one sensor as columns, if it is worth a picture. */
static bool draw_sensor(struct report *r, const struct tm_table *t, size_t from, size_t to)
{
	const struct tm_cell *agent = cell(t, from, "agent"), *sensor = cell(t, from, "sensor"),
	                     *unit = cell(t, from, "unit");
	const bool power = sensor->len == 5 && !memcmp(sensor->v.s, "power", 5);
	const uint64_t rank = whole_of(t, from, "rank");
	char about[200];

	snprintf(about, sizeof about,
	         "%s of rank %" PRIu64 ", agent %.*s, over time since the first %s: mean %.*s",
	         power ? "Power" : "Clock", rank, (int)agent->len, agent->v.s,
	         first_work(r, rank) ? "work" : "reading", (int)unit->len, unit->v.s);
	return draw(r, t, from, to, "mean", "from_ns", NULL, NULL, about, power ? "quant" : "conv");
}

/* Power and clock of each GPU over time: the same numbers as powerstats has. */
static bool put_power(struct report *r)
{
	struct tm_sensors_own own = { 0 };
	struct tm_table t = { 0 };
	size_t drawn = 0, more = 0, to;
	bool ok = tm_ask_again(&r->s.j->side, tm_screen_page(r->s.j, "sensors"), "chart", &own, &t);

	ok = ok && count_times(r, &t);
	for (size_t from = 0; ok && from < t.nrows; from = to) {
		const struct tm_cell *sensor = cell(&t, from, "sensor");

		for (to = from + 1; to < t.nrows && same_sensor(&t, from, to);)
			to++;
		if (!(sensor->len == 5 && !memcmp(sensor->v.s, "power", 5)) &&
		    !(sensor->len == 4 && !memcmp(sensor->v.s, "sclk", 4)))
			continue;
		if (drawn++ < FEW)
			ok = draw_sensor(r, &t, from, to);
		else
			more++;
	}
	if (ok && more)
		tm_buf_fmt(r->s.out, "<p class=\"dim\">%zu more are in the table only.</p>\n",
		           more);
	tm_table_fini(&t);
	return ok && !r->s.out->failed;
}

/* ---- inputs ---- */

static const char *word_of(enum tm_severity s)
{
	return s == TM_SEV_ERROR ? "error" : s == TM_SEV_NOTE ? "note" : "warning";
}

static bool put_inputs(struct report *r)
{
	static const char what[] = "Summary, against common targets";
	char word[48] = "kstats summary", caption[sizeof what + 32];
	const struct report_table all = { word, NULL, "summary", caption, NULL, NULL };
	const char *preset = r->o->preset;
	const struct finding_job *j = r->s.j;
	struct tm_buf *b = r->s.out;

	tm_buf_str(b, "<p>Inputs:</p>\n<ul>\n");
	for (size_t i = 0; i < j->c->operands.n; i++) {
		tm_buf_str(b, "<li><code>");
		tm_html_str(b, tm_report_operand(j->c->operands.v[i]));
		tm_buf_str(b, "</code></li>\n");
	}
	if (!j->c->operands.n)
		tm_buf_str(b, "<li>standard input</li>\n");
	for (size_t i = 0; i < r->o->baseline.n; i++) {
		tm_buf_str(b, "<li>A, the baseline: <code>");
		tm_html_str(b, r->o->baseline.v[i]);
		tm_buf_str(b, "</code></li>\n");
	}
	tm_buf_str(b, "</ul>\n");
	if (j->rep.n)
		tm_buf_str(b, "<p>Messages while reading:</p>\n<ul>\n");
	for (size_t i = 0; i < j->rep.n && i < MESSAGES; i++) {
		const struct tm_finding *f = &j->rep.v[i];

		tm_buf_fmt(b, "<li>%s: ", word_of(f->severity));
		if (f->where)
			tm_html_str(b, f->where);
		if (f->where && f->line)
			tm_buf_fmt(b, ":%" PRIu64, (uint64_t)f->line);
		tm_buf_str(b, f->where ? ": " : "");
		tm_html_prose(b, f->text, strlen(f->text));
		tm_buf_str(b, "</li>\n");
	}
	if (j->rep.n > MESSAGES)
		tm_buf_fmt(b, "<li>and %zu more</li>\n", j->rep.n - MESSAGES);
	if (j->rep.n)
		tm_buf_str(b, "</ul>\n");
	if (preset)
		snprintf(word, sizeof word, "kstats summary --preset %s", preset);
	snprintf(caption, sizeof caption, "%s%s%s", what, preset ? " of " : "",
	         preset ? preset : "");
	return tm_report_any(r, r->s.sum,
	                     r->o->baseline.n ? &tm_findings_summary(j)->table[ASK_BASE].t : NULL,
	                     &all);
}

/* What the columns mean, each name of the tables once. */
static bool put_words(struct report *r)
{
	struct tm_buf *b = r->s.out;

	tm_buf_str(b, "<details><summary>What the columns mean</summary>\n<dl class=\"defs\">\n");
	for (const struct report_section *s = tm_report_sections; s->id; s++)
		for (const struct report_table *t = s->tables; t && t->word; t++) {
			const struct tm_table *at = &tm_report_find(r, t->word, t->options)->t;

			for (size_t i = 0; t->caption && at->nrows && i < at->ncols; i++) {
				tm_buf_fmt(b, "<dt>%s.", t->id);
				tm_html_str(b, at->columns[i]->name);
				tm_buf_str(b, "</dt><dd>");
				tm_html_str(b, at->columns[i]->about ? at->columns[i]->about : "");
				tm_buf_str(b, "</dd>\n");
			}
		}
	return tm_buf_str(b, "</dl></details>\n");
}

static bool put_last(struct report *r)
{
	return put_inputs(r) && put_words(r);
}

/* ---- all of them ---- */

static const struct report_table budget[] = {
	{ "timeline", NULL, "timeline", "How the time of each GPU was used", NULL, NULL },
	{ 0 },
};

static const struct report_table kernels[] = {
	{ "top", NULL, "top", "Kernels by total time", "name", put_kernel },
	{ 0 },
};

static const struct report_table classes[] = {
	{ "classes", NULL, "classes", "Kernel time by class", NULL, NULL },
	{ "gemm", NULL, "gemm", "Share of matrix multiplication", NULL, NULL },
	{ 0 },
};

static const struct report_table idle[] = {
	{ "gaps", NULL, "gaps", "Idle time of each GPU by cause", NULL, NULL },
	{ "gaps", "--list", "gaps-list", "The longest gaps", NULL, NULL },
	{ "gaps", "--hist", "gaps-hist", "Idle time by length of the gaps", NULL, NULL },
	{ "sync", NULL, "sync", "Host threads that wait for the GPU", NULL, NULL },
	{ "launch", NULL, "launch", "From the launch call to the kernel", NULL, NULL },
	{ 0 },
};

static const struct report_table steps[] = {
	{ "steps", "--total", "steps-total", "Steps of each rank", NULL, NULL },
	{ "steps", NULL, "steps", "Each step", NULL, NULL },
	{ 0 },
};

static const struct report_table ranks[] = {
	{ "ranks", NULL, "ranks", "Each rank", NULL, NULL },
	{ "ranks", "--imbalance", "ranks-imbalance", "Spread over the ranks", NULL, NULL },
	{ "collectives", NULL, "collectives", "Collectives by operation and size", NULL, NULL },
	{ "collectives", "--ranks", "collectives-ranks", "Who came last, and who waited", NULL,
	  NULL },
	{ "collectives", "--list", "collectives-list", NULL, NULL, NULL },
	{ "efficiency", NULL, "efficiency", "What share of the GPUs' time is useful work", NULL,
	  NULL },
	{ 0 },
};

static const struct report_table copies[] = {
	{ "copies", NULL, "copies", "Copies by direction", NULL, NULL },
	{ "memory", NULL, "memory", "Allocated memory", NULL, NULL },
	{ 0 },
};

static const struct report_table power[] = {
	{ "sensors", NULL, "sensors", "Sensors of each GPU", NULL, NULL },
	{ "energy", "--step", "energy-step", "Energy of each step", NULL, NULL },
	{ "energy", NULL, "energy", "Energy of each class of kernels", NULL, NULL },
	{ 0 },
};

static const struct report_table attributed[] = {
	{ "ops", "--paths", "ops-paths", "GPU time by path of what launched it", NULL, NULL },
	{ "ops", NULL, "ops", "GPU time by operator or annotation", NULL, NULL },
	{ "regions", NULL, "regions", "GPU time by marked region", NULL, NULL },
	{ 0 },
};

const struct report_section tm_report_sections[] = {
	{ "findings", "Findings",
	  "Sorted by what each could save at most. Findings overlap, so savings do not add up.",
	  put_findings, NULL },
	{ "budget", "Time budget",
	  "Where the time of each GPU went, from its first work to its last, or in the window of "
	  "-w.",
	  put_budget, budget },
	{ "time", "Over time", NULL, put_time, NULL },
	{ "kernels", "Kernels", "Sorted by total time; click a name for details.", put_kernels,
	  kernels },
	{ "classes", "Kernel classes",
	  "Shares of kernel time, of the time a GPU was busy, and of its whole window.", NULL,
	  classes },
	{ "idle", "Idle time",
	  "What the host did while the GPU was idle: wait for the GPU (sync), other work (host), "
	  "the launch call itself (launch); or work was launched but had not started (device).",
	  put_idle, idle },
	{ "steps", "Steps", NULL, put_steps, steps },
	{ "ranks", "Ranks and communication", NULL, put_ranks, ranks },
	{ "copies", "Copies and memory", NULL, NULL, copies },
	{ "attribution", "Attribution", "GPU work by what launched it.", put_attributed,
	  attributed },
	{ "roofline", "Matrix work and peaks",
	  "Work of matrix kernels where the trace records their sizes, relative to the theoretical "
	  "peak and to the published maximum of the GPU.",
	  put_roofline, roofline },
	{ "power", "Power and clocks",
	  "Sensor readings taken during the trace; values between two readings are unknown.",
	  put_power, power },
	{ "compare", "Comparison with the baseline", NULL, tm_report_compared, NULL },
	{ "inputs", "Inputs and definitions", NULL, put_last, NULL },
	{ 0 },
};
