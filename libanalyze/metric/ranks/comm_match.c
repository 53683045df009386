/* SPDX-License-Identifier: MIT */
#include "metric/ranks/comm_match.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel that communicates, and the call it was started by, if that is known. */
struct item {
	uint32_t comm; /* place of its communicator among all, from 1; 0 = not known */
	uint32_t at;   /* in the list of its track */
	bool inside;   /* the window; what is outside counts for the places of what follows */
	const struct tm_comm_call *call;
};

/* Kernels whose names tm_comm_join asks for. */
struct kernels {
	const struct tm_intervals *s;
	const struct tm_names *names;
};

/* The collectives of one agent. */
struct tm_member {
	const struct tm_work_track *track;
	struct item *item; /* n of them, by communicator and start */
	size_t n;
	const struct rank_facts *facts; /* NULL = nothing is known of the rank */
	bool silent;                    /* nobody told its calls: what those of others say goes */
};

/* Those of one communicator. */
struct part {
	uint32_t comm;
	uint32_t member; /* of members.v */
	size_t from, to;
};

/* What speaks against the rows. */
struct doubts {
	uint64_t differ;    /* rows with kernels of different names */
	uint64_t cut;       /* rows that the window cuts */
	uint64_t small;     /* rows whose skew is below the error of the clocks */
	uint64_t compared;  /* rows of several agents whose arrivals are compared */
	uint64_t unmet;     /* rows of which one agent ended before another one began */
	uint64_t several;   /* the same, whatever the clocks say */
	uint64_t by_order;  /* of those rows that name no communicator, where others do */
	uint64_t uneven;    /* communicators of which agents have unlike numbers of collectives: */
	size_t least, most; /* of the first of them */
};

struct comm_match {
	struct ranks *r;
	const struct tm_comm_calls *calls;
	const struct tm_names *names; /* of kernels */
	struct tm_member *v;          /* n of them, by rank and agent */
	struct part *part;            /* nparts of them, by communicator and member */
	struct part *now;             /* nnow of them: those that have the n-th collective */
	struct comm_part *row;        /* n of them: room for a row, and for */
	struct comm_part *before;     /* its kernels that began before the window */
	bool reach;                   /* rows of nothing but these are asked for */
	size_t n, nparts, parts_cap, nnow;
	struct tm_comm_join join;
	uint64_t inside;          /* kernels inside the window */
	bool by_class;            /* kernels have no names of their own */
	uint64_t own;             /* members whose kernels say what they do */
	uint64_t joined, unequal; /* members with calls: as many as kernels, or not */
	uint64_t unlike;          /* as many, but of other collectives */
	uint64_t left_out; /* calls that may start no kernel, where that makes them as many */
	uint64_t calls_of, kernels_of, rank_of; /* of the first unequal one */
	bool apart;                             /* communicators are told apart by name */
	bool pointers;  /* some have no names that mean the same elsewhere */
	bool ambiguous; /* a rank has several */

	/* arrivals */
	uint64_t matched,
	        overlap;  /* collectives of several agents; those whose kernels all overlap */
	bool one_clock;   /* all count the same, as far as they say */
	bool clocks;      /* arrivals can be compared */
	bool guessed;     /* for some pair of ranks the error is not known, but this: */
	uint64_t ends_ns; /* median difference between the ends of a collective */

	/* the next row: the n-th of the communicator whose parts begin at `at` */
	size_t at, parts, most, place;
	struct doubts doubts;
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

	if (first || (item->call && !row->called)) {
		row->name = name;
		row->called = item->call != NULL;
		row->names_differ = false;
	} else if (row->called == (item->call != NULL)) {
		row->names_differ |= tm_name_cmp(name, row->name) != 0;
	}
	if (!one->silent)
		look_call(m, row, told, item->call);
}

/* The n-th of the communicator whose parts are p[0 .. parts); n goes up from call to call, from 0.
 */
static void look(struct comm_match *m, const struct part *p, size_t parts, size_t n,
                 struct comm_row *row)
{
	size_t left = 0;
	bool told = false;

	*row = (struct comm_row) {
		.part = m->row, .before = m->before, .place = n, .shortest = UINT64_MAX
	};
	if (!n) {
		memcpy(m->now, p, parts * sizeof *p);
		m->nnow = parts;
	}
	for (size_t i = 0; i < m->nnow; i++) {
		const struct part now = m->now[i];
		const struct tm_member *one = &m->v[now.member];
		const struct item *item = one->item + now.from + n;
		struct comm_part part;

		if (n >= now.to - now.from)
			continue;
		m->now[left++] = now;
		part = part_of(one, item);
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
	for (size_t i = 0; !row->members && row->nbefore && i < left; i++) {
		const struct tm_member *one = &m->v[m->now[i].member];
		const struct item *item = one->item + m->now[i].from + n;
		const struct comm_part part = part_of(one, item);

		if (!reaches_in(&part))
			continue;
		look_kernel(m, row, &told, one, item, !row->name);
	}
	m->nnow = left;
}

static const char *name_of(const void *of, size_t i)
{
	const struct kernels *k = of;

	return k->names->v[tm_interval_name(k->s, i)].text;
}

static uint64_t start_of(const void *of, size_t i)
{
	return tm_interval_start(((const struct kernels *)of)->s, i);
}

/* All kernels of a track, each with its call where that is known. */
static bool member_fill(struct comm_match *m, const struct tm_work_track *t, struct tm_member *one)
{
	const struct tm_intervals *s = &t->op[TM_WORK_COMM];
	const struct kernels of = { s, m->names };
	const struct tm_comm_kernels kernels = { .n = s->n,
		                                 .name = name_of,
		                                 .start = start_of,
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

	return a->comm != b->comm ? (a->comm > b->comm ? 1 : -1)
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

static int by_part(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	return a->comm != b->comm ? (a->comm > b->comm ? 1 : -1)
	                          : (a->member > b->member) - (a->member < b->member);
}

/* Every communicator's part of every member.  False when out of memory. */
static bool make_parts(struct comm_match *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct tm_member *one = &m->v[i];

		for (size_t k = 0, end; k < one->n; k = end) {
			for (end = k + 1; end < one->n && one->item[end].comm == one->item[k].comm;)
				end++;
			if (!tm_grow_array(&m->part, &m->parts_cap, m->nparts + 1, sizeof *m->part))
				return false;
			m->part[m->nparts++] = (struct part) { one->item[k].comm, (uint32_t)i, k,
				                               end };
		}
	}
	if (m->nparts)
		qsort(m->part, m->nparts, sizeof *m->part, by_part);
	return true;
}

/* How many parts from `at` on are of one communicator. */
static size_t parts_of_comm(const struct comm_match *m, size_t at)
{
	size_t end = at;

	while (end < m->nparts && m->part[end].comm == m->part[at].comm)
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

/* Who came first, last and next to last. */
static void look_arrivals(struct comm_match *m, struct comm_row *row)
{
	const struct comm_part *first = row->part, *last = row->part, *end = row->part;
	const struct comm_part *other = NULL;
	uint64_t error;

	row->compared = m->clocks && row->members > 1;
	if (!row->compared)
		return;
	for (size_t i = 1; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		first = p->arrival < first->arrival ? p : first;
		last = p->arrival > last->arrival ? p : last;
		end = p->end < end->end ? p : end;
	}
	/* No collective ends before all have come: these are not one. */
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

/* Go through all once: do they overlap, and how far are their ends apart?  False when out of
 * memory. */
static bool look_clocks(struct comm_match *m)
{
	uint64_t *ends = NULL;
	size_t n = 0, cap = 0;
	struct comm_row row;

	while (tm_comm_match_next(m, &row)) {
		uint64_t last = 0, least = UINT64_MAX, most = 0;

		if (row.members < 2)
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
	m->one_clock = same_clock(m);
	m->clocks = m->matched && m->one_clock && m->overlap * 10 >= m->matched * 9;
	m->doubts = (struct doubts) { 0 };
	m->at = m->parts = m->most = m->place = 0;
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

bool tm_comm_match_next(struct comm_match *m, struct comm_row *row)
{
	for (;;) {
		if (m->place >= m->most) {
			size_t least;

			m->at += m->parts;
			if (m->at >= m->nparts)
				return false;
			m->parts = parts_of_comm(m, m->at);
			m->most = longest(m->part + m->at, m->parts, &least);
			m->place = 0;
			doubt_length(&m->doubts, least, m->most);
		}
		look(m, m->part + m->at, m->parts, m->place++, row);
		if (row->members)
			break;
		if (m->reach && row->nbefore)
			return true;
	}
	look_arrivals(m, row);
	m->doubts.several += row->members > 1;
	m->doubts.by_order += row->members > 1 && m->apart && !m->part[m->at].comm;
	m->doubts.differ += row->names_differ;
	m->doubts.cut += row->cut;
	m->doubts.compared += row->compared;
	m->doubts.unmet += m->clocks && row->members > 1 && !row->compared;
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
	m->row = calloc(w->ntrack + 1, sizeof *m->row);
	m->before = calloc(w->ntrack + 1, sizeof *m->before);
	if (!m->v || !m->now || !m->row || !m->before)
		goto failed;
	for (size_t i = 0; i < w->ntrack; i++) {
		struct tm_member *one = &m->v[m->n];

		if (!w->track[i].op[TM_WORK_COMM].n)
			continue;
		m->n++;
		if (!member_fill(m, &w->track[i], one))
			goto failed;
	}
	if (tell_apart(m) && make_parts(m) && look_clocks(m))
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

/* ---- what there is to say ---- */

static void tell_clocks(const struct comm_match *m, struct tm_report *rep)
{
	char error[96] = "";

	if (!m->matched)
		return;
	if (!m->one_clock) {
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "the clocks of these ranks are of different kinds: arrival_skew_ns "
		              "and last_rank are absent");
		return;
	}
	if (!m->clocks) {
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "the kernels of all ranks overlap in only %" PRIu64 " of %" PRIu64
		        " collectives: clocks are not comparable, or the order differs between "
		        "ranks; arrival_skew_ns and last_rank are absent (tracemerge --align)",
		        m->overlap, m->matched);
		return;
	}
	if (m->guessed)
		snprintf(error, sizeof error, ", and ends differ by %" PRIu64 " ns (median)",
		         m->ends_ns);
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "assuming one clock for all ranks: in %" PRIu64 " of %" PRIu64
	              " collectives the kernels of all ranks overlap%s",
	              m->overlap, m->matched, error);
	if (m->doubts.unmet)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "in %" PRIu64 " of %" PRIu64
		        " collectives a kernel ends before one of another rank begins: they do not "
		        "belong together; arrival_skew_ns and last_rank are absent there",
		        m->doubts.unmet, m->matched);
	if (m->doubts.small)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "in %" PRIu64 " of %" PRIu64
		              " collectives the skew is within the clock error: arrival_skew_ns "
		              "and last_rank are absent there",
		              m->doubts.small, m->doubts.compared);
}

static void tell_calls(const struct comm_match *m, struct tm_report *rep)
{
	if (m->unequal)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "rank %" PRIu64 " called %" PRIu64 " RCCL collective%s and ran %" PRIu64
		        " RCCL kernel%s: they cannot be matched, so comm and bytes are absent (on "
		        "%" PRIu64 " agent%s)",
		        m->rank_of, m->calls_of, m->calls_of == 1 ? "" : "s", m->kernels_of,
		        m->kernels_of == 1 ? "" : "s", m->unequal, m->unequal == 1 ? "" : "s");
	if (m->unlike)
		tm_report_add(
		        rep, TM_SEV_WARN, NULL, 0,
		        "as many RCCL calls as kernels, but of different collectives, on %" PRIu64
		        " agent%s: comm and bytes are absent there",
		        m->unlike, m->unlike == 1 ? "" : "s");
	if (m->joined)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "the n-th call of a rank is matched with its n-th RCCL kernel: %" PRIu64
		        " agent%s with equally many of both",
		        m->joined, m->joined == 1 ? "" : "s");
	if (m->left_out)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " call%s of 0 bytes or of a single rank ignored: without "
		              "them calls and kernels match",
		              m->left_out, m->left_out == 1 ? "" : "s");
	if (m->joined && m->ambiguous)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "a rank uses several communicators: where their kernels run out of "
		              "order, calls are matched with the wrong ones%s",
		              m->apart ? ""
		              : m->pointers
		                      ? "; the log does not say which are the same on other ranks "
		                        "(NCCL_DEBUG_SUBSYS=INIT,COLL)"
		                      : "; not all agents have calls, so communicators are not "
		                        "distinguished");
}

static void tell_matching(const struct comm_match *m, struct tm_report *rep)
{
	const struct doubts *d = &m->doubts;

	if (m->n < 2)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "only one agent has collectives: nothing to match (use RANK=FILE or "
		              "--rank-from to number ranks)");
	else if (m->apart)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "collectives are matched by communicator and by their order there");
	else
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "collectives are matched by their order on each agent: the trace names "
		        "no communicators");
	if (d->by_order)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " collectives name no communicator: "
		              "matched only by their order on each agent",
		              d->by_order, d->several);
	if (d->uneven && m->apart)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "agents have %zu to %zu collectives of a communicator: some rows may "
		              "match what does not belong together (%" PRIu64 " communicator%s)",
		              d->least, d->most, d->uneven, d->uneven == 1 ? "" : "s");
	else if (d->uneven)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "agents have %zu to %zu collectives: some rows may match what does "
		              "not belong together",
		              d->least, d->most);
	if (d->cut)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " collective%s inside the window on some agents only: "
		              "ranks and other columns include only those",
		              d->cut, d->cut == 1 ? " starts" : "s start");
	if (d->differ)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "in %" PRIu64
		              " rows kernel names differ between ranks: they may not belong "
		              "together; the name shown is that of the lowest rank",
		              d->differ);
}

void tm_comm_match_tell(const struct comm_match *m, struct tm_report *rep)
{
	tell_clocks(m, rep);
	tell_matching(m, rep);
	tell_calls(m, rep);
	tm_work_tell(&m->r->w, rep);
}
