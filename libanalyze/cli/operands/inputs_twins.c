/* SPDX-License-Identifier: MIT
 * Traces that are there twice: in two databases, or as a file and in a database. */
#include "cli/operands/inputs_parts.h"
#include "runs/runs.h"

#include <stdlib.h>
#include <string.h>

/* The origins of the databases among the inputs, while it is decided which of them count. */
struct known {
	struct {
		const struct tm_origin *o;
		size_t input;
	} * v;
	size_t n, cap;
};

static bool same_trace(const struct tm_origin *a, const struct tm_origin *b)
{
	const unsigned given = TM_RANK_GIVEN;

	return a->has_content && b->has_content && a->content == b->content &&
	       a->id.bytes == b->id.bytes && a->id.bytes && a->loss.rows == b->loss.rows &&
	       !strcmp(a->id.table, b->id.table) &&
	       ((a->id.rule != given && b->id.rule != given) || a->id.rank == b->id.rank);
}

/* Is this origin in a database before? */
static bool known_before(const struct inputs *in, const struct known *k, size_t input,
                         const struct tm_origin *o)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].input != input && same_trace(k->v[i].o, o) &&
		    tm_inputs_given(in, k->v[i].input) == tm_inputs_given(in, input))
			return true;
	return false;
}

/* ---- traces that are given as a file, and are in a database ---- */

/* The file counts: a database may have no more than the sums. */
struct twin {
	size_t file, db, origin; /* inputs, and which origin of the second */
	bool alone;              /* it is all there is in the file */
	uint64_t rank;           /* of it */
	enum tm_rank_rule rule;
};

/* What is asked of the databases before anything is read. */
struct tm_member {
	const struct tm_origin *o;
	size_t input, index;
	bool twin;
};

struct members {
	struct tm_member *v;
	size_t n, cap;
};

static bool add_members(struct members *m, size_t input, const struct look *l)
{
	if (!tm_grow_array(&m->v, &m->cap, m->n + l->norigins, sizeof *m->v))
		return false;
	for (size_t j = 0; j < l->norigins; j++)
		m->v[m->n++] = (struct tm_member) { .o = &l->origin[j],
			                            .input = input,
			                            .index = j };
	return true;
}

/* May they be the same, as far as RANK= on the command line, now or then, says? */
static bool same_rank(const struct inputs *in, size_t file, const struct tm_member *m)
{
	uint64_t a = tm_inputs_given(in, file), b = tm_inputs_given(in, m->input);

	if (!b && m->o->id.rule == TM_RANK_GIVEN)
		b = m->o->id.rank + 1;
	return !a || !b || a == b;
}

/* The members of databases that input `file` is, once it has been read. */
static bool match_members(struct inputs *in, struct members *m, size_t file,
                          const struct tm_content *c, bool alone)
{
	for (size_t i = 0; i < m->n; i++) {
		struct tm_member *e = &m->v[i];

		if (e->twin || !e->o->has_content || e->o->content != c->hash ||
		    e->o->id.bytes != c->bytes || e->o->loss.rows != c->events ||
		    strcmp(e->o->id.table, c->table) != 0 || !same_rank(in, file, e))
			continue;
		if (!tm_grow_array(&in->twin, &in->twin_cap, in->ntwins + 1, sizeof *in->twin))
			return false;
		e->twin = true;
		in->twin[in->ntwins++] = (struct twin) { .file = file,
			                                 .db = e->input,
			                                 .origin = e->index,
			                                 .alone = alone,
			                                 .rank = e->o->id.rank,
			                                 .rule = (enum tm_rank_rule)e->o->id.rule };
	}
	return true;
}

/* Read one file for what its events add up to. */
static bool read_content(struct inputs *in, const struct common *c, struct members *m, size_t file)
{
	struct tm_drive d = tm_inputs_drive(
	        in, c, TM_EV_ALL & ~(TM_EV_BIT(TM_EVC_SKETCH) | TM_EV_BIT(TM_EVC_STATE)));
	struct tm_input one = in->v[file];
	struct tm_contents total = { 0 };
	struct tm_report rep = { 0 };
	bool ok;

	d.filter = NULL;
	one.run = "";
	ok = tm_drive_run(&d, &one, 1, &tm_content_sink, &total, &rep) == TM_ST_OK && !rep.lost;
	/* Of what else is wrong with it will be heard when it is read for good. */
	for (size_t i = 0; ok && i < rep.n; i++)
		ok = !rep.v[i].no_memory;
	for (size_t i = 0; ok && i < total.n; i++)
		ok = match_members(in, m, file, &total.v[i], total.n == 1);
	tm_content_sink.fini(&total);
	tm_report_fini(&rep);
	return ok;
}

bool tm_inputs_find_twins(struct inputs *in, const struct common *c)
{
	struct members m = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < in->n; i++)
		ok = !in->look[i].store || add_members(&m, i, &in->look[i]);
	/* A file is read for this only when a database has a trace of just its size. */
	for (size_t i = 0; ok && m.n && i < in->n; i++) {
		bool candidate = false;

		for (size_t k = 0; k < m.n && !in->look[i].store && in->v[i].size; k++)
			candidate |= m.v[k].o->id.bytes == in->v[i].size;
		ok = !candidate || read_content(in, c, &m, i);
	}
	free(m.v);
	return ok;
}

/* The twin of a member of a database, or of a file (origin SIZE_MAX); NULL = none. */
static const struct twin *twin_of(const struct inputs *in, size_t input, size_t origin)
{
	for (size_t i = 0; i < in->ntwins; i++) {
		const struct twin *t = &in->twin[i];

		if (origin == SIZE_MAX ? t->file == input : t->db == input && t->origin == origin)
			return t;
	}
	return NULL;
}

/* Members of an archive have paths of their own. */
bool tm_inputs_rank_of_twin(const struct inputs *in, size_t file, struct tm_input *v)
{
	const struct twin *t = twin_of(in, file, SIZE_MAX);

	if (!t || !t->alone || t->rule >= v->rule)
		return false;
	v->rank = t->rank;
	v->rule = t->rule;
	return true;
}

/* Traces of a database that are somewhere else, too, where they count: the first and how many. */
struct elsewhere {
	const char *path;
	size_t n;
};

static bool is_elsewhere(struct elsewhere *e, bool yes, const struct tm_origin *o)
{
	if (yes && !e->n++)
		e->path = o->id.path;
	return yes;
}

/* One note, of however many ranks: a job has hundreds. */
static void note(struct tm_report *rep, const char *db, const struct elsewhere *e,
                 const char *where)
{
	if (e->n == 1)
		tm_report_add(rep, TM_SEV_NOTE, db, 0,
		              "%s: the same trace is also %s; counted once", e->path, where);
	else if (e->n)
		tm_report_add(rep, TM_SEV_NOTE, db, 0,
		              "%s and %zu more trace%s are also %s; counted once", e->path,
		              e->n - 1, e->n == 2 ? "" : "s", where);
}

/* A database: its traces that are somewhere else are left out. */
static bool leave_known(struct inputs *in, struct known *k, size_t i, struct tm_report *rep)
{
	const struct look *l = &in->look[i];
	bool *leave = calloc(l->norigins, sizeof *leave);
	struct elsewhere file = { 0 }, db = { 0 };

	in->leave[i] = leave;
	in->v[i].leave = leave;
	in->v[i].nleave = l->norigins;
	if (!leave || !tm_grow_array(&k->v, &k->cap, k->n + l->norigins, sizeof *k->v))
		return false;
	for (size_t j = 0; j < l->norigins; j++) {
		const struct tm_origin *o = &l->origin[j];

		leave[j] = is_elsewhere(&file, twin_of(in, i, j), o) ||
		           is_elsewhere(&db, known_before(in, k, i, o), o);
		if (leave[j])
			continue;
		k->v[k->n].o = o;
		k->v[k->n++].input = i;
	}
	note(rep, in->v[i].path, &file, "given as a file");
	note(rep, in->v[i].path, &db, "in another database");
	return true;
}

bool tm_inputs_leave_known(struct inputs *in, struct tm_report *rep)
{
	struct known k = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < in->n; i++)
		ok = !in->look[i].norigins || leave_known(in, &k, i, rep);
	free(k.v);
	return ok;
}
