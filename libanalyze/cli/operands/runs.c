/* SPDX-License-Identifier: MIT */
#include "cli/operands/runs.h"

#include "cli/operands/inputs.h"
#include "cli/frame/frame.h"
#include "cli/operands/resolve.h"
#include "runs/runs.h"

#include <string.h>

/* The files of a pattern, in its order; the operand itself where it is none.  The words point into
 * *g. */
static bool expand(const char *word, glob_t *g, struct option_list *out)
{
	const struct operand operand = tm_operand_of(word);

	*g = (glob_t) { 0 };
	if (operand.side || !tm_operand_pattern(operand.path, g))
		return tm_option_list_add(out, word);
	for (size_t i = 0; i < g->gl_pathc; i++)
		if (!tm_option_list_add(out, g->gl_pathv[i]))
			return false;
	return true;
}

/* What is said of a run without naming a file is said of the operand. */
static void name_run(struct tm_report *rep, const char *operand)
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
static enum tm_status read_all(const struct runs *r, struct inputs *in, struct tm_drive *d,
                               const struct tm_event_sink *sink, void *acc, struct tm_report *rep)
{
	struct tm_report twice = { 0 };
	enum tm_status st;

	d->twice = &twice;
	st = tm_inputs_read(in, r->c, d, sink, acc, rep);
	if (st == TM_ST_OK && !r->keep_apart &&
	    tm_apart_tell(acc, TM_SEV_ERROR, "give one run at a time", rep)) {
		sink->fini(acc);
		memset(acc, 0, sink->size);
		st = sink->init(acc, sink->arg) ? TM_ST_OK : TM_ST_FATAL;
	} else {
		tm_report_move(rep, &twice);
	}
	tm_report_fini(&twice);
	return st == TM_ST_END ? TM_ST_OK : st;
}

static tm_ev_set want_of(const struct runs *r, const struct inputs *in)
{
	const bool all = !r->with_inputs || tm_inputs_of_operators(in, r->c);

	return (all ? r->want : r->want & ~r->with_inputs) | TM_SPAN_WANT;
}

static enum tm_status drive(const struct runs *r, struct inputs *in, struct tm_metric_opts *o,
                            struct tm_rank_extent **extents, void *acc, bool *made,
                            struct tm_report *rep)
{
	struct tm_report first = { 0 };
	struct tm_drive d = tm_inputs_drive(in, r->c, want_of(r, in));
	struct tm_event_sink own = *r->sink;
	const struct tm_apart_opts how = { .sink = &own, .o = o };
	const struct tm_event_sink sink = tm_apart_watch(&how);
	const struct resolve resolve = { .drive = &d,
		                         .in = in,
		                         .common = r->c,
		                         .classes = o->classes,
		                         .first = &first,
		                         .rep = rep };
	struct progress progress;
	enum tm_status st = TM_ST_OK;

	tm_progress_init(&progress, r->c->tool, !r->c->say.no_progress && !r->c->say.quiet);
	d.clock = r->clock;
	d.progress = tm_progress_tell;
	d.progress_arg = &progress;
	own.arg = r->arg ? r->arg : o;
	st = tm_resolve_inside(&resolve, r->window, &d);
	if (st == TM_ST_OK && o->windowed)
		st = tm_resolve_window(&resolve, r->window, o, extents);
	*made = st != TM_ST_FATAL && sink.init(acc, sink.arg);
	if (!*made)
		st = TM_ST_FATAL;
	else
		st = st == TM_ST_OK ? read_all(r, in, &d, &sink, acc, rep) : TM_ST_OK;
	tm_progress_done(&progress);
	tm_report_severe(rep, &first, TM_SEV_ERROR);
	tm_inputs_judge(in, r->c, rep);
	tm_report_fini(&first);
	return st;
}

size_t tm_run_size(const struct tm_event_sink *sink)
{
	const struct tm_apart_opts how = { .sink = sink };

	return tm_apart_watch(&how).size;
}

void *tm_run_inside(void *acc)
{
	return tm_apart_watched(acc);
}

void tm_run_fini(const struct tm_event_sink *sink, void *acc)
{
	const struct tm_apart_opts how = { .sink = sink };

	tm_apart_watch(&how).fini(acc);
}

const struct tm_apart *tm_run_apart(const void *acc)
{
	return acc;
}

/* Read the operands of *c as one run. */
static enum tm_status read_them(const struct runs *r, struct common *c, struct tm_metric_opts *o,
                                struct tm_rank_extent **extents, void *acc, bool *made,
                                struct tm_report *rep, struct tm_diag *d)
{
	struct runs own = *r;
	struct inputs in = { 0 };
	enum tm_status st = TM_ST_SKIP;

	own.c = c;
	if (tm_inputs_find(&in, c, rep, d) &&
	    (!tm_inputs_need_twice(c, r->window) || tm_inputs_twice(&in, d)))
		st = drive(&own, &in, o, extents, acc, made, rep);
	else if (d->status == TM_ST_NOMEM)
		st = TM_ST_FATAL;
	tm_inputs_fini(&in);
	return st;
}

enum tm_status tm_run_read(const struct runs *r, const char *operand, struct tm_metric_opts *o,
                           struct tm_rank_extent **extents, void *acc, bool *made,
                           struct tm_report *rep, struct tm_diag *d)
{
	struct common c = *r->c;
	enum tm_status st = TM_ST_FATAL;
	glob_t g;

	*made = false;
	*extents = NULL;
	c.operands = (struct option_list) { 0 };
	if (expand(operand, &g, &c.operands))
		st = read_them(r, &c, o, extents, acc, made, rep, d);
	name_run(rep, operand);
	tm_option_list_fini(&c.operands);
	globfree(&g);
	return rep->lost ? TM_ST_FATAL : st;
}

enum tm_status tm_run_read_all(const struct runs *r, const struct option_list *operands,
                               struct tm_metric_opts *o, struct tm_rank_extent **extents, void *acc,
                               bool *made, struct tm_report *rep, struct tm_diag *d)
{
	struct common c = *r->c;
	enum tm_status st;

	*made = false;
	*extents = NULL;
	c.operands = *operands;
	st = read_them(r, &c, o, extents, acc, made, rep, d);
	if (!operands->n) /* "-" was added */
		tm_option_list_fini(&c.operands);
	return rep->lost ? TM_ST_FATAL : st;
}
