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

/* The number that RANK= gave a trace of a database, now or when it was merged, + 1; 0 = none. */
static uint64_t origin_given(const struct inputs *in, size_t input, const struct tm_origin *o)
{
	uint64_t given = tm_inputs_given(in, input);

	return !given && o->id.rule == TM_RANK_GIVEN ? o->id.rank + 1 : given;
}

/* Nothing but which GPUs there are: all runs of one machine say the same. */
static bool is_gpus(const struct tm_origin *o)
{
	return tm_reader_facts(o->id.format).holds == TM_HOLDS_GPUS;
}

/* May they be the same, as far as RANK= says? */
static bool same_rank(uint64_t a, uint64_t b)
{
	return !a || !b || a == b;
}

static bool same_trace(const struct tm_origin *a, const struct tm_origin *b)
{
	return a->has_content && b->has_content && a->content == b->content &&
	       a->loss.rows == b->loss.rows && !strcmp(a->id.format, b->id.format) &&
	       tm_content_sizes(&a->id, &b->id, a->loss.rows) && !strcmp(a->id.table, b->id.table);
}

/* What a database holds several times was kept apart when it was merged.  If RANK= did that, and
 * now gives all of it one number, nothing does any longer. */
static bool one_rank_now(const struct inputs *in, size_t input, const struct tm_origin *a,
                         const struct tm_origin *b)
{
	return tm_inputs_given(in, input) && a->id.rule == TM_RANK_GIVEN &&
	       b->id.rule == TM_RANK_GIVEN && a->id.rank != b->id.rank;
}

/* The database that holds this origin among those known; SIZE_MAX = none. */
static size_t known_in(const struct inputs *in, const struct known *k, size_t input,
                       const struct tm_origin *o)
{
	for (size_t i = 0; i < k->n; i++)
		if (same_trace(k->v[i].o, o) &&
		    (k->v[i].input != input || one_rank_now(in, input, k->v[i].o, o)) &&
		    same_rank(origin_given(in, k->v[i].input, k->v[i].o),
		              origin_given(in, input, o)))
			return k->v[i].input;
	return SIZE_MAX;
}

/* ---- traces that are given as a file, and are in a database ---- */

/* The file counts: a database may have no more than the sums. */
struct twin {
	size_t file, db, origin; /* inputs, and which origin of the second */
	bool alone;              /* it is all there is in the file, and tells whose that is */
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

static bool has_content(const struct tm_member *e, const struct tm_content *c)
{
	const struct tm_trace_id id = { .path = c->path,
		                        .format = e->o->id.format,
		                        .bytes = c->bytes };

	return !e->twin && e->o->has_content && e->o->content == c->hash &&
	       tm_content_sizes(&e->o->id, &id, c->events) && e->o->loss.rows == c->events &&
	       !strcmp(e->o->id.table, c->table);
}

/* The number that an input has or, given none, takes over from those it may be: the smallest, in
 * whatever order they are given.  + 1; 0 = none. */
static uint64_t number_among(const struct inputs *in, const struct members *m, size_t file,
                             const struct tm_content *c)
{
	uint64_t least = tm_inputs_given(in, file);

	for (size_t i = 0; i < m->n && !tm_inputs_given(in, file); i++) {
		uint64_t given = origin_given(in, m->v[i].input, m->v[i].o);

		if (given && has_content(&m->v[i], c) && (!least || given < least))
			least = given;
	}
	return least;
}

/* The members of databases that input `file` is, once it has been read. */
static bool match_members(struct inputs *in, struct members *m, size_t file,
                          const struct tm_content *c, bool alone)
{
	uint64_t number = number_among(in, m, file, c);

	for (size_t i = 0; i < m->n; i++) {
		struct tm_member *e = &m->v[i];
		uint64_t given = origin_given(in, e->input, e->o);

		if (!has_content(e, c) || !same_rank(number, given))
			continue;
		if (!tm_grow_array(&in->twin, &in->twin_cap, in->ntwins + 1, sizeof *in->twin))
			return false;
		e->twin = true;
		in->twin[in->ntwins++] = (struct twin) {
			.file = file,
			.db = e->input,
			.origin = e->index,
			.alone = alone && !is_gpus(e->o),
			.rank = given ? given - 1 : e->o->id.rank,
			.rule = given ? TM_RANK_GIVEN : (enum tm_rank_rule)e->o->id.rule
		};
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

	d.processes = NULL;
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
	/* A file is read for this only when a database has a trace of just its size, or one of the
	 * two is compressed, an archive or came through a pipe. */
	for (size_t i = 0; ok && m.n && i < in->n; i++) {
		bool candidate = false;

		for (size_t k = 0; k < m.n && !in->look[i].store && in->v[i].size; k++)
			candidate |= in->look[i].packed || m.v[k].o->id.bytes == in->v[i].size ||
			             !m.v[k].o->id.bytes || tm_watch_is_packed(m.v[k].o->id.path);
		ok = !candidate || read_content(in, c, &m, i);
	}
	free(m.v);
	return ok;
}

/* The twin of a member of a database, or of a file (origin SIZE_MAX), then that with the strongest
 * rule; NULL = none. */
static const struct twin *twin_of(const struct inputs *in, size_t input, size_t origin)
{
	const struct twin *best = NULL;

	for (size_t i = 0; i < in->ntwins; i++) {
		const struct twin *t = &in->twin[i];

		if ((origin == SIZE_MAX ? t->file == input
		                        : t->db == input && t->origin == origin) &&
		    (!best || t->rule < best->rule))
			best = t;
	}
	return best;
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

/* Traces of a database that are somewhere else, too, where they count: one and how many. */
struct elsewhere {
	const char *path;
	size_t n;
};

static void count_elsewhere(struct elsewhere *e, const struct tm_origin *o)
{
	if (!e->n++)
		e->path = o->id.path;
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

/* What is left out of a database, by where else it is. */
struct left {
	struct elsewhere file, db, rank;
};

/* Does anything of that run count that a database has? */
static bool run_counts(const struct inputs *in, size_t i, const char *run)
{
	const struct look *l = &in->look[i];

	for (size_t j = 0; j < l->norigins; j++)
		if (!in->leave[i][j] && !is_gpus(&l->origin[j]) &&
		    !strcmp(l->origin[j].id.run, run))
			return true;
	return false;
}

/* A database: its traces that are somewhere else are left out.  `given`: look at those that RANK=
 * gave a number, or at the others; `gpus`: at descriptions of GPUs, or at the others, which come
 * first.  A description stays with its run. */
static bool leave_known(struct inputs *in, struct known *k, size_t i, bool gpus, bool given,
                        struct left *left)
{
	const struct look *l = &in->look[i];

	if (!tm_grow_array(&k->v, &k->cap, k->n + l->norigins, sizeof *k->v))
		return false;
	for (size_t j = 0; j < l->norigins; j++) {
		const struct tm_origin *o = &l->origin[j];
		size_t where;

		if (gpus != is_gpus(o) || given != (origin_given(in, i, o) != 0))
			continue;
		where = twin_of(in, i, j) ? SIZE_MAX : known_in(in, k, i, o);
		in->leave[i][j] = (where != SIZE_MAX || twin_of(in, i, j)) &&
		                  !(gpus && run_counts(in, i, o->id.run));
		if (in->leave[i][j]) {
			count_elsewhere(where == SIZE_MAX ? &left->file
			                : where == i      ? &left->rank
			                                  : &left->db,
			                o);
			continue;
		}
		k->v[k->n].o = o;
		k->v[k->n++].input = i;
	}
	return true;
}

static bool make_leave(struct inputs *in, size_t i)
{
	in->leave[i] = calloc(in->look[i].norigins, sizeof **in->leave);
	in->v[i].leave = in->leave[i];
	in->v[i].nleave = in->look[i].norigins;
	return in->leave[i] != NULL;
}

/* ---- files that are no longer what a database was made of ---- */

/* "host:directory/stem", and the name: the same for one file, wherever it is named from.  False
 * when out of memory. */
static bool key_of(struct tm_buf *b, const char *run, const char *path)
{
	tm_buf_clear(b);
	return tm_buf_fmt(b, "%s\n%s", run, tm_path_base(path));
}

/* The files among the inputs: *names, and of each its input.  NULL when out of memory. */
static size_t *name_files(const struct inputs *in, struct tm_names *names)
{
	size_t *of = calloc(in->n + 1, sizeof *of);
	struct tm_buf b = { 0 };
	bool ok = of != NULL;

	for (size_t i = 0; ok && i < in->n; i++) {
		uint32_t id;

		if (in->look[i].store || in->look[i].packed)
			continue;
		ok = key_of(&b, in->runs[i], in->v[i].path);
		id = ok ? tm_names_add(names, b.p, b.n) : TM_NAME_NONE;
		ok = id != TM_NAME_NONE;
		if (ok)
			of[id] = i;
	}
	tm_buf_fini(&b);
	if (!ok)
		free(of);
	return ok ? of : NULL;
}

/* The files among the inputs. */
struct files {
	struct tm_names names;
	size_t *of;    /* of each name, its input */
	bool *counted; /* of each name: some database has it as it is now */
};

/* The file that a database was made of; TM_NAME_NONE: it is not among the inputs.  False when out
 * of memory. */
static bool file_of(const struct files *f, const struct tm_origin *o, uint32_t *id)
{
	struct tm_buf b = { 0 };
	bool ok = key_of(&b, o->id.own_run ? o->id.own_run : o->id.run, o->id.path);

	*id = ok && !is_gpus(o) ? tm_names_find(&f->names, b.p, b.n) : TM_NAME_NONE;
	tm_buf_fini(&b);
	return ok;
}

static bool note_counted(const struct inputs *in, size_t db, struct files *f)
{
	for (size_t j = 0; j < in->look[db].norigins; j++) {
		uint32_t id;

		if (!file_of(f, &in->look[db].origin[j], &id))
			return false;
		if (in->leave[db][j] && id != TM_NAME_NONE)
			f->counted[id] = true;
	}
	return true;
}

/* A database that holds a file as it was, which would count next to what it is now: of databases
 * of two executions both count, so they do next to the file of one of them.  False when out of
 * memory. */
static bool refuse_replaced(struct inputs *in, size_t db, const struct files *f,
                            struct tm_report *rep)
{
	for (size_t j = 0; !in->replaced && j < in->look[db].norigins; j++) {
		const struct tm_origin *o = &in->look[db].origin[j];
		uint32_t id;

		if (!file_of(f, o, &id))
			return false;
		if (in->leave[db][j] || id == TM_NAME_NONE || f->counted[id] ||
		    !same_rank(tm_inputs_given(in, f->of[id]), origin_given(in, db, o)))
			continue;
		in->replaced = true;
		tm_report_add(rep, TM_SEV_ERROR, in->v[db].path, 0,
		              "made of %.300s, which has changed since, or only of a part; "
		              "give one of the two",
		              in->v[f->of[id]].path);
	}
	return true;
}

static bool find_replaced(struct inputs *in, struct tm_report *rep)
{
	struct files f = { 0 };
	bool any = false, ok;

	for (size_t i = 0; i < in->n; i++)
		any |= in->look[i].norigins != 0;
	if (!any)
		return true;
	f.of = name_files(in, &f.names);
	f.counted = calloc((size_t)f.names.n + 1, sizeof *f.counted);
	ok = f.of && f.counted;
	for (size_t i = 0; ok && i < in->n; i++)
		ok = note_counted(in, i, &f);
	for (size_t i = 0; ok && i < in->n; i++)
		ok = refuse_replaced(in, i, &f, rep);
	free(f.of);
	free(f.counted);
	tm_names_fini(&f.names);
	return ok;
}

/* Traces with a number that RANK= gave them go first: what has none may be one of them. */
bool tm_inputs_leave_known(struct inputs *in, struct tm_report *rep)
{
	struct left *left = calloc(in->n + 1, sizeof *left);
	struct known k = { 0 };
	bool ok = left != NULL;

	for (size_t i = 0; ok && i < in->n; i++)
		ok = !in->look[i].norigins || make_leave(in, i);
	for (int pass = 0; pass < 4; pass++)
		for (size_t i = 0; ok && i < in->n; i++)
			ok = !in->look[i].norigins ||
			     leave_known(in, &k, i, pass / 2, !(pass % 2), &left[i]);
	for (size_t i = 0; ok && i < in->n; i++) {
		note(rep, in->v[i].path, &left[i].file, "given as a file");
		note(rep, in->v[i].path, &left[i].db, "in another database");
		note(rep, in->v[i].path, &left[i].rank, "given for another rank");
	}
	free(k.v);
	free(left);
	return ok && find_replaced(in, rep);
}
