/* SPDX-License-Identifier: MIT */
#include "cli/operands/files.h"

#include "cli/frame/frame.h"
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

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
static void fault(void *arg, size_t operand, const char *where, const struct tm_diag *d)
{
	struct pass *p = arg;

	p->told[operand] = true;
	if (d->status == TM_ST_NOMEM)
		p->no_memory = true;
	else
		tm_report_diag(p->rep, where, d);
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
		fault(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_WARN || (st == TM_ST_SKIP && !inside))
		fault(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_SKIP && p->c->say.verbose)
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
			fault(p, f->operand, tm_source_name(archive), &d);
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
		fault(p, f->operand, f->path, &d);
	tm_source_close(s);
}

/* An operand that stands for several files has to hold one at least. */
static void judge(struct pass *p, size_t operand)
{
	struct tm_diag d;
	size_t n = 0;
	bool bare; /* "top", of libperf */

	if (p->taken[operand] || p->told[operand])
		return;
	for (size_t i = 0; i < p->walk.n; i++)
		n += p->walk.v[i].operand == operand;
	bare = strncmp(p->q->name, p->c->tool, strlen(p->c->tool)) != 0;
	tm_diag_set(&d, 0, "contains no input of %s%s%s (%zu file%s looked at)",
	            bare ? p->c->tool : "", bare ? " " : "", p->q->name, n, n == 1 ? "" : "s");
	fault(p, operand, p->v[operand].path, &d);
}

bool tm_files_each(const struct common *c, const struct operand *v, size_t n,
                   const struct tm_question *q, void *acc, struct tm_report *rep)
{
	struct pass p = { .c = c, .q = q, .acc = acc, .v = v, .n = n, .rep = rep };
	void *sides = (struct operand *)(uintptr_t)v;
	uint64_t (*group)(void *arg, size_t operand) = q->numbered ? tm_operand_number
	                                                           : tm_operand_side;

	p.taken = calloc(n ? n : 1, sizeof *p.taken);
	p.told = calloc(n ? n : 1, sizeof *p.told);
	p.no_memory = !p.taken || !p.told;
	p.no_memory |= !tm_operands_walk(v, n, true, &p.walk, fault, &p);
	p.no_memory |= q->tables ? !tm_walk_mark_duplicates(&p.walk, group, sides)
	                         : !tm_walk_mark_same(&p.walk, group, sides);
	for (size_t i = 0; i < p.walk.n && !p.no_memory; i++) {
		const struct tm_walk_file *f = &p.walk.v[i];

		if (!f->duplicate) {
			take_file(&p, f);
			continue;
		}
		p.taken[f->operand]++;
		tm_operand_twice(&p.walk, i, q->tables ? "content" : "file", rep);
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
	bool usage = false;
	int status;

	if (!c->out.format)
		c->out.format = q->format;
	/* Which columns there are, the files say. */
	if (!tm_operands_some(n, &d) || (!q->grows && !tm_show_options(&show, &c->out, &d))) {
		free(acc);
		return tm_usage_error(c, &d);
	}
	if (!acc || !q->init(acc, o)) {
		status = tm_answer(c, &show, q->name, TM_ST_FATAL, &t, &rep);
		goto done;
	}
	if (tm_files_each(c, n ? v : &standard_input, n ? n : 1, q, acc, &rep))
		st = q->fill(acc, &t, &rep);
	if (st != TM_ST_FATAL && !t.failed && q->grows) {
		show.view = t.columns[0];
		usage = !tm_show_options(&show, &c->out, &d);
	}
	if (usage) {
		status = tm_usage_error(c, &d);
		tm_table_fini(&t);
	} else {
		status = tm_answer(c, &show, q->name, st, &t, &rep);
	}
	q->fini(acc);
done:
	tm_report_fini(&rep);
	free(acc);
	return status;
}
