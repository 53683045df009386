/* SPDX-License-Identifier: MIT
 * From operands to a run.db. */
#include "cli/merge_run.h"

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void merge_options(struct merge_own *own, struct option out[MERGE_OPTIONS])
{
	const struct option all[MERGE_OPTIONS] = {
		{ .name = "stats-only",
		  .value = &own->stats_only,
		  .about = "write only totals per kernel and agent, no events" },
		{ .name = "no-index",
		  .value = &own->no_index,
		  .about = "write no indexes: faster and smaller" },
		{ .name = "align",
		  .type = OPT_INDEX,
		  .value = &own->align,
		  .arg = "HOW",
		  .choices = align_words,
		  .about = "align the clocks of the ranks",
		  .dflt = "auto" },
		{ .name = "schema",
		  .value = &own->schema,
		  .last = true,
		  .about = "print the tables as SQL" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

static int print_schema(const struct common *c)
{
	struct buf out = { 0 };
	int status;

	buf_str(&out, store_schema());
	status = put_output(c, &out);
	buf_fini(&out);
	return status;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All inputs into the database at place->path.  ST_END = nothing in them, or they do not agree;
 * ST_SKIP = their clocks cannot be aligned as was asked for, *d says why. */
static enum status merge(const struct common *c, const struct merge_own *own, struct place *place,
                         struct inputs *in, struct report *rep, struct merge_totals *t,
                         struct diag *d)
{
	const struct merge_opts o = { .stats_only = own->stats_only,
		                      .align = (enum align_how)own->align };
	struct store *s = store_create(place->path, d);
	struct event_sink sink = merge_sink;
	struct drive drive = inputs_drive(in, c, merge_want(&o));
	void *total = calloc(1, sink.size);
	struct progress progress;
	enum status st = ST_FATAL;

	if (s)
		place_opened(place);
	progress_init(&progress, c->tool, !c->no_progress && !c->quiet);
	drive.clock = DRIVE_RECORDED;
	drive.progress = progress_tell;
	drive.progress_arg = &progress;
	sink.arg = &o;
	if (s && total && sink.init(total, &o)) {
		merge_begin(total, s);
		st = inputs_read(in, c, &drive, &sink, total, rep);
		inputs_judge(in, c, rep);
		if (st == ST_END)
			diag_set(d, 0, "no database written");
		if (st == ST_FATAL && !merge_failed(total, d))
			diag_oom(d);
		if (st == ST_OK)
			st = merge_finish(total, !own->no_index, t, d);
		if (st == ST_OK && !t->inputs) {
			diag_set(d, 0, "no trace in the input; no database written");
			st = ST_END;
		}
		progress_done(&progress);
		sink.fini(total);
	} else if (s) {
		diag_oom(d);
	}
	free(total);
	store_close(s);
	return st;
}

/* What became of the clocks: a message a line. */
static void tell_clocks(const struct common *c, const struct merge_own *own,
                        const struct align_done *a)
{
	struct buf b = { 0 };

	if (own->align == ALIGN_NONE || !a->several)
		return;
	if (align_text(a, &b)) {
		char *second = strchr(b.p, '\n');

		if (second)
			*second++ = '\0';
		say(c, SEV_NOTE, NULL, 0, b.p);
		if (second)
			say(c, SEV_NOTE, NULL, 0, second);
	}
	buf_fini(&b);
}

/* What there is to say in the end. */
static void tell_totals(const struct common *c, const struct merge_totals *t, uint64_t bytes,
                        double took)
{
	char text[256];

	snprintf(text, sizeof text,
	         "%" PRIu64 " input%s, %" PRIu64 " rank%s, %" PRIu64 " event%s, %" PRIu64
	         " skipped, %" PRIu64 " lost, %" PRIu64 " bytes, %.2f seconds",
	         t->inputs, t->inputs == 1 ? "" : "s", t->ranks, t->ranks == 1 ? "" : "s",
	         t->events, t->events == 1 ? "" : "s", t->skipped, t->lost, bytes, took);
	say(c, SEV_NOTE, NULL, 0, text);
}

static int read_and_write(struct common *c, const struct merge_own *own, struct place *place,
                          void (*placed)(void))
{
	struct merge_totals t = { 0 };
	struct inputs in = { 0 };
	struct report rep = { 0 };
	struct diag d = { 0 };
	double start = seconds();
	enum status st = ST_FATAL;
	uint64_t bytes = 0;
	int status = EXIT_TROUBLE;

	if (!inputs_find(&in, c, &rep, &d)) {
		status = usage_error(c, &d);
		goto done;
	}
	if (!place_choose(place, c->output, &d)) {
		say(c, SEV_ERROR, NULL, 0, d.text);
		goto done;
	}
	placed();
	st = merge(c, own, place, &in, &rep, &t, &d);
	if (!place_finish(place, st == ST_OK, &bytes, &d) && st == ST_OK)
		st = ST_FATAL;
	status = tell(c, &rep);
	if (st == ST_OK && !c->quiet)
		tell_clocks(c, own, &t.clocks);
	if (st == ST_SKIP)
		say(c, SEV_ERROR, NULL, 0, d.text);
	if (st == ST_END)
		say(c, SEV_ERROR, NULL, 0, d.text);
	if (st == ST_FATAL)
		say(c, SEV_ERROR, c->output, 0, d.text);
	if (st == ST_OK && !c->quiet)
		tell_totals(c, &t, bytes, seconds() - start);
	if (st != ST_OK)
		status = EXIT_TROUBLE;
done:
	inputs_fini(&in);
	report_fini(&rep);
	return status;
}

int merge_run(struct common *c, const struct merge_own *own, struct place *place,
              void (*placed)(void))
{
	return own->schema ? print_schema(c) : read_and_write(c, own, place, placed);
}
