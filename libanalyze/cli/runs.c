/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "runs/runs.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>

/* The files of a pattern, in its order; the operand itself where it is none.  The words point into
 * *g. */
static bool expand(const char *operand, glob_t *g, struct option_list *out)
{
	struct stat st;
	uint64_t given;
	const char *path = operand_rank(operand, &given);

	*g = (glob_t) { 0 };
	if (given || !strcmp(path, "-") || !lstat(path, &st) || glob(path, GLOB_NOMAGIC, NULL, g))
		return option_list_add(out, operand);
	for (size_t i = 0; i < g->gl_pathc; i++)
		if (!option_list_add(out, g->gl_pathv[i]))
			return false;
	return true;
}

/* What is said of a run without naming a file is said of the operand. */
static void name_run(struct report *rep, const char *operand)
{
	for (size_t i = 0; i < rep->n; i++)
		if (!rep->v[i].where) {
			rep->v[i].where = strdup(operand);
			rep->lost |= !rep->v[i].where;
		}
}

/* Read them through one that watches which runs there are.  Formats of the run that do not agree,
 * runs that have no window to compare, no common window that -w is a part of: *rep says so, and the
 * accumulator is empty. */
static enum status read_all(const struct runs *r, struct inputs *in, struct drive *d,
                            const struct event_sink *sink, void *acc, struct report *rep)
{
	struct report twice = { 0 };
	enum status st;

	d->twice = &twice;
	st = inputs_read(in, r->c, d, sink, acc, rep);
	if (st == ST_OK && !r->keep_apart &&
	    apart_tell(acc, SEV_ERROR, "give one run at a time", rep)) {
		sink->fini(acc);
		memset(acc, 0, sink->size);
		st = sink->init(acc, sink->arg) ? ST_OK : ST_FATAL;
	} else {
		report_move(rep, &twice);
	}
	report_fini(&twice);
	return st == ST_END ? ST_OK : st;
}

static enum status drive(const struct runs *r, struct inputs *in, struct metric_opts *o,
                         struct rank_extent **extents, void *acc, bool *made, struct report *rep)
{
	struct report first = { 0 };
	struct drive d = inputs_drive(in, r->c, r->want | SPAN_WANT);
	struct event_sink own = *r->sink;
	const struct apart_opts how = { .sink = &own, .o = o };
	const struct event_sink sink = apart_watch(&how);
	const struct resolve resolve = { .drive = &d,
		                         .in = in,
		                         .common = r->c,
		                         .classes = o->classes,
		                         .first = &first,
		                         .rep = rep };
	struct progress progress;
	enum status st = ST_OK;

	progress_init(&progress, r->c->tool, !r->c->no_progress && !r->c->quiet);
	d.clock = r->clock;
	d.progress = progress_tell;
	d.progress_arg = &progress;
	own.arg = r->arg ? r->arg : o;
	if (o->windowed)
		st = resolve_window(&resolve, r->window, o, extents);
	*made = st != ST_FATAL && sink.init(acc, sink.arg);
	if (!*made)
		st = ST_FATAL;
	else
		st = st == ST_OK ? read_all(r, in, &d, &sink, acc, rep) : ST_OK;
	progress_done(&progress);
	report_errors_of(rep, &first);
	inputs_judge(in, r->c, rep);
	report_fini(&first);
	return st;
}

size_t run_size(const struct event_sink *sink)
{
	const struct apart_opts how = { .sink = sink };

	return apart_watch(&how).size;
}

void *run_inside(void *acc)
{
	return apart_watched(acc);
}

void run_fini(const struct event_sink *sink, void *acc)
{
	const struct apart_opts how = { .sink = sink };

	apart_watch(&how).fini(acc);
}

const struct apart *run_apart(const void *acc)
{
	return acc;
}

/* Read the operands of *c as one run. */
static enum status read_them(const struct runs *r, struct common *c, struct metric_opts *o,
                             struct rank_extent **extents, void *acc, bool *made,
                             struct report *rep, struct diag *d)
{
	struct runs own = *r;
	struct inputs in = { 0 };
	enum status st = ST_SKIP;

	own.c = c;
	if (inputs_find(&in, c, rep, d) &&
	    (!o->windowed || !window_relative(r->window) || inputs_twice(&in, d)))
		st = drive(&own, &in, o, extents, acc, made, rep);
	else if (d->status == ST_NOMEM)
		st = ST_FATAL;
	inputs_fini(&in);
	return st;
}

enum status run_read(const struct runs *r, const char *operand, struct metric_opts *o,
                     struct rank_extent **extents, void *acc, bool *made, struct report *rep,
                     struct diag *d)
{
	struct common c = *r->c;
	enum status st = ST_FATAL;
	glob_t g;

	*made = false;
	*extents = NULL;
	c.operands = (struct option_list) { 0 };
	if (expand(operand, &g, &c.operands))
		st = read_them(r, &c, o, extents, acc, made, rep, d);
	name_run(rep, operand);
	option_list_fini(&c.operands);
	globfree(&g);
	return rep->lost ? ST_FATAL : st;
}

enum status run_read_all(const struct runs *r, const struct option_list *operands,
                         struct metric_opts *o, struct rank_extent **extents, void *acc, bool *made,
                         struct report *rep, struct diag *d)
{
	struct common c = *r->c;
	enum status st;

	*made = false;
	*extents = NULL;
	c.operands = *operands;
	st = read_them(r, &c, o, extents, acc, made, rep, d);
	if (!operands->n) /* "-" was added */
		option_list_fini(&c.operands);
	return rep->lost ? ST_FATAL : st;
}
