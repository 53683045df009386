/* SPDX-License-Identifier: MIT */
#include "cli/operands/resolve.h"

#include "runs/runs.h"
#include "stream/stream.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Windows of ranks, in ascending order, being collected. */
struct found {
	struct tm_rank_extent *v;
	size_t n, cap;
};

static bool add(struct found *f, uint64_t rank, struct tm_extent at)
{
	if (!tm_grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v))
		return false;
	f->v[f->n++] = (struct tm_rank_extent) { .rank = rank, .window = at };
	return true;
}

/* What is read to find a window, through one that watches which runs there are: a window that is a
 * part of a run, or goes from one to another, needs what they have in common. */
struct pass {
	struct tm_metric_opts all;
	struct tm_apart_opts how;
	struct tm_event_sink sink;
	struct tm_apart *runs; /* the accumulator, once it is made */
	void *inside;          /* that of the sink inside */
};

/* TM_ST_OK; TM_ST_END as tm_inputs_read, and where runs are apart, which r->rep says then;
 * TM_ST_FATAL when out of memory. pass_fini it in any case. */
static enum tm_status pass_read(struct pass *p, const struct resolve *r,
                                const struct tm_event_sink *sink, tm_ev_set want)
{
	struct tm_drive first = *r->drive;
	enum tm_status st;
	void *acc;

	*p = (struct pass) { 0 };
	p->how = (struct tm_apart_opts) { .sink = sink, .o = &p->all };
	p->sink = tm_apart_watch(&p->how);
	acc = calloc(1, p->sink.size);
	if (!acc || !p->sink.init(acc, p->sink.arg)) {
		free(acc);
		return TM_ST_FATAL;
	}
	p->runs = acc;
	p->inside = tm_apart_watched(acc);
	first.want = want | TM_SPAN_WANT;
	first.filter_ranks = true; /* a window is a part of the trace, not of what is kept */
	st = tm_inputs_read(r->in, r->common, &first, &p->sink, acc, r->first);
	if (st == TM_ST_OK &&
	    tm_apart_tell(p->runs, TM_SEV_ERROR,
	                  "-w selects part of one run: give one run at a time", r->rep))
		st = TM_ST_END;
	return st;
}

static void pass_fini(struct pass *p)
{
	if (p->runs)
		p->sink.fini(p->runs);
	free(p->runs);
}

static enum tm_status by_span(const struct resolve *r, const struct tm_window *w, struct found *f)
{
	struct pass p;
	enum tm_status st = pass_read(&p, r, &tm_span_sink, TM_SPAN_WANT);
	const struct tm_spans *spans = p.inside;

	for (size_t i = 0; st == TM_ST_OK && i < spans->n; i++)
		if (!add(f, spans->v[i].rank, tm_span_resolve(&spans->v[i], w)))
			st = TM_ST_FATAL;
	pass_fini(&p);
	return st;
}

/* Some ranks have a window: which have none, and why? */
static void tell_without(const struct resolve *r, const struct tm_window *w,
                         const struct tm_marker_spans *spans, uint64_t points)
{
	uint64_t least;
	size_t n = tm_marker_spans_without(spans, &least);

	if (n)
		tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
		              "%zu rank%s no marker '%.*s', %s %" PRIu64
		              ": none of %s is in the window",
		              n, n == 1 ? " has" : "s have", (int)w->name_len, w->name,
		              n == 1 ? "rank" : "first: rank", least, n == 1 ? "it" : "them");
	if (points)
		tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
		              "on %" PRIu64 " rank%s the marker '%.*s' is a mark without duration: "
		              "none of %s is in the window",
		              points, points == 1 ? "" : "s", (int)w->name_len, w->name,
		              points == 1 ? "it" : "them");
}

static enum tm_status by_marker(const struct resolve *r, const struct tm_window *w, struct found *f)
{
	struct tm_event_sink sink = tm_marker_sink;
	struct tm_marker_spans *spans;
	struct tm_marker_hit hit;
	struct tm_report_few few = { 0 };
	uint64_t points = 0;
	struct pass p;
	enum tm_status st;

	sink.arg = w;
	st = pass_read(&p, r, &sink, TM_MARKER_SPAN_WANT);
	spans = p.inside;
	if (st == TM_ST_OK)
		tm_marker_spans_settle(spans);
	for (size_t i = 0; st == TM_ST_OK && i < spans->n;) {
		bool there = tm_marker_spans_next(spans, &i, &hit);

		if (!there && tm_report_few(&few))
			tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
			              "rank %" PRIu64 " has fewer than %" PRIu64
			              " markers '%.*s': none of it is in the window",
			              hit.rank, w->index, (int)w->name_len, w->name);
		if (!there)
			continue;
		if (hit.at.lo == hit.at.hi)
			points++;
		else if (!add(f, hit.rank, hit.at))
			st = TM_ST_FATAL;
	}
	tm_report_more(r->rep, &few, TM_SEV_NOTE,
	               "too few of these markers, nothing in the window");
	if (st == TM_ST_OK && !spans->n)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0, "no marker '%.*s' in the input",
		              (int)w->name_len, w->name);
	else if (st == TM_ST_OK && !f->n && points)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0,
		              "the marker '%.*s' is a mark without duration: nothing can start "
		              "inside it",
		              (int)w->name_len, w->name);
	else if (st == TM_ST_OK && !f->n)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0,
		              "no rank has %" PRIu64 " marker%s '%.*s'", w->index,
		              w->index == 1 ? "" : "s", (int)w->name_len, w->name);
	else if (st == TM_ST_OK)
		tell_without(r, w, spans, points);
	pass_fini(&p);
	return st;
}

/* From the first to the last of the steps that are asked for, rank by rank. */
static enum tm_status take_steps(const struct resolve *r, const struct tm_window *w,
                                 const struct tm_steps *s, struct found *f)
{
	struct tm_report_few few = { 0 };

	for (size_t i = 0, k; i < s->n; i = k) {
		struct tm_extent at = { UINT64_MAX, 0 };

		for (k = i; k < s->n && s->v[k].rank == s->v[i].rank; k++) {
			const struct tm_step *one = &s->v[k];

			if (one->number < w->first || one->number > w->last)
				continue;
			at.lo = one->at.lo < at.lo ? one->at.lo : at.lo;
			at.hi = one->at.hi > at.hi ? one->at.hi : at.hi;
		}
		if (at.lo >= at.hi && tm_report_few(&few))
			tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
			              "rank %" PRIu64 " has no such steps, only %" PRIu64
			              " to %" PRIu64 ": none of it is in the window",
			              s->v[i].rank, s->v[i].number, s->v[k - 1].number);
		if (at.lo < at.hi && !add(f, s->v[i].rank, at))
			return TM_ST_FATAL;
	}
	tm_report_more(r->rep, &few, TM_SEV_NOTE, "no such steps, nothing in the window");
	if (!f->n)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0,
		              "no rank has the steps that -w asks for");
	return TM_ST_OK;
}

static enum tm_status by_steps(const struct resolve *r, const struct tm_window *w, struct found *f)
{
	const struct tm_metric_opts o = { .level = TM_NAME_FULL, .classes = r->classes };
	struct tm_event_sink sink = tm_steps_sink;
	struct tm_steps steps = { 0 };
	struct tm_work *work;
	struct pass p;
	enum tm_status st;

	sink.arg = &o;
	st = pass_read(&p, r, &sink, tm_work_want(TM_STEPS_KEEP));
	work = p.inside;
	if (st != TM_ST_OK) {
		pass_fini(&p);
		return st;
	}
	st = tm_work_settle(work) ? tm_steps_find(&steps, work, r->rep) : TM_ST_FATAL;
	if (st == TM_ST_OK)
		st = take_steps(r, w, &steps, f);
	tm_steps_fini(&steps);
	pass_fini(&p);
	return st == TM_ST_FATAL ? TM_ST_FATAL : TM_ST_OK;
}

/* ---- what was launched inside ---- */

/* "region 'a/b' and marker 'c' number 2" */
static void put_inside(struct tm_buf *b, const struct tm_inside_opts *o)
{
	if (o->path)
		tm_buf_fmt(b, "region '%.200s'%s", o->path, o->name ? " and " : "");
	if (!o->name)
		return;
	tm_buf_str(b, "marker '");
	tm_buf_add(b, o->name, o->name_len);
	tm_buf_chr(b, '\'');
	if (o->index)
		tm_buf_fmt(b, " number %" PRIu64, o->index);
}

/* What is said of regions that no rank has, or only some. */
static void tell_inside(const struct resolve *r, const struct tm_inside_opts *o,
                        const struct tm_inside_found *f)
{
	struct tm_buf what = { 0 };

	put_inside(&what, o);
	r->rep->lost |= what.failed;
	if (what.failed)
		return;
	if (!f->ranks && f->points)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0,
		              "the %s is a mark without duration: nothing can start inside it",
		              what.p);
	else if (!f->ranks)
		tm_report_add(r->rep, TM_SEV_ERROR, NULL, 0, "no %s in the input%s", what.p,
		              o->path ? "; kstats regions lists them" : "");
	if (f->ranks && f->without)
		tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " rank%s no %s, %s %" PRIu64 ": none of %s counts",
		              f->without, f->without == 1 ? " has" : "s have", what.p,
		              f->without == 1 ? "rank" : "first: rank", f->first_without,
		              f->without == 1 ? "it" : "them");
	if (f->ranks && f->points)
		tm_report_add(r->rep, TM_SEV_NOTE, NULL, 0,
		              "on %" PRIu64
		              " rank%s the %s is a mark without duration: none of %s counts",
		              f->points, f->points == 1 ? "" : "s", what.p,
		              f->points == 1 ? "it" : "them");
	tm_buf_fini(&what);
}

enum tm_status tm_resolve_inside(const struct resolve *r, const struct tm_window *w,
                                 struct tm_drive *d)
{
	const bool marker = w && w->kind == TM_WINDOW_LAUNCHED;
	const struct tm_inside_opts o = { .path = r->common->in.filter.word[TM_ONLY_REGION],
		                          .name = marker ? w->name : NULL,
		                          .name_len = marker ? w->name_len : 0,
		                          .index = marker ? w->index : 0 };
	struct tm_inside *in = o.path || o.name ? tm_inside_new(&o) : NULL;
	struct tm_drive first = *r->drive;
	struct tm_inside_found found;
	struct tm_event_sink sink;
	enum tm_status st;
	void *acc;

	if (!in)
		return o.path || o.name ? TM_ST_FATAL : TM_ST_OK;
	r->in->inside = in;
	sink = tm_inside_sink(in);
	acc = calloc(1, sink.size);
	if (!acc || !sink.init(acc, sink.arg)) {
		free(acc);
		return TM_ST_FATAL;
	}
	first.want = tm_inside_want();
	first.filter_ranks = true;
	st = tm_inputs_read(r->in, r->common, &first, &sink, acc, r->first);
	if (st == TM_ST_OK && !tm_inside_settle(in, acc))
		st = TM_ST_FATAL;
	sink.fini(acc);
	free(acc);
	if (st != TM_ST_OK)
		return st;
	found = tm_inside_found(in);
	tell_inside(r, &o, &found);
	tm_only_ask_inside(&r->in->filter, tm_inside_row, in, tm_inside_want());
	d->filter = &r->in->filter;
	return TM_ST_OK;
}

/* ---- times on the common clock ---- */

/* The lines of ranks whose clocks drift. */
struct drift {
	uint64_t rank;
	struct tm_clock_line line;
	bool several; /* its inputs have different lines */
};

struct drifts {
	struct drift *v;
	size_t n, cap;
};

static bool drifts_init(void *acc, const void *arg)
{
	(void)arg;
	*(struct drifts *)acc = (struct drifts) { 0 };
	return true;
}

static bool drifts_add(struct drifts *s, const struct drift *d)
{
	size_t i = 0;

	while (i < s->n && s->v[i].rank < d->rank)
		i++;
	if (i < s->n && s->v[i].rank == d->rank) {
		s->v[i].several |= d->several ||
		                   memcmp(&s->v[i].line, &d->line, sizeof d->line) != 0;
		return true;
	}
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	memmove(s->v + i + 1, s->v + i, (s->n++ - i) * sizeof *s->v);
	s->v[i] = *d;
	return true;
}

static bool drifts_piece(void *acc, const struct tm_piece *p)
{
	const struct drift d = { .rank = p->id.rank,
		                 .line = p->origin ? p->origin->line
		                                   : (struct tm_clock_line) { 0 } };

	/* What was not moved, or by an offset only, has the times that are asked for. */
	return !p->origin || !d.line.rate || drifts_add(acc, &d);
}

static bool drifts_take(void *acc, const struct tm_batch *b)
{
	(void)acc;
	(void)b;
	return true;
}

static bool drifts_merge(void *into, void *from)
{
	const struct drifts *f = from;
	bool ok = true;

	for (size_t i = 0; ok && i < f->n; i++)
		ok = drifts_add(into, &f->v[i]);
	return ok;
}

static void drifts_fini(void *acc)
{
	free(((struct drifts *)acc)->v);
}

/* The first time, with the offset of the line and without its rate, that is not before t on the
 * common clock. */
static uint64_t without_rate(const struct tm_clock_line *l, uint64_t t)
{
	const struct tm_clock_line back = tm_clock_line_back(l);
	uint64_t at;

	if (!t || t >> 63)
		return t;
	at = tm_clock_line_at(&back, t);
	while ((int64_t)(tm_clock_line_at(l, at) - t) >= 0)
		at--;
	while ((int64_t)(tm_clock_line_at(l, at) - t) < 0)
		at++;
	at += l->offset_ns;
	return at >> 63 ? 0 : at;
}

/* A window between two times: where clocks drift, metrics have times without the drift. */
static enum tm_status by_time(const struct resolve *r, const struct tm_window *w, struct found *f)
{
	static const struct tm_event_sink sink = { .size = sizeof(struct drifts),
		                                   .init = drifts_init,
		                                   .piece = drifts_piece,
		                                   .take = drifts_take,
		                                   .merge = drifts_merge,
		                                   .fini = drifts_fini };
	const struct tm_extent all = tm_window_resolve(w, 0, 0);
	struct tm_drive look = *r->drive;
	struct drifts lines = { 0 };
	struct tm_report rep = { 0 };
	enum tm_status st;

	if (look.clock != TM_DRIVE_SHIFTED)
		return TM_ST_OK;
	look.look = look.origins = true;
	look.progress = NULL;
	st = tm_drive_run(&look, r->in->v, r->in->n, &sink, &lines, &rep);
	for (size_t i = 0; st == TM_ST_OK && i < lines.n; i++) {
		const struct drift *d = &lines.v[i];
		const struct tm_extent own = { without_rate(&d->line, all.lo),
			                       without_rate(&d->line, all.hi) };

		if (d->several)
			tm_report_add(
			        r->rep, TM_SEV_NOTE, NULL, 0,
			        "rank %" PRIu64
			        " has inputs on different clocks that drift: -w ignores the drift",
			        d->rank);
		else if (!add(f, d->rank, own))
			st = TM_ST_FATAL;
	}
	drifts_fini(&lines);
	tm_report_fini(&rep);
	return st == TM_ST_FATAL ? TM_ST_FATAL : TM_ST_OK;
}

enum tm_status tm_resolve_window(const struct resolve *r, const struct tm_window *w,
                                 struct tm_metric_opts *o, struct tm_rank_extent **extents)
{
	static enum tm_status (*const by[])(const struct resolve *, const struct tm_window *,
	                                    struct found *) = {
		[TM_WINDOW_EDGES] = by_span,
		[TM_WINDOW_MARKER] = by_marker,
		[TM_WINDOW_STEPS] = by_steps,
	};
	struct found f = { 0 };
	enum tm_status st;

	o->open_from = w->kind == TM_WINDOW_EDGES && w->from.kind == TM_EDGE_OPEN;
	o->open_to = w->kind == TM_WINDOW_EDGES && w->to.kind == TM_EDGE_OPEN;
	o->plain_too = !tm_window_relative(w);
	st = o->plain_too ? by_time(r, w, &f) : by[w->kind](r, w, &f);
	*extents = f.v;
	o->window = f.v;
	o->nwindow = f.n;
	if (o->plain_too) {
		o->plain_window = tm_window_resolve(w, 0, 0);
		return st;
	}
	o->some_ranks = w->kind != TM_WINDOW_EDGES;
	/* Without a window for any rank nothing counts. */
	o->plain_window = (struct tm_extent) { 0, 0 };
	return st;
}

/* The same window with times as distances from the beginning. */
static void put_after(struct tm_buf *b, const struct tm_window *w, const char *text)
{
	const char *dots = strstr(text, "..");

	if (w->from.kind == TM_EDGE_NS)
		tm_buf_chr(b, '+');
	tm_buf_add(b, text, (size_t)(dots - text));
	tm_buf_str(b, "..");
	if (w->to.kind == TM_EDGE_NS)
		tm_buf_chr(b, '+');
	tm_buf_str(b, dots + 2);
}

void tm_explain_window(const struct tm_window *w, const char *text, const struct tm_spans *spans,
                       struct tm_report *rep)
{
	bool from = w->kind == TM_WINDOW_EDGES && w->from.kind == TM_EDGE_NS;
	bool to = w->kind == TM_WINDOW_EDGES && w->to.kind == TM_EDGE_NS;
	uint64_t first = UINT64_MAX, last = 0, length;
	bool misses, exceeds;
	struct tm_buf after = { 0 };

	for (size_t i = 0; i < spans->n; i++) {
		first = spans->v[i].first < first ? spans->v[i].first : first;
		last = spans->v[i].last > last ? spans->v[i].last : last;
	}
	if (first > last)
		return;
	length = last - first;
	misses = (from && w->from.v > last) || (to && w->to.v <= first);
	exceeds = (from && w->from.v < first && first - w->from.v > length) ||
	          (to && w->to.v > last && w->to.v - last > length);
	if (!misses && !exceeds)
		return;
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "-w %s %s the trace, which runs from %" PRIu64 " to %" PRIu64
	              " ns on its own clock",
	              text, misses ? "is outside" : "goes far beyond", first, last);
	put_after(&after, w, text);
	/* Longer than the trace, a time is no distance from its beginning. */
	if (!after.failed && (from ? w->from.v : w->to.v) < length)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "for times relative to the start of the trace: -w %s", after.p);
	tm_buf_fini(&after);
}
