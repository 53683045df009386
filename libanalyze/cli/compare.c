/* SPDX-License-Identifier: MIT */
#include "cli/compare.h"

#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/runs.h"
#include "cli/show.h"
#include "diff/diff.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool take_allow(void *arg, const char *word, struct diag *d)
{
	unsigned *allow = arg;

	for (unsigned i = 0; allow_words[i]; i++)
		if (!strcmp(allow_words[i], word)) {
			*allow |= 1u << i;
			return true;
		}
	diag_set(d, 0, "--allow: unknown word '%s'; use self, agents, arch, partial", word);
	return false;
}

bool read_allow(const char *list, unsigned *allow, struct diag *d)
{
	return list_words("allow", list, take_allow, allow, d);
}

/* What became of the reading of one run. */
struct outcome {
	enum status st;
	struct diag d;
	struct report rep;
};

/* Everything one comparison needs. */
struct job {
	struct common *c;
	struct diff_opts o;
	uint64_t skip;
	struct window window;
	struct classes *classes;
	struct digest *run;      /* n of them, na of side A */
	struct outcome *outcome; /* of each */
	size_t na, n;
	atomic_size_t next; /* run to be read */
	uint64_t threads;
	struct report rep;
	struct show show;
};

/* Read a run and digest it. */
static void take_run(struct job *j, size_t i)
{
	struct metric_opts o = { .domains = diff_domains(&j->o),
		                 .strict = j->c->strict,
		                 .classes = j->classes,
		                 .windowed = j->c->window != NULL };
	const struct digest_opts how = { .o = &o, .skip = j->skip, .samples = !j->o.history };
	struct common c = *j->c;
	const struct runs runs = {
		.c = &c, .window = &j->window, .sink = &run_sums_sink, .want = run_sums_want(&o)
	};
	struct rank_extent *extents = NULL;
	struct outcome *out = &j->outcome[i];
	void *acc = calloc(1, run_size(&run_sums_sink));
	bool made = false;

	c.jobs = inputs_jobs(j->c) / j->threads;
	c.jobs_given = 1;
	c.no_progress |= i > 0; /* one line is enough */
	out->st = acc ? run_read(&runs, j->c->operands.v[i], &o, &extents, acc, &made, &out->rep,
	                         &out->d)
	              : ST_FATAL;
	j->run[i].path = j->c->operands.v[i];
	if (out->st == ST_OK && !digest_make(&j->run[i], run_inside(acc), &how, &out->rep))
		out->st = ST_FATAL;
	if (made)
		run_fini(&run_sums_sink, acc);
	free(extents);
	free(acc);
}

static void *worker(void *arg)
{
	struct job *j = arg;
	size_t i;

	while ((i = atomic_fetch_add(&j->next, 1)) < j->n)
		take_run(j, i);
	return NULL;
}

/* All runs, several at a time; the caller's thread works too.  The first that failed says how. */
static enum status take_runs(struct job *j, struct diag *d)
{
	uint64_t jobs = inputs_jobs(j->c), n = 0;
	pthread_t *id;
	enum status st = ST_OK;

	j->threads = jobs < j->n ? jobs : j->n;
	id = calloc(j->threads, sizeof *id);
	while (id && n + 1 < j->threads && !pthread_create(&id[n], NULL, worker, j))
		n++;
	worker(j);
	while (n)
		pthread_join(id[--n], NULL);
	free(id);
	for (size_t i = 0; i < j->n; i++) {
		struct outcome *o = &j->outcome[i];

		if (st == ST_OK && o->st != ST_OK) {
			st = o->st;
			*d = o->d;
		}
		report_move(&j->rep, &o->rep);
	}
	return st;
}

/* Lines for a person's eyes: names in them may hold anything but line ends. */
static void put_lines(struct buf *b, const struct buf *lines)
{
	for (size_t i = 0, end; i < lines->n; i = end + 1) {
		for (end = i; end < lines->n && lines->p[end] != '\n';)
			end++;
		render_visible(b, lines->p + i, end - i, locale_is_utf8());
		buf_chr(b, '\n');
	}
}

/* The words above and below the table, as -f has them. */
static bool put_words(const struct job *j, const struct diff_answer *a, struct buf *head,
                      struct buf *tail)
{
	bool md = !strcmp(j->show.mode->name, "md");

	put_lines(head, &a->words);
	if (a->short_account.n) {
		buf_str(head, md ? "\n```text\n" : "");
		put_lines(head, &a->short_account);
		buf_str(head, md ? "```\n" : "");
	}
	buf_chr(head, '\n');
	buf_str(tail, md ? "\n" : "");
	put_lines(tail, &a->line);
	return !head->failed && !tail->failed;
}

static const char *table_word(const struct diff_opts *o)
{
	return o->history ? "history" : o->account ? "account" : "rows";
}

/* Print what came out, and free it. */
static int print(struct job *j, enum status st, struct table *t, struct diff_answer *a)
{
	struct buf head = { 0 }, tail = { 0 };
	int status = EXIT_TROUBLE;

	if (st != ST_FATAL && j->show.mode->machine)
		report_add(&j->rep, SEV_NOTE, NULL, 0, "%.*s", (int)a->line.n - 1, a->line.p);
	if (st != ST_FATAL &&
	    (!put_words(j, a, &head, &tail) || !show_shape(&j->show, t, &j->rep) || j->rep.lost))
		st = ST_FATAL;
	if (st == ST_FATAL) {
		say(j->c, SEV_ERROR, NULL, 0, "out of memory");
	} else {
		j->show.head = head.p;
		j->show.tail = tail.p;
		status = show_table(&j->show, j->c, table_word(&j->o), t, &j->rep);
	}
	if (st == ST_END)
		status = EXIT_TROUBLE;
	buf_fini(&head);
	buf_fini(&tail);
	table_fini(t);
	diff_answer_fini(a);
	return status;
}

static int compare(struct job *j)
{
	struct diff_answer a;
	struct table t = { 0 };
	enum status st = j->o.history ? diff_history(j->run, j->n, &j->o, &t, &a, &j->rep)
	                              : diff_compare(j->run, j->na, j->n, &j->o, &t, &a, &j->rep);

	return print(j, st, &t, &a);
}

static int run(struct job *j)
{
	struct diag d = { 0 };
	enum status st = ST_FATAL;
	int status = EXIT_TROUBLE;

	j->run = calloc(j->n, sizeof *j->run);
	j->outcome = calloc(j->n, sizeof *j->outcome);
	if (j->run && j->outcome)
		st = take_runs(j, &d);
	if (st == ST_OK)
		status = compare(j);
	else if (st == ST_SKIP)
		status = usage_error(j->c, &d);
	else
		say(j->c, SEV_ERROR, NULL, 0, "out of memory");
	for (size_t i = 0; j->run && i < j->n; i++)
		digest_fini(&j->run[i]);
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
			report_add(&j->rep, SEV_ERROR, v[k], 0,
			           "cannot be compared: it is the same as %s (--allow self "
			           "compares all the same)",
			           v[i]);
			return true;
		}
	return false;
}

/* Was the file said to be a copy of another one? */
static bool is_copy(const struct report *rep, const struct finding *f)
{
	for (size_t i = 0; f->where && i < rep->n; i++)
		if (rep->v[i].where && !strcmp(rep->v[i].where, f->where) &&
		    !strncmp(rep->v[i].text, "same content", 12))
			return true;
	return false;
}

static bool is_said(const struct report *rep, const struct finding *f)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].line == f->line && !strcmp(rep->v[i].text, f->text) &&
		    !strcmp(rep->v[i].where ? rep->v[i].where : "", f->where ? f->where : ""))
			return true;
	return false;
}

/* What the second reading found and the first did not. */
static void add_report(struct report *to, const struct report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct finding *f = &from->v[i];

		if (!is_said(to, f) && !is_copy(to, f))
			report_add(to, f->severity, f->where, f->line, "%s", f->text);
	}
	to->lost |= from->lost;
}

/* Read all operands, twice. */
static bool read_problems(struct job *j, struct problems *p)
{
	struct operand *v = calloc(j->n, sizeof *v);
	bool ok = v != NULL;

	for (size_t i = 0; ok && i < j->n; i++)
		v[i] = (struct operand) { j->c->operands.v[i], i >= j->na };
	for (int r = 0; ok && r < PROBLEM_READINGS; r++) {
		struct report rep = { 0 };

		ok = files_each(j->c, v, j->n, &problems_reading[r], p, &rep);
		for (size_t i = 0; ok && !r && i < rep.n; i++)
			if (is_copy(&rep, &rep.v[i]))
				ok = problems_skip(p, rep.v[i].where);
		if (r)
			add_report(&j->rep, &rep);
		else
			report_move(&j->rep, &rep);
		report_fini(&rep);
	}
	free(v);
	return ok && !j->rep.lost;
}

static int compare_problems(struct job *j)
{
	struct problems *p = problems_open(&j->o);
	struct diff_answer a = { 0 };
	struct table t = { 0 };
	enum status st = ST_FATAL;
	int status;
	bool same = !(j->o.allow & ALLOW_SELF) && names_itself(j);

	if (p && (same || read_problems(j, p)))
		st = problems_compare(p, same, &t, &a, &j->rep);
	status = print(j, st, &t, &a);
	problems_close(p);
	return status;
}

/* Standard input is one run at most. */
static bool inputs_once(const struct common *c, const struct diff_opts *o, struct diag *d)
{
	size_t n = 0;

	for (size_t i = 0; i < c->operands.n; i++)
		n += !strcmp(c->operands.v[i], "-");
	if (n && o->per == BY_PROBLEM) {
		diag_set(d, 0,
		         "--per problem reads every input twice, so not standard input: give "
		         "files");
		return false;
	}
	if (n > 1)
		diag_set(d, 0, "standard input can be read only once");
	return n <= 1;
}

const struct column *compare_columns(const struct diff_opts *o)
{
	return o->history ? diff_history_columns : o->account ? diff_account_columns : diff_columns;
}

int compare_runs(struct common *c, const struct diff_opts *o, size_t na, uint64_t skip)
{
	struct job j = { .c = c, .o = *o, .skip = skip, .na = na, .n = c->operands.n };
	struct diag d = { 0 };
	int status;

	j.show.view = compare_columns(o);
	j.show.whole = o->account || o->history;
	if (!c->format)
		c->format = "text";
	if (j.n < 2 || (!o->history && (!j.na || j.na == j.n))) {
		diag_set(&d, 0, "%s",
		         o->history ? "a history needs two runs at least, in order of time"
		         : j.n > 2  ? "several runs of each side: A1 A2 ... -- B1 B2 ..."
		                    : "give two runs to compare: A B");
		return usage_error(c, &d);
	}
	if (!inputs_once(c, o, &d) || !show_options(&j.show, c, &d) ||
	    (c->window && !window_parse(&j.window, c->window, &d)))
		return usage_error(c, &d);
	j.o.people = !j.show.mode->machine;
	if (o->per == BY_PROBLEM) {
		status = compare_problems(&j);
		report_fini(&j.rep);
		return status;
	}
	j.classes = c->classes ? classes_load(c->classes, &d) : classes_builtin(&d);
	if (!j.classes) {
		say(c, SEV_ERROR, c->classes, d.line, d.text);
		return EXIT_TROUBLE;
	}
	status = run(&j);
	classes_free(j.classes);
	report_fini(&j.rep);
	return status;
}
