/* SPDX-License-Identifier: MIT */
#include "cli/operands/files.h"

#include "cli/frame/frame.h"
#include "cli/operands/look.h"
#include "io/io.h"
#include "runs/runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One source of those that can be read again. */
struct leaf {
	uint64_t start; /* tm_watch_start */
	uint64_t bytes, hash;
	uint64_t side;
	char *name;
	size_t same_as; /* an earlier one with the same bytes, SIZE_MAX = none */
	bool begun;     /* another one begins as it does: its bytes are worth reading */
	bool passed;    /* the question did not know it */
};

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
	/* What is done with each source that is no archive. */
	void (*leaf)(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
	             bool inside);
	bool looking; /* nothing is told yet */
	bool packed;  /* some are compressed, or in an archive */
	struct leaf *seen;
	size_t nseen, seen_cap, at; /* the number of the next one */
};

/* Something is wrong with what an operand stands for. */
static void fault(void *arg, size_t operand, const char *where, const struct tm_diag *d)
{
	struct pass *p = arg;

	if (d->status == TM_ST_NOMEM)
		p->no_memory = true;
	if (p->looking)
		return;
	p->told[operand] = true;
	if (!p->no_memory)
		tm_report_diag(p->rep, where, d);
}

/* Can it be read again?  What comes through a pipe is there once. */
static bool again(const struct tm_walk_file *f)
{
	return f->size != 0;
}

/* ---- what is in them ---- */

static void take_members(struct pass *p, struct tm_source *archive, const struct tm_walk_file *f,
                         unsigned depth);

/* One source; `inside` = it was not named by the user but found in something that was. */
static void take_source(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
                        bool inside, unsigned depth)
{
	if (tm_source_is_archive(s)) {
		p->packed = true;
		take_members(p, s, f, depth + 1);
	} else {
		p->leaf(p, s, f, inside);
	}
}

/* It was found to be the same as `other`, which the question did not know either. */
static void pass_over(struct pass *p, const char *path, const char *other)
{
	if (p->c->say.verbose)
		tm_report_add(p->rep, TM_SEV_NOTE, path, 0, "skipped: same content as %s", other);
}

/* The question takes it. */
static void take_leaf(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
                      bool inside)
{
	struct tm_diag d = { 0 };
	enum tm_status st;
	size_t at = again(f) && p->at < p->nseen ? p->at++ : SIZE_MAX;
	struct leaf *l = at != SIZE_MAX ? &p->seen[at] : NULL;

	if (l && l->same_as != SIZE_MAX) {
		const struct leaf *of = &p->seen[l->same_as];

		if (inside && of->passed) {
			pass_over(p, tm_source_name(s), of->name);
			return;
		}
		p->taken[f->operand]++;
		tm_report_add(p->rep, TM_SEV_NOTE, tm_source_name(s), 0,
		              "same content as %s; counted once", of->name);
		return;
	}
	st = p->q->take(p->acc, s, p->v[f->operand].side, p->rep, &d);
	if (l)
		l->passed = st == TM_ST_SKIP;
	p->taken[f->operand] += st == TM_ST_OK || st == TM_ST_WARN;
	if (st == TM_ST_FATAL)
		p->no_memory = true;
	/* What stands after the fault may be just what was asked for. */
	else if (st == TM_ST_SKIP && tm_source_failed(s, &d))
		fault(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_WARN || (st == TM_ST_SKIP && !inside))
		fault(p, f->operand, tm_source_name(s), &d);
	else if (st == TM_ST_SKIP && p->c->say.verbose)
		tm_report_add(p->rep, TM_SEV_NOTE, tm_source_name(s), d.line, "skipped: %s",
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

static void take_file(struct pass *p, struct tm_walk_file *f)
{
	struct tm_diag d = { 0 };
	struct tm_source *s = tm_source_open_head(f->path, tm_walk_head(f), &d);

	if (s)
		take_source(p, s, f, f->in_dir, 0);
	else
		fault(p, f->operand, f->path, &d);
	tm_source_close(s);
}

/* ---- what is there twice, once compressed or in an archive ---- */

/* How it begins. */
static void look_leaf(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
                      bool inside)
{
	const unsigned char *begin;
	struct leaf *l;
	uint64_t size;
	size_t n;
	int fd;

	(void)inside;
	p->packed |= !tm_source_regular(s, &fd, &size);
	if (!tm_grow_array(&p->seen, &p->seen_cap, p->nseen + 1, sizeof *p->seen)) {
		p->no_memory = true;
		return;
	}
	l = &p->seen[p->nseen++];
	*l = (struct leaf) { .side = p->v[f->operand].side,
		             .name = strdup(tm_source_name(s)),
		             .hash = TM_HASH_STABLE,
		             .same_as = SIZE_MAX };
	p->no_memory |= !l->name;
	if (tm_source_peek(s, &begin, &n, NULL) == TM_ST_OK)
		l->start = tm_watch_start(begin, n);
}

/* All of it, where that matters. */
static void read_leaf(struct pass *p, struct tm_source *s, const struct tm_walk_file *f,
                      bool inside)
{
	struct leaf *l = p->at < p->nseen ? &p->seen[p->at++] : NULL;
	unsigned char *buf;
	enum tm_status st = TM_ST_OK;
	size_t n;

	(void)inside;
	(void)f;
	if (!l || !l->begun)
		return;
	buf = malloc(TM_SOURCE_PEEK);
	p->no_memory |= !buf;
	while (buf && (st = tm_source_read(s, buf, TM_SOURCE_PEEK, &n, NULL)) == TM_ST_OK) {
		l->hash = tm_hash_stable(l->hash, (const char *)buf, n);
		l->bytes += n;
	}
	l->begun = st == TM_ST_END;
	free(buf);
}

static int by_start(const void *pa, const void *pb)
{
	const struct leaf *const *a = pa, *const *b = pb;
	/* Those without a number come last: they are copies of one that has it. */
	uint64_t side_a = (*a)->side - 1, side_b = (*b)->side - 1;
	int c = ((*a)->start > (*b)->start) - ((*a)->start < (*b)->start);

	if (!c)
		c = ((*a)->hash > (*b)->hash) - ((*a)->hash < (*b)->hash);
	if (!c)
		c = ((*a)->bytes > (*b)->bytes) - ((*a)->bytes < (*b)->bytes);
	if (!c)
		c = (side_a > side_b) - (side_a < side_b);
	return c ? c : strcmp((*a)->name, (*b)->name);
}

/* Is b a copy of a?  Two processes may leave the same log; but not a file and the same packed. */
static bool is_copy(const struct pass *p, const struct leaf *a, const struct leaf *b)
{
	return a->start && a->start == b->start && a->hash == b->hash && a->bytes == b->bytes &&
	       (a->side == b->side || (p->q->numbered && !b->side)) &&
	       (p->q->tables || tm_content_packed(b->name, a->name));
}

/* Those that are as others are, by what is known of them by now.  *any: there are some.  False when
 * out of memory. */
static bool compare_leaves(struct pass *p, bool read, bool *any)
{
	struct leaf **v = malloc((p->nseen + 1) * sizeof *v);

	*any = false;
	for (size_t i = 0; v && i < p->nseen; i++)
		v[i] = &p->seen[i];
	if (v && p->nseen)
		qsort(v, p->nseen, sizeof *v, by_start);
	for (size_t i = 1, first = 0; v && i < p->nseen; i++) {
		struct leaf *a = v[first], *b = v[i];

		if (!is_copy(p, a, b)) {
			first = i;
			continue;
		}
		*any = true;
		if (!read)
			a->begun = b->begun = true;
		else if (a->begun && b->begun)
			b->same_as = (size_t)(a - p->seen);
	}
	free(v);
	return v != NULL;
}

static void each_file(struct pass *p, void (*leaf)(struct pass *p, struct tm_source *s,
                                                   const struct tm_walk_file *f, bool inside))
{
	p->leaf = leaf;
	p->at = 0;
	for (size_t i = 0; i < p->walk.n && !p->no_memory; i++)
		if (!p->walk.v[i].duplicate && again(&p->walk.v[i]))
			take_file(p, &p->walk.v[i]);
}

/* What the walk cannot see, for it compares files as they lie there.  Only where something is
 * packed, and begins as something else does, is anything read for it. */
static void find_copies(struct pass *p)
{
	bool any = false;

	p->looking = true;
	each_file(p, look_leaf);
	p->no_memory |= p->packed && !p->no_memory && !compare_leaves(p, false, &any);
	if (any && !p->no_memory) {
		each_file(p, read_leaf);
		p->no_memory |= !compare_leaves(p, true, &any);
	}
	p->looking = false;
	p->leaf = take_leaf;
	p->at = 0;
}

/* Those that count, then their copies: of what the question does not know, a copy is nothing that
 * the user has to know of. */
static void take_files(struct pass *p)
{
	bool *known = calloc(p->walk.n ? p->walk.n : 1, sizeof *known);

	p->no_memory |= !known;
	for (size_t i = 0; i < p->walk.n && !p->no_memory; i++) {
		struct tm_walk_file *f = &p->walk.v[i];
		size_t before = p->taken[f->operand];

		if (f->duplicate)
			continue;
		take_file(p, f);
		known[i] = p->taken[f->operand] > before;
	}
	for (size_t i = 0; i < p->walk.n && !p->no_memory; i++) {
		const struct tm_walk_file *f = &p->walk.v[i];

		if (!f->duplicate)
			continue;
		if (f->in_dir && !known[f->same_as]) {
			pass_over(p, f->path, p->walk.v[f->same_as].path);
			continue;
		}
		p->taken[f->operand]++;
		tm_operand_twice(&p->walk, i, p->q->tables ? "content" : "file", p->rep);
	}
	free(known);
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
	p.no_memory |= q->tables ? !tm_walk_mark_duplicates(&p.walk, group, NULL, sides)
	                         : !tm_walk_mark_same(&p.walk, group, sides);
	p.leaf = take_leaf;
	if (!p.no_memory)
		find_copies(&p);
	take_files(&p);
	for (size_t i = 0; i < p.walk.n && !p.no_memory; i++)
		if (p.walk.v[i].unread)
			p.told[p.walk.v[i].operand] |= tm_report_unread(
			        rep, p.walk.v[i].path,
			        "cannot read: ", strerror(p.walk.v[i].unread));
	for (size_t i = 0; i < n && !p.no_memory; i++)
		judge(&p, i);
	tm_walk_fini(&p.walk);
	for (size_t i = 0; i < p.nseen; i++)
		free(p.seen[i].name);
	free(p.seen);
	free(p.taken);
	free(p.told);
	return !p.no_memory && !rep->lost;
}

/* What is wrong with an operand is told when it is read. */
static void walk_fault(void *arg, size_t operand, const char *path, const struct tm_diag *d)
{
	(void)arg;
	(void)operand;
	(void)path;
	(void)d;
}

/* Is the file of -o one of those that are read, and would be gone?  Then *d says so. */
static bool replaces_input(const struct common *c, const struct operand *v, size_t n,
                           struct tm_diag *d)
{
	const char *path = c->out.output;
	struct tm_walk w = { 0 };
	bool found = false;

	if (!path || access(path, F_OK))
		return false;
	if (tm_operands_walk(v, n, true, &w, walk_fault, NULL))
		for (size_t i = 0; i < w.n && !found; i++)
			found = tm_output_same(path, w.v[i].path) && tm_look_other(&w.v[i]);
	if (found)
		tm_output_lost(d, "-o", path);
	tm_walk_fini(&w);
	return found;
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
	if (!tm_operands_some(n, &d) || (!q->grows && !tm_show_options(&show, &c->out, &d)) ||
	    replaces_input(c, v, n, &d)) {
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
