/* SPDX-License-Identifier: MIT
 * What is drawn beside the events: tables of tracemill, as tracks. */
#include "tracks/tracks_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 2048 };

/* A time of a rank as the tables have it, on the common clock. */
static uint64_t common(const struct rank_facts *f, uint64_t t)
{
	return f && f->has_line ? t + (uint64_t)tm_clock_line_drift(&f->line, t - f->line.offset_ns)
	                        : t;
}

/* ---- collectives ---- */

static int member_cmp(const void *pa, const void *pb, void *arg)
{
	const struct track_member *a = pa, *b = pb;
	const uint64_t way[][2] = { { a->at, b->at },
		                    { a->rank, b->rank },
		                    { a->agent, b->agent } };

	(void)arg;
	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (way[i][0] != way[i][1])
			return way[i][0] > way[i][1] ? 1 : -1;
	return 0;
}

static bool put_members(struct track_members *m, const struct comm_row *row, uint64_t nth)
{
	const size_t from = m->n;

	if (!tm_grow_array(&m->v, &m->cap, m->n + row->members, sizeof *m->v))
		return false;
	for (size_t i = 0; i < row->members; i++) {
		const struct tm_work_track *t = row->part[i].track;

		m->v[m->n++] = (struct track_member) { .rank = t->rank,
			                               .agent = t->agent,
			                               .has_agent = t->has_agent,
			                               .at = row->part[i].arrival,
			                               .nth = nth };
	}
	tm_sort_in_place(m->v + from, row->members, sizeof *m->v, member_cmp, NULL);
	m->v[from].first = true;
	m->v[m->n - 1].last = true;
	return true;
}

static bool put_collective(struct track_store *s, const struct ranks *r, const struct comm_row *row)
{
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_COLLECTIVES };
	struct track_say say[4];
	struct tm_buf b = { 0 };
	uint64_t from = UINT64_MAX, to = 0;
	size_t n = 0;
	bool ok;

	for (size_t i = 0; i < row->members; i++) {
		from = row->part[i].arrival < from ? row->part[i].arrival : from;
		to = row->part[i].end > to ? row->part[i].end : to;
	}
	say[n++] = (struct track_say) { ARG_AGENTS_, row->members };
	if (r->known.n > 1 && row->has_last && !row->tie)
		say[n++] = (struct track_say) { ARG_LAST_, row->last_rank };
	if (row->skewed)
		say[n++] = (struct track_say) { ARG_SKEW_, row->skew };
	tm_buf_add(&b, row->name->text, row->name->len);
	tm_buf_fmt(&b, " #%zu", row->place + 1);
	ok = !b.failed && tm_track_own(s, key, from, to, b.p, say, n);
	tm_buf_fini(&b);
	return ok;
}

static bool put_collectives(struct track_store *s, struct ranks *r, struct track_members *m)
{
	struct comm_match *match;
	struct comm_row row;
	uint64_t nth = 0;
	bool ok = tm_work_settle(&r->w);

	if (!ok || r->w.ntrack < 2)
		return ok;
	match = tm_comm_match_new(r);
	ok = match != NULL;
	while (ok && tm_comm_match_next(match, &row))
		if (row.members > 1 && row.compared)
			ok = put_collective(s, r, &row) && put_members(m, &row, nth++);
	tm_comm_match_free(match);
	return ok;
}

/* From the first time of all rows to the last. */
static struct tm_extent extent(const struct track_store *s)
{
	struct tm_extent e = { UINT64_MAX, 0 };

	for (size_t i = 0; i < s->n; i++) {
		e.lo = s->row[i].start < e.lo ? s->row[i].start : e.lo;
		e.hi = s->row[i].end > e.hi ? s->row[i].end : e.hi;
	}
	return e;
}

/* ---- steps ---- */

static bool put_steps(struct track_store *s, const struct ranks *r, bool whole)
{
	const struct tm_extent drawn = extent(s);
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_STEPS };
	struct tm_report unsaid = { 0 };
	struct tm_steps steps = { 0 };
	bool ok = tm_steps_find(&steps, &r->w, &unsaid) != TM_ST_FATAL;

	if (steps.sequence && !whole)
		steps.n = 0;
	for (size_t i = 0; ok && i < steps.n && steps.v[i].rank == steps.v[0].rank; i++) {
		const struct rank_facts *f = tm_ranks_facts(r, steps.v[i].rank);
		const uint64_t from = common(f, steps.v[i].at.lo), to = common(f, steps.v[i].at.hi);
		char text[40];

		if (from >= drawn.hi || to <= drawn.lo)
			continue;
		snprintf(text, sizeof text, "step %" PRIu64, steps.v[i].number);
		ok = tm_track_own(s, key, from, to, text, NULL, 0);
	}
	tm_steps_fini(&steps);
	tm_report_fini(&unsaid);
	return ok;
}

/* ---- busy and idle ---- */

/* An agent begins or ends work. */
struct edge {
	uint64_t at;
	int by;
};

struct states {
	struct track_store *s;
	const struct ranks *r;
	const struct tm_work_track *track; /* at hand, NULL = none */
	struct tm_extent window;
	uint64_t busy; /* since when, on its own clock */
	struct edge *edge;
	size_t edges, edge_cap;
	struct tm_extent longest; /* idle time of an agent, the first of equals */
};

static bool put_busy(struct states *st, uint64_t from, uint64_t to)
{
	const struct tm_work_track *t = st->track;
	const struct rank_facts *f = tm_ranks_facts(st->r, t->rank);
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_STATE,
		                          [KEY_RANK] = t->rank,
		                          [KEY_HAS] = t->has_agent ? HAS_WHO : 0,
		                          [KEY_WHO] = t->has_agent ? t->agent : 0 };

	if (from >= to)
		return true;
	if (!tm_grow_array(&st->edge, &st->edge_cap, st->edges + 2, sizeof *st->edge))
		return false;
	st->edge[st->edges++] = (struct edge) { common(f, from), 1 };
	st->edge[st->edges++] = (struct edge) { common(f, to), -1 };
	return tm_track_own(st->s, key, common(f, from), common(f, to), TRACK_BUSY, NULL, 0);
}

/* An agent is at its end. */
static bool end_agent(struct states *st)
{
	bool ok = !st->track || put_busy(st, st->busy, st->window.hi);

	st->track = NULL;
	return ok;
}

static bool put_gap(void *arg, const struct tm_gap *g)
{
	static const char *const words[TM_CAUSES] = { "idle: sync", "idle: host", "idle: launch",
		                                      "idle: device", "idle" };
	struct states *st = arg;
	const struct rank_facts *f = tm_ranks_facts(st->r, g->track->rank);
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_STATE,
		                          [KEY_RANK] = g->track->rank,
		                          [KEY_HAS] = g->track->has_agent ? HAS_WHO : 0,
		                          [KEY_WHO] = g->track->has_agent ? g->track->agent : 0 };
	struct track_say say[TM_CAUSES];
	unsigned most = 0;
	size_t n = 0;

	if (st->track != g->track) {
		if (!end_agent(st))
			return false;
		st->track = g->track;
		st->window = g->window;
		st->busy = g->window.lo;
	}
	if (!put_busy(st, st->busy, g->at.lo))
		return false;
	st->busy = g->at.hi;
	for (unsigned c = 0; c < TM_CAUSES; c++) {
		most = g->cause[c] > g->cause[most] ? c : most;
		if (g->cause[c] && c != TM_CAUSE_UNKNOWN)
			say[n++] = (struct track_say) { ARG_SYNC_ + c, g->cause[c] };
	}
	if (g->at.hi - g->at.lo > st->longest.hi - st->longest.lo)
		st->longest = (struct tm_extent) { common(f, g->at.lo), common(f, g->at.hi) };
	return g->at.lo == g->at.hi || tm_track_own(st->s, key, common(f, g->at.lo),
	                                            common(f, g->at.hi), words[most], say, n);
}

static int edge_cmp(const void *pa, const void *pb, void *arg)
{
	const struct edge *a = pa, *b = pb;

	(void)arg;
	return a->at != b->at ? (a->at > b->at ? 1 : -1) : a->by - b->by;
}

/* How many agents are at work, the mean of each of BINS parts of the time. */
static bool put_job_busy(struct states *st)
{
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_JOB_BUSY };
	const struct edge *e = st->edge;
	const size_t n = st->edges;
	uint64_t width, first;
	double drawn = -1;
	int busy = 0;
	bool ok = true;

	if (!n)
		return true;
	tm_sort_in_place(st->edge, n, sizeof *st->edge, edge_cmp, NULL);
	first = e[0].at;
	width = (e[n - 1].at - first) / BINS + 1;
	/* Times count from the first, and parts by number: the end of the last may be too large. */
	for (size_t i = 0, bin = 0; ok && i < n; bin++) {
		tm_u128 area = 0;
		uint64_t done = 0; /* of this part */
		double mean;

		for (; i < n && (e[i].at - first) / width == bin; i++) {
			const uint64_t at = e[i].at - first - bin * width;

			area += (tm_u128)(at - done) * (unsigned)busy;
			done = at;
			busy += e[i].by;
		}
		area += (tm_u128)(width - done) * (unsigned)busy;
		mean = (double)area / (double)width;
		if (mean != drawn)
			ok = tm_track_value(st->s, key, first + bin * width, mean);
		drawn = mean;
	}
	return ok && (drawn == 0 || tm_track_value(st->s, key, e[n - 1].at, 0));
}

static bool put_states(struct track_store *s, struct ranks *r, struct tm_extent *longest)
{
	struct states st = { .s = s, .r = r };
	bool ok = tm_gaps_each(&r->w, put_gap, &st) && end_agent(&st) && put_job_busy(&st);

	free(st.edge);
	*longest = st.longest;
	return ok;
}

/* ---- findings ---- */

/* From the first kernel or copy to the last; all of the time, if there is none. */
static struct tm_extent work_of(const struct track_store *s, struct tm_extent drawn)
{
	struct tm_extent e = { UINT64_MAX, 0 };

	for (size_t i = 0; i < s->n; i++) {
		if (s->row[i].what != WHAT_KERNEL && s->row[i].what != WHAT_COPY)
			continue;
		e.lo = s->row[i].start < e.lo ? s->row[i].start : e.lo;
		e.hi = s->row[i].end > e.hi ? s->row[i].end : e.hi;
	}
	return e.lo < e.hi ? e : drawn;
}

static bool put_findings(struct track_store *s, const struct tm_tracks *asked,
                         struct tm_extent drawn, struct tm_extent longest)
{
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_FINDINGS };
	const struct tm_extent work = work_of(s, drawn);
	const struct tm_extent over[] = {
		[TM_TRACKS_WORK] = work,
		[TM_TRACKS_LONGEST_IDLE] = longest.lo < longest.hi ? longest : work,
		[TM_TRACKS_WHOLE] = drawn,
	};

	for (size_t i = 0; i < asked->pins; i++) {
		const struct tm_tracks_pin *p = &asked->pin[i];

		if (!tm_track_own(s, key, over[p->over].lo, over[p->over].hi, p->text, NULL, 0))
			return false;
	}
	return true;
}

/* ---- memory ---- */

struct holding {
	struct track_store *s;
	const struct ranks *r;
};

static bool put_held(void *arg, const struct tm_memory_held *h)
{
	const struct holding *to = arg;
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_HELD,
		                          [KEY_RANK] = h->rank,
		                          [KEY_HAS] = h->has_agent ? HAS_WHO : 0,
		                          [KEY_WHO] = h->has_agent ? h->agent : 0 };

	return tm_track_value(to->s, key, common(tm_ranks_facts(to->r, h->rank), h->at),
	                      (double)h->bytes);
}

bool tm_track_held(struct track_store *s, const struct ranks *r, void *memory)
{
	struct holding to = { s, r };

	return tm_memory_each(memory, put_held, &to);
}

/* ---- clocks ---- */

static bool put_clocks(struct track_store *s, const struct ranks *r)
{
	for (size_t i = 0; i < r->known.n; i++) {
		const struct rank_facts *f = &r->facts[i];
		const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_CLOCK, [KEY_RANK] = f->rank };
		struct tm_work_range own = tm_work_tracks_of(&r->w, f->rank);

		for (size_t k = 0; k < f->parts; k++)
			if (!tm_track_value(s, key, tm_clock_line_at(&f->line, f->part[k].from_ns),
			                    (double)f->part[k].error_ns))
				return false;
		if (f->has_error && !f->parts && own.from < own.to &&
		    !tm_track_value(s, key, common(f, r->w.track[own.from].window.lo),
		                    (double)f->error))
			return false;
	}
	return true;
}

/* ---- all of it ---- */

static bool put_about(struct track_store *s, const struct ranks *r, struct tm_report *rep)
{
	const uint64_t key[KEY_WORDS] = { [KEY_SORT] = TRACK_ABOUT };
	const struct tm_extent drawn = extent(s);
	uint64_t worst = 0;
	struct tm_buf b = { 0 };
	bool ok, error = false;

	for (size_t i = 0; i < r->known.n; i++) {
		error |= r->facts[i].has_error;
		worst = r->facts[i].error > worst ? r->facts[i].error : worst;
	}
	tm_buf_fmt(&b, "%zu rank%s", (size_t)r->known.n, r->known.n == 1 ? "" : "s");
	if (r->known.n > 1 && !tm_ranks_aligned(r)) {
		tm_buf_str(&b,
		           "; their clocks are NOT aligned: compare times within one rank only");
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "the clocks of the ranks are not aligned: compare times within one rank "
		        "only; tracemerge --align puts them on one clock");
	} else if (r->known.n > 1 && error) {
		tm_buf_fmt(&b, " on one clock, off by at most %" PRIu64 " ns", worst);
	} else if (r->known.n > 1) {
		tm_buf_str(&b, " of one clock");
	}
	ok = !b.failed && tm_track_own(s, key, drawn.lo, drawn.hi, b.p, NULL, 0);
	tm_buf_fini(&b);
	return ok;
}

bool tm_track_derive(struct track_store *s, struct ranks *r, const struct tm_tracks *asked,
                     bool whole, struct track_members *m, struct tm_report *rep)
{
	struct tm_extent drawn, longest = { 0, 0 };

	if (!s->n)
		return true;
	drawn = extent(s);
	return put_collectives(s, r, m) && put_steps(s, r, whole) && put_clocks(s, r) &&
	       put_about(s, r, rep) && (!whole || put_states(s, r, &longest)) &&
	       put_findings(s, asked, drawn, longest);
}
