/* SPDX-License-Identifier: MIT */
#include "cli/resolve.h"

#include "runs/runs.h"
#include "stream/stream.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Windows of ranks, in ascending order, being collected. */
struct found {
	struct rank_extent *v;
	size_t n, cap;
};

static bool add(struct found *f, uint64_t rank, struct extent at)
{
	if (!grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v))
		return false;
	f->v[f->n++] = (struct rank_extent) { .rank = rank, .window = at };
	return true;
}

/* What is read to find a window, through one that watches which runs there are: a window that is a
 * part of a run, or goes from one to another, needs what they have in common. */
struct pass {
	struct metric_opts all;
	struct apart_opts how;
	struct event_sink sink;
	struct apart *runs; /* the accumulator, once it is made */
	void *inside;       /* that of the sink inside */
};

/* ST_OK; ST_END as inputs_read, and where runs are apart, which r->rep says then; ST_FATAL when out
 * of memory. pass_fini it in any case. */
static enum status pass_read(struct pass *p, const struct resolve *r, const struct event_sink *sink,
                             ev_set want)
{
	struct drive first = *r->drive;
	enum status st;
	void *acc;

	*p = (struct pass) { 0 };
	p->how = (struct apart_opts) { .sink = sink, .o = &p->all };
	p->sink = apart_watch(&p->how);
	acc = calloc(1, p->sink.size);
	if (!acc || !p->sink.init(acc, p->sink.arg)) {
		free(acc);
		return ST_FATAL;
	}
	p->runs = acc;
	p->inside = apart_watched(acc);
	first.want = want | SPAN_WANT;
	st = inputs_read(r->in, r->common, &first, &p->sink, acc, r->first);
	if (st == ST_OK &&
	    apart_tell(p->runs, SEV_ERROR, "-w is a part of one: give one run at a time", r->rep))
		st = ST_END;
	return st;
}

static void pass_fini(struct pass *p)
{
	if (p->runs)
		p->sink.fini(p->runs);
	free(p->runs);
}

static enum status by_span(const struct resolve *r, const struct window *w, struct found *f)
{
	struct pass p;
	enum status st = pass_read(&p, r, &span_sink, SPAN_WANT);
	const struct spans *spans = p.inside;

	for (size_t i = 0; st == ST_OK && i < spans->n; i++)
		if (!add(f, spans->v[i].rank, span_resolve(&spans->v[i], w)))
			st = ST_FATAL;
	pass_fini(&p);
	return st;
}

/* Some ranks have a window: which have none, and why? */
static void tell_without(const struct resolve *r, const struct window *w,
                         const struct marker_spans *spans, uint64_t points)
{
	uint64_t least;
	size_t n = marker_spans_without(spans, &least);

	if (n)
		report_add(r->rep, SEV_NOTE, NULL, 0,
		           "%zu rank%s no marker '%.*s', %s %" PRIu64
		           ": nothing of %s is in the window",
		           n, n == 1 ? " has" : "s have", (int)w->name_len, w->name,
		           n == 1 ? "rank" : "the first of them rank", least,
		           n == 1 ? "it" : "them");
	if (points)
		report_add(r->rep, SEV_NOTE, NULL, 0,
		           "on %" PRIu64 " rank%s the marker '%.*s' is a mark without duration: "
		           "nothing of %s is in the window",
		           points, points == 1 ? "" : "s", (int)w->name_len, w->name,
		           points == 1 ? "it" : "them");
}

static enum status by_marker(const struct resolve *r, const struct window *w, struct found *f)
{
	struct event_sink sink = marker_sink;
	struct marker_spans *spans;
	struct marker_hit hit;
	struct report_few few = { 0 };
	uint64_t points = 0;
	struct pass p;
	enum status st;

	sink.arg = w;
	st = pass_read(&p, r, &sink, MARKER_SPAN_WANT);
	spans = p.inside;
	if (st == ST_OK)
		marker_spans_settle(spans);
	for (size_t i = 0; st == ST_OK && i < spans->n;) {
		bool there = marker_spans_next(spans, &i, &hit);

		if (!there && report_few(&few))
			report_add(r->rep, SEV_NOTE, NULL, 0,
			           "rank %" PRIu64 " has fewer than %" PRIu64
			           " markers '%.*s': nothing of it is in the window",
			           hit.rank, w->index, (int)w->name_len, w->name);
		if (!there)
			continue;
		if (hit.at.lo == hit.at.hi)
			points++;
		else if (!add(f, hit.rank, hit.at))
			st = ST_FATAL;
	}
	report_more(r->rep, &few, SEV_NOTE, "too few of these markers, nothing in the window");
	if (st == ST_OK && !spans->n)
		report_add(r->rep, SEV_ERROR, NULL, 0, "no marker '%.*s' in the input",
		           (int)w->name_len, w->name);
	else if (st == ST_OK && !f->n && points)
		report_add(r->rep, SEV_ERROR, NULL, 0,
		           "the marker '%.*s' is a mark without duration: nothing can start "
		           "inside it",
		           (int)w->name_len, w->name);
	else if (st == ST_OK && !f->n)
		report_add(r->rep, SEV_ERROR, NULL, 0, "no rank has %" PRIu64 " markers '%.*s'",
		           w->index, (int)w->name_len, w->name);
	else if (st == ST_OK)
		tell_without(r, w, spans, points);
	pass_fini(&p);
	return st;
}

/* From the first to the last of the steps that are asked for, rank by rank. */
static enum status take_steps(const struct resolve *r, const struct window *w,
                              const struct steps *s, struct found *f)
{
	struct report_few few = { 0 };

	for (size_t i = 0, k; i < s->n; i = k) {
		struct extent at = { UINT64_MAX, 0 };

		for (k = i; k < s->n && s->v[k].rank == s->v[i].rank; k++) {
			const struct step *one = &s->v[k];

			if (one->number < w->first || one->number > w->last)
				continue;
			at.lo = one->at.lo < at.lo ? one->at.lo : at.lo;
			at.hi = one->at.hi > at.hi ? one->at.hi : at.hi;
		}
		if (at.lo >= at.hi && report_few(&few))
			report_add(r->rep, SEV_NOTE, NULL, 0,
			           "rank %" PRIu64 " has no such steps, only %" PRIu64
			           " to %" PRIu64 ": nothing of it is in the window",
			           s->v[i].rank, s->v[i].number, s->v[k - 1].number);
		if (at.lo < at.hi && !add(f, s->v[i].rank, at))
			return ST_FATAL;
	}
	report_more(r->rep, &few, SEV_NOTE, "no such steps, nothing in the window");
	if (!f->n)
		report_add(r->rep, SEV_ERROR, NULL, 0, "no rank has the steps that -w asks for");
	return ST_OK;
}

static enum status by_steps(const struct resolve *r, const struct window *w, struct found *f)
{
	const struct metric_opts o = { .level = NAME_FULL, .classes = r->classes };
	struct event_sink sink = steps_sink;
	struct steps steps = { 0 };
	struct work *work;
	struct pass p;
	enum status st;

	sink.arg = &o;
	st = pass_read(&p, r, &sink, work_want(STEPS_KEEP));
	work = p.inside;
	if (st != ST_OK) {
		pass_fini(&p);
		return st;
	}
	st = work_settle(work) ? steps_find(&steps, work, r->rep) : ST_FATAL;
	/* Where there are none at all something has been said, unless there was nothing to look at.
	 */
	if (st == ST_END)
		work_explain_nothing(work, "markers and no kernels", r->rep);
	else if (st == ST_OK)
		st = take_steps(r, w, &steps, f);
	steps_fini(&steps);
	pass_fini(&p);
	return st == ST_FATAL ? ST_FATAL : ST_OK;
}

/* ---- times on the common clock ---- */

/* The lines of ranks whose clocks drift. */
struct drift {
	uint64_t rank;
	struct clock_line line;
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
	if (!grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	memmove(s->v + i + 1, s->v + i, (s->n++ - i) * sizeof *s->v);
	s->v[i] = *d;
	return true;
}

static bool drifts_piece(void *acc, const struct piece *p)
{
	const struct drift d = { .rank = p->rank,
		                 .line = p->origin ? p->origin->line : (struct clock_line) { 0 } };

	/* What was not moved, or by an offset only, has the times that are asked for. */
	return !p->origin || !d.line.rate || drifts_add(acc, &d);
}

static bool drifts_take(void *acc, const struct batch *b)
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
static uint64_t without_rate(const struct clock_line *l, uint64_t t)
{
	const struct clock_line back = clock_line_back(l);
	uint64_t at;

	if (!t || t >> 63)
		return t;
	at = clock_line_at(&back, t);
	while ((int64_t)(clock_line_at(l, at) - t) >= 0)
		at--;
	while ((int64_t)(clock_line_at(l, at) - t) < 0)
		at++;
	at += l->offset_ns;
	return at >> 63 ? 0 : at;
}

/* A window between two times: where clocks drift, metrics have times without the drift. */
static enum status by_time(const struct resolve *r, const struct window *w, struct found *f)
{
	static const struct event_sink sink = { .size = sizeof(struct drifts),
		                                .init = drifts_init,
		                                .piece = drifts_piece,
		                                .take = drifts_take,
		                                .merge = drifts_merge,
		                                .fini = drifts_fini };
	const struct extent all = window_resolve(w, 0, 0);
	struct drive look = *r->drive;
	struct drifts lines = { 0 };
	struct report rep = { 0 };
	enum status st;

	if (look.clock != DRIVE_SHIFTED)
		return ST_OK;
	look.look = look.origins = true;
	look.progress = NULL;
	st = drive_run(&look, r->in->v, r->in->n, &sink, &lines, &rep);
	for (size_t i = 0; st == ST_OK && i < lines.n; i++) {
		const struct drift *d = &lines.v[i];
		const struct extent own = { without_rate(&d->line, all.lo),
			                    without_rate(&d->line, all.hi) };

		if (d->several)
			report_add(r->rep, SEV_NOTE, NULL, 0,
			           "rank %" PRIu64
			           " has inputs on different clocks that drift: -w is "
			           "taken without the drift",
			           d->rank);
		else if (!add(f, d->rank, own))
			st = ST_FATAL;
	}
	drifts_fini(&lines);
	report_fini(&rep);
	return st == ST_FATAL ? ST_FATAL : ST_OK;
}

enum status resolve_window(const struct resolve *r, const struct window *w, struct metric_opts *o,
                           struct rank_extent **extents)
{
	static enum status (*const by[])(const struct resolve *, const struct window *,
	                                 struct found *) = {
		[WINDOW_EDGES] = by_span,
		[WINDOW_MARKER] = by_marker,
		[WINDOW_STEPS] = by_steps,
	};
	struct found f = { 0 };
	enum status st;

	o->open_from = w->kind == WINDOW_EDGES && w->from.kind == EDGE_OPEN;
	o->open_to = w->kind == WINDOW_EDGES && w->to.kind == EDGE_OPEN;
	o->plain_too = !window_relative(w);
	st = o->plain_too ? by_time(r, w, &f) : by[w->kind](r, w, &f);
	*extents = f.v;
	o->window = f.v;
	o->nwindow = f.n;
	if (o->plain_too) {
		o->plain_window = window_resolve(w, 0, 0);
		return st;
	}
	o->some_ranks = w->kind != WINDOW_EDGES;
	/* Without a window for any rank nothing counts. */
	o->plain_window = (struct extent) { 0, 0 };
	return st;
}

/* The same window with times as distances from the beginning. */
static void put_after(struct buf *b, const struct window *w, const char *text)
{
	const char *dots = strstr(text, "..");

	if (w->from.kind == EDGE_NS)
		buf_chr(b, '+');
	buf_add(b, text, (size_t)(dots - text));
	buf_str(b, "..");
	if (w->to.kind == EDGE_NS)
		buf_chr(b, '+');
	buf_str(b, dots + 2);
}

void explain_window(const struct window *w, const char *text, const struct spans *spans,
                    struct report *rep)
{
	bool from = w->kind == WINDOW_EDGES && w->from.kind == EDGE_NS;
	bool to = w->kind == WINDOW_EDGES && w->to.kind == EDGE_NS;
	uint64_t first = UINT64_MAX, last = 0, length;
	bool misses, exceeds;
	struct buf after = { 0 };

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
	report_add(rep, SEV_NOTE, NULL, 0,
	           "-w %s %s the trace, which runs from %" PRIu64 " to %" PRIu64
	           " ns on its own clock",
	           text, misses ? "is outside" : "goes far beyond", first, last);
	put_after(&after, w, text);
	/* Longer than the trace, a time is no distance from its beginning. */
	if (!after.failed && (from ? w->from.v : w->to.v) < length)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "for times after the beginning of the trace: -w %s", after.p);
	buf_fini(&after);
}
