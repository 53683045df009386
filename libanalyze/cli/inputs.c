/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include "base/num.h"
#include "metric/content.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *operand_rank(const char *operand, uint64_t *given)
{
	const char *eq = strchr(operand, '=');
	uint64_t rank;

	*given = 0;
	if (!eq || !num_u64(operand, (size_t)(eq - operand), &rank) || rank == UINT64_MAX || !eq[1])
		return operand;
	*given = rank + 1;
	return eq + 1;
}

static uint64_t group_of_operand(void *arg, size_t operand)
{
	return ((struct inputs *)arg)->given[operand];
}

/* "host:/where/we/are/": names on two hosts, and in two directories, are not the same names. */
static char *where_we_are(void)
{
	char *dir = getcwd(NULL, 0), host[HOST_NAME_MAX + 1] = "", *out = NULL;
	struct buf b = { 0 };

	if (gethostname(host, sizeof host - 1))
		*host = '\0';
	if (buf_fmt(&b, "%s:%s/", host, dir ? dir : ""))
		out = b.p;
	else
		buf_fini(&b);
	free(dir);
	return out;
}

/* A look at a file before it is read. */
struct look {
	struct source *src;
	struct reader *db; /* its reader where it is a run.db, which holds traces of its own */
	bool trace;        /* it may be a trace, as far as its first bytes tell */
};

static void look_fini(struct look *l)
{
	reader_close(l->db);
	source_close(l->src);
}

/* False when out of memory.  What else cannot be looked at will be told when it is read.  `alone`: a
 * database is not opened, as there is nothing that its traces could be compared with. */
static bool look_at(struct look *l, const struct walk_file *f, const struct common *c, bool alone)
{
	const struct reader_ops *ops;
	const unsigned char *p;
	struct diag d = { 0 };
	size_t n;

	/* A pipe can be read once, so nobody looks. */
	*l = (struct look) { .trace = true };
	if (!f->size)
		return true;
	l->src = source_open(f->path, &d);
	l->trace = l->src != NULL;
	if (!l->src || source_is_archive(l->src) || c->from)
		return strcmp(d.text, diag_no_memory) != 0;
	if (source_peek(l->src, &p, &n, &d) == ST_FATAL)
		return strcmp(d.text, diag_no_memory) != 0;
	ops = reader_choose(p, n, n < SOURCE_PEEK, NULL, NULL);
	l->trace = ops != NULL;
	if (ops != reader_find("run-db"))
		return true;
	if (alone)
		l->trace = false;
	else
		l->db = reader_open(l->src, ops, 0, NULL, &d);
	return alone || l->db || strcmp(d.text, diag_no_memory) != 0;
}

/* The origins of the databases among the inputs, while it is decided which of them count. */
struct known {
	struct {
		struct origin o;
		size_t input;
	} * v;
	size_t n, cap;
};

static bool same_trace(const struct origin *a, const struct origin *b)
{
	const unsigned given = RANK_GIVEN;

	return a->has_content && b->has_content && a->content == b->content &&
	       a->bytes == b->bytes && a->bytes && a->loss.rows == b->loss.rows &&
	       !strcmp(a->table, b->table) &&
	       ((a->rule != given && b->rule != given) || a->rank == b->rank);
}

/* Is this origin in a database before? */
static bool known_before(const struct inputs *in, const struct known *k, size_t input,
                         const struct origin *o)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].input != input && same_trace(&k->v[i].o, o) &&
		    in->given[in->walk.v[k->v[i].input].operand] ==
		            in->given[in->walk.v[input].operand])
			return true;
	return false;
}

/* ---- traces that are given as a file, and are in a database ---- */

/* The file counts: a database may have no more than the sums. */
struct twin {
	size_t file, db, origin; /* inputs, and which origin of the second */
	bool alone;              /* it is all there is in the file */
	uint64_t rank;           /* of it */
	enum rank_rule rule;
};

/* What is asked of the databases before anything is read. */
struct member {
	struct origin o; /* its table is owned, no other text is there */
	size_t input, index;
	bool twin;
};

struct members {
	struct member *v;
	size_t n, cap;
};

static void members_fini(struct members *m)
{
	for (size_t i = 0; i < m->n; i++) {
		char *table;

		memcpy(&table, &m->v[i].o.table, sizeof table);
		free(table);
	}
	free(m->v);
}

static bool add_members(struct members *m, size_t input, const struct reader *r)
{
	if (!grow_array(&m->v, &m->cap, m->n + r->norigins, sizeof *m->v))
		return false;
	for (size_t j = 0; j < r->norigins; j++) {
		struct member *e = &m->v[m->n];

		*e = (struct member) { .o = r->origins[j], .input = input, .index = j };
		e->o.table = strdup(r->origins[j].table);
		if (!e->o.table)
			return false;
		m->n++;
	}
	return true;
}

static uint64_t given_rank(const struct inputs *in, size_t input)
{
	return in->given[in->walk.v[in->file[input]].operand];
}

/* May they be the same, as far as RANK= on the command line, now or then, says? */
static bool same_rank(const struct inputs *in, size_t file, const struct member *m)
{
	uint64_t a = given_rank(in, file), b = given_rank(in, m->input);

	if (!b && m->o.rule == RANK_GIVEN)
		b = m->o.rank + 1;
	return !a || !b || a == b;
}

/* The members of databases that input `file` is, once it has been read. */
static bool match_members(struct inputs *in, struct members *m, size_t file,
                          const struct content *c, bool alone)
{
	for (size_t i = 0; i < m->n; i++) {
		struct member *e = &m->v[i];

		if (e->twin || !e->o.has_content || e->o.content != c->hash ||
		    e->o.bytes != c->bytes || e->o.loss.rows != c->events ||
		    strcmp(e->o.table, c->table) != 0 || !same_rank(in, file, e))
			continue;
		if (!grow_array(&in->twin, &in->twin_cap, in->ntwins + 1, sizeof *in->twin))
			return false;
		e->twin = true;
		in->twin[in->ntwins++] = (struct twin) { .file = file,
			                                 .db = e->input,
			                                 .origin = e->index,
			                                 .alone = alone,
			                                 .rank = e->o.rank,
			                                 .rule = (enum rank_rule)e->o.rule };
	}
	return true;
}

/* Read one file for what its events add up to. */
static bool read_content(struct inputs *in, const struct common *c, struct members *m, size_t file)
{
	struct drive d = inputs_drive(in, c, EV_ALL & ~EV_BIT(EVC_SKETCH));
	struct input one = in->v[file];
	struct contents total = { 0 };
	struct report rep = { 0 };
	bool ok;

	one.run = "";
	ok = drive_run(&d, &one, 1, &content_sink, &total, &rep) == ST_OK && !rep.lost;
	/* Of what else is wrong with it will be heard when it is read for good. */
	for (size_t i = 0; ok && i < rep.n; i++)
		ok = strcmp(rep.v[i].text, diag_no_memory) != 0;
	for (size_t i = 0; ok && i < total.n; i++)
		ok = match_members(in, m, file, &total.v[i], total.n == 1);
	content_sink.fini(&total);
	report_fini(&rep);
	return ok;
}

/* All twins.  A file is read for this only when a database has a trace of just its size. */
static bool find_twins(struct inputs *in, const struct common *c)
{
	struct members m = { 0 };
	bool *db = calloc(in->n ? in->n : 1, sizeof *db);
	bool ok = db != NULL;

	/* It takes two. */
	if (in->n < 2) {
		free(db);
		return ok;
	}

	for (size_t i = 0; ok && i < in->n; i++) {
		struct look look;

		ok = look_at(&look, &in->walk.v[in->file[i]], c, false);
		db[i] = look.db != NULL;
		ok = ok && (!look.db || add_members(&m, i, look.db));
		look_fini(&look);
	}
	for (size_t i = 0; ok && i < in->n; i++) {
		bool candidate = false;

		for (size_t k = 0; k < m.n && !db[i] && in->v[i].size; k++)
			candidate |= m.v[k].o.bytes == in->v[i].size;
		ok = !candidate || read_content(in, c, &m, i);
	}
	members_fini(&m);
	free(db);
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

/* The rank of a file's twin, if a stronger rule gave it than v->rule.  Members of an archive have paths
 * of their own. */
static bool rank_of_twin(const struct inputs *in, size_t file, struct input *v)
{
	const struct twin *t = twin_of(in, file, SIZE_MAX);

	if (!t || !t->alone || t->rule >= v->rule)
		return false;
	v->rank = t->rank;
	v->rule = t->rule;
	return true;
}

/* A run of a database that has a rank by order: it may have one already, else its own behind those
 * that are dealt so far.  What had one rank there (members of an archive) has one rank again, and a
 * number that was left free there is free again. */
static bool deal_rank(struct inputs *in, uint64_t base, const struct origin *o)
{
	uint64_t rank;

	if (run_ranks_find(&in->order, o->run, &rank))
		return true;
	rank = base + o->rank;
	if (rank >= in->order.next)
		in->order.next = rank + 1;
	return run_ranks_put(&in->order, o->run, rank);
}

/* A database: its runs that have a rank by order take part in the order, its traces that were in
 * another one already are left out. */
static bool look_into(struct inputs *in, struct known *k, size_t i, const struct reader *r,
                      struct report *rep)
{
	bool *leave = calloc(r->norigins ? r->norigins : 1, sizeof *leave);
	uint64_t base = in->order.next;

	in->leave[i] = leave;
	in->v[i].leave = leave;
	in->v[i].nleave = r->norigins;
	if (!leave || !grow_array(&k->v, &k->cap, k->n + r->norigins, sizeof *k->v))
		return false;
	for (size_t j = 0; j < r->norigins; j++) {
		const struct origin *o = &r->origins[j];
		const char *table = NULL;

		leave[j] = twin_of(in, i, j) != NULL;
		if (leave[j]) {
			report_add(rep, SEV_NOTE, in->v[i].path, 0,
			           "%s: the same trace is given as a file: counted once", o->path);
			continue;
		}
		leave[j] = known_before(in, k, in->file[i], o);
		if (leave[j]) {
			report_add(rep, SEV_NOTE, in->v[i].path, 0,
			           "%s: the same trace is in another database: counted once",
			           o->path);
			continue;
		}
		if (o->rule == RANK_ORDER && !deal_rank(in, base, o))
			return false;
		table = strdup(o->table);
		if (!table)
			return false;
		k->v[k->n].o = *o;
		k->v[k->n].o.table = table;
		k->v[k->n++].input = in->file[i];
	}
	return true;
}

/* Ranks by the rules of stream/rank.h; those without get the number of their run. */
static bool set_ranks(struct inputs *in, const struct common *c, struct report *rep)
{
	struct known known = { 0 };
	bool ok = find_twins(in, c);

	for (size_t i = 0; ok && i < in->n; i++) {
		const struct walk_file *f = &in->walk.v[in->file[i]];
		struct input *v = &in->v[i];
		struct look look;

		in->runs[i] = run_identity(in->here, f->path);
		v->run = in->runs[i];
		if (!v->run) {
			ok = false;
			break;
		}
		ok = look_at(&look, f, c, in->n == 1);
		if (in->given[f->operand]) {
			v->rule = RANK_GIVEN;
			v->rank = in->given[f->operand] - 1;
		} else {
			bool told = rank_of_path(&in->ranks, v->path, &v->rank, &v->rule);

			v->rule = told ? v->rule : RANK_ORDER;
			told |= rank_of_twin(in, i, v);
			/* A file that is no trace has no rank. */
			ok = ok && (told || look.db || !look.trace ||
			            run_ranks_add(&in->order, v->run, &v->rank));
		}
		if (look.db)
			ok = ok && look_into(in, &known, i, look.db, rep);
		look_fini(&look);
	}
	for (size_t i = 0; i < known.n; i++) {
		char *table;

		memcpy(&table, &known.v[i].o.table, sizeof table);
		free(table);
	}
	free(known.v);
	return ok;
}

/* Is this file put together from others beside it, of single processes?  Those count then. */
static bool is_whole(const struct walk *w, size_t i, struct report *rep)
{
	const char *path = w->v[i].path, *slash = strrchr(path, '/');
	size_t dir = slash ? (size_t)(slash + 1 - path) : 0, parts = 0;
	uint64_t bytes = 0;

	for (size_t k = 0; k < w->n && whole_by_name(path); k++) {
		const char *p = w->v[k].path;
		const char *whole = strncmp(p, path, dir) != 0 ? NULL : whole_of_part(p);

		if (!whole || strcmp(whole, path + dir) != 0 || strchr(p + dir, '/'))
			continue;
		parts++;
		bytes += w->v[k].size;
	}
	if (parts && bytes != w->v[i].size)
		report_add(rep, SEV_ERROR, path, 0,
		           "not read: %zu files of single processes lie beside it, and this one, "
		           "which should hold them all, has other bytes; give it alone, or them",
		           parts);
	else if (parts && bytes)
		report_add(rep, SEV_NOTE, path, 0,
		           "put together from %zu files of single processes beside it: counted "
		           "once",
		           parts);
	return parts;
}

/* The files that count: no content twice. */
static void drop_duplicates(struct inputs *in, const struct common *c, struct report *rep)
{
	size_t twice = 0;

	for (size_t i = 0; i < in->walk.n; i++) {
		const struct walk_file *f = &in->walk.v[i];

		if (!f->duplicate && is_whole(&in->walk, i, rep))
			continue;
		if (!f->duplicate) {
			in->file[in->n] = i;
			in->v[in->n++] = (struct input) { .path = f->path,
				                          .size = f->size,
				                          .optional = f->in_dir };
		} else if (!twice++ || c->verbose) {
			report_add(rep, SEV_NOTE, f->path, 0, "same content as %s: counted once",
			           in->walk.v[f->same_as].path);
		}
	}
	if (twice > 1 && !c->verbose)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%zu more files with the content of others (-v names them)", twice - 1);
}

static bool find_files(struct inputs *in, struct common *c, struct report *rep)
{
	struct option_list *ops = &c->operands;
	struct diag d;
	size_t n;

	in->given = calloc(ops->n, sizeof *in->given);
	if (!in->given)
		return false;
	for (size_t i = 0, stdins = 0; i < ops->n; i++) {
		const char *path = operand_rank(ops->v[i], &in->given[i]);

		if (!strcmp(path, "-") && stdins++)
			report_add(rep, SEV_ERROR, "-", 0, "standard input can be read once only");
		else if (!walk_add(&in->walk, path, i, &d))
			report_add(rep, SEV_ERROR, path, d.line, "%s", d.text);
	}
	walk_mark_duplicates(&in->walk, group_of_operand, in);
	n = in->walk.n ? in->walk.n : 1;
	in->v = calloc(n, sizeof *in->v);
	in->runs = calloc(n, sizeof *in->runs);
	in->file = calloc(n, sizeof *in->file);
	in->leave = calloc(n, sizeof *in->leave);
	in->here = where_we_are();
	if (!in->v || !in->runs || !in->file || !in->leave || !in->here)
		return false;
	drop_duplicates(in, c, rep);
	return set_ranks(in, c, rep);
}

static unsigned cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

bool inputs_find(struct inputs *in, struct common *c, struct report *rep, struct diag *d)
{
	if (!c->jobs_given)
		c->jobs = cores();
	if (!c->operands.n && isatty(STDIN_FILENO)) {
		diag_set(d, 0, "no input: name a file, a directory, or - for standard input");
		return false;
	}
	if (!c->operands.n && !option_list_add(&c->operands, "-")) {
		diag_oom(d);
		return false;
	}
	if (c->rank_from && !rank_regex_init(&in->ranks, c->rank_from, d))
		return false;
	if (find_files(in, c, rep))
		return true;
	diag_oom(d);
	return false;
}

struct drive inputs_drive(const struct inputs *in, const struct common *c, uint64_t want)
{
	return (struct drive) { .want = want,
		                .jobs = (unsigned)c->jobs,
		                .from = c->from ? reader_find(c->from) : NULL,
		                .ranks = &in->ranks,
		                .order = &in->order,
		                .here = in->here,
		                .verbose = c->verbose };
}

void inputs_judge(const struct inputs *in, const struct common *c, struct report *rep)
{
	for (size_t op = 0; op < c->operands.n; op++) {
		uint64_t files = 0, traces = 0, dummy;
		bool in_dir = false;
		struct stat st;
		const char *path = operand_rank(c->operands.v[op], &dummy);

		for (size_t i = 0; i < in->n; i++)
			if (in->walk.v[in->file[i]].operand == op) {
				in_dir |= in->walk.v[in->file[i]].in_dir;
				files++;
				traces += in->v[i].traces;
			}
		/* What was counted under another name was found all the same. */
		for (size_t i = 0; i < in->walk.n; i++)
			traces += in->walk.v[i].operand == op && in->walk.v[i].duplicate;
		if (!files)
			in_dir = !stat(path, &st) && S_ISDIR(st.st_mode);
		if (in_dir && !traces)
			report_add(rep, SEV_ERROR, path, 0,
			           "no trace in this directory (%llu file%s looked at)",
			           (unsigned long long)files, files == 1 ? "" : "s");
	}
}

void inputs_fini(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->runs[i]);
		free(in->leave[i]);
	}
	free(in->runs);
	free(in->leave);
	free(in->twin);
	free(in->file);
	free(in->v);
	free(in->given);
	free(in->here);
	walk_fini(&in->walk);
	rank_regex_fini(&in->ranks);
	run_ranks_fini(&in->order);
}
