/* SPDX-License-Identifier: MIT */
#include "cli/operands/look.h"

#include <stdlib.h>
#include <string.h>

static bool out_of_memory(const struct tm_diag *d)
{
	return d->status == TM_ST_NOMEM;
}

/* Only torch.profiler writes what operators take. */
static bool may_have_inputs(const struct tm_reader_ops *ops)
{
	const struct tm_format_facts f = tm_reader_facts(ops->name);

	return f.profilers & TM_BY_TORCH && f.holds != TM_HOLDS_SUMS && f.holds != TM_HOLDS_GPUS;
}

static bool copy_origins(struct look *l, const struct tm_reader *r, const char *run)
{
	bool ok;

	l->origin = calloc(r->norigins, sizeof *l->origin);
	ok = l->origin != NULL;
	for (size_t i = 0; ok && i < r->norigins; i++) {
		struct tm_origin *o = &l->origin[l->norigins];
		struct tm_trace_id id = r->origins[i].id;
		char *own = NULL;

		*o = r->origins[i];
		o->method = o->problem = NULL;
		o->part = NULL;
		o->parts = 0;
		if (o->drawn)
			id.own_run = tm_run_of_rank(&own, run, id.rank);
		else if (!id.own_run)
			id.own_run = id.run;
		ok = id.own_run != NULL;
		if (ok) {
			ok = tm_trace_id_copy(&o->id, &id);
			l->norigins++;
		}
		free(own);
	}
	return ok;
}

/* A trace of one process, or of none yet, has its rank at most. */
static bool look_inside(struct look *l, const struct tm_reader *r, const char *run)
{
	if (r->norigins)
		return copy_origins(l, r, run);
	l->has_rank = r->has_rank;
	l->rank = r->rank;
	return true;
}

bool tm_look_at(struct look *l, const struct tm_walk_file *f, const char *run,
                const struct common *c, struct tm_watch *w)
{
	const struct tm_reader_ops *ops = c->in.from ? tm_reader_find(c->in.from) : NULL;
	struct tm_source *src = NULL;
	struct tm_reader *r = NULL;
	struct tm_diag d = { 0 };
	const unsigned char *p = NULL;
	size_t n = 0;
	uint64_t start, size;
	int fd;
	bool ok = true, unknown = false, drawn;

	/* A pipe can be read once, so nobody looks. */
	*l = (struct look) { .trace = true, .inputs = true };
	if (!f->size)
		return true;
	src = tm_source_open_head(f->path, f->head, &l->why);
	l->trace = src != NULL;
	l->archive = src && tm_source_is_archive(src);
	l->packed = src && !tm_source_regular(src, &fd, &size);
	if (!src || l->archive)
		goto out;
	if (tm_source_peek(src, &p, &n, &l->why) == TM_ST_FATAL)
		goto out;
	start = tm_watch_start(p, n);
	if (!ops)
		ops = tm_reader_choose_in(src, p, n, &unknown, &d);
	l->trace = ops || !unknown;
	if (!ops)
		goto out;
	/* Databases are told apart, and ranks are told, by opening. */
	if (ops->ranks || ops->dialect) {
		r = tm_reader_open(src, c->in.from ? ops : NULL, 0, &unknown, &d);
		if (!r && !unknown)
			l->why = d;
		ok = r ? look_inside(l, r, run) : !out_of_memory(&d);
		l->trace = r != NULL || c->in.from || !ok;
		ops = r ? r->ops : ops;
		/* The reader took the bytes; formats that are opened are no tables of passes. */
		p = NULL;
		n = 0;
	}
	l->store = !strcmp(ops->name, "run-db");
	l->gpus = tm_reader_facts(ops->name).holds == TM_HOLDS_GPUS;
	l->inputs = may_have_inputs(ops);
	drawn = r && r->producer && !strcmp(r->producer, TM_DRAWN_BY);
	l->made = drawn || !strncmp(ops->name, "tracecat-", strlen("tracecat-"));
	if (ok && l->trace)
		ok = tm_watch_add(w,
		                  &(struct tm_watched) { .run = l->norigins && !drawn ? NULL : run,
		                                         .path = f->path,
		                                         .format = ops->name,
		                                         .p = p,
		                                         .n = n,
		                                         .start = start,
		                                         .drawn = drawn });
	if (ok && l->trace && r)
		ok = tm_watch_processes(w, f->path, &r->names, r->guid, r->nguids);
out:
	ok = ok && !out_of_memory(&d) && !out_of_memory(&l->why);
	tm_reader_close(r);
	tm_source_close(src);
	return ok;
}

/* The format of a file by its first bytes, NULL: it is not known.  False when out of memory. */
static bool look_format(struct tm_walk_file *f, const struct tm_reader_ops **ops)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = f->size ? tm_source_open_head(f->path, tm_walk_head(f), &d) : NULL;
	const unsigned char *p;
	size_t n;

	*ops = NULL;
	if (src && !tm_source_is_archive(src) && tm_source_peek(src, &p, &n, &d) == TM_ST_OK)
		*ops = tm_reader_choose(p, n, n < TM_SOURCE_PEEK, NULL, &d);
	tm_source_close(src);
	return !out_of_memory(&d);
}

bool tm_look_gpus(struct tm_walk_file *f, bool *gpus)
{
	const struct tm_reader_ops *ops;
	const bool ok = look_format(f, &ops);

	*gpus = ops && tm_reader_facts(ops->name).holds == TM_HOLDS_GPUS;
	return ok;
}

bool tm_look_trace(struct tm_walk_file *f, bool *trace)
{
	const struct tm_reader_ops *ops;
	const bool ok = look_format(f, &ops);

	*trace = ops != NULL;
	return ok;
}

const struct tm_bytes_ops *tm_look_other(struct tm_walk_file *f)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = f->size ? tm_source_open_head(f->path, tm_walk_head(f), &d) : NULL;
	const struct tm_bytes_ops *ops = NULL;
	const unsigned char *p;
	size_t n;

	if (src && !tm_source_is_archive(src) && tm_source_peek(src, &p, &n, &d) == TM_ST_OK &&
	    !memchr(p, 0, n))
		ops = tm_bytes_choose(p, n, n < TM_SOURCE_PEEK);
	tm_source_close(src);
	return ops;
}

/* Which of the databases it is, is known when it is open: the format, or NULL.  One that is packed
 * would be unpacked for that. */
static const struct tm_reader_ops *look_dialect(struct tm_walk_file *f)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = tm_source_open_head(f->path, tm_walk_head(f), &d);
	struct tm_reader *r = NULL;
	const struct tm_reader_ops *ops;
	uint64_t size;
	int fd;

	if (src && tm_source_regular(src, &fd, &size))
		r = tm_reader_open(src, NULL, 0, NULL, &d);
	ops = r ? r->ops : NULL;
	tm_reader_close(r);
	tm_source_close(src);
	return ops;
}

bool tm_look_inputs(struct tm_walk_file *f, const struct common *c)
{
	const struct tm_reader_ops *ops;

	if (c->in.from)
		ops = tm_reader_find(c->in.from);
	else if (!look_format(f, &ops))
		return true;
	if (ops && ops->dialect)
		ops = look_dialect(f);
	return !ops || may_have_inputs(ops);
}

void tm_look_fini(struct look *l)
{
	for (size_t i = 0; i < l->norigins; i++)
		tm_trace_id_fini(&l->origin[i].id);
	free(l->origin);
	*l = (struct look) { 0 };
}
