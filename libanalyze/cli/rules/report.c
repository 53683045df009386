/* SPDX-License-Identifier: MIT
 * The page of a run.  Every number on it is a cell of a table of kstats, read in one go for all of
 * them; nothing is worked out here but how long a bar is. */
#include "cli/rules/report.h"

#include "cli/operands/operands.h"
#include "cli/rules/findings.h"
#include "cli/rules/report_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BINS = 2048, BINS_OF_MANY = 256 };

const char *const tm_report_formats[] = { "html", "md", NULL };

static bool is_md(const struct report_opts *o)
{
	return !strcmp(o->format, "md");
}

/* ---- tables ---- */

static bool same_words(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static struct ask_page *page_of(const struct report *r, const char *word, const char *options)
{
	const struct ask_pages *p = &r->s.j->pages;

	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->v[i]->word, word) && same_words(p->v[i]->options, options))
			return p->v[i];
	return NULL;
}

const struct ask_table *tm_report_find(const struct report *r, const char *word,
                                       const char *options)
{
	static const struct ask_table none;
	const struct ask_page *page = page_of(r, word, options);

	return page ? &page->table[ASK_NOW] : &none;
}

const struct tm_table *tm_report_base(const struct report *r, const char *word, const char *options)
{
	struct ask_page *page = r->o->baseline.n ? page_of(r, word, options) : NULL;

	return page ? &page->table[ASK_BASE].t : NULL;
}

/* The operands of tracediff; several of a side are one run there too, but not on its command line:
 * then there is no command. */
static void put_sides(const struct report *r, struct tm_buf *words)
{
	const struct option_list *a = &r->o->baseline, *b = &r->s.j->c->operands;

	if (a->n != 1 || b->n != 1) {
		tm_buf_clear(words);
		return;
	}
	tm_buf_add(words, r->how.p ? r->how.p : "", r->how.n);
	if (r->o->allowed) {
		tm_buf_str(words, " --allow ");
		tm_findings_word(words, r->o->allowed, true);
	}
	tm_buf_chr(words, ' ');
	tm_findings_operand(words, a->v[0], true);
	tm_buf_chr(words, ' ');
	tm_findings_operand(words, b->v[0], true);
}

static const char powerstats[] = "powerstats";

static bool is_powerstats(const char *command)
{
	return !strncmp(command, powerstats, sizeof powerstats - 1);
}

/* A row of a table that is open. */
struct open_row {
	struct report *r;
	const struct report_table *as;
};

static bool put_more(void *arg, size_t row)
{
	const struct open_row *open = arg;

	return open->as->more(open->r, row);
}

/* How a table is shown, with what room is left; without its command. */
static struct tm_html_table html_of(struct report *r, const struct tm_table *t,
                                    const struct tm_table *base, struct open_row *open)
{
	const struct report_table *as = open->as;
	struct tm_html_table h = { .id = as->id,
		                   .caption = as->caption,
		                   .opens = as->opens,
		                   .more = as->more ? put_more : NULL,
		                   .more_rows = REPORT_OPEN,
		                   .arg = open,
		                   .t = t,
		                   .base = base,
		                   .rows = REPORT_ROWS,
		                   .bytes = r->room - r->later * REPORT_LEAST };

	if (r->room < r->later * REPORT_LEAST + REPORT_LEAST)
		h.bytes = REPORT_LEAST;
	if (h.bytes > REPORT_MOST)
		h.bytes = REPORT_MOST;
	return h;
}

/* Rows of many ranks are cut: what those tables are sorted by, so that the ranks that matter are
 * there.  NULL = as usual. */
static const char *sort_of(const struct report_table *as, const struct tm_table *t)
{
	static const char *const by[][2] = {
		{ "collectives-ranks", "caused_wait_ns" },
		{ "gaps", "idle_ns" },
	};

	for (size_t i = 0; t->nrows > REPORT_SORTED && i < sizeof by / sizeof *by; i++)
		if (!strcmp(as->id, by[i][0]) && tm_table_find(t, by[i][1]) < t->ncols)
			return by[i][1];
	return NULL;
}

static bool put_table(struct report *r, const struct tm_table *t, const struct tm_table *base,
                      const struct report_table *as, const char *command)
{
	struct tm_buf words = { 0 }, cells = { 0 };
	struct open_row open = { r, as };
	struct tm_html_table h = html_of(r, t, base, &open);
	size_t shown, html = r->s.out->n, json = r->json.n;
	bool ok;

	tm_buf_str(&words, command);
	if (as->options && !is_powerstats(command))
		tm_buf_fmt(&words, " %s", as->options);
	if (sort_of(as, t))
		tm_buf_fmt(&words, " -s %s", sort_of(as, t));
	if (!strncmp(command, "tracediff", strlen("tracediff")))
		put_sides(r, &words);
	else if (*command)
		tm_buf_add(&words, r->tail.p, r->tail.n);
	h.command = words.n ? words.p : NULL;
	ok = !words.failed && tm_html_table(r->s.out, &h, &shown);
	if (ok && r->json.n)
		tm_buf_str(&r->json, ",\n");
	ok = ok && tm_html_table_json(&cells, &h, shown) &&
	     tm_html_json(&r->json, cells.p ? cells.p : "", cells.n);
	tm_buf_fini(&cells);
	html = r->s.out->n - html + r->json.n - json;
	r->room -= html < r->room ? html : r->room;
	tm_buf_fini(&words);
	return ok;
}

bool tm_report_strips(struct report *r)
{
	const size_t before = r->s.out->n;
	size_t drawn;
	bool ok = true;

	for (size_t i = 0; ok && i < r->nlanes; i++)
		ok = tm_html_strip(r->s.out, &r->s.chart, r->lane[i], r->nlanes);
	ok = ok && tm_html_lanes_json(&r->lanes, &r->s.chart, r->lane, r->nlanes);
	drawn = r->s.out->n - before + r->lanes.n;
	if (drawn > REPORT_PICTURE)
		r->room -= drawn - REPORT_PICTURE < r->room ? drawn - REPORT_PICTURE : r->room;
	return ok;
}

bool tm_report_any(struct report *r, const struct tm_table *t, const struct tm_table *base,
                   const struct report_table *as)
{
	return put_table(r, t, base, as, as->word);
}

/* Why a table has no rows. */
static bool put_why(struct report *r, const struct report_table *t, const char *why)
{
	static const char nothing[] = "nothing to show: ";

	if (why && !strncmp(why, nothing, sizeof nothing - 1))
		why += sizeof nothing - 1;
	tm_buf_fmt(r->s.out, "<p class=\"dim\" id=\"t-%s\">%s: ", t->id, t->caption);
	why = why ? why : "nothing in the input";
	tm_html_prose(r->s.out, why, strlen(why));
	return tm_buf_str(r->s.out, ".</p>\n");
}

bool tm_report_shown(struct report *r, const struct report_table *t, size_t *shown)
{
	const struct tm_table *rows = &tm_report_find(r, t->word, t->options)->t;
	struct open_row open = { r, t };
	struct tm_html_table h;
	struct tm_buf unused = { 0 };
	bool ok;

	*shown = 0;
	if (!rows->nrows)
		return true;
	r->later--;
	h = html_of(r, rows, tm_report_base(r, t->word, t->options), &open);
	r->later++;
	ok = tm_html_table(&unused, &h, shown);
	tm_buf_fini(&unused);
	return ok;
}

bool tm_report_table(struct report *r, const struct report_table *t)
{
	struct ask_page *page = page_of(r, t->word, t->options);
	const struct ask_table *at = tm_report_find(r, t->word, t->options);
	const char *sort = sort_of(t, &at->t);
	char command[64] = "kstats ";

	if (!t->caption)
		return true;
	if (!at->t.nrows)
		return put_why(r, t, at->why);
	if (!strcmp(t->id, "ranks-imbalance") && tm_report_find(r, "ranks", NULL)->t.nrows < 2)
		return put_why(r, t, "only one rank");
	if (sort && !tm_table_sort(&page->table[ASK_NOW].t,
	                           (const size_t[]) { tm_table_find(&at->t, sort) }, 1))
		return false;
	strncat(command, t->word, sizeof command - strlen(command) - 1);
	if (!strcmp(t->word, tm_metric_sensors.name))
		snprintf(command, sizeof command, "%s --what sensors", powerstats);
	else if (!strcmp(t->word, tm_metric_energy.name))
		snprintf(command, sizeof command, "%s --what sensors --by %s", powerstats,
		         t->options ? t->options + strlen("--") : tm_energy_by_words[0]);
	return put_table(r, &at->t, page ? &page->table[ASK_BASE].t : NULL, t, command);
}

/* ---- what is read ---- */

/* What every command ends with, so that it reads what this one did. */
static void put_tail(struct report *r)
{
	const struct common *c = r->s.j->c;

	tm_findings_options(&r->how, c, "summary");
	tm_buf_add(&r->tail, r->how.p ? r->how.p : "", r->how.n);
	r->tail.failed |= r->how.failed;
	tm_findings_operands(&r->tail, c);
}

static bool ask(struct finding_job *j, const struct report_table *t, bool both, struct tm_diag *d)
{
	struct ask_page *page = tm_ask_table(&j->pages, t->word, t->options, d);

	if (page)
		page->side[ASK_BASE] |= both;
	/* A trace has millions of gaps and steps, and no rule reads the lists; rows of two runs are
	 * matched among all that each has. */
	if (page && !both && (!strcmp(t->id, "gaps-list") || !strcmp(t->id, "steps")))
		page->o.limit = REPORT_ROWS;
	return page != NULL;
}

static enum tm_status ready(struct finding_job *j, void *arg, struct tm_diag *d)
{
	const struct report_opts *o = arg;

	struct ask_page *summary = tm_findings_summary(j);

	tm_summary_judge(summary->own.own, o->preset);
	j->side.only = summary;
	summary->side[ASK_BASE] |= o->baseline.n && !is_md(o);
	j->side.compared = j->side.samples = o->baseline.n != 0;
	for (const struct report_section *s = tm_report_sections; s->id && !is_md(o); s++)
		for (const struct report_table *t = s->tables; t && t->word; t++)
			if (!ask(j, t, o->baseline.n != 0, d))
				return TM_ST_FATAL;
	return TM_ST_OK;
}

/* The time in bins: many of few lanes, few of many. */
static bool find_chart(struct report *r)
{
	const struct ask_page *page = tm_screen_page(r->s.j, "timeline");
	size_t rows = page ? page->table[ASK_NOW].t.nrows : 0;
	void *own;
	bool ok;

	if (!rows || rows > REPORT_LANES_MOST)
		return true;
	own = tm_timeline_own(rows > REPORT_LANES ? BINS_OF_MANY : BINS);
	ok = own && tm_ask_again(&r->s.j->side, page, "chart", own, &r->s.chart);
	free(own);
	if (ok && r->s.chart.nrows) {
		r->lane = tm_html_lanes(&r->s.chart, &r->nlanes);
		ok = r->lane != NULL;
	}
	return ok;
}

bool tm_report_has(const struct report *r, const struct report_section *s)
{
	return strcmp(s->id, "power") != 0 ||
	       tm_report_find(r, tm_metric_sensors.name, NULL)->t.nrows;
}

/* ---- the head ---- */

const char *tm_report_operand(const char *operand)
{
	return strcmp(operand, "-") != 0 ? operand : "standard input";
}

/* The last part of the first path, and how many others there are. */
static void put_run_name(struct tm_buf *b, const struct common *c)
{
	const char *path = tm_report_operand(c->operands.n ? c->operands.v[0] : "-"), *slash;
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	slash = memrchr(path, '/', n);
	if (slash && (size_t)(slash - path) + 1 < n) {
		n -= (size_t)(slash - path) + 1;
		path = slash + 1;
	}
	tm_buf_add(b, path, n);
	if (c->operands.n > 1)
		tm_buf_fmt(b, " and %zu more", c->operands.n - 1);
}

static size_t doubts(const struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->s.n; i++)
		n += r->s.v[i].severity == SEV_TRUST;
	return n;
}

static void put_lamp(struct report *r)
{
	struct tm_buf *b = r->s.out, words = { 0 };
	size_t n = doubts(r);
	const bool lost = tm_screen_put_losses(&r->s, &words);
	const char *color = r->s.doubt ? "bad" : n || lost ? "warn" : "good";

	tm_buf_fmt(b, "<p><span class=\"lamp %s\">", color);
	if (r->s.doubt)
		tm_buf_str(b, "Incomplete: other numbers may be wrong");
	else if (n)
		tm_buf_fmt(b, "Read with care: %zu doubt%s, listed first below", n,
		           n == 1 ? "" : "s");
	else
		tm_buf_str(b, lost ? "Not complete" : "Complete: nothing lost, no doubts");
	tm_buf_str(b, "</span> ");
	/* The green lamp has said it. */
	if (r->s.doubt || n || lost)
		tm_html_prose(b, words.p ? words.p : "", words.n);
	tm_buf_str(b, "</p>\n<p class=\"dim\">Targets: ");
	tm_buf_clear(&words);
	tm_screen_put_verdict(&r->s, &words);
	tm_html_prose(b, words.p ? words.p : "", words.n);
	tm_buf_str(b, "</p>\n");
	b->failed |= words.failed;
	tm_buf_fini(&words);
}

/* What was selected, or read in another way: who sees the page does not see the command. */
static void put_how(struct report *r)
{
	struct tm_buf *b = r->s.out;

	if (!r->how.n)
		return;
	tm_buf_str(b, "<p>Options: <code class=\"cmd\">");
	tm_html_text(b, r->how.p + 1, r->how.n - 1);
	tm_buf_str(b, "</code></p>\n");
}

static void put_head(struct report *r)
{
	struct tm_buf *b = r->s.out, name = { 0 }, words = { 0 };

	put_run_name(&name, r->s.j->c);
	tm_html_begin(b, name.p ? name.p : "", name.n);
	tm_buf_str(b, "<header>\n<h1>");
	tm_html_text(b, name.p ? name.p : "", name.n);
	tm_buf_str(b, "</h1>\n<p>");
	tm_screen_put_head(&r->s, &words, " \302\267 ");
	tm_html_text(b, words.p ? words.p : "", words.n);
	tm_buf_str(b, "</p>\n");
	put_how(r);
	put_lamp(r);
	if (r->o->baseline.n)
		tm_report_verdict(r);
	tm_buf_str(b, "<nav aria-label=\"Sections\"><ul>\n");
	for (const struct report_section *s = tm_report_sections; s->id; s++)
		if (tm_report_has(r, s))
			tm_buf_fmt(b, "<li><a href=\"#%s\">%s</a></li>\n", s->id, s->title);
	tm_buf_str(b, "</ul></nav>\n</header>\n<main id=\"main\">\n");
	b->failed |= name.failed || words.failed;
	tm_buf_fini(&name);
	tm_buf_fini(&words);
}

/* ---- the end ---- */

static void put_data(struct report *r)
{
	struct tm_buf data = { 0 };

	tm_buf_str(&data,
	           "{\"schema\":\"tracemill/tracereport/1\",\n\"version\":\"" TRACEMILL_VERSION
	           "\",\n\"tables\":{\n");
	tm_buf_add(&data, r->json.p ? r->json.p : "", r->json.n);
	tm_buf_str(&data, "},\n\"lanes\":");
	tm_buf_add(&data, r->lanes.n ? r->lanes.p : "[]", r->lanes.n ? r->lanes.n : 2);
	tm_buf_str(&data, "}");
	tm_buf_str(r->s.out, "<script type=\"application/json\" id=\"data\">\n");
	tm_html_json(r->s.out, data.p ? data.p : "", data.n);
	tm_buf_str(r->s.out, "\n</script>\n");
	r->s.out->failed |= data.failed || r->json.failed || r->lanes.failed;
	tm_buf_fini(&data);
}

static bool put_sections(struct report *r)
{
	bool ok = true;

	r->room = REPORT_ROOM;
	r->later = 0;
	for (const struct report_section *s = tm_report_sections; s->id; s++)
		for (const struct report_table *t = s->tables; t && t->word; t++)
			r->later += tm_report_has(r, s);

	for (const struct report_section *s = tm_report_sections; ok && s->id; s++) {
		if (!tm_report_has(r, s))
			continue;
		tm_html_section(r->s.out, s->id, s->title, s->lead);
		ok = !s->put || s->put(r);
		for (const struct report_table *t = s->tables; ok && t && t->word; t++) {
			r->later--;
			ok = tm_report_table(r, t);
		}
		tm_html_section_end(r->s.out);
	}
	return ok;
}

static bool put_page(struct report *r)
{
	bool ok;

	put_tail(r);
	ok = tm_findings_table(r->s.j, r->s.v, r->s.n, r->s.window, &r->findings);
	put_head(r);
	ok = ok && put_sections(r);
	tm_buf_str(r->s.out, "</main>\n<footer><p class=\"dim\">tracereport " TRACEMILL_VERSION
	                     ", part of tracemill. Each table shows the command that prints all of "
	                     "it.</p></footer>\n");
	put_data(r);
	tm_html_end(r->s.out);
	return ok && !r->s.out->failed && !r->tail.failed;
}

/* ---- where it goes ---- */

/* A file without a name that holds the page; -1 with *d. */
static int temporary(const struct tm_buf *page, struct tm_diag *d)
{
	int fd = tm_temp_open();
	size_t done = 0;

	while (fd >= 0 && done < page->n) {
		ssize_t k = write(fd, page->p + done, page->n - done);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break;
		done += (size_t)k;
	}
	if (fd >= 0 && done == page->n)
		return fd;
	tm_diag_set(d, 0, "cannot write a temporary file in %s: %s", tm_temp_place(),
	            strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Serve it: the file of -o, or one without a name. */
static int serve(const struct common *c, const struct tm_buf *page)
{
	struct tm_diag d = { 0 };
	int fd, status = c->out.output ? tm_put_output(c, page) : EXIT_DONE;

	if (status != EXIT_DONE)
		return status;
	fd = temporary(page, &d);
	if (fd < 0 || !tm_serve(c, fd, SERVE_PAGE, "report.html", &d)) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
		status = EXIT_TROUBLE;
	}
	if (fd >= 0)
		close(fd);
	return status;
}

/* ---- all of it ---- */

/* Findings may need a replay, and nothing of the chart. */
static bool find_one(void *arg, size_t i)
{
	struct report *r = arg;

	return i ? is_md(r->o) || find_chart(r) : tm_screen_find(&r->s);
}

/* The page of what was read. */
static int write_page(struct report *r)
{
	struct finding_job *j = r->s.j;
	bool ok = tm_each(find_one, r, 2, (unsigned)tm_inputs_jobs(j->c)) &&
	          (!r->o->baseline.n || tm_report_compare(r));
	int told = EXIT_TROUBLE, put = EXIT_DONE;

	tm_report_move(&j->rep, &j->side.rep);
	tm_report_move(&j->rep, &r->refused);
	r->s.ctx.utf8 = true;
	if (ok && r->s.sum->nrows)
		ok = is_md(r->o) ? tm_report_md(r) : put_page(r);
	if (!ok || j->rep.lost) {
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
		return EXIT_TROUBLE;
	}
	told = tm_tell(j->c, &j->rep);
	if (!r->s.sum->nrows)
		return EXIT_TROUBLE;
	put = r->o->open ? serve(j->c, r->s.out) : tm_put_output(j->c, r->s.out);
	return told > put ? told : put;
}

static void report_fini(struct report *r)
{
	tm_table_fini(&r->s.chart);
	tm_table_fini(&r->findings);
	tm_table_fini(&r->rows);
	tm_table_fini(&r->account);
	tm_diff_answer_fini(&r->diff);
	tm_report_fini(&r->refused);
	tm_findings_free(r->s.v);
	tm_buf_fini(&r->json);
	tm_buf_fini(&r->lanes);
	tm_buf_fini(&r->how);
	tm_buf_fini(&r->tail);
	free(r->lane);
}

/* What is said of all of the baseline is not about the run.  Where a file of it could not be read,
 * that is said, and nothing else matters. */
static void name_baseline(struct tm_report *rep)
{
	bool unread = false;

	for (size_t i = 0; i < rep->n; i++)
		unread |= rep->v[i].where && rep->v[i].severity == TM_SEV_ERROR;
	for (size_t i = 0; i < rep->n && !unread; i++) {
		struct tm_finding *f = &rep->v[i];
		struct tm_buf text = { 0 };

		if (f->where || f->no_memory)
			continue;
		tm_buf_fmt(&text, "baseline: %s", f->text);
		rep->lost |= text.failed;
		if (text.failed) {
			tm_buf_fini(&text);
			continue;
		}
		free(f->text);
		f->text = text.p;
	}
}

static int answer(struct finding_job *j, void *arg)
{
	struct tm_buf out = { 0 };
	struct report r = { .s = { .j = j, .out = &out }, .o = arg };
	struct common c = *j->c;
	struct ask_side base = { .c = &c, .side = ASK_BASE, .classes = j->classes, .aside = true };
	struct tm_digest run[TM_SIDES];
	struct tm_diag d = { 0 };
	enum tm_status st = TM_ST_OK;
	int status = EXIT_TROUBLE;

	if (r.o->baseline.n) {
		c.operands = r.o->baseline;
		base.compared = base.samples = true;
		base.only = j->side.only;
		st = tm_ask_read(&base, &j->pages, &d);
		run[TM_SIDE_A] = base.digest;
		run[TM_SIDE_B] = j->side.digest;
		r.run = run;
		name_baseline(&base.rep);
		tm_report_move(&j->rep, &base.rep);
	}
	if (st == TM_ST_OK)
		status = write_page(&r);
	else if (st == TM_ST_SKIP)
		status = tm_usage_error(j->c, &d);
	else
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	report_fini(&r);
	tm_buf_fini(&out);
	/* Tables borrow from what they were read into. */
	for (size_t i = 0; i < j->pages.n; i++)
		tm_table_fini(&j->pages.v[i]->table[ASK_BASE].t);
	tm_ask_side_fini(&base);
	return status;
}

int tm_report_run(struct common *c, const struct report_opts *o)
{
	static const struct finding_use use = { .ready = ready,
		                                .answer = answer,
		                                .needs = "tracereport" };
	struct finding_job j = {
		.c = c,
		.show = { .view = tm_findings_columns, .whole = true },
	};
	struct tm_diag d = { 0 };

	if (!is_md(o) && !o->open && tm_show_on_terminal(c)) {
		tm_diag_set(
		        &d, 0,
		        "refusing to write a page to a terminal; use -o report.html, or --open");
		return tm_usage_error(c, &d);
	}
	c->out.format = "md"; /* of the modes of tables, the one in UTF-8 wherever it goes, too */
	return tm_findings_drive(&j, &use, (void *)(uintptr_t)o);
}
