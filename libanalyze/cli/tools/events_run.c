/* SPDX-License-Identifier: MIT
 * From operands to rows, one for each event. */
#include "cli/tools/events_run.h"

#include "cli/frame/frame.h"
#include "events/events.h"
#include "render/render.h"
#include "tracks/tracks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const formats[] = { "csv", "ndjson", "folded", "pftrace", "chrome", NULL };
static const char *const weights[] = { "gpu", "host", "bytes", NULL };
static const char *const args[] = { "all", "few", "none", NULL }; /* as enum tm_tracks_args */
static const char *const sort_keys[] = { "start_ns", NULL };

void tm_events_options(struct events_own *own, struct option out[EVENTS_OPTIONS])
{
	const struct option all[EVENTS_OPTIONS] = {
		{ .name = "kind",
		  OPT_TO_TEXT(&own->kinds),
		  .arg = "LIST",
		  .about = "only these: kernel, copy, api, marker, alloc, counter",
		  .dflt = "all of them" },
		{ .name = "weight",
		  OPT_TO_CHOICE(&own->weight),
		  .arg = "WHAT",
		  .choices = weights,
		  .about = "weight of folded stacks (durations of kernels, thread time, bytes "
		           "copied)",
		  .dflt = "gpu" },
		{ .name = "budget",
		  OPT_TO_TEXT(&own->budget),
		  .arg = "SIZE",
		  .about = "pftrace and chrome: omit detail until the output is below SIZE bytes "
		           "(uncompressed), for example 200M" },
		{ .name = "args",
		  OPT_TO_CHOICE(&own->args),
		  .arg = "WHAT",
		  .choices = args,
		  .about =
		          "pftrace and chrome: arguments of slices (few: full kernel names, agents "
		          "and correlation ids)",
		  .dflt = "all" },
		{ .name = "no-flows",
		  OPT_TO_FLAG(&own->no_flows),
		  .about = "pftrace and chrome: no arrows from launches to kernels" },
		{ .name = "no-findings",
		  OPT_TO_FLAG(&own->no_findings),
		  .about = "pftrace and chrome: no findings" },
		{ .name = "open",
		  OPT_TO_FLAG(&own->open),
		  .about = "open the timeline in ui.perfetto.dev; data stays on this machine" },
		{ 0 },
	};

	memcpy(out, all, sizeof all);
}

void tm_events_adapt(struct option *common)
{
	for (; common->name; common++)
		if (!strcmp(common->name, "to")) {
			common->choices = formats;
		} else if (!strcmp(common->name, "format")) {
			common->choices = formats;
			common->dflt = "csv";
		} else if (!strcmp(common->name, "sort")) {
			common->arg = "KEY";
			common->words = sort_keys;
			common->about = "start_ns: sort by start, then rank, kind and name";
		} else if (!strcmp(common->name, "rows")) {
			common->dflt = "all";
		}
}

/* --kind as bits; 0 with *d. */
static unsigned read_kinds(const char *list, struct tm_diag *d)
{
	unsigned bits = list ? 0 : (1u << TM_EVENT_KINDS) - 1;

	for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		size_t n = strcspn(p, ","), i = 0;

		while (tm_event_words[i] &&
		       (strlen(tm_event_words[i]) != n || strncmp(tm_event_words[i], p, n) != 0))
			i++;
		if (!tm_event_words[i]) {
			tm_diag_set(d, 0,
			            "--kind: unknown kind '%.*s'; use kernel, copy, api, marker, "
			            "alloc, counter",
			            (int)n, p);
			return 0;
		}
		bits |= 1u << i;
	}
	return bits;
}

/* -n: the first rows of what is written, and no more. */
struct first_rows {
	struct output *to;
	bool all, csv;
	bool quoted;    /* csv: inside quotes, where a newline ends no row */
	uint64_t lines; /* left, with the header */
};

static bool put_first(void *arg, const void *p, size_t n, struct tm_diag *d)
{
	struct first_rows *f = arg;
	const char *s = p;
	size_t i = 0;

	if (f->all)
		return tm_output_put(f->to, p, n, d);
	for (; i < n && f->lines; i++) {
		f->quoted ^= f->csv && s[i] == '"';
		f->lines -= s[i] == '\n' && !f->quoted;
	}
	return !i || tm_output_put(f->to, p, i, d);
}

/* What events are asked for.  False with *d. */
static bool read_asked(const struct common *c, unsigned *kinds, const char *list, struct tm_diag *d)
{
	*kinds = read_kinds(list, d);
	if (*kinds && c->out.sort && strcmp(c->out.sort, "start_ns") != 0 &&
	    strcmp(c->out.sort, "start") != 0)
		tm_diag_set(d, 0, "--sort: unknown key '%s'; events are sorted by start_ns only",
		            c->out.sort);
	return !*d->text;
}

/* Write what the metric puts, and answer for it. */
static int write_all(struct common *c, const struct tm_metric *m, struct tm_metric_opts *o,
                     struct first_rows *first, const bool *written)
{
	struct tm_diag d = { 0 };
	int status;

	/* The lines are written by the metric; there is no table that these would be about. */
	c->out.format = c->out.sort = NULL;
	/* A line of progress between the rows helps nobody. */
	c->say.no_progress |= !c->out.output && isatty(STDOUT_FILENO);
	status = tm_run_metric(c, m, o);
	if (!tm_output_close(first->to, *written, &d)) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
		status = EXIT_TROUBLE;
	}
	return status;
}

/* The first option given that only a picture has; NULL = none. */
static const char *of_picture(const struct events_own *own)
{
	return own->budget        ? "--budget"
	       : own->args        ? "--args"
	       : own->no_flows    ? "--no-flows"
	       : own->no_findings ? "--no-findings"
	       : own->open        ? "--open"
	                          : NULL;
}

/* What stacks are asked for.  False with *d. */
static bool read_folded(const struct common *c, const struct events_own *own, struct tm_folded *f,
                        struct tm_diag *d)
{
	const unsigned work = 1u << TM_EVENT_KERNEL | 1u << TM_EVENT_COPY;

	if (own->weight)
		f->weight = !strcmp(own->weight, "host")    ? TM_FOLDED_HOST
		            : !strcmp(own->weight, "bytes") ? TM_FOLDED_BYTES
		                                            : TM_FOLDED_GPU;
	f->kinds = 1u << (f->weight == TM_FOLDED_BYTES ? TM_EVENT_COPY : TM_EVENT_KERNEL);
	if (own->kinds && !(f->kinds = read_kinds(own->kinds, d)))
		return false;
	if (of_picture(own))
		tm_diag_set(d, 0, "%s needs --to pftrace or chrome", of_picture(own));
	else if (f->kinds & ~work)
		tm_diag_set(d, 0, "--kind: stacks take only kernel and copy");
	else if (own->kinds && f->weight == TM_FOLDED_HOST)
		tm_diag_set(d, 0, "--kind does not apply to --weight host");
	else if (c->out.sort || c->out.columns)
		tm_diag_set(d, 0, "%s does not apply to --to folded: the heaviest line comes first",
		            c->out.sort ? "--sort" : "--columns");
	return !*d->text;
}

static int run_folded(struct common *c, const struct events_own *own)
{
	struct output out = { .path = c->out.output };
	struct first_rows first = { .to = &out,
		                    .all = !c->out.limit || c->out.limit == UINT64_MAX,
		                    .lines = c->out.limit };
	struct tm_folded f = { .put = put_first, .arg = &first };
	struct tm_metric_opts o = { .level = TM_NAME_FULL, .own = &f, .why = &f.why };
	struct tm_diag d = { 0 };

	if (!read_folded(c, own, &f, &d))
		return tm_usage_error(c, &d);
	return write_all(c, &tm_folded_metric, &o, &first, &f.written);
}

/* Bytes, with K, M or G after them.  False with *d. */
static bool read_size(const char *text, uint64_t *bytes, struct tm_diag *d)
{
	static const char units[] = "KMG";
	const size_t n = strlen(text);
	const char *unit = n ? strchr(units, text[n - 1]) : NULL;
	const uint64_t scale = unit ? UINT64_C(1) << 10 * (unit - units + 1) : 1;

	if (!tm_num_scaled(text, n - (unit != NULL), scale, bytes) || !*bytes) {
		tm_diag_set(d, 0, "--budget: '%s' is not a size; use bytes, 200M or 1.5G", text);
		return false;
	}
	return true;
}

/* What the picture is asked for.  False with *d. */
static bool read_tracks(const struct common *c, const struct events_own *own, struct tm_tracks *t,
                        struct tm_diag *d)
{
	const char *given = own->weight                                  ? "--weight"
	                    : c->out.sort                                ? "--sort"
	                    : c->out.columns                             ? "--columns"
	                    : c->out.limit && c->out.limit != UINT64_MAX ? "-n"
	                                                                 : NULL;

	t->form = !strcmp(c->out.format, "chrome") ? TM_TRACKS_CHROME : TM_TRACKS_PFTRACE;
	t->no_flows = own->no_flows;
	while (own->args && strcmp(own->args, args[t->args]) != 0)
		t->args++;
	t->budget = UINT64_MAX;
	if (given)
		tm_diag_set(d, 0, "%s does not apply to --to %s", given, c->out.format);
	else if (own->budget)
		read_size(own->budget, &t->budget, d);
	if (!*d->text)
		t->kinds = read_kinds(own->kinds, d);
	return !*d->text;
}

static bool put_all(void *arg, const void *p, size_t n, struct tm_diag *d)
{
	return tm_output_put(arg, p, n, d);
}

static bool put_temporary(void *arg, const void *p, size_t n, struct tm_diag *d)
{
	const int fd = *(const int *)arg;
	const char *at = p;

	while (n) {
		ssize_t k = write(fd, at, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			tm_diag_set(d, 0, "cannot write a temporary file in %s: %s",
			            tm_temp_place(), strerror(errno));
			return false;
		}
		at += k;
		n -= (size_t)k;
	}
	return true;
}

/* Draw and serve: the file of -o, or one without a name. */
static int serve_tracks(struct common *c, struct tm_tracks *t, struct tm_metric_opts *o,
                        struct first_rows *to)
{
	const bool chrome = t->form == TM_TRACKS_CHROME;
	struct tm_diag d = { 0 };
	int status, fd = -1;

	if (!c->out.output) {
		fd = tm_temp_open();
		t->put = put_temporary;
		t->arg = &fd;
	}
	if (!c->out.output && fd < 0) {
		tm_diag_set(&d, 0, "cannot make a temporary file in %s: %s", tm_temp_place(),
		            strerror(errno));
		return tm_usage_error(c, &d);
	}
	status = write_all(c, &tm_tracks_metric, o, to, &t->written);
	if (t->written && fd < 0) {
		fd = open(c->out.output, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			tm_diag_set(&d, 0, "%s: %s", c->out.output, strerror(errno));
	}
	if (t->written && (fd < 0 || !tm_serve(c, fd, SERVE_TRACE,
	                                       chrome ? "trace.json" : "trace.pftrace", &d))) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
		status = EXIT_TROUBLE;
	}
	if (fd >= 0)
		close(fd);
	return status;
}

/* Can it be read for the findings first, and is it all of the run that they would be about? */
static bool is_whole(const struct common *c)
{
	for (size_t i = 0; i < TM_ONLY_N; i++)
		if (c->in.filter.word[i])
			return false;
	for (size_t i = 0; i < c->operands.n; i++) {
		const char *path = c->operands.v[i];
		struct stat st;

		if (!strcmp(path, "-") ||
		    (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
			return false;
	}
	return c->operands.n;
}

static int run_tracks(struct common *c, const struct events_own *own)
{
	struct output out = { .path = c->out.output };
	struct first_rows to = { .to = &out };
	struct tm_tracks t = { .put = put_all, .arg = &out };
	struct tm_metric_opts o = { .level = TM_NAME_FULL, .own = &t, .why = &t.why };
	struct tm_diag d = { 0 };
	struct tm_buf why = { 0 };
	int status;

	if (!read_tracks(c, own, &t, &d))
		return tm_usage_error(c, &d);
	if (!own->open && t.form == TM_TRACKS_PFTRACE && !c->out.output && isatty(STDOUT_FILENO)) {
		tm_diag_set(&d, 0, "refusing to write a Perfetto trace to a terminal; use -o FILE");
		return tm_usage_error(c, &d);
	}
	if (own->pin && !own->no_findings && is_whole(c) && !own->pin(c, &t, &why))
		status = EXIT_TROUBLE;
	else if (own->open)
		status = serve_tracks(c, &t, &o, &to);
	else
		status = write_all(c, &tm_tracks_metric, &o, &to, &t.written);
	/* Read once more it was read, but what was found before may be too little. */
	if (why.n && status == EXIT_DONE) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, why.p);
		status = EXIT_TROUBLE;
	}
	tm_buf_fini(&why);
	for (size_t i = 0; i < t.pins; i++)
		free(t.pin[i].text);
	return status;
}

static int run_rows(struct common *c, const struct events_own *own)
{
	const bool json = c->out.format && !strcmp(c->out.format, "ndjson");
	const struct tm_event_form form = { .keyed = json,
		                            .text = json ? tm_row_text_json : tm_row_text_csv };
	struct output out = { .path = c->out.output };
	struct first_rows first = { .to = &out,
		                    .all = !c->out.limit || c->out.limit == UINT64_MAX,
		                    .csv = !json,
		                    .lines = c->out.limit + !json };
	struct tm_diag d = { 0 };
	unsigned kinds;
	struct tm_metric_opts o = { .level = TM_NAME_FULL };
	struct tm_events *e;
	int status;

	if (!read_asked(c, &kinds, own->kinds, &d))
		return tm_usage_error(c, &d);
	if (of_picture(own) || own->weight) {
		tm_diag_set(&d, 0, "%s needs --to %s", own->weight ? "--weight" : of_picture(own),
		            own->weight ? "folded" : "pftrace or chrome");
		return tm_usage_error(c, &d);
	}
	o.own = e = tm_events_new(form, kinds, c->out.sort != NULL, put_first, &first);
	if (!e) {
		tm_say(c, TM_SEV_ERROR, NULL, 0, "out of memory");
		return EXIT_TROUBLE;
	}
	o.why = tm_events_why(e);
	status = write_all(c, &tm_events_metric, &o, &first, tm_events_written(e));
	tm_events_free(e);
	return status;
}

int tm_events_run(struct common *c, const struct events_own *own)
{
	if (c->out.format && !strcmp(c->out.format, "folded"))
		return run_folded(c, own);
	if (c->out.format &&
	    (!strcmp(c->out.format, "pftrace") || !strcmp(c->out.format, "chrome")))
		return run_tracks(c, own);
	return run_rows(c, own);
}
