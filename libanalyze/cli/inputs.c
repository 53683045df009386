/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include "base/num.h"
#include "metric/content.h"

#include <errno.h>
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
	char host[HOST_NAME_MAX + 1] = "", *out = NULL, *dir;
	struct buf b = { 0 };

	if (gethostname(host, sizeof host - 1))
		*host = '\0';
	dir = getcwd(NULL, 0);
	if ((dir || errno != ENOMEM) && buf_fmt(&b, "%s:%s/", host, dir ? dir : ""))
		out = b.p;
	else
		buf_fini(&b);
	free(dir);
	return out;
}

/* A look at a file before it is read. */
struct look {
	struct source *src;
	struct reader *db; /* its reader where it holds traces of its own: a run.db */
	bool trace;        /* it may be a trace, as far as its first bytes tell */
	bool has_rank;
	uint64_t rank; /* what the trace says */
};

static void look_fini(struct look *l)
{
	reader_close(l->db);
	source_close(l->src);
}

/* What is looked for. */
enum look_for { LOOK_TRACE, LOOK_STORE, LOOK_RANK };

/* Open it; a file that is a trace of one process, or of none yet, has its rank at most.  False when out
 * of memory. */
static bool look_inside(struct look *l, const struct reader_ops *ops)
{
	struct diag d = { 0 };

	l->db = reader_open(l->src, ops, 0, NULL, &d);
	if (!l->db)
		return strcmp(d.text, diag_no_memory) != 0;
	if (l->db->norigins)
		return true;
	l->has_rank = l->db->has_rank;
	l->rank = l->db->rank;
	reader_close(l->db);
	l->db = NULL;
	return true;
}

/* False when out of memory.  What else cannot be looked at will be told when it is read.  `what`: with
 * LOOK_STORE only a run.db is opened, with LOOK_RANK also what may tell its rank before its events,
 * with LOOK_TRACE nothing. */
static bool look_at(struct look *l, const struct walk_file *f, const struct common *c,
                    enum look_for what)
{
	const struct reader_ops *ops, *store = reader_find("run-db");
	const unsigned char *p;
	struct diag d = { 0 };
	size_t n;

	/* A pipe can be read once, so nobody looks. */
	*l = (struct look) { .trace = true };
	if (!f->size)
		return true;
	l->src = source_open(f->path, &d);
	l->trace = l->src != NULL;
	if (!l->src || source_is_archive(l->src))
		return strcmp(d.text, diag_no_memory) != 0;
	ops = c->from ? reader_find(c->from) : NULL;
	if (!c->from) {
		if (source_peek(l->src, &p, &n, &d) == ST_FATAL)
			return strcmp(d.text, diag_no_memory) != 0;
		ops = reader_choose(p, n, n < SOURCE_PEEK, NULL, NULL);
		/* Its traces have their ranks. */
		l->trace = ops && (ops != store || what != LOOK_TRACE);
	}
	if (!ops || what == LOOK_TRACE || (ops != store && (!ops->ranks || what == LOOK_STORE)))
		return true;
	return look_inside(l, ops);
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

		ok = look_at(&look, &in->walk.v[in->file[i]], c, LOOK_STORE);
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

/* Ranks, while it is decided which numbers are free. */
struct claim {
	size_t input;
	char *run;
	uint64_t place; /* of a database's run, among what was dealt there */
	bool in_db;
};

struct claims {
	struct claim *v; /* of runs that get a number by order, by input */
	size_t n, cap;
	struct known known;
};

static void claims_fini(struct claims *c)
{
	for (size_t i = 0; i < c->known.n; i++) {
		char *table;

		memcpy(&table, &c->known.v[i].o.table, sizeof table);
		free(table);
	}
	free(c->known.v);
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].run);
	free(c->v);
}

static bool claim(struct claims *c, size_t input, const char *run, bool in_db, uint64_t place)
{
	if (!grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v))
		return false;
	c->v[c->n] = (struct claim) {
		.input = input, .run = strdup(run), .in_db = in_db, .place = place
	};
	return c->v[c->n].run && ++c->n;
}

/* The ranks of the traces of a database, those that are left out as well: what there was then. */
static bool ranks_then(struct run_ranks *then, const struct reader *r)
{
	for (size_t j = 0; j < r->norigins; j++)
		if (r->origins[j].rule != RANK_ORDER &&
		    !run_ranks_take(then, "", r->origins[j].rank, RANK_GIVEN))
			return false;
	return true;
}

/* A trace of a database: its rank is taken, or is to be dealt anew.  What had one rank there (members of
 * an archive) has one rank again, and a number that was left free there is free again. */
static bool claim_origin(struct inputs *in, struct claims *c, size_t i, const struct origin *o,
                         const struct run_ranks *then)
{
	uint64_t rank = o->rank;
	enum rank_rule rule = (enum rank_rule)o->rule, found;

	if (in->v[i].rule == RANK_GIVEN)
		return run_ranks_take(&in->order, o->run, in->v[i].rank, RANK_GIVEN);
	if (in->ranks.set && rank_of_path(&in->ranks, o->path, &rank, &found) &&
	    found == RANK_REGEX)
		return run_ranks_take(&in->order, o->run, rank, RANK_REGEX);
	if (rule != RANK_ORDER)
		return run_ranks_take(&in->order, o->run, o->rank, rule);
	return claim(c, i, o->run, true, run_ranks_place(then, o->rank));
}

/* Is the trace somewhere else, too, where it counts? */
static bool is_elsewhere(const struct inputs *in, const struct claims *c, size_t i, size_t j,
                         const struct origin *o, struct report *rep)
{
	if (twin_of(in, i, j)) {
		report_add(rep, SEV_NOTE, in->v[i].path, 0,
		           "%s: the same trace is given as a file: counted once", o->path);
		return true;
	}
	if (!known_before(in, &c->known, in->file[i], o))
		return false;
	report_add(rep, SEV_NOTE, in->v[i].path, 0,
	           "%s: the same trace is in another database: counted once", o->path);
	return true;
}

/* A database: its traces that are somewhere else are left out, the others have or want ranks. */
static bool look_into(struct inputs *in, struct claims *c, size_t i, const struct reader *r,
                      struct report *rep)
{
	bool *leave = calloc(r->norigins ? r->norigins : 1, sizeof *leave);
	struct known *k = &c->known;
	struct run_ranks then = { 0 };
	bool ok;

	in->leave[i] = leave;
	in->v[i].leave = leave;
	in->v[i].nleave = r->norigins;
	ok = leave && grow_array(&k->v, &k->cap, k->n + r->norigins, sizeof *k->v) &&
	     ranks_then(&then, r);
	for (size_t j = 0; ok && j < r->norigins; j++) {
		const struct origin *o = &r->origins[j];
		const char *table;

		leave[j] = is_elsewhere(in, c, i, j, o, rep);
		if (leave[j])
			continue;
		table = strdup(o->table);
		ok = table != NULL;
		if (!ok)
			break;
		k->v[k->n].o = *o;
		k->v[k->n].o.table = table;
		k->v[k->n++].input = in->file[i];
		ok = claim_origin(in, c, i, o, &then);
	}
	run_ranks_fini(&then);
	return ok;
}

/* The rank of an input by the rules of stream/rank.h but the last. */
static bool told_rank(const struct inputs *in, size_t i, const struct look *look, struct input *v)
{
	uint64_t given = in->given[in->walk.v[in->file[i]].operand];
	bool told;

	if (given) {
		v->rule = RANK_GIVEN;
		v->rank = given - 1;
		return true;
	}
	told = rank_of_path(&in->ranks, v->path, &v->rank, &v->rule);
	v->rule = told ? v->rule : RANK_ORDER;
	if (look->has_rank && v->rule > RANK_TRACE) {
		v->rule = RANK_TRACE;
		v->rank = look->rank;
		told = true;
	}
	return rank_of_twin(in, i, v) || told;
}

/* What is known of the rank of an input by itself. */
static bool look_for_rank(struct inputs *in, const struct common *c, struct claims *claims,
                          size_t i, struct report *rep)
{
	const struct walk_file *f = &in->walk.v[in->file[i]];
	struct input *v = &in->v[i];
	struct look look;
	bool ok, told;

	in->runs[i] = run_identity(in->here, f->path);
	v->run = in->runs[i];
	if (!v->run)
		return false;
	/* One file alone has nothing to be compared with, nor to be dealt a rank beside. */
	ok = look_at(&look, f, c, in->n == 1 ? LOOK_TRACE : LOOK_RANK);
	told = ok && told_rank(in, i, &look, v);
	if (ok && look.db)
		ok = look_into(in, claims, i, look.db, rep);
	/* A file that is no trace has no rank. */
	else if (ok && look.trace)
		ok = told ? run_ranks_take(&in->order, v->run, v->rank, v->rule)
		          : claim(claims, i, v->run, false, 0);
	look_fini(&look);
	return ok;
}

/* All ranks: those that inputs have, then numbers that are left for the others. */
static bool set_ranks(struct inputs *in, const struct common *c, struct report *rep)
{
	struct claims claims = { 0 };
	bool ok = find_twins(in, c);
	uint64_t base = 0;

	for (size_t i = 0; ok && i < in->n; i++)
		ok = look_for_rank(in, c, &claims, i, rep);
	for (size_t k = 0; ok && k < claims.n; k++) {
		const struct claim *one = &claims.v[k];
		struct input *v = &in->v[one->input], unused;

		if (!k || one->input != claims.v[k - 1].input)
			base = in->order.next;
		v = one->in_db ? &unused : v;
		ok = run_ranks_deal(&in->order, one->run, base + one->place, &v->rank, &v->rule);
	}
	claims_fini(&claims);
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
	if (!walk_mark_duplicates(&in->walk, group_of_operand, in))
		return false;
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
