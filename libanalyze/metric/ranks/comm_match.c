/* SPDX-License-Identifier: MIT */
#include "metric/ranks/comm_match_parts.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Kernels whose names tm_comm_join asks for. */
struct kernels {
	const struct tm_intervals *s;
	const struct tm_names *names;
};

static void look_call(const struct comm_match *m, struct comm_row *row, bool *told,
                      const struct tm_comm_call *call)
{
	uint64_t bytes, num, den;
	bool sized = call && tm_comm_call_size(m->calls, call, &bytes, &num, &den);
	const struct tm_name *comm = call && call->comm != TM_NAME_NONE
	                                     ? &m->calls->names.v[call->comm]
	                                     : NULL;

	if (!*told) {
		*told = true;
		row->comm = comm;
		row->comm_ranks = call ? call->ranks : 0;
		row->sized = sized;
		row->bytes = sized ? bytes : 0;
		row->num = sized ? num : 0;
		row->den = sized ? den : 0;
		return;
	}
	row->comm = comm == row->comm ? comm : NULL;
	row->comm_ranks = call && call->ranks == row->comm_ranks ? row->comm_ranks : 0;
	row->sized = row->sized && sized && bytes == row->bytes;
	if (row->sized && (num != row->num || den != row->den))
		row->num = row->den = 0;
}

/* A time that came with the offset alone, on the common clock. */
static uint64_t common(const struct rank_facts *f, uint64_t t)
{
	if (!f || !f->has_line || !f->line.rate)
		return t;
	return t + (uint64_t)tm_clock_line_drift(&f->line, t - f->line.offset_ns);
}

static struct comm_part part_of(const struct tm_member *one, const struct item *item)
{
	const struct tm_intervals *s = &one->track->op[TM_WORK_COMM];
	uint64_t start = tm_interval_start(s, item->at), dur = tm_interval_dur(s, item->at);

	return (struct comm_part) { .track = one->track,
		                    .at = item->at,
		                    .arrival = common(one->facts, start),
		                    .end = common(one->facts, start + dur),
		                    .dur = dur };
}

/* Did it begin before the window, and run on inside? */
static bool reaches_in(const struct comm_part *p)
{
	const struct tm_work_track *t = p->track;
	const struct tm_intervals *s = &t->op[TM_WORK_COMM];

	return tm_interval_start(s, p->at) < t->window.lo &&
	       tm_interval_end(s, p->at) > t->window.lo && t->window.lo < t->window.hi;
}

/* What one of its kernels says of a collective. */
static void look_kernel(const struct comm_match *m, struct comm_row *row, bool *told,
                        const struct tm_member *one, const struct item *item, bool first)
{
	const struct tm_intervals *s = &one->track->op[TM_WORK_COMM];
	const struct tm_name *name = item->call ? &m->calls->names.v[item->call->name]
	                                        : &m->names->v[tm_interval_name(s, item->at)];

	if (first || (item->call && !row->called) ||
	    (row->pair && tm_comm_sends(m->calls, item->call))) {
		row->name = name;
		row->called = item->call != NULL;
		row->names_differ = false;
	} else if (row->pair) {
		/* One sends, the other receives. */
	} else if (row->called == (item->call != NULL)) {
		row->names_differ |= tm_name_cmp(name, row->name) != 0;
	}
	if (!one->silent)
		look_call(m, row, told, item->call);
}

static const struct item *next_item(const struct comm_match *m, const struct part *p)
{
	return m->v[p->member].item + p->from;
}

/* The kernels of the next collective into m->pick; how many.  Of several that have one number, the
 * first is one collective. */
static size_t pick(struct comm_match *m)
{
	uint64_t least = UINT64_MAX;
	size_t n = 0, left = 0;

	for (size_t i = 0; m->numbered && i < m->nnow; i++) {
		const uint64_t op = next_item(m, &m->now[i])->call->op;

		least = op < least ? op : least;
	}
	for (size_t i = 0; i < m->nnow; i++) {
		struct part now = m->now[i];
		const struct item *item = next_item(m, &now);

		if (!m->numbered || item->call->op == least) {
			m->pick[n++] = (struct pick) { &m->v[now.member], item };
			now.from++;
		}
		if (now.from < now.to)
			m->now[left++] = now;
	}
	m->nnow = left;
	return n;
}

/* The next one of the communicator at hand. */
static void look(struct comm_match *m, struct comm_row *row)
{
	const enum tm_comm_lane lane = m->part[m->at].lane;
	const size_t n = pick(m);
	bool told = false;

	*row = (struct comm_row) { .part = m->row,
		                   .before = m->before,
		                   .place = m->place++,
		                   .pair = lane != TM_LANE_ALL,
		                   .alone = lane == TM_LANE_ALONE,
		                   .lacking = m->numbered && n < m->parts,
		                   .blind = !m->clocks,
		                   .uneven = m->uneven,
		                   .shortest = UINT64_MAX };
	for (size_t i = 0; i < n; i++) {
		const struct tm_member *one = m->pick[i].one;
		const struct item *item = m->pick[i].item;
		const struct comm_part part = part_of(one, item);

		if (item->inside) {
			row->shortest = part.dur < row->shortest ? part.dur : row->shortest;
			row->longest = part.dur > row->longest ? part.dur : row->longest;
			look_kernel(m, row, &told, one, item, !row->members);
			m->row[row->members++] = part;
			continue;
		}
		row->cut = true;
		if (reaches_in(&part))
			m->before[row->nbefore++] = part;
	}
	for (size_t i = 0; !row->members && row->nbefore && i < n; i++) {
		const struct tm_member *one = m->pick[i].one;
		const struct item *item = m->pick[i].item;
		const struct comm_part part = part_of(one, item);

		if (!reaches_in(&part))
			continue;
		look_kernel(m, row, &told, one, item, !row->name);
	}
	/* How long it waits for the other rank is not known. */
	if (row->alone)
		row->num = row->den = 0;
}

static const char *name_of(const void *of, size_t i)
{
	const struct kernels *k = of;

	return k->names->v[tm_interval_name(k->s, i)].text;
}

static struct tm_extent ran(const void *of, size_t i)
{
	const struct kernels *k = of;

	return (struct tm_extent) { tm_interval_start(k->s, i), tm_interval_end(k->s, i) };
}

/* All kernels of a track, each with its call where that is known. */
static bool member_fill(struct comm_match *m, const struct tm_work_track *t, struct tm_member *one)
{
	const struct tm_intervals *s = &t->op[TM_WORK_COMM];
	const struct kernels of = { s, m->names };
	const struct tm_comm_kernels kernels = { .n = s->n,
		                                 .name = name_of,
		                                 .ran = ran,
		                                 .agent = t->has_agent ? t->agent : UINT64_MAX,
		                                 .of = &of,
		                                 .unnamed = m->by_class };
	const struct tm_comm_call **call = calloc(s->n + 1, sizeof(*call));
	struct tm_comm_joined j;

	*one = (struct tm_member) { .track = t,
		                    .facts = tm_ranks_facts(m->r, t->rank),
		                    .item = malloc((s->n + 1) * sizeof *one->item) };
	if (!one->item || !call || s->n >= UINT32_MAX ||
	    !tm_comm_join(&m->join, t->rank, &kernels, call, &j)) {
		free(call);
		return false;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct item item = { .at = (uint32_t)i,
			             .inside = tm_work_starts_inside(t, tm_interval_start(s, i)),
			             .call = call[i] };

		m->inside += item.inside;
		one->item[one->n++] = item;
	}
	free(call);
	one->silent = !j.told;
	one->own = j.own != 0;
	m->own += j.own != 0;
	m->joined += j.joins;
	m->unlike += j.as_many && !j.joins;
	m->left_out += j.left_out;
	if (j.told && !j.own && !j.as_many && s->n && !m->unequal++) {
		m->rank_of = t->rank;
		m->calls_of = j.calls;
		m->kernels_of = j.kernels;
	}
	return true;
}

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct tm_name *v = arg;

	return tm_name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

static int by_comm(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->comm != b->comm)
		return a->comm > b->comm ? 1 : -1;
	return a->lane != b->lane ? (a->lane > b->lane ? 1 : -1)
	                          : (a->at > b->at) - (a->at < b->at);
}

/* Tell communicators apart, if their names mean the same in every process.  A name with a ':' is
 * one that the reader made of a pointer.  False when out of memory. */
static bool tell_apart(struct comm_match *m)
{
	const struct tm_names *names = &m->calls->names;
	uint32_t *ids = malloc(((size_t)names->n + 1) * sizeof *ids);
	uint32_t *place = calloc((size_t)names->n + 1, sizeof *place), n = 0;
	bool several = false;

	for (size_t i = 0; ids && place && i < m->n; i++) {
		uint32_t first = TM_NAME_NONE;

		for (size_t k = 0; k < m->v[i].n; k++) {
			const struct tm_comm_call *call = m->v[i].item[k].call;

			if (!call || call->comm == TM_NAME_NONE)
				continue;
			several |= first != TM_NAME_NONE && first != call->comm;
			first = call->comm;
			if (place[first])
				continue;
			place[first] = 1;
			ids[n++] = first;
			m->pointers |= !tm_comm_is_global(&names->v[first]);
		}
	}
	if (ids && place && n && !m->pointers && m->own + m->joined == m->n) {
		qsort_r(ids, n, sizeof *ids, by_text, names->v);
		for (uint32_t i = 0; i < n; i++)
			place[ids[i]] = i + 1;
		for (size_t i = 0; i < m->n; i++) {
			for (size_t k = 0; k < m->v[i].n; k++) {
				struct item *item = &m->v[i].item[k];

				if (item->call && item->call->comm != TM_NAME_NONE)
					item->comm = place[item->call->comm];
			}
			if (m->v[i].n)
				qsort(m->v[i].item, m->v[i].n, sizeof *m->v[i].item, by_comm);
		}
		m->apart = true;
	}
	m->ambiguous = several;
	free(ids);
	free(place);
	return ids && place;
}

static struct tm_comm_kernel kernel_of(const struct comm_match *m, const struct tm_member *one,
                                       const struct item *item)
{
	const struct tm_intervals *s = &one->track->op[TM_WORK_COMM];

	return (struct tm_comm_kernel) { one->track->rank, item->comm, item->call,
		                         m->names->v[tm_interval_name(s, item->at)].text };
}

/* Keep what passes between two ranks out of the order of collectives.  False when out of memory. */
static bool set_lanes(struct comm_match *m)
{
	struct tm_comm_lanes l = { .calls = m->calls, .told = m->own + m->joined == m->n };
	struct tm_comm_kernel kernel;
	bool ok = true;

	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; ok && k < m->v[i].n; k++) {
			kernel = kernel_of(m, &m->v[i], &m->v[i].item[k]);
			ok = tm_comm_lanes_add(&l, &kernel);
		}
	for (size_t i = 0; ok && m->n > 1 && i < m->n; i++) {
		struct tm_member *one = &m->v[i];

		for (size_t k = 0; k < one->n; k++) {
			kernel = kernel_of(m, one, &one->item[k]);
			one->item[k].lane = tm_comm_lane_of(&l, &kernel);
		}
		if (one->n)
			qsort(one->item, one->n, sizeof *one->item, by_comm);
	}
	tm_comm_lanes_fini(&l);
	return ok;
}

/* ---- parts ---- */

static int by_part(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	if (a->comm != b->comm)
		return a->comm > b->comm ? 1 : -1;
	return a->lane != b->lane ? (a->lane > b->lane ? 1 : -1)
	                          : (a->member > b->member) - (a->member < b->member);
}

/* Every communicator's part of every member.  False when out of memory. */
static bool make_parts(struct comm_match *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct tm_member *one = &m->v[i];

		for (size_t k = 0, end; k < one->n; k = end) {
			const struct item *first = &one->item[k];

			for (end = k + 1; end < one->n && one->item[end].comm == first->comm &&
			                  one->item[end].lane == first->lane;)
				end++;
			if (!tm_grow_array(&m->part, &m->parts_cap, m->nparts + 1, sizeof *m->part))
				return false;
			m->part[m->nparts++] = (struct part) { .comm = first->comm,
				                               .lane = first->lane,
				                               .member = (uint32_t)i,
				                               .from = k,
				                               .to = end };
		}
	}
	if (m->nparts)
		qsort(m->part, m->nparts, sizeof *m->part, by_part);
	return true;
}

/* How many parts from `at` on are of one communicator and matched. */
static size_t parts_of_comm(const struct comm_match *m, size_t at)
{
	const struct part *first = &m->part[at];
	size_t end = at + 1;

	while (end < m->nparts && m->part[end].comm == first->comm &&
	       m->part[end].lane == first->lane && first->lane != TM_LANE_ALONE)
		end++;
	return end - at;
}

/* Collectives of a communicator on the agent that has most; *least: on the one of its agents that
 * has fewest. */
static size_t longest(const struct part *p, size_t parts, size_t *least)
{
	size_t most = 0;

	*least = SIZE_MAX;
	for (size_t i = 0; i < parts; i++) {
		size_t n = p[i].to - p[i].from;

		most = n > most ? n : most;
		*least = n < *least ? n : *least;
	}
	return most;
}

/* ---- arrivals ---- */

static int by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Do all inputs that say what their times count say the same? */
static bool same_clock(const struct comm_match *m)
{
	const struct tm_name *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct tm_name *one = tm_ranks_clock(m->r, m->v[i].track->rank);

		if (first && one && tm_name_cmp(first, one))
			return false;
		first = first ? first : one;
	}
	return true;
}

/* How far the clock of a rank may be off the common one at a time of its own. */
static uint64_t error_at(const struct rank_facts *f, uint64_t t)
{
	uint64_t recorded = t - f->line.offset_ns;

	for (size_t i = 0; f->has_line && i < f->parts; i++)
		if (recorded >= f->part[i].from_ns && recorded < f->part[i].to_ns)
			return f->part[i].error_ns;
	return f->error;
}

/* How far the clocks of two agents may be apart; what the ends say where nothing else does, and
 * *guessed then. */
static uint64_t error_of(const struct comm_match *m, const struct comm_part *a,
                         const struct comm_part *b, bool *guessed)
{
	const struct rank_facts *x, *y;

	if (a->track->rank == b->track->rank)
		return 0;
	x = tm_ranks_facts(m->r, a->track->rank);
	y = tm_ranks_facts(m->r, b->track->rank);
	if (x && y && x->host != TM_NAME_NONE && x->host == y->host && x->clock != TM_NAME_NONE &&
	    x->clock == y->clock)
		return 0;
	/* Ranks that were not moved against one another are as they were without the alignment. */
	if (x && y && x->has_error && y->has_error &&
	    memcmp(&x->line, &y->line, sizeof x->line) != 0)
		return error_at(x, a->arrival) + error_at(y, b->arrival);
	*guessed = true;
	return m->ends_ns;
}

uint64_t tm_comm_match_error(const struct comm_match *m, const struct comm_part *a,
                             const struct comm_part *b)
{
	const uint64_t ends = a->end > b->end ? a->end - b->end : b->end - a->end;
	bool guessed = false;
	const uint64_t error = error_of(m, a, b, &guessed);

	/* Most collectives may be of one node, and the median says nothing of two others. */
	return guessed && ends > error ? ends : error;
}

bool tm_comm_match_clocks(const struct comm_match *m)
{
	return m->clocks;
}

/* Who came first, last and next to last. */
static void look_arrivals(struct comm_match *m, struct comm_row *row)
{
	const struct comm_part *first = row->part, *last = row->part, *end = row->part;
	const struct comm_part *other = NULL;
	uint64_t error;

	row->compared = m->clocks && row->members > 1 && !row->lacking;
	if (!row->compared)
		return;
	for (size_t i = 1; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		first = p->arrival < first->arrival ? p : first;
		last = p->arrival > last->arrival ? p : last;
		end = p->end < end->end ? p : end;
	}
	/* Nothing that ends together ends before all have come: these are not one. */
	if (last->arrival > end->end &&
	    last->arrival - end->end > error_of(m, end, last, &m->guessed)) {
		row->compared = false;
		return;
	}
	/* Of the other ranks: agents of one are one. */
	for (size_t i = 0; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		if (p->track->rank != last->track->rank && (!other || p->arrival > other->arrival))
			other = p;
	}
	row->skew = last->arrival - first->arrival;
	row->last_arrival = last->arrival;
	row->last_rank = last->track->rank;
	error = error_of(m, first, last, &m->guessed);
	row->skewed = !error || row->skew > error;
	for (size_t i = 0; i < row->members && !row->tie; i++)
		row->tie = row->part[i].arrival == last->arrival &&
		           row->part[i].track->rank != row->last_rank;
	row->has_last = row->skewed && row->skew &&
	                (!other ||
	                 (other->arrival < last->arrival &&
	                  last->arrival - other->arrival > error_of(m, other, last, &m->guessed)));
}

/* What says most of the clocks, if it is there.  Who gives to others, or passes on, may be done
 * before they have come. */
enum told_by { TOLD_TOGETHER, TOLD_APART, TOLD_PAIRS, TOLD_BY };

static enum told_by told_by(const struct comm_row *row)
{
	if (row->pair)
		return TOLD_PAIRS;
	return tm_comm_ends_together(row->name) ? TOLD_TOGETHER : TOLD_APART;
}

/* Go once through all of one sort: do they overlap, and how far are their ends apart?  False when
 * out of memory. */
static bool look_ends(struct comm_match *m, enum told_by by)
{
	uint64_t *ends = NULL;
	size_t n = 0, cap = 0;
	struct comm_row row;

	while (tm_comm_match_next(m, &row)) {
		uint64_t last = 0, least = UINT64_MAX, most = 0;

		if (row.members < 2 || told_by(&row) != by)
			continue;
		for (size_t i = 0; i < row.members; i++) {
			const struct comm_part *p = &row.part[i];

			last = p->arrival > last ? p->arrival : last;
			least = p->end < least ? p->end : least;
			most = p->end > most ? p->end : most;
		}
		if (!tm_grow_array(&ends, &cap, n + 1, sizeof *ends)) {
			free(ends);
			return false;
		}
		ends[n++] = most - least;
		m->matched++;
		m->overlap += last < least;
	}
	if (n) {
		qsort(ends, n, sizeof *ends, by_value);
		m->ends_ns = ends[(n - 1) / 2];
	}
	free(ends);
	m->doubts = (struct doubts) { 0 };
	m->at = m->parts = m->place = m->nnow = 0;
	return true;
}

static bool look_clocks(struct comm_match *m)
{
	for (enum told_by by = 0; by < TOLD_BY && !m->matched; by++) {
		if (!look_ends(m, by))
			return false;
		m->pairs = m->matched && by == TOLD_PAIRS;
	}
	m->one_clock = same_clock(m);
	m->clocks = m->matched && m->one_clock && m->overlap * 10 >= m->matched * 9;
	return true;
}

/* ---- rows ---- */

static void doubt_length(struct doubts *d, size_t least, size_t most)
{
	if (least == most || d->uneven++)
		return;
	d->least = least;
	d->most = most;
}

/* Do all kernels of a part say which of their communicator's they are, in that order? */
static bool is_numbered(const struct comm_match *m, const struct part *p)
{
	const struct tm_member *one = &m->v[p->member];
	uint64_t before = 0;

	for (size_t i = p->from; i < p->to; i++) {
		const struct tm_comm_call *call = one->item[i].call;

		if (!one->own || !call || !call->has_op || call->op < before)
			return false;
		before = call->op;
	}
	return true;
}

/* Begin with the next communicator; false after the last. */
static bool next_comm(struct comm_match *m)
{
	size_t least, most;

	m->at += m->parts;
	m->parts = 0;
	if (m->at >= m->nparts)
		return false;
	m->parts = parts_of_comm(m, m->at);
	m->nnow = m->parts;
	memcpy(m->now, m->part + m->at, m->parts * sizeof *m->now);
	m->place = 0;
	m->numbered = m->now->comm && m->now->lane == TM_LANE_ALL && m->parts > 1;
	for (size_t i = 0; m->numbered && i < m->parts; i++)
		m->numbered = is_numbered(m, &m->now[i]);
	most = longest(m->now, m->parts, &least);
	m->uneven = !m->numbered && least != most;
	if (!m->numbered)
		doubt_length(&m->doubts, least, most);
	return true;
}

bool tm_comm_match_next(struct comm_match *m, struct comm_row *row)
{
	for (;;) {
		if (!m->nnow && !next_comm(m))
			return false;
		look(m, row);
		if (row->members)
			break;
		if (m->reach && row->nbefore)
			return true;
	}
	look_arrivals(m, row);
	m->doubts.several += row->members > 1;
	m->doubts.by_order += row->members > 1 && m->apart && !m->part[m->at].comm;
	m->doubts.unpaired += row->alone;
	m->doubts.lacking += row->lacking;
	m->doubts.differ += row->names_differ;
	m->doubts.cut += row->cut;
	m->doubts.compared += row->compared;
	m->doubts.unmet += m->clocks && row->members > 1 && !row->compared && !row->lacking &&
	                   told_by(row) == TOLD_TOGETHER;
	m->doubts.small += row->compared && !row->skewed;
	return true;
}

struct comm_match *tm_comm_match_new(struct ranks *r)
{
	struct comm_match *m = calloc(1, sizeof *m);
	const struct tm_work *w = &r->w;

	if (!m)
		return NULL;
	*m = (struct comm_match) { .r = r, .calls = &r->calls, .join = { .calls = &r->calls } };
	if (!tm_work_settle(&r->w) || !tm_collectives_state(r, w->o->state) ||
	    !tm_comm_calls_settle(&r->calls) || w->ntrack >= UINT32_MAX)
		goto failed;
	m->names = &w->names;
	m->by_class = w->o->by_class;
	m->v = calloc(w->ntrack + 1, sizeof *m->v);
	m->now = calloc(w->ntrack + 1, sizeof *m->now);
	m->pick = calloc(w->ntrack + 1, sizeof *m->pick);
	m->row = calloc(w->ntrack + 1, sizeof *m->row);
	m->before = calloc(w->ntrack + 1, sizeof *m->before);
	if (!m->v || !m->now || !m->pick || !m->row || !m->before)
		goto failed;
	for (size_t i = 0; i < w->ntrack; i++) {
		struct tm_member *one = &m->v[m->n];

		if (!w->track[i].op[TM_WORK_COMM].n)
			continue;
		m->n++;
		if (!member_fill(m, &w->track[i], one))
			goto failed;
	}
	if (tell_apart(m) && set_lanes(m) && make_parts(m) && look_clocks(m))
		return m;
failed:
	tm_comm_match_free(m);
	return NULL;
}

void tm_comm_match_free(struct comm_match *m)
{
	if (!m)
		return;
	for (size_t i = 0; m->v && i < m->n; i++)
		free(m->v[i].item);
	free(m->v);
	free(m->part);
	free(m->now);
	free(m->pick);
	free(m->row);
	free(m->before);
	tm_comm_join_fini(&m->join);
	free(m);
}

void tm_comm_match_reach(struct comm_match *m)
{
	m->reach = true;
}

bool tm_comm_match_any(const struct comm_match *m)
{
	return m->inside != 0;
}

struct tm_cell tm_comm_bandwidth(tm_u128 bytes, uint64_t num, uint64_t den, tm_u128 ns)
{
	tm_u128 top, bottom;

	if (!den || !num || !ns || __builtin_mul_overflow(bytes, num, &top) ||
	    __builtin_mul_overflow(ns, den, &bottom) || bottom >> 64)
		return tm_cell_none();
	return tm_cell_ratio((uint64_t)(top >> 64), (uint64_t)top, (uint64_t)bottom);
}
