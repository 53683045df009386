/* SPDX-License-Identifier: MIT
 * kstats findings: the table of what was found, or one rule explained. */
#include "cli/rules/findings.h"

#include "cli/rules/findings_parts.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const severity_words[] = { "trust", "high", "medium", "note" };

enum {
	COL_RANK,
	COL_ID,
	COL_SEVERITY,
	COL_SAVES,
	COL_SAVES_PCT,
	COL_TITLE,
	COL_EVIDENCE,
	COL_ADVICE,
	COL_COMMAND,
	COL_N
};

const struct tm_column tm_findings_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .machine = true,
	               .about = "rank, the worst of several; absent if all are alike" },
	[COL_ID] = { .name = "id",
	             .title = "FINDING",
	             .unit = TM_UNIT_TEXT,
	             .about = "name of the rule, for --explain" },
	[COL_SEVERITY] = { .name = "severity",
	                   .title = "SEVERITY",
	                   .unit = TM_UNIT_TEXT,
	                   .about =
	                           "trust: other numbers may be wrong; high, medium: by saves_pct; "
	                           "note" },
	[COL_SAVES] = { .name = "saves_ns",
	                .title = "UP TO",
	                .unit = TM_UNIT_NS,
	                .about = "time saved at most; savings of findings overlap" },
	[COL_SAVES_PCT] = { .name = "saves_pct",
	                    .title = "UP TO%",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 1,
	                    .about = "share of the longest window of a rank" },
	[COL_TITLE] = { .name = "title",
	                .title = "WHAT",
	                .unit = TM_UNIT_TEXT,
	                .elastic = true,
	                .prose = true,
	                .about = "what was found" },
	[COL_EVIDENCE] = { .name = "evidence",
	                   .title = "EVIDENCE",
	                   .unit = TM_UNIT_TEXT,
	                   .machine = true,
	                   .about = "measured value, and what it should be" },
	[COL_ADVICE] = { .name = "advice",
	                 .title = "ADVICE",
	                 .unit = TM_UNIT_TEXT,
	                 .machine = true,
	                 .about = "what to do" },
	[COL_COMMAND] = { .name = "command",
	                  .title = "COMMAND",
	                  .unit = TM_UNIT_TEXT,
	                  .machine = true,
	                  .about = "what to look at next" },
	[COL_N] = { .name = NULL },
};

/* ---- the table ---- */

static struct tm_cell keep(struct tm_table *t, struct tm_buf *b)
{
	struct tm_cell c = tm_table_own(t, b->p ? b->p : "", b->n);

	t->failed |= b->failed;
	tm_buf_clear(b);
	return c;
}

static bool add_row(struct finding_job *j, const struct found *f, uint64_t window,
                    struct tm_table *t)
{
	const char *word = severity_words[f->severity];
	struct tm_cell *c = tm_table_row(t);
	struct tm_buf b = { 0 };
	struct finding_who who;

	if (!c || !tm_findings_who(j, f, &who))
		return false;
	if (who.one)
		c[COL_RANK] = tm_cell_u64(who.rank);
	tm_findings_who_fini(&who);
	c[COL_ID] = tm_cell_text(f->def->id, strlen(f->def->id));
	c[COL_SEVERITY] = tm_cell_text(word, strlen(word));
	if (f->saved) {
		c[COL_SAVES] = tm_cell_u64(f->saves);
		c[COL_SAVES_PCT] = tm_work_pct(f->saves, window);
	}
	tm_findings_title(&b, j, f);
	c[COL_TITLE] = keep(t, &b);
	tm_findings_evidence(&b, f);
	c[COL_EVIDENCE] = keep(t, &b);
	c[COL_ADVICE] = tm_cell_text(f->def->advice, strlen(f->def->advice));
	tm_findings_command(&b, j, f->def->command);
	c[COL_COMMAND] = keep(t, &b);
	tm_buf_fini(&b);
	return !t->failed;
}

bool tm_findings_table(struct finding_job *j, const struct found *v, size_t n, uint64_t window,
                       struct tm_table *t)
{
	tm_table_init_list(t, tm_findings_columns);
	for (size_t i = 0; i < n; i++)
		if (!add_row(j, &v[i], window, t))
			return false;
	return !t->failed;
}

/* A line of words, or several where the terminal is narrow; `line` is empty then. */
static void put_line(struct tm_buf *b, const struct common *c, struct tm_buf *line)
{
	tm_render_wrap(b, line->p ? line->p : "", line->n, tm_show_width(c), 0);
	tm_buf_chr(b, '\n');
	b->failed |= line->failed;
	tm_buf_clear(line);
}

/* What people are told first, and what to do next. */
static void put_words(struct finding_job *j, const struct found *v, size_t n, struct tm_buf *head,
                      struct tm_buf *tail)
{
	size_t big = 0, asked = tm_findings_asked(j);
	struct tm_buf command = { 0 }, line = { 0 };

	while (big < n && v[big].severity != SEV_NOTE)
		big++;
	if (j->judged < asked) {
		tm_buf_fmt(&line,
		           "%zu of %zu rules could be checked; the input lacks data for the others",
		           j->judged, asked);
		put_line(head, j->c, &line);
	}
	if (!n)
		tm_buf_fmt(&line, "no findings by %zu rules", j->judged);
	else if (!big)
		tm_buf_fmt(&line, "none of these would save %d %% of the time", MEDIUM);
	else
		tm_buf_fmt(&line,
		           "What each could save at most%s; findings overlap, so savings do not "
		           "add up",
		           j->many ? " on the rank that gains most" : "");
	put_line(head, j->c, &line);
	if (!n) {
		tm_buf_fini(&line);
		return;
	}
	tm_buf_chr(head, '\n');
	tm_buf_fmt(&line, "%s: %s", v[0].def->id, v[0].def->advice);
	tm_buf_chr(tail, '\n');
	put_line(tail, j->c, &line);
	tm_buf_str(tail, "next: ");
	tm_findings_command(&command, j, v[0].def->command);
	tm_render_visible(tail, command.p ? command.p : "", command.n, tm_locale_is_utf8());
	tm_buf_clear(&command);
	tm_findings_options(&command, j->c, "findings");
	tm_findings_operands(&command, j->c);
	tm_buf_fmt(tail, "\n      kstats findings --explain %s", v[0].def->id);
	tm_render_visible(tail, command.p ? command.p : "", command.n, tm_locale_is_utf8());
	tm_buf_chr(tail, '\n');
	tail->failed |= command.failed;
	tm_buf_fini(&command);
	tm_buf_fini(&line);
}

/* Why tables have no answer: an error where none has, else a note, as for one that lacks some of
 * its rows; which -v has said already. */
static bool say_why(struct finding_job *j, bool answered)
{
	for (size_t i = 0; i < j->pages.n; i++) {
		const struct ask_table *t = &j->pages.v[i]->table[ASK_NOW];
		const char *why = t->why;
		bool said = !why || (t->t.nrows && j->c->say.verbose);

		for (size_t k = 0; k < i && !said; k++) {
			const char *before = j->pages.v[k]->table[ASK_NOW].why;

			said = before && !strcmp(before, why);
		}
		if (said)
			continue;
		if (!answered) { /* one reason is enough */
			tm_report_add(&j->rep, TM_SEV_ERROR, NULL, 0, "%s", why);
			break;
		}
		tm_report_add(&j->rep, TM_SEV_NOTE, NULL, 0, "%s%s: %s", j->pages.v[i]->word,
		              t->t.nrows ? "" : " has no rows", tm_ask_why(t));
	}
	return !j->rep.lost;
}

static int show_table(struct finding_job *j, const struct found *v, size_t n, uint64_t window)
{
	struct tm_buf head = { 0 }, tail = { 0 };
	struct tm_table t = { 0 };
	enum tm_status st = window ? TM_ST_OK : TM_ST_END;
	int status;

	if (!say_why(j, window) || !tm_findings_table(j, v, window ? n : 0, window, &t))
		st = TM_ST_FATAL;
	if (window)
		put_words(j, v, n, &head, &tail);
	if (head.failed || tail.failed)
		st = TM_ST_FATAL;
	j->show.head = head.p;
	j->show.tail = tail.p;
	status = tm_answer(j->c, &j->show, "findings", st, &t, &j->rep);
	tm_buf_fini(&head);
	tm_buf_fini(&tail);
	return status;
}

/* ---- one rule explained ---- */

/* The conditions of a rule, without the marks of findings.def. */
static void put_where(struct tm_buf *b, const char *where)
{
	for (size_t n; *where; where += n) {
		const char mark = *where;

		where += mark == '?' || mark == '!';
		tm_buf_str(b, mark == '!' ? "not " : "");
		n = strcspn(where, ";");
		tm_buf_add(b, where, n);
		tm_buf_str(b, mark == '?' ? ", if known" : "");
		n += strspn(where + n, "; ");
		tm_buf_str(b, where[n] ? "; " : "");
	}
}

/* What comes from each reference of it, with what the character before says. */
static void put_saves(struct tm_buf *b, const char *saves)
{
	static const char between[] = ";|~&";
	static const char *const words[] = { "if that is not known", "or if larger",
		                             "minus, if that leaves less than 5 %",
		                             "but no more than" };
	size_t n = strcspn(saves, between);

	if (n)
		tm_buf_fmt(b, "saves:    %.*s, at most\n", (int)n, saves);
	for (const char *at = saves + n; *at; at += 1 + n) {
		n = strcspn(at + 1, between);
		tm_buf_fmt(b, "          %s:%.*s%s\n", words[strchr(between, *at) - between],
		           (int)n, at + 1, *at == '&' ? "" : ", at most");
	}
}

static void put_rule(struct tm_buf *b, const struct finding_rule *def)
{

	tm_buf_fmt(b, "%s\n\nhealthy:  %s\n", def->id, def->held);
	if (*def->where) {
		tm_buf_str(b, "asked if: ");
		put_where(b, def->where);
		tm_buf_str(b, "\n");
	}
	put_saves(b, def->saves);
	tm_buf_fmt(b, "advice:   %s\nnext:     kstats %s\n", def->advice, def->command);
	tm_buf_fmt(b, "manual:   %s\n", def->page);
}

static bool put_numbers(struct tm_buf *b, struct finding_job *j, size_t i)
{
	const size_t *place[] = { &j->of[i].held,     &j->of[i].where[0], &j->of[i].where[1],
		                  &j->of[i].where[2], &j->of[i].where[3], &j->of[i].saves[0],
		                  &j->of[i].saves[1], &j->of[i].saves[2] };

	tm_buf_str(b, "\nhere:\n");
	for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
		struct tm_check_result r;

		if (*place[k] == SIZE_MAX)
			continue;
		if (!tm_findings_judge(j, *place[k], &r))
			return false;
		tm_buf_fmt(b, "  %s = %s", r.rule->ref, r.value.n ? r.value.p : "absent");
		if (r.row.n) {
			tm_buf_str(b, ", ");
			tm_render_visible(b, r.row.p, r.row.n, tm_locale_is_utf8());
		}
		tm_buf_chr(b, '\n');
		tm_check_result_fini(&r);
	}
	return true;
}

static int explain(struct finding_job *j, const struct found *f, size_t place)
{
	struct tm_buf b = { 0 };
	int told, put;

	put_rule(&b, f->def);
	if (!put_numbers(&b, j, place) || b.failed) {
		tm_buf_fini(&b);
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
		return EXIT_TROUBLE;
	}
	told = tm_tell(j->c, &j->rep);
	put = tm_put_output(j->c, &b);
	tm_buf_fini(&b);
	return told > put ? told : put;
}

/* ---- all of it ---- */

/* What there is to say of the inputs, and what makes numbers doubtful.  What else the tables say of
 * themselves is for who reads them. */
static void take_report(struct finding_job *j)
{
	for (size_t i = 0; i < j->side.rep.n; i++) {
		const struct tm_finding *f = &j->side.rep.v[i];

		if (j->c->say.verbose || f->severity != TM_SEV_NOTE)
			tm_report_add(&j->rep, f->severity, f->where, f->line, "%s", f->text);
	}
	j->rep.lost |= j->side.rep.lost;
}

/* Totals without savings: where the summary has no answer, an option is why. */
static int refuse(struct finding_job *j)
{
	const struct ask_table *sum = &tm_findings_summary(j)->table[ASK_NOW];

	if (sum->t.nrows || !sum->why)
		return tm_findings_refuse(j, "the replay of 2 to 64 ranks");
	tm_report_add(&j->rep, TM_SEV_ERROR, j->side.totals, 0, "%s", sum->why);
	return tm_tell(j->c, &j->rep);
}

static int answer(struct finding_job *j, void *arg)
{
	const char *id = arg;
	struct found *v = NULL;
	size_t n = 0, place = 0;
	uint64_t window = 0;
	int status = EXIT_TROUBLE;
	bool ok;

	if (j->events)
		return refuse(j);
	ok = id ? tm_findings_one(j, id, &v, &place) : tm_findings_all(j, &v, &n, &window);
	take_report(j);
	if (ok && id)
		status = explain(j, v, place);
	else if (ok)
		status = show_table(j, v, n, window);
	else
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, tm_diag_no_memory);
	tm_findings_free(v);
	return status;
}

/* Rules are about whole ranks, as the replay is. */
static enum tm_status ready(struct finding_job *j, void *arg, struct tm_diag *d)
{
	(void)arg;
	j->side.partly = true;
	return tm_filters_fit(j->c, "findings", TM_WHOLE_RANKS, NULL, d) ? TM_ST_OK : TM_ST_SKIP;
}

/* Options of a table, which one rule in words is none of. */
static bool wants_table(const struct out_opts *o)
{
	return (o->format && strcmp(o->format, "text") != 0) || o->sort || o->columns ||
	       o->limit_given;
}

int tm_findings_run(struct common *c, const char *id)
{
	static const struct finding_use use = { .ready = ready, .answer = answer };
	struct finding_job j = { .c = c, .show = { .view = tm_findings_columns, .whole = true } };
	struct tm_diag d = { 0 };

	if (id && wants_table(&c->out)) {
		tm_diag_set(&d, 0, "--explain prints text and takes no -f, -n, -s or --columns");
		return tm_usage_error(c, &d);
	}
	return tm_findings_drive(&j, &use, (void *)(uintptr_t)id);
}
