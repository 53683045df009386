/* SPDX-License-Identifier: MIT */
#include "cli/operands/files.h"

#include "cli/frame/frame.h"
#include "io/io.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One pass over the operands. */
struct pass {
	const struct common *c;
	const struct tm_question *q;
	void *acc;
	const struct operand *v;
	size_t n;
	struct tm_report *rep;
	struct tm_walk walk;
	size_t *taken; /* of each operand: sources the question knew */
	bool *told;    /* of each operand: its trouble was */
	bool no_memory;
};

/* Something is wrong with what an operand stands for. */
static void fault_of(struct pass *p, size_t operand, const char *where, const struct tm_diag *d)
{
	p->told[operand] = true;
	if (d->status == TM_ST_NOMEM)
		p->no_memory = true;
	else
		tm_report_diag(p->rep, where, d);
}

/* The same, with a text of its own (printf rules). */
static void __attribute__((format(printf, 5, 6)))
fault(struct pass *p, size_t operand, const char *where, uint64_t line, const char *fmt, ...)
{
	struct tm_diag d;
	va_list ap;

	va_start(ap, fmt);
	tm_diag_vset(&d, line, fmt, ap);
	va_end(ap);
	fault_of(p, operand, where, &d);
}

/* ---- which files ---- */

static void add_path(struct pass *p, const char *path, size_t operand)
{
	struct tm_diag d = { 0 };

	if (!tm_walk_add(&p->walk, path, operand, &d))
		fault_of(p, operand, path, &d);
}

/* A file of that name wins over a pattern: names may hold brackets. */
static void add_operand(struct pass *p, size_t operand)
{
	const char *path = p->v[operand].path;
	struct stat st;
	glob_t g = { 0 };

	if (!strcmp(path, "-") || !lstat(path, &st) || glob(path, GLOB_NOMAGIC, NULL, &g)) {
		add_path(p, path, operand);
		return;
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		add_path(p, g.gl_pathv[i], operand);
	globfree(&g);
}

static uint64_t side_of(void *arg, size_t operand)
{
	return ((const struct pass *)arg)->v[operand].side;
}

/* ---- what is in them ---- */

static void take_members(struct pass *p, struct tm_source *archive, const struct tm_walk_file *f,
                         unsigned depth);

/* One source; `inside` = it was not named by the user but found in something that was. */
static void take_source(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
                        bool inside, unsigned depth)
{
	struct tm_diag d = { 0 };
	enum tm_status st;

	if (tm_source_is_archive(s)) {
		take_members(p, s, f, depth + 1);
		return;
	}
	st = p->q->take(p->acc, s, p->v[f->operand].side, p->rep, &d);
	p->taken[f->operand] += st == TM_ST_OK || st == TM_ST_WARN;
	if (st == TM_ST_FATAL)
		p->no_memory = true;
	/* What stands behind the fault may be just what was asked for. */
	else if (st == TM_ST_SKIP && tm_source_failed(s, &d))
		fault_of(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_WARN || (st == TM_ST_SKIP && !inside))
		fault_of(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_SKIP && p->c->verbose)
		tm_report_add(p->rep, TM_SEV_NOTE, tm_source_name(s), d.line, "passed over: %s",
		              d.text);
}

static void take_members(struct pass *p, struct tm_source *archive, const struct tm_walk_file *f,
                         unsigned depth)
{
	struct tm_source *member;
	struct tm_diag d = { 0 };
	enum tm_status st;

	if (depth > TM_SOURCE_DEPTH)
		return;
	while (!p->no_memory && (st = tm_source_member(archive, &member, &d)) != TM_ST_END) {
		if (st != TM_ST_OK)
			fault_of(p, f->operand, tm_source_name(archive), &d);
		if (st == TM_ST_FATAL)
			return;
		if (st != TM_ST_OK)
			continue;
		take_source(p, member, f, true, depth);
		tm_source_close(member);
	}
}

static void take_file(struct pass *p, const struct tm_walk_file *f)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_open_head(f->path, f->head, &d);

	if (s)
		take_source(p, s, f, f->in_dir, 0);
	else
		fault_of(p, f->operand, f->path, &d);
	tm_source_close(s);
}

/* An operand that stands for several files has to hold one at least. */
static void judge(struct pass *p, size_t operand)
{
	size_t n = 0;

	if (p->taken[operand] || p->told[operand])
		return;
	for (size_t i = 0; i < p->walk.n; i++)
		n += p->walk.v[i].operand == operand;
	fault(p, operand, p->v[operand].path, 0, "contains no input of %s (%zu file%s looked at)",
	      p->q->name, n, n == 1 ? "" : "s");
}

bool tm_files_each(const struct common *c, const struct operand *v, size_t n,
                   const struct tm_question *q, void *acc, struct tm_report *rep)
{
	struct pass p = { .c = c, .q = q, .acc = acc, .v = v, .n = n, .rep = rep };
	size_t stdins = 0;

	p.taken = calloc(n ? n : 1, sizeof *p.taken);
	p.told = calloc(n ? n : 1, sizeof *p.told);
	p.no_memory = !p.taken || !p.told;
	for (size_t i = 0; i < n && !p.no_memory; i++) {
		if (!strcmp(v[i].path, "-") && stdins++)
			fault(&p, i, "-", 0, "standard input can be read only once");
		else
			add_operand(&p, i);
	}
	p.no_memory |= q->tables ? !tm_walk_mark_duplicates(&p.walk, side_of, &p)
	                         : !tm_walk_mark_same(&p.walk, side_of, &p);
	for (size_t i = 0; i < p.walk.n && !p.no_memory; i++) {
		const struct tm_walk_file *f = &p.walk.v[i];

		if (!f->duplicate) {
			take_file(&p, f);
			continue;
		}
		p.taken[f->operand]++;
		tm_report_add(rep, TM_SEV_NOTE, f->path, 0, "same %s as %s; counted once",
		              q->tables ? "content" : "file", p.walk.v[f->same_as].path);
	}
	for (size_t i = 0; i < p.walk.n && !p.no_memory; i++)
		if (p.walk.v[i].unread)
			p.told[p.walk.v[i].operand] |= tm_report_unread(
			        rep, p.walk.v[i].path,
			        "cannot read: ", strerror(p.walk.v[i].unread));
	for (size_t i = 0; i < n && !p.no_memory; i++)
		judge(&p, i);
	tm_walk_fini(&p.walk);
	free(p.taken);
	free(p.told);
	return !p.no_memory && !rep->lost;
}

int tm_run_question(struct common *c, const struct tm_question *q, const void *o,
                    const struct operand *v, size_t n)
{
	static const struct operand standard_input = { .path = "-" };
	struct show show = { .view = q->columns, .crlf = q->crlf, .whole = q->whole };
	struct tm_report rep = { 0 };
	struct tm_table t = { 0 };
	struct tm_diag d = { 0 };
	void *acc = calloc(1, q->size);
	enum tm_status st = TM_ST_FATAL;
	int status = EXIT_TROUBLE;
	bool usage = false;

	if (!c->format)
		c->format = q->format;
	if (!n && isatty(STDIN_FILENO))
		tm_diag_set(&d, 0, "no input: give a file, a directory, or - for standard input");
	/* Which columns there are, the files say. */
	if (*d.text || (!q->grows && !tm_show_options(&show, c, &d))) {
		free(acc);
		return tm_usage_error(c, &d);
	}
	if (acc && q->init(acc, o)) {
		if (tm_files_each(c, n ? v : &standard_input, n ? n : 1, q, acc, &rep))
			st = q->fill(acc, &t, &rep);
		if (t.failed)
			st = TM_ST_FATAL;
		if (st != TM_ST_FATAL && q->grows) {
			show.view = t.columns[0];
			usage = !tm_show_options(&show, c, &d);
		}
		if (st != TM_ST_FATAL && !usage &&
		    (t.failed || !tm_show_shape(&show, &t, &rep) || rep.lost))
			st = TM_ST_FATAL;
		if (usage)
			status = tm_usage_error(c, &d);
		else if (st != TM_ST_FATAL)
			status = tm_show_table(&show, c, q->name, &t, &rep);
		/* An empty answer is never a good one. */
		if (st == TM_ST_END)
			status = EXIT_TROUBLE;
		tm_table_fini(&t);
		q->fini(acc);
	}
	if (st == TM_ST_FATAL)
		tm_say(c, TM_SEV_ERROR, NULL, 0, "out of memory");
	tm_report_fini(&rep);
	free(acc);
	return status;
}
