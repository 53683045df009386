/* SPDX-License-Identifier: MIT */
#include "cli/tools/compare.h"

#include "cli/operands/operands.h"
#include "cli/frame/frame.h"
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool take_allow(void *arg, const char *word, struct tm_diag *d)
{
	unsigned *allow = arg;

	for (unsigned i = 0; tm_allow_words[i]; i++)
		if (!strcmp(tm_allow_words[i], word)) {
			*allow |= 1u << i;
			return true;
		}
	tm_diag_set(d, 0, "--allow: unknown word '%s'; use self, agents, arch, partial", word);
	return false;
}

bool tm_read_allow(const char *list, unsigned *allow, struct tm_diag *d)
{
	return tm_list_words("allow", list, take_allow, allow, d);
}

/* What became of the reading of one run. */
struct outcome {
	enum tm_status st;
	struct tm_diag d;
	struct tm_report rep;
};

/* Everything one comparison needs. */
struct job {
	struct common *c;
	struct tm_diff_opts o;
	uint64_t skip;
	struct tm_window window;
	struct tm_classes *classes;
	struct tm_digest *run;   /* n of them, na of side A */
	struct outcome *outcome; /* of each */
	size_t na, n;
	uint64_t threads;
	struct tm_report rep;
	struct show show;
};

/* Read a run and digest it; how that went is in its outcome. */
static bool take_run(void *arg, size_t i)
{
	struct job *j = arg;
	struct tm_metric_opts o = { .domains = tm_diff_domains(&j->o),
		                    .strict = j->c->say.strict,
		                    .classes = j->classes,
		                    .windowed = j->c->in.window &&
		                                j->window.kind != TM_WINDOW_LAUNCHED };
	const struct tm_digest_opts how = { .o = &o, .skip = j->skip, .samples = !j->o.history };
	struct common c = *j->c;
	const struct runs runs = { .c = &c,
		                   .window = &j->window,
		                   .sink = &tm_run_sums_sink,
		                   .want = tm_run_sums_want(&o) };
	struct tm_rank_extent *extents = NULL;
	struct outcome *out = &j->outcome[i];
	void *acc = calloc(1, tm_run_size(&tm_run_sums_sink));
	bool made = false;

	c.in.jobs = tm_inputs_jobs(j->c) / j->threads;
	c.in.jobs_given = 1;
	c.say.no_progress |= i > 0; /* one line is enough */
	out->st = acc ? tm_run_read(&runs, j->c->operands.v[i], &o, &extents, acc, &made, &out->rep,
	                            &out->d)
	              : TM_ST_FATAL;
	j->run[i].path = j->c->operands.v[i];
	if (out->st == TM_ST_OK && !tm_digest_make(&j->run[i], tm_run_inside(acc), &how, &out->rep))
		out->st = TM_ST_FATAL;
	if (made)
		tm_run_fini(&tm_run_sums_sink, acc);
	free(extents);
	free(acc);
	return true;
}

/* All runs, several at a time.  The first that failed says how. */
static enum tm_status take_runs(struct job *j, struct tm_diag *d)
{
	uint64_t jobs = tm_inputs_jobs(j->c);
	enum tm_status st = TM_ST_OK;

	j->threads = jobs < j->n ? jobs : j->n;
	tm_each(take_run, j, j->n, (unsigned)j->threads);
	for (size_t i = 0; i < j->n; i++) {
		struct outcome *o = &j->outcome[i];

		if (st == TM_ST_OK && o->st != TM_ST_OK) {
			st = o->st;
			*d = o->d;
		}
		tm_report_move(&j->rep, &o->rep);
	}
	return st;
}

/* Lines for a person's eyes, of `width` columns at most (0 = as long as they are): names in them
 * may hold anything but line ends, and look as in the table. */
static void put_lines(struct tm_buf *b, const struct tm_buf *lines, size_t width, bool utf8)
{
	struct tm_buf line = { 0 };

	for (size_t i = 0, end; i < lines->n; i = end + 1) {
		size_t indent = 0;

		for (end = i; end < lines->n && lines->p[end] != '\n';)
			end++;
		tm_buf_clear(&line);
		tm_render_visible(&line, lines->p + i, end - i, utf8);
		while (indent < line.n && line.p[indent] == ' ')
			indent++;
		/* What goes on is no line of its own. */
		if (line.n)
			tm_render_wrap(b, line.p, line.n, width, indent ? indent + 2 : 0);
		tm_buf_chr(b, '\n');
	}
	b->failed |= line.failed;
	tm_buf_fini(&line);
}

/* The words above and below the table, as -f has them. */
static bool put_words(const struct job *j, const struct tm_diff_answer *a, struct tm_buf *head,
                      struct tm_buf *tail)
{
	const bool md = !strcmp(j->show.mode->name, "md");
	const bool terminal = tm_show_on_terminal(j->c);
	const bool utf8 = md || (terminal && tm_locale_is_utf8());
	/* Scripts read these lines: only a terminal, or who sets COLUMNS, gets one in several; and
	 * only a terminal the last. */
	const size_t width = !md && (terminal || getenv("COLUMNS")) ? tm_show_width(j->c) : 0;

	put_lines(head, &a->words, width, utf8);
	if (a->short_account.n) {
		tm_buf_str(head, md ? "\n```text\n" : "");
		put_lines(head, &a->short_account, width, utf8);
		tm_buf_str(head, md ? "```\n" : "");
	}
	tm_buf_chr(head, '\n');
	tm_buf_str(tail, md ? "\n" : "");
	put_lines(tail, &a->line, terminal ? width : 0, utf8);
	return !head->failed && !tail->failed;
}

static const char *table_word(const struct tm_diff_opts *o)
{
	return o->history ? "history" : o->account ? "account" : "rows";
}

/* Print what came out, and free it. */
static int print(struct job *j, enum tm_status st, struct tm_table *t, struct tm_diff_answer *a)
{
	struct tm_buf head = { 0 }, tail = { 0 };
	int status;

	if (st != TM_ST_FATAL && j->show.mode->machine)
		tm_report_add(&j->rep, TM_SEV_NOTE, NULL, 0, "%.*s", (int)a->line.n - 1, a->line.p);
	if (st != TM_ST_FATAL && !put_words(j, a, &head, &tail))
		st = TM_ST_FATAL;
	j->show.head = head.p;
	j->show.tail = tail.p;
	status = tm_answer(j->c, &j->show, table_word(&j->o), st, t, &j->rep);
	tm_buf_fini(&head);
	tm_buf_fini(&tail);
	tm_diff_answer_fini(a);
	return status;
}

static int compare(struct job *j)
{
	struct tm_diff_answer a;
	struct tm_table t = { 0 };
	enum tm_status st = j->o.history
	                            ? tm_diff_history(j->run, j->n, &j->o, &t, &a, &j->rep)
	                            : tm_diff_compare(j->run, j->na, j->n, &j->o, &t, &a, &j->rep);

	return print(j, st, &t, &a);
}

static int run(struct job *j)
{
	struct tm_diag d = { 0 };
	enum tm_status st = TM_ST_FATAL;
	int status = EXIT_TROUBLE;

	j->run = calloc(j->n, sizeof *j->run);
	j->outcome = calloc(j->n, sizeof *j->outcome);
	if (j->run && j->outcome)
		st = take_runs(j, &d);
	if (st == TM_ST_OK)
		status = compare(j);
	else if (st == TM_ST_SKIP)
		status = tm_usage_error(j->c, &d);
	else
		tm_say(j->c, TM_SEV_ERROR, NULL, 0, "out of memory");
	for (size_t i = 0; j->run && i < j->n; i++)
		tm_digest_fini(&j->run[i]);
	free(j->run);
	free(j->outcome);
	return status;
}

/* ---- problems of libraries ---- */

/* A file or directory of A that is one of B. */
static bool names_itself(struct job *j)
{
	for (size_t i = 0; i < j->na; i++)
		for (size_t k = j->na; k < j->n; k++) {
			struct stat a, b;
			const char *const *v = (const char *const *)j->c->operands.v;

			if (stat(v[i], &a) || stat(v[k], &b) || a.st_dev != b.st_dev ||
			    a.st_ino != b.st_ino)
				continue;
			tm_report_add(&j->rep, TM_SEV_ERROR, v[k], 0,
			              "cannot be compared: it is the same as %s (--allow self "
			              "to compare anyway)",
			              v[i]);
			return true;
		}
	return false;
}

/* Was the file said to be a copy of another one? */
static bool is_copy(const struct tm_report *rep, const struct tm_finding *f)
{
	for (size_t i = 0; f->where && i < rep->n; i++)
		if (rep->v[i].where && !strcmp(rep->v[i].where, f->where) &&
		    !strncmp(rep->v[i].text, "same content", 12))
			return true;
	return false;
}

static bool is_said(const struct tm_report *rep, const struct tm_finding *f)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].line == f->line && !strcmp(rep->v[i].text, f->text) &&
		    !strcmp(rep->v[i].where ? rep->v[i].where : "", f->where ? f->where : ""))
			return true;
	return false;
}

/* What the second reading found and the first did not. */
static void add_report(struct tm_report *to, const struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tm_finding *f = &from->v[i];

		if (!is_said(to, f) && !is_copy(to, f))
			tm_report_add(to, f->severity, f->where, f->line, "%s", f->text);
	}
	to->lost |= from->lost;
}

/* Read all operands, twice. */
static bool read_problems(struct job *j, struct tm_problems *p)
{
	struct operand *v = calloc(j->n, sizeof *v);
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < j->n; i++)
		v[i] = (struct operand) { j->c->operands.v[i], i >= j->na };
	for (int r = 0; ok && r < TM_PROBLEM_READINGS; r++) {
		struct tm_report rep = { 0 };

		ok = tm_files_each(j->c, v, j->n, &tm_problems_reading[r], p, &rep);
		for (size_t i = 0; ok && !r && i < rep.n; i++)
			if (is_copy(&rep, &rep.v[i]))
				ok = tm_problems_skip(p, rep.v[i].where);
		if (r)
			add_report(&j->rep, &rep);
		else
			tm_report_move(&j->rep, &rep);
		tm_report_fini(&rep);
	}
	free(v);
	return ok && !j->rep.lost;
}

static int compare_problems(struct job *j)
{
	struct tm_problems *p = tm_problems_open(&j->o);
	struct tm_diff_answer a = { 0 };
	struct tm_table t = { 0 };
	enum tm_status st = TM_ST_FATAL;
	int status;
	bool same = !(j->o.allow & TM_ALLOW_SELF) && names_itself(j);

	if (p && (same || read_problems(j, p)))
		st = tm_problems_compare(p, same, &t, &a, &j->rep);
	status = print(j, st, &t, &a);
	tm_problems_close(p);
	return status;
}

/* Standard input is one run at most. */
static bool inputs_once(const struct common *c, const struct tm_diff_opts *o, struct tm_diag *d)
{
	size_t n = 0;

	for (size_t i = 0; i < c->operands.n; i++)
		n += !strcmp(c->operands.v[i], "-");
	if (n && o->per == TM_BY_PROBLEM) {
		tm_diag_set(
		        d, 0,
		        "--per problem reads every input twice: give files, not standard input");
		return false;
	}
	if (n > 1)
		tm_diag_set(d, 0, "standard input can be read only once");
	return n <= 1;
}

/* A window or a step is of all work. */
static bool filters_fit(const struct common *c, const struct tm_diff_opts *o, struct tm_diag *d)
{
	unsigned bad = tm_only_given(&c->in.filter) & TM_WHOLE_AGENTS;

	if (!bad || (o->on == TM_ON_KERNEL && o->per != TM_BY_PROBLEM))
		return true;
	tm_diag_set(d, 0, "%s needs --on kernel: windows and steps include all work",
	            tm_only_option((enum tm_only_by)__builtin_ctz(bad)));
	return false;
}

const struct tm_column *tm_compare_columns(const struct tm_diff_opts *o)
{
	return o->history   ? tm_diff_history_columns
	       : o->account ? tm_diff_account_columns
	                    : tm_diff_columns;
}

int tm_compare_runs(struct common *c, const struct tm_diff_opts *o, size_t na, uint64_t skip)
{
	struct job j = { .c = c, .o = *o, .skip = skip, .na = na, .n = c->operands.n };
	struct tm_diag d = { 0 };
	int status;

	j.show.view = tm_compare_columns(o);
	j.show.whole = o->account || o->history;
	if (!c->out.format)
		c->out.format = "text";
	if (j.n < 2 || (!o->history && (!j.na || j.na == j.n))) {
		tm_diag_set(&d, 0, "%s",
		            o->history ? "a history needs at least two runs, in order of time"
		            : j.n > 2  ? "several runs of each side: A1 A2 ... -- B1 B2 ..."
		                       : "give two runs to compare: A B");
		return tm_usage_error(c, &d);
	}
	if (!inputs_once(c, o, &d) || !filters_fit(c, o, &d) ||
	    !tm_show_options(&j.show, &c->out, &d) ||
	    (c->in.window && !tm_window_parse(&j.window, c->in.window, &d)))
		return tm_usage_error(c, &d);
	j.o.people = !j.show.mode->machine;
	if (o->per == TM_BY_PROBLEM) {
		status = compare_problems(&j);
		tm_report_fini(&j.rep);
		return status;
	}
	j.classes = c->in.classes ? tm_classes_load(c->in.classes, &d) : tm_classes_builtin(&d);
	if (!j.classes) {
		tm_say(c, TM_SEV_ERROR, c->in.classes, d.line, d.text);
		return EXIT_TROUBLE;
	}
	status = run(&j);
	tm_classes_free(j.classes);
	tm_report_fini(&j.rep);
	return status;
}
