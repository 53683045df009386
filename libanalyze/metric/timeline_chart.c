/* SPDX-License-Identifier: MIT
 * How was each part of the time used?
 *
 *     compute + exposed_comm + exposed_copy + move + wait + idle = to - from     exact
 *
 * What runs across the edge of two bins counts in each for the time that it has there. */
#include "metric/timeline.h"

#include <inttypes.h>

const struct tm_column tm_timeline_chart_columns[] = {
	[TM_CHART_RANK] = { TM_COLUMN_RANK },
	[TM_CHART_AGENT] = { .name = "agent",
	                     .title = "AGENT",
	                     .unit = TM_UNIT_TEXT,
	                     .about = "agent as the producer numbers it" },
	[TM_CHART_FROM] = { .name = "from_ns",
	                    .title = "FROM",
	                    .unit = TM_UNIT_ID,
	                    .about = "start of this part, on the trace clock" },
	[TM_CHART_TO] = { .name = "to_ns", .title = "TO", .unit = TM_UNIT_ID, .about = "its end" },
	[TM_CHART_COMPUTE] = { TM_COLUMN_COMPUTE },
	[TM_CHART_COMM] = { TM_COLUMN_EXPOSED_COMM },
	[TM_CHART_COPY] = { TM_COLUMN_EXPOSED_COPY },
	[TM_CHART_MOVE] = { TM_COLUMN_MOVE },
	[TM_CHART_WAIT] = { TM_COLUMN_WAIT },
	[TM_CHART_IDLE] = { TM_COLUMN_IDLE },
	[TM_CHART_LONGEST] = { .name = "longest_idle_ns",
	                       .title = "LONGEST",
	                       .unit = TM_UNIT_NS,
	                       .machine = true,
	                       .about = "longest stretch of idle_ns inside this part" },
	[TM_CHART_N] = { .name = NULL },
};

enum { SOME = 64 }; /* pieces fetched at a time */

/* The union of one kind: some of its pieces, the first the one that ends next. */
struct walk {
	struct tm_pieces p;
	struct tm_extent some[SOME];
	size_t at, n;
};

struct lane {
	const struct tm_work_track *t;
	struct walk kind[TM_WORK_KINDS];
	unsigned live; /* the kinds whose walk is not at its end, as a mask */
};

/* To the first piece that ends after an instant; false when there is none. */
static bool go_to(struct walk *w, uint64_t at)
{
	do {
		for (; w->at < w->n; w->at++)
			if (w->some[w->at].hi > at)
				return true;
		w->n = tm_pieces_some(&w->p, w->some, SOME);
		w->at = 0;
	} while (w->n);
	return false;
}

/* Which kinds run at an instant, and until when exactly these do. */
static unsigned kinds_at(struct lane *l, uint64_t at, uint64_t *until)
{
	unsigned mask = 0;

	for (unsigned live = l->live; live; live &= live - 1) {
		const unsigned k = (unsigned)__builtin_ctz(live);
		struct walk *w = &l->kind[k];
		struct tm_extent e;
		uint64_t edge;

		if (!go_to(w, at)) {
			l->live &= ~(1u << k);
			continue;
		}
		e = w->some[w->at];
		edge = e.lo <= at ? e.hi : e.lo;
		mask |= e.lo <= at ? 1u << k : 0;
		*until = edge < *until ? edge : *until;
	}
	return mask;
}

/* How long exactly these kinds run in a bin: by[mask]; the longest stretch in which none does. */
static uint64_t use_by(struct lane *l, struct tm_extent bin, uint64_t by[TM_WORK_EVERY + 1])
{
	uint64_t longest = 0, idle = 0;

	for (uint64_t at = bin.lo, until; at < bin.hi; at = until) {
		unsigned mask;

		until = bin.hi;
		mask = kinds_at(l, at, &until);
		by[mask] += until - at;
		idle = mask ? 0 : idle + (until - at);
		longest = idle > longest ? idle : longest;
	}
	return longest;
}

/* The same where one kind is left: most agents do one thing. */
static uint64_t use_of_one(struct walk *w, struct tm_extent bin, uint64_t *runs, uint64_t *none)
{
	uint64_t at = bin.lo, longest = 0;

	while (at < bin.hi && go_to(w, at)) {
		const struct tm_extent e = w->some[w->at];
		const uint64_t lo = e.lo < at       ? at
		                    : e.lo < bin.hi ? e.lo
		                                    : bin.hi,
		               hi = e.hi < bin.hi ? e.hi : bin.hi;

		longest = lo - at > longest ? lo - at : longest;
		*none += lo - at;
		*runs += hi - lo;
		at = hi;
	}
	*none += bin.hi - at;
	return bin.hi - at > longest ? bin.hi - at : longest;
}

static struct tm_cell *put_bin(struct tm_table *t, struct lane *l, struct tm_extent bin)
{
	uint64_t by[TM_WORK_EVERY + 1] = { 0 }, longest;
	struct tm_cell *c = tm_table_row(t);
	struct tm_work_use u;

	if (!c)
		return NULL;
	if (l->live && !(l->live & (l->live - 1)))
		longest = use_of_one(&l->kind[__builtin_ctz(l->live)], bin, &by[l->live], &by[0]);
	else
		longest = use_by(l, bin, by);
	u = tm_work_use_by(by, bin.hi - bin.lo);
	c[TM_CHART_RANK] = tm_cell_u64(l->t->rank);
	c[TM_CHART_AGENT] = tm_work_agent_cell(t, l->t->has_agent, l->t->agent);
	c[TM_CHART_FROM] = tm_cell_u64(bin.lo);
	c[TM_CHART_TO] = tm_cell_u64(bin.hi);
	c[TM_CHART_COMPUTE] = tm_cell_u64(u.compute);
	c[TM_CHART_COMM] = tm_cell_u64(u.exposed_comm);
	c[TM_CHART_COPY] = tm_cell_u64(u.exposed_copy);
	c[TM_CHART_MOVE] = tm_cell_u64(u.move);
	c[TM_CHART_WAIT] = tm_cell_u64(u.wait);
	c[TM_CHART_IDLE] = tm_cell_u64(u.idle);
	c[TM_CHART_LONGEST] = tm_cell_u64(longest);
	return c;
}

/* The end of bin i of n. */
static uint64_t edge_of(struct tm_extent all, uint64_t i, uint64_t n)
{
	return all.lo + (uint64_t)((tm_u128)(all.hi - all.lo) * i / n);
}

static bool put_lane(struct tm_table *t, const struct tm_work_track *tracks, size_t n,
                     struct tm_extent all, uint64_t bins)
{
	struct lane l;
	struct tm_pieces p[TM_WORK_KINDS];

	tm_work_kinds_of(tracks, n, p);
	l.t = tracks;
	l.live = (1u << TM_WORK_KINDS) - 1;
	for (unsigned k = 0; k < TM_WORK_KINDS; k++) {
		l.kind[k].p = p[k];
		l.kind[k].at = l.kind[k].n = 0;
	}
	for (uint64_t i = 0; i < bins; i++)
		if (!put_bin(t, &l,
		             (struct tm_extent) { edge_of(all, i, bins),
		                                  edge_of(all, i + 1, bins) }))
			return false;
	return true;
}

/* From the first window's begin to the last one's end, and the length of the longest. */
static struct tm_extent all_of(const struct tm_work *w, uint64_t *longest)
{
	struct tm_extent all = { UINT64_MAX, 0 };

	*longest = 0;
	for (size_t i = 0; i < w->ntrack; i++) {
		struct tm_extent at = w->track[i].window;

		all.lo = at.lo < all.lo ? at.lo : all.lo;
		all.hi = at.hi > all.hi ? at.hi : all.hi;
		*longest = at.hi - at.lo > *longest ? at.hi - at.lo : *longest;
	}
	return all;
}

/* Where -w cuts ranks at different times, what of *all is inside for each of them: after its edge
 * a rank goes on, and is not idle. */
static struct tm_extent inside_all(const struct tm_work *w, struct tm_extent all)
{
	for (size_t i = 0; w->o->windowed && i < w->ntrack; i++) {
		const struct tm_extent at = w->track[i].window;

		if (!w->o->open_from && at.lo > all.lo)
			all.lo = at.lo;
		if (!w->o->open_to && at.hi < all.hi)
			all.hi = at.hi;
	}
	return all;
}

bool tm_timeline_chart(const struct tm_work *w, uint64_t bins, struct tm_table *t,
                       struct tm_report *rep)
{
	uint64_t longest;
	struct tm_extent all = all_of(w, &longest);
	const struct tm_extent known = inside_all(w, all);
	/* Less than a column shows is not worth an axis of each. */
	const bool cut = all.hi > all.lo && (known.hi <= known.lo ||
	                                     known.hi - known.lo < all.hi - all.lo - longest / 100);
	const bool apart = w->ntrack && (cut || (all.hi - all.lo) / 2 > longest);

	all = apart ? all : known;
	tm_table_init_list(t, tm_timeline_chart_columns);
	t->look = TM_LOOK_STRIPS;
	if (apart)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%s: each is drawn over its own window",
		              cut ? "-w differs between ranks"
		                  : "the agents worked at different times, or their clocks differ");
	else if (w->o->windowed && w->ntrack)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "+0 on the axis is the start of the window, %" PRIu64
		              " ns on the trace clock",
		              all.lo);
	for (size_t i = 0, n; i < w->ntrack; i += n) {
		struct tm_extent at = all;
		uint64_t ns;

		n = tm_work_same(w, i);
		if (apart) {
			struct tm_pieces p = tm_work_pieces_same(&w->track[i], n);

			at = p.window;
		}
		ns = at.hi - at.lo;
		if (ns && !put_lane(t, &w->track[i], n, at, bins < ns ? bins : ns))
			return false;
	}
	return true;
}
