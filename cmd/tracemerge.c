/* SPDX-License-Identifier: MIT
 * tracemerge - many ranks, one dataset.
 *
 * Reads any mix of the formats of tracemill-formats(5), run.db included, and writes one SQLite
 * database with every event, its rank, and sums that make `kstats top run.db` quick.
 * Exit 0, or 2 when something could not be read or written whole. */
#include "cli/inputs.h"
#include "cli/pages.h"
#include "cli/place.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "metric/merge.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the user may say beside the common options. */
struct own {
	bool stats_only, no_index, schema;
	unsigned align; /* enum align_how */
};

enum { OWN_OPTIONS = 5 };

static void own_options(struct own *own, struct option out[OWN_OPTIONS])
{
	const struct option all[OWN_OPTIONS] = {
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

/* The common options that mean something here. */
static void common_part(struct common *c, struct option out[COMMON_OPTIONS])
{
	static const char *const wanted[] = { "output",     "jobs",        "from",
		                              "rank-from",  "strict",      "quiet",
		                              "verbose",    "no-progress", "list-formats",
		                              "completion", "help",        "version" };
	struct option all[COMMON_OPTIONS];
	size_t n = 0;

	common_options(c, all);
	for (size_t i = 0; all[i].name; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
			if (!strcmp(all[i].name, wanted[k]))
				out[n++] = all[i];
	out[n] = (struct option) { 0 };
}

static int print_help(const struct common *c, const struct option *const *tables)
{
	const struct option_page page = {
		.tables = tables,
		.usage = "tracemerge [options] [FILE|DIR|RANK=FILE|-]... > run.db",
		.about = "Merge profiler traces of many ranks into one SQLite database.",
		.examples = "tracemerge -o run.db results_*.pftrace\n"
		            "tracemerge --align collectives traces/ > run.db\n",
		.trailer = "Exit status: 0 done; 2 usage, or an input could not be read "
		           "completely, or\n"
		           "the output not written.\n"
		           "See tracemerge(1) and tracemill-formats(5).\n",
	};

	return put_help(c, &page);
}

static int print_completion(const struct common *c, const struct option *const *tables)
{
	const struct complete_spec spec = { .tool = "tracemerge", .tables = tables };

	return put_completion(c, &spec);
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

/* The output, for a signal to take away. */
static struct place place;

static void on_signal(int sig)
{
	static const char said[] = "tracemerge: error: interrupted; nothing was written\n";
	ssize_t n;

	if (place.finished)
		return;
	n = write(STDERR_FILENO, said, sizeof said - 1);
	(void)n;
	place_abandon(&place);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_signals(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct sigaction old;

		/* nohup, and shells starting things in the background, mean it. */
		if (!sigaction(all[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(all[i], &act, NULL);
	}
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All inputs into the database at `path`.  ST_END = nothing in them, or what is does not agree;
 * ST_SKIP = their clocks cannot be aligned as was asked for, *d says why. */
static enum status merge(const struct common *c, const struct own *own, struct inputs *in,
                         struct report *rep, struct merge_totals *t, struct diag *d)
{
	const struct merge_opts o = { .stats_only = own->stats_only,
		                      .align = (enum align_how)own->align };
	struct store *s = store_create(place.path, d);
	struct event_sink sink = merge_sink;
	struct drive drive = inputs_drive(in, c, merge_want(&o));
	void *total = calloc(1, sink.size);
	struct progress progress;
	enum status st = ST_FATAL;

	if (s)
		place_opened(&place);
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
static void tell_clocks(const struct common *c, const struct own *own, const struct align_done *a)
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

static int run(struct common *c, const struct own *own)
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
	if (!place_choose(&place, c->output, &d)) {
		say(c, SEV_ERROR, NULL, 0, d.text);
		goto done;
	}
	watch_signals();
	st = merge(c, own, &in, &rep, &t, &d);
	if (!place_finish(&place, st == ST_OK, &bytes, &d) && st == ST_OK)
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

int main(int argc, char **argv)
{
	struct common c = { .tool = "tracemerge" };
	struct own own = { .align = ALIGN_AUTO };
	struct option common[COMMON_OPTIONS], mine[OWN_OPTIONS];
	const struct option *const tables[] = { mine, common, NULL };
	struct diag d = { 0 };
	int status;

	common_part(&c, common);
	own_options(&own, mine);
	if (!option_parse(argc, argv, tables, &c.operands, &d))
		status = usage_error(&c, &d);
	else if (c.help)
		status = print_help(&c, tables);
	else if (c.completion)
		status = print_completion(&c, tables);
	else if (own.schema)
		status = print_schema(&c);
	else if (!answer_lists(&c, NULL, &status))
		status = run(&c, &own);
	option_list_fini(&c.operands);
	return status;
}
