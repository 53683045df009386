/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include "base/num.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "3=path": the rank and the rest; otherwise the operand itself. */
static const char *split_rank(const char *operand, uint64_t *given)
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

static void look_at(struct look *l, const struct walk_file *f, const struct common *c)
{
	const struct reader_ops *ops;
	const unsigned char *p;
	size_t n;

	/* A pipe can be read once, so nobody looks. */
	*l = (struct look) { .trace = true };
	if (!f->size)
		return;
	l->src = source_open(f->path, NULL);
	l->trace = l->src != NULL;
	if (!l->src || source_is_archive(l->src) || c->from)
		return;
	if (source_peek(l->src, &p, &n, NULL) == ST_FATAL)
		return;
	ops = reader_choose(p, n, n < SOURCE_PEEK, NULL, NULL);
	l->trace = ops != NULL;
	if (ops == reader_find("run-db"))
		l->db = reader_open(l->src, ops, 0, NULL, NULL);
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
	bool ok = true;

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
		look_at(&look, f, c);
		if (in->given[f->operand]) {
			v->rule = RANK_GIVEN;
			v->rank = in->given[f->operand] - 1;
		} else if (!rank_of_path(&in->ranks, v->path, &v->rank, &v->rule)) {
			v->rule = RANK_ORDER;
			/* A file that is no trace has no rank. */
			ok = look.db || !look.trace || run_ranks_add(&in->order, v->run, &v->rank);
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

/* The files that count: no content twice. */
static void drop_duplicates(struct inputs *in, const struct common *c, struct report *rep)
{
	size_t twice = 0;

	for (size_t i = 0; i < in->walk.n; i++) {
		const struct walk_file *f = &in->walk.v[i];

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
		const char *path = split_rank(ops->v[i], &in->given[i]);

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
		const char *path = split_rank(c->operands.v[op], &dummy);

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

int inputs_tell(const struct common *c, const struct report *rep)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < rep->n; i++) {
		const struct finding *f = &rep->v[i];
		bool error = f->severity == SEV_ERROR || (f->severity == SEV_SKIP && c->strict);

		if (error)
			status = EXIT_TROUBLE;
		else if (f->severity == SEV_NO && status == EXIT_DONE)
			status = EXIT_NO;
		if (error || f->severity == SEV_NO || !c->quiet)
			say(c, f->where, f->line, f->text);
	}
	return status;
}

void inputs_fini(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->runs[i]);
		free(in->leave[i]);
	}
	free(in->runs);
	free(in->leave);
	free(in->file);
	free(in->v);
	free(in->given);
	free(in->here);
	walk_fini(&in->walk);
	rank_regex_fini(&in->ranks);
	run_ranks_fini(&in->order);
}
