/* SPDX-License-Identifier: MIT
 * Every collective: who came last, and how long did the others wait?
 *
 * A collective is a kernel of class comm.  No trace read so far names the communicator, so the n-th of
 * each agent in the order of start is taken for the same one everywhere: right for a job with one
 * communicator, and for what all ranks do in the same order.
 *
 * Arrival needs clocks that can be compared.  A collective ends nowhere before everybody has come, so on
 * comparable clocks all its kernels overlap: where hardly any do, the clocks (or the matching) are not to be
 * trusted, and nothing is said about arrival. */
#include "metric/priv_ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_COMM,
	COL_INDEX,
	COL_NAME,
	COL_RANKS,
	COL_BYTES,
	COL_SKEW,
	COL_MIN,
	COL_WAIT,
	COL_LAST,
	COL_BANDWIDTH,
	COL_N,
};

const struct column collective_columns[] = {
	[COL_COMM] = { .name = "comm",
	               .title = "COMM",
	               .about = "communicator, where the trace tells",
	               .unit = UNIT_TEXT },
	[COL_INDEX] = { .name = "index",
	                .title = "INDEX",
	                .about = "its place in the order, from 1",
	                .unit = UNIT_ID },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .about = "kernel",
	               .unit = UNIT_TEXT,
	               .elastic = true },
	[COL_RANKS] = { .name = "ranks",
	                .title = "RANKS",
	                .about = "agents of all ranks that took part",
	                .unit = UNIT_COUNT },
	[COL_BYTES] = { .name = "bytes",
	                .title = "BYTES",
	                .about = "size, where the trace tells",
	                .unit = UNIT_BYTES },
	[COL_SKEW] = { .name = "arrival_skew_ns",
	               .title = "SKEW",
	               .about = "last start - first start",
	               .unit = UNIT_NS },
	[COL_MIN] = { .name = "min_dur_ns",
	              .title = "FASTEST",
	              .about = "shortest duration",
	              .unit = UNIT_NS },
	[COL_WAIT] = { .name = "max_wait_ns",
	               .title = "WAIT",
	               .about = "longest duration - shortest duration",
	               .unit = UNIT_NS,
	               .bar = true },
	[COL_LAST] = { .name = "last_rank",
	               .title = "LAST",
	               .about = "the rank that started last",
	               .unit = UNIT_ID },
	[COL_BANDWIDTH] = { .name = "busbw_gb_per_s",
	                    .title = "BUSBW",
	                    .about = "bytes * bus factor / shortest duration, GB = 1e9 bytes",
	                    .unit = UNIT_RATIO },
	[COL_N] = { 0 },
};

/* The collectives of one agent inside the window: [from, to) of its list. */
struct member {
	const struct work_track *track;
	size_t from, to;
};

struct members {
	struct member *v;            /* n of them, by rank and agent */
	struct member *now;          /* nnow of them: those that have the n-th collective */
	size_t n, nnow, most, least; /* most, least: collectives of one of them */
};

/* The n-th collective of all that have one. */
struct collective {
	size_t members;
	uint64_t first, last, end, shortest, longest, last_rank;
	uint32_t name;
	bool names_differ;
};

/* n goes up from call to call, from 0. */
static struct collective look(struct members *m, size_t n)
{
	size_t left = 0;
	struct collective c = { .first = UINT64_MAX, .end = UINT64_MAX, .shortest = UINT64_MAX };

	if (!n) {
		memcpy(m->now, m->v, m->n * sizeof *m->v);
		m->nnow = m->n;
	}
	for (size_t i = 0; i < m->nnow; i++) {
		const struct member one = m->now[i];
		const struct intervals *s = &one.track->op[WORK_COMM];
		size_t at = one.from + n;
		uint64_t start, end, dur;

		if (at >= one.to)
			continue;
		m->now[left++] = one;
		start = s->v[at].start;
		end = interval_end(s, at);
		dur = end - start;
		c.first = start < c.first ? start : c.first;
		/* Of several that start together the lowest rank. */
		if (!c.members || start > c.last) {
			c.last = start;
			c.last_rank = one.track->rank;
		}
		c.end = end < c.end ? end : c.end;
		c.shortest = dur < c.shortest ? dur : c.shortest;
		c.longest = dur > c.longest ? dur : c.longest;
		c.names_differ |= c.members && s->name[at] != c.name;
		c.name = c.members ? c.name : s->name[at];
		c.members++;
	}
	m->nnow = left;
	return c;
}

static bool members_init(struct members *m, const struct work *w)
{
	*m = (struct members) { .v = calloc(w->ntrack + 1, sizeof *m->v),
		                .now = calloc(w->ntrack + 1, sizeof *m->now),
		                .least = SIZE_MAX };
	for (size_t i = 0; m->v && m->now && i < w->ntrack; i++) {
		const struct work_track *t = &w->track[i];
		struct member one = { .track = t, .from = 0, .to = t->op[WORK_COMM].n };

		while (one.from < one.to &&
		       !work_starts_inside(t, t->op[WORK_COMM].v[one.from].start))
			one.from++;
		while (one.to > one.from &&
		       !work_starts_inside(t, t->op[WORK_COMM].v[one.to - 1].start))
			one.to--;
		if (one.from == one.to)
			continue;
		m->v[m->n++] = one;
		m->most = one.to - one.from > m->most ? one.to - one.from : m->most;
		m->least = one.to - one.from < m->least ? one.to - one.from : m->least;
	}
	return m->v && m->now;
}

static void members_fini(struct members *m)
{
	free(m->v);
	free(m->now);
}

/* Do all inputs that say what their times count say the same? */
static bool same_clock(const struct ranks *r, const struct members *m)
{
	const struct name *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct name *one = ranks_clock(r, m->v[i].track->rank);

		if (first && one && name_cmp(first, one))
			return false;
		first = first ? first : one;
	}
	return true;
}

/* Can arrivals be compared?  What speaks for it or against it goes into *rep. */
static bool comparable(const struct ranks *r, struct members *m, struct report *rep)
{
	uint64_t matched = 0, overlap = 0;

	for (size_t n = 0; n < m->most; n++) {
		const struct collective c = look(m, n);

		matched += c.members > 1;
		overlap += c.members > 1 && c.last < c.end;
	}
	if (!matched)
		return false;
	if (!same_clock(r, m)) {
		report_add(rep, SEV_NOTE, NULL, 0,
		           "the times of these ranks count different things: arrival_skew_ns and "
		           "last_rank are absent");
		return false;
	}
	if (overlap * 10 < matched * 9) {
		report_add(rep, SEV_NOTE, NULL, 0,
		           "in only %" PRIu64 " of %" PRIu64
		           " collectives do the kernels of all ranks overlap: the clocks are not "
		           "comparable, or the order is not the same everywhere; arrival_skew_ns "
		           "and last_rank are absent (tracemerge --align)",
		           overlap, matched);
		return false;
	}
	report_add(rep, SEV_NOTE, NULL, 0,
	           "the clocks of the ranks are taken as one: in %" PRIu64 " of %" PRIu64
	           " collectives the kernels of all ranks overlap",
	           overlap, matched);
	return true;
}

static void fill_row(const struct work *w, const struct collective *c, size_t n, bool clocks,
                     struct cell *cell)
{
	const struct name *nm = &w->names.v[c->name];

	cell[COL_INDEX] = cell_u64(n + 1);
	cell[COL_NAME] = cell_text(nm->text, nm->len);
	cell[COL_RANKS] = cell_u64(c->members);
	cell[COL_MIN] = cell_u64(c->shortest);
	if (c->members < 2)
		return;
	cell[COL_WAIT] = cell_u64(c->longest - c->shortest);
	if (clocks) {
		cell[COL_SKEW] = cell_u64(c->last - c->first);
		cell[COL_LAST] = cell_u64(c->last_rank);
	}
}

static void tell(const struct members *m, uint64_t differ, struct report *rep)
{
	if (m->n < 2)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "one agent only has collectives: nothing to match (RANK=FILE or "
		           "--rank-from tell ranks apart)");
	else
		report_add(rep, SEV_NOTE, NULL, 0,
		           "collectives are matched by their order on each agent: the trace names "
		           "no communicators");
	if (m->least != m->most)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "from %zu to %zu collectives on an agent: some rows may match what does "
		           "not belong together",
		           m->least, m->most);
	if (differ)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "in %" PRIu64 " rows the ranks ran kernels of different names: they may "
		           "not belong together; the name is that of the lowest rank",
		           differ);
}

enum status fill_collectives(struct ranks *r, struct table *t, struct report *rep)
{
	uint64_t differ = 0;
	struct members m = { 0 };
	bool ok, clocks;

	table_init_list(t, collective_columns);
	if (!work_settle(&r->w) || !members_init(&m, &r->w)) {
		members_fini(&m);
		return ST_FATAL;
	}
	if (!m.n) {
		members_fini(&m);
		work_explain_nothing(&r->w, "kernels of class comm", rep);
		return ST_END;
	}
	ok = true;
	clocks = comparable(r, &m, rep);
	for (size_t n = 0; ok && n < m.most; n++) {
		const struct collective c = look(&m, n);
		struct cell *cell = table_row(t);

		ok = cell != NULL;
		if (ok)
			fill_row(&r->w, &c, n, clocks, cell);
		differ += c.names_differ;
	}
	tell(&m, differ, rep);
	work_tell(&r->w, rep);
	members_fini(&m);
	return ok ? ST_OK : ST_FATAL;
}
