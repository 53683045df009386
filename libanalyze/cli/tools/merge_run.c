/* SPDX-License-Identifier: MIT
 * From operands to a run.db. */
#include "cli/tools/merge_run.h"

#include "cli/operands/operands.h"
#include "cli/frame/frame.h"
#include "metric/metric.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void tm_merge_options(struct merge_own *own, struct option out[MERGE_OPTIONS])
{
	const struct option all[MERGE_OPTIONS] = {
		{ .name = "stats-only",
		  OPT_TO_FLAG(&own->stats_only),
		  .about = "write only totals per kernel and agent, no events" },
		{ .name = "no-index",
		  OPT_TO_FLAG(&own->no_index),
		  .about = "write no indexes: faster and smaller" },
		{ .name = "align",
		  OPT_TO_INDEX(&own->align),
		  .arg = "HOW",
		  .choices = tm_align_words,
		  .about = "align the clocks of the ranks",
		  .dflt = "auto" },
		{ .name = "schema",
		  OPT_TO_FLAG(&own->schema),
		  .last = true,
		  .about = "print the tables as SQL" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

static int print_schema(const struct common *c, const struct merge_own *own)
{
	struct tm_buf out = { 0 };
	int status;

	tm_store_schema(own->stats_only, !own->no_index, &out);
	status = tm_put_output(c, &out);
	tm_buf_fini(&out);
	return status;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Are there so many totals to be merged that they take large pages? */
static bool has_many(const struct inputs *in)
{
	enum { MANY = 4 << 20 };
	uint64_t bytes = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct tm_input *v = &in->v[i];

		if (v->head && tm_store_has_totals(v->head->p, v->head->n))
			bytes += v->size;
	}
	return bytes >= MANY;
}

/* All inputs into the database at place->path.  TM_ST_END = nothing in them, or they do not agree;
 * TM_ST_SKIP = their clocks cannot be aligned as was asked for, *d says why. */
static enum tm_status merge(const struct common *c, const struct merge_own *own,
                            struct place *place, struct inputs *in, struct tm_report *rep,
                            struct tm_merge_totals *t, struct tm_diag *d)
{
	const struct tm_merge_opts o = { .stats_only = own->stats_only,
		                         .align = (enum tm_align_how)own->align };
	struct tm_store *s = tm_store_create(place->path, own->stats_only, has_many(in), d);
	struct tm_event_sink merging = tm_merge_sink, sink;
	struct tm_states_plan plan = { 0 };
	/* What a filter leaves is not what the answers are of. */
	bool states = own->stats_only && !in->filter.by, planned = true;
	struct tm_drive drive = tm_inputs_drive(in, c, tm_merge_want(&o));
	void *acc = NULL, *total = NULL;
	struct tm_report first = { 0 };
	const struct resolve resolve = {
		.drive = &drive, .in = in, .common = c, .first = &first, .rep = rep
	};
	struct progress progress;
	enum tm_status st = TM_ST_FATAL;

	merging.arg = &o;
	sink = merging;
	if (s)
		tm_place_opened(place);
	if (states && s)
		planned = tm_states_plan(&plan, tm_metrics, &merging, d);
	if (states && s && planned) {
		sink = tm_states_watch(&plan);
		drive.want |= tm_states_want(&plan);
	}
	acc = calloc(1, sink.size);
	tm_progress_init(&progress, c->tool, !c->say.no_progress && !c->say.quiet);
	/* The answers are of the clocks that those who ask of a run.db have. */
	drive.clock = states ? TM_DRIVE_SHIFTED : TM_DRIVE_RECORDED;
	drive.progress = tm_progress_tell;
	drive.progress_arg = &progress;
	if (s && acc && planned && sink.init(acc, sink.arg)) {
		total = states ? tm_states_beside(acc) : acc;
		tm_merge_begin(total, s, states ? acc : NULL);
		st = tm_resolve_inside(&resolve, NULL, &drive);
		if (st == TM_ST_OK)
			st = tm_inputs_read(in, c, &drive, &sink, acc, rep);
		tm_report_severe(rep, &first, TM_SEV_ERROR);
		tm_inputs_judge(in, c, rep);
		if (st == TM_ST_END)
			tm_diag_set(d, 0, "no database written");
		if (st == TM_ST_FATAL && !tm_merge_failed(total, d))
			tm_diag_oom(d);
		if (st == TM_ST_OK)
			st = tm_merge_finish(total, !own->no_index, t, d);
		if (st == TM_ST_OK && !t->inputs) {
			tm_diag_set(d, 0, "no trace in the input; no database written");
			st = TM_ST_END;
		}
		tm_progress_done(&progress);
		sink.fini(acc);
	} else if (s) {
		tm_diag_oom(d);
	}
	tm_report_fini(&first);
	free(acc);
	tm_states_plan_fini(&plan);
	tm_store_close(s);
	return st;
}

/* What became of the clocks: a message a line. */
static void tell_clocks(const struct common *c, const struct merge_own *own,
                        const struct tm_align_done *a)
{
	struct tm_buf b = { 0 };

	if (own->align == TM_ALIGN_NONE || !a->several)
		return;
	if (tm_align_text(a, &b)) {
		char *second = strchr(b.p, '\n');

		if (second)
			*second++ = '\0';
		tm_say(c, TM_SEV_NOTE, NULL, 0, b.p);
		if (second)
			tm_say(c, TM_SEV_NOTE, NULL, 0, second);
	}
	tm_buf_fini(&b);
}

/* What there is to say in the end. */
static void tell_totals(const struct common *c, const struct tm_merge_totals *t, uint64_t bytes,
                        double took)
{
	char text[256];

	snprintf(text, sizeof text,
	         "%" PRIu64 " input%s, %" PRIu64 " rank%s, %" PRIu64 " event%s, %" PRIu64
	         " skipped, %" PRIu64 " lost, %" PRIu64 " bytes, %.2f seconds",
	         t->inputs, t->inputs == 1 ? "" : "s", t->ranks, t->ranks == 1 ? "" : "s",
	         t->events, t->events == 1 ? "" : "s", t->skipped, t->lost, bytes, took);
	tm_say(c, TM_SEV_NOTE, NULL, 0, text);
}

static int read_and_write(struct common *c, const struct merge_own *own, struct place *place,
                          void (*placed)(void))
{
	struct tm_merge_totals t = { 0 };
	struct inputs in = { 0 };
	struct tm_report rep = { 0 };
	struct tm_diag d = { 0 };
	double start = seconds();
	enum tm_status st = TM_ST_FATAL;
	const char *where = c->out.output;
	uint64_t bytes = 0;
	int status = EXIT_TROUBLE;

	if (!tm_inputs_find(&in, c, &rep, &d) ||
	    (tm_inputs_need_twice(c, NULL) && !tm_inputs_twice(&in, &d))) {
		status = tm_usage_error(c, &d);
		goto done;
	}
	if (!tm_place_choose(place, c->out.output, &d)) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
		goto done;
	}
	placed();
	st = merge(c, own, place, &in, &rep, &t, &d);
	/* What TMPDIR has no room for is not the fault of standard output. */
	if (!where && st == TM_ST_FATAL && place->how == PLACE_SPOOLED)
		where = place->path;
	if (!tm_place_finish(place, st == TM_ST_OK, &bytes, &d) && st == TM_ST_OK)
		st = TM_ST_FATAL;
	status = tm_tell(c, &rep);
	if (st == TM_ST_OK && !c->say.quiet)
		tell_clocks(c, own, &t.clocks);
	if (st == TM_ST_SKIP)
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
	if (st == TM_ST_END)
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
	if (st == TM_ST_FATAL)
		tm_say(c, TM_SEV_ERROR, where, 0, d.text);
	if (st == TM_ST_OK && !c->say.quiet)
		tell_totals(c, &t, bytes, seconds() - start);
	if (st != TM_ST_OK)
		status = EXIT_TROUBLE;
done:
	tm_inputs_fini(&in);
	tm_report_fini(&rep);
	return status;
}

int tm_merge_run(struct common *c, const struct merge_own *own, struct place *place,
                 void (*placed)(void))
{
	return own->schema ? print_schema(c, own) : read_and_write(c, own, place, placed);
}
