/* SPDX-License-Identifier: MIT
 * Who came late to collectives, how often, and how long the others waited: a row for each rank. */
#include "base/base.h"
#include "metric/ranks/collectives_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
	RANK_RANK,
	RANK_LAST,
	RANK_LAST_PCT,
	RANK_CAUSED,
	RANK_CAUSED_PCT,
	RANK_WAITED,
	RANK_LATE,
	RANK_LATE_PCT,
	RANK_WAITED_PCT,
	RANK_LATE_MAX,
	RANK_LATE_MAX_PCT,
	RANK_PATTERN,
	RANK_TRANSFER,
	RANK_MISSING,
	RANK_LONGER,
	RANK_LONGER_PCT,
	RANK_COST,
	RANK_ENDS,
	RANK_WAIT_COST,
	RANK_N
};

const struct tm_column tm_collective_rank_columns[] = {
	[RANK_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[RANK_LAST] = { .name = "last",
	                .title = "LAST",
	                .about = "collectives in which it was certainly last",
	                .unit = TM_UNIT_COUNT },
	[RANK_LAST_PCT] = { .name = "last_pct",
	                    .title = "LAST%",
	                    .about = "share of the collectives with a known last rank",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 2 },
	[RANK_CAUSED] = { .name = "caused_wait_ns",
	                  .title = "CAUSED WAIT",
	                  .about = "how long the first rank waited when this rank was last; "
	                           "shared if several are last",
	                  .unit = TM_UNIT_NS },
	[RANK_CAUSED_PCT] = { .name = "caused_wait_pct",
	                      .title = "CAUSED WAIT%",
	                      .about = "share of the waits caused by all ranks",
	                      .unit = TM_UNIT_PCT,
	                      .bar = true },
	[RANK_WAITED] = { .name = "waited_ns",
	                  .title = "WAITED",
	                  .about = "time it waited for the last rank",
	                  .unit = TM_UNIT_NS },
	[RANK_LATE] = { .name = "late_ns",
	                .title = "LATE",
	                .about = "delay of its start after half of the ranks",
	                .unit = TM_UNIT_NS },
	[RANK_LATE_PCT] = { .name = "late_pct",
	                    .title = "LATE%",
	                    .about = "late_ns / delay of the latest rank after half of the ranks",
	                    .unit = TM_UNIT_PCT },
	[RANK_WAITED_PCT] = { .name = "waited_pct",
	                      .title = "WAITED%",
	                      .about = "waited_ns / time of the kernels that waited",
	                      .unit = TM_UNIT_PCT,
	                      .spare = 1 },
	[RANK_LATE_MAX] = { .name = "late_max_ns",
	                    .title = "LATE MAX",
	                    .about = "longest delay at one collective",
	                    .unit = TM_UNIT_NS,
	                    .spare = 3 },
	[RANK_LATE_MAX_PCT] = { .name = "late_max_pct",
	                        .title = "LATE MAX%",
	                        .about = "late_max_ns / the same delay as for LATE%",
	                        .unit = TM_UNIT_PCT,
	                        .spare = 3 },
	[RANK_PATTERN] = { .name = "pattern",
	                   .title = "PATTERN",
	                   .about = "late often or once, or one of ranks that are late in turns",
	                   .unit = TM_UNIT_TEXT,
	                   .spare = 1 },
	[RANK_TRANSFER] = { .name = "transfer_ns",
	                    .title = "TRANSFER",
	                    .about = "what collectives that take no time would save, at most",
	                    .unit = TM_UNIT_NS,
	                    .spare = 2 },
	[RANK_MISSING] = { .name = "missing_pct",
	                   .title = "MISSING%",
	                   .about = "share of the collectives of its communicators that its trace "
	                            "lacks",
	                   .unit = TM_UNIT_PCT,
	                   .spare = 3 },
	[RANK_LONGER] = { .name = "longer_ns",
	                  .title = "LONGER",
	                  .about = "time at work, without exposed communication, beyond that of "
	                           "half of the ranks",
	                  .unit = TM_UNIT_NS,
	                  .spare = 4 },
	[RANK_LONGER_PCT] = { .name = "longer_pct",
	                      .title = "LONGER%",
	                      .about = "share of the longest window of these ranks",
	                      .unit = TM_UNIT_PCT,
	                      .spare = 4 },
	[RANK_COST] = { .name = "late_cost_ns",
	                .title = "LATE COST",
	                .about = "late_ns, but no more than others had nothing else to do then",
	                .unit = TM_UNIT_NS,
	                .machine = true },
	[RANK_ENDS] = { .name = "ends_apart_ns",
	                .title = "ENDS APART",
	                .about = "last end - first end of collectives: the median of the operation "
	                         "where it is largest",
	                .unit = TM_UNIT_NS,
	                .machine = true },
	[RANK_WAIT_COST] = { .name = "wait_cost_ns",
	                     .title = "WAIT COST",
	                     .about = "waited_ns without what the last rank is excused for, but no "
	                              "more than others had nothing else to do then",
	                     .unit = TM_UNIT_NS,
	                     .machine = true },
	[RANK_N] = { 0 },
};

/* Percent of what a rank's collectives had to wait after half of the ranks had come, from which on
 * it is to blame; and of the time of its kernels, up to which it hardly waits. */
enum { BLAMED_PCT = 60, READY_PCT = 10 };

/* In meeting.comm; and percent of the longest window from which on a trace is as long as that. */
enum { NO_COMM = 1, WHOLE_PCT = 95 };

/* Who communicates so much more often does other work. */
enum { MORE_OFTEN = 3 };

/* Percent of the window by which a stage that others wait for works longer. */
enum { STAGE_PCT = 5 };

struct rank_sum *tm_collectives_rank(struct sums *s, uint64_t rank)
{
	bool fresh;
	uint32_t i = tm_groups_item(&s->ranks, &rank, &s->rank, &s->rank_cap, sizeof *s->rank,
	                            &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	s->rank[i].rank = rank;
	if (fresh)
		s->rank[i].up = s->rank[i].company = i;
	return &s->rank[i];
}

/* The root of ranks that communicate with each other, also by way of others. */
static uint32_t root_of(struct sums *s, uint32_t i)
{
	while (s->rank[i].up != i)
		i = s->rank[i].up = s->rank[s->rank[i].up].up;
	return i;
}

static void unite(struct sums *s, uint32_t a, uint32_t b)
{
	a = root_of(s, a);
	b = root_of(s, b);
	if (a == b)
		return;
	s->rank[b].up = a;
	s->rank[a].several = true;
}

/* The root of ranks that communicate with each other, whether clocks compare or not. */
static uint32_t company_of(struct sums *s, uint32_t i)
{
	while (s->rank[i].company != i)
		i = s->rank[i].company = s->rank[s->rank[i].company].company;
	return i;
}

static void accompany(struct sums *s, uint32_t a, uint32_t b)
{
	s->rank[company_of(s, b)].company = company_of(s, a);
}

/* A rank in a collective, when the first and the last of its agents came, and how long the first
 * was there. */
struct comer {
	uint64_t rank, first, last, dur;
	const struct comm_part *first_part, *last_part;
	size_t end; /* of row->part; 0 = none yet */
};

/* The next rank of a row; false after the last. */
static bool next_comer(const struct comm_row *row, struct comer *c)
{
	const size_t from = c->end;

	if (from == row->members)
		return false;
	*c = (struct comer) { .rank = row->part[from].track->rank, .first = UINT64_MAX };
	for (c->end = from; c->end < row->members && row->part[c->end].track->rank == c->rank;
	     c->end++) {
		const struct comm_part *p = &row->part[c->end];

		if (p->arrival < c->first) {
			c->first = p->arrival;
			c->first_part = p;
			c->dur = p->dur;
		}
		if (!c->last_part || p->arrival > c->last) {
			c->last = p->arrival;
			c->last_part = p;
		}
	}
	return true;
}

static int by_time(const void *pa, const void *pb)
{
	const struct comm_part *a = *(const struct comm_part *const *)pa;
	const struct comm_part *b = *(const struct comm_part *const *)pb;
	int d = tm_u64_cmp(a->arrival, b->arrival);

	return d ? d : tm_u64_cmp(a->track->rank, b->track->rank);
}

/* Who came when half of the ranks had come, who came last, and how many came last together. */
static bool look_comers(struct sums *s, const struct comm_row *row, const struct comm_part **half,
                        const struct comm_part **last, uint64_t *lasts)
{
	struct comer c = { 0 };
	size_t n = 0;

	*lasts = 0;
	while (next_comer(row, &c)) {
		if (!tm_grow_array(&s->came, &s->came_cap, n + 1, sizeof *s->came))
			return false;
		s->came[n++] = c.last_part;
		*lasts += c.last == row->last_arrival;
	}
	qsort(s->came, n, sizeof *s->came, by_time);
	*half = s->came[(n - 1) / 2];
	*last = s->came[n - 1];
	return true;
}

/* What remains of the time from a to b, however far their clocks are off. */
uint64_t tm_collectives_sure(const struct comm_match *m, const struct comm_part *a,
                             const struct comm_part *b)
{
	const uint64_t time = b->arrival > a->arrival ? b->arrival - a->arrival : 0;
	const uint64_t error = time ? tm_comm_match_error(m, a, b) : 0;

	return time > error ? time - error : 0;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* One of the row, with nothing said of it yet; NULL when out of memory. */
static struct meeting *add_meeting(struct sums *s, const struct comm_row *row,
                                   const struct rank_sum *r, const struct comer *c)
{
	struct meeting *v;
	uint32_t comm = 0;

	if (!tm_grow_array(&s->meeting, &s->meeting_cap, s->nmeeting + 1, sizeof *s->meeting))
		return NULL;
	if (!row->pair) {
		comm = row->comm ? tm_names_add(&s->names, row->comm->text, row->comm->len) : 0;
		if (comm == TM_NAME_NONE)
			return NULL;
		comm += row->comm ? NO_COMM + 1U : NO_COMM;
	}
	v = &s->meeting[s->nmeeting++];
	*v = (struct meeting) { .at = row->compared ? row->last_arrival : c->first_part->end,
		                .row = s->rows,
		                .comm = comm,
		                .cut = row->cut,
		                .rank = (uint32_t)(r - s->rank) };
	return v;
}

static uint64_t exposed_part(const struct sums *s, const struct tm_work *w,
                             const struct comm_part *p)
{
	return s->exposed[p->track - w->track][p->at];
}

/* What one of its agents exposes at most, and when the first one ends. */
static void look_parts(const struct sums *s, const struct tm_work *w, const struct comm_row *row,
                       uint64_t *most, uint64_t *first)
{
	*most = 0;
	*first = UINT64_MAX;
	for (size_t i = 0; i < row->members; i++) {
		const uint64_t ns = exposed_part(s, w, &row->part[i]);

		*most = ns > *most ? ns : *most;
		*first = row->part[i].end < *first ? row->part[i].end : *first;
	}
}

/* What its first agent waited with nothing else to do: up to all that is exposed where nobody knows
 * how long it waited. */
static uint64_t idle_wait(const struct sums *s, const struct tm_work *w, const struct comm_row *row,
                          const struct comer *c)
{
	const uint64_t exposed = exposed_part(s, w, c->first_part);
	const uint64_t waited = row->compared ? row->last_arrival - c->first : exposed;

	return waited < exposed ? waited : exposed;
}

/* How much longer than the first one it was in it at the end, with nothing else to do. */
static uint64_t end_lag(const struct sums *s, const struct tm_work *w, const struct comm_part *p,
                        uint64_t first_end)
{
	const uint64_t exposed = exposed_part(s, w, p), lag = p->end - first_end;

	return lag < exposed ? lag : exposed;
}

/* Who has to do with whom: the ranks of a row, and all of which nobody knows whom they send to. */
static void add_company(struct sums *s, const struct comm_row *row, uint32_t one, uint32_t i)
{
	accompany(s, one, i);
	if (!row->alone)
		return;
	if (s->sender)
		accompany(s, s->sender - 1, i);
	s->sender = i + 1;
}

static uint64_t exposed_in(const struct sums *s, const struct tm_work *w,
                           const struct comm_row *row, uint64_t rank)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < row->members; i++) {
		const struct comm_part *p = &row->part[i];

		if (p->track->rank == rank)
			sum += exposed_part(s, w, p);
	}
	return sum;
}

/* How long each rank waited, that is its first agent to come, and how late it was.  Whose fault the
 * waiting was is measured, not proved; but where two ranks are too close to tell which of them was
 * last, it is all but the same time.  Of sends and receives only the waiting counts, for how late
 * the rank is elsewhere: stages of a pipeline wait for each other without any being late. */
bool tm_collectives_wait(struct sums *s, const struct comm_match *m, const struct tm_work *w,
                         const struct comm_row *row, uint32_t sum)
{
	const bool compared = row->compared && !row->pair;
	const bool skewed = compared && row->skewed;
	/* Others may not have come, of which nobody knows. */
	const bool lonely = row->members < 2 && row->comm_ranks > 1;
	/* Kernels of several communicators that were taken for one end when each of these does. */
	const bool lags = compared && (row->comm || !tm_comm_ends_together(row->name));
	const struct comm_part *half = NULL, *last = NULL;
	uint64_t lasts = 0, before = 0; /* before: ranks that came last, up to here */
	uint32_t one = TM_GROUP_NONE;   /* rank of them */
	struct comer c = { 0 };
	uint64_t exposed = 0;      /* of who came when half had come */
	uint64_t spent, first_end; /* by who exposed most, more than by who came last */

	if (compared && !look_comers(s, row, &half, &last, &lasts))
		return false;
	exposed = half ? exposed_part(s, w, half) : 0;
	look_parts(s, w, row, &spent, &first_end);
	spent = half ? less(spent, exposed_part(s, w, last)) : 0;
	s->rows++;
	s->blind |= row->blind;
	while (next_comer(row, &c)) {
		struct rank_sum *r = tm_collectives_rank(s, c.rank);
		struct meeting *v = r ? add_meeting(s, row, r, &c) : NULL;

		if (!v)
			return false;
		one = one == TM_GROUP_NONE ? (uint32_t)(r - s->rank) : one;
		if (compared)
			unite(s, one, (uint32_t)(r - s->rank));
		add_company(s, row, one, (uint32_t)(r - s->rank));
		if (row->pair)
			r->time[RANK_SENDS] += exposed_in(s, w, row, c.rank);
		r->count++;
		r->compared += compared;
		r->held += compared ? c.dur : 0;
		if (skewed || row->pair || lonely)
			v->waited = idle_wait(s, w, row, &c);
		v->lags = lags;
		v->lag = lags ? end_lag(s, w, c.last_part, first_end) : 0;
		v->sum = sum;
		v->from = c.first;
		v->end = c.last_part->end;
		v->exposed = exposed_part(s, w, c.last_part);
		v->transfer = compared ? less(c.last_part->end, last->arrival) : row->shortest;
		r->spare += compared ? less(exposed, exposed_part(s, w, c.last_part)) : 0;
		r->spent += spent;
		if (!skewed)
			continue;
		r->waited += last->arrival - c.first;
		v->wait = last->arrival - c.first;
		v->sure_wait = tm_collectives_sure(m, c.first_part, last);
		v->half = c.rank == half->track->rank;
		v->late = c.last > half->arrival ? c.last - half->arrival : 0;
		v->sure_late = tm_collectives_sure(m, half, c.last_part);
		if (c.last == row->last_arrival)
			r->caused += row->skew / lasts + (before++ < row->skew % lasts);
	}
	return true;
}

/* ---- late for no reason of others ---- */

static int by_value(const void *pa, const void *pb)
{
	return tm_u64_cmp(*(const uint64_t *)pa, *(const uint64_t *)pb);
}

static int by_order(const void *pa, const void *pb)
{
	const struct meeting *a = pa, *b = pb;
	int d = tm_u64_cmp(a->at, b->at);

	d = d ? d : tm_u64_cmp(a->row, b->row);
	return d ? d : tm_u64_cmp(a->rank, b->rank);
}

/* What a rank waited elsewhere, how late it was there, and how much longer than others a slow
 * communicator took; and how much later than others it was let go, at last. */
struct past {
	uint64_t all, lag;
	/* What its last collective took longer because of that, not in `all` yet: with all of it,
	 * and what of this was exposed; and when it was let go. */
	uint64_t slow, bare, end;
};

/* That of each rank, up to now; and up to when it met the others of a communicator last, until it
 * was let go. */
struct elsewhere {
	struct tm_groups met; /* rank, communicator */
	struct past *then;
	size_t cap;
	struct past *now; /* of each rank */
};

/* Where the past of a rank at its last meeting of a communicator is kept; NULL when out of
 * memory. */
static struct past *then_of(struct elsewhere *e, const struct meeting *v)
{
	const uint64_t key[] = { v->rank, v->comm };
	bool fresh;
	const uint32_t at = tm_groups_item(&e->met, key, &e->then, &e->cap, sizeof *e->then,
	                                   &fresh);

	return at == TM_GROUP_NONE ? NULL : &e->then[at];
}

/* Of the two lags only the larger one: each has all delays before it. */
static struct past past_since(const struct past *now, const struct past *then)
{
	const uint64_t lag = now->lag > then->lag ? now->lag : then->lag;

	return (struct past) { .all = now->all - then->all + lag, .lag = lag };
}

/* How much longer collectives take, in the mean, than in the fastest communicator that is like this
 * one, if this is one that counts as slow. */
static uint64_t slow_part(const struct sums *s, const struct meeting *v)
{
	enum { SLOW_PCT = 50 };
	const struct sum *sum = &s->v[v->sum], *best = sum->best;
	const tm_u128 is = best ? sum->whole_ns * best->whole : 0,
	              could = best ? best->whole_ns * sum->whole : 0;
	uint64_t more;

	if (!is || could * 100 >= is * SLOW_PCT)
		return 0;
	more = (uint64_t)((is - could) / ((tm_u128)sum->whole * best->whole));
	return more < v->transfer ? more : v->transfer;
}

/* A rank comes to its next collective: what the last one took longer delays that by as much where
 * it follows at once, and where other work hid it only by what was exposed. */
static void come(struct past *now, const struct meeting *v)
{
	enum { AT_ONCE_NS = 20000 };
	const bool at_once = v->from < now->end + AT_ONCE_NS;

	now->all += at_once ? now->slow : now->bare;
	now->slow = now->bare = 0;
}

/* One row of n ranks: what a rank is late is no more its own fault than it exceeds what it waited
 * elsewhere since they met last, or was let go later then, or a slow communicator took longer, and
 * is no new delay as far as it was late there; what the rank that it is compared with did likewise
 * delays that as well.  Where it is let go later by its clock only, that is taken off already of
 * what is beyond doubt. */
static bool settle_row(struct sums *s, struct elsewhere *e, const struct meeting *v, size_t n)
{
	struct past half = { 0 }, *then;
	uint64_t behind = 0, all = 0; /* the most that one is late, and with what is excused */

	for (size_t i = 0; i < n; i++)
		come(&e->now[v[i].rank], &v[i]);
	for (size_t i = 0; v->comm && i < n; i++) {
		then = then_of(e, &v[i]);
		if (!then)
			return false;
		half = v[i].half ? past_since(&e->now[v[i].rank], then) : half;
	}
	for (size_t i = 0; i < n; i++) {
		struct rank_sum *r = &s->rank[v[i].rank];
		struct past *now = &e->now[v[i].rank], since = { 0 };
		uint64_t excuse, late, clock = v[i].late - v[i].sure_late;

		then = v->comm ? then_of(e, &v[i]) : NULL;
		if (then)
			since = past_since(now, then);
		excuse = less(since.all, half.all);
		since.lag = less(since.lag, half.lag);
		clock = since.lag < clock ? since.lag : clock;
		late = less(v[i].late, excuse);
		r->late += late;
		r->late_most = late > r->late_most ? late : r->late_most;
		behind = late > behind ? late : behind;
		all = v[i].late > all ? v[i].late : all;
		now->all += v[i].waited + late;
		late = less(v[i].sure_late, less(excuse, clock));
		r->sure_late += late;
		r->sure_most = late > r->sure_most ? late : r->sure_most;
		if (then)
			*then = (struct past) { .all = now->all, .lag = v[i].lag };
		now->slow = slow_part(s, &v[i]);
		now->bare = now->slow < v[i].exposed ? now->slow : v[i].exposed;
		now->end = v[i].end;
		now->lag = v[i].lags ? v[i].lag : now->lag;
	}
	for (size_t i = 0; i < n; i++) {
		struct rank_sum *r = &s->rank[v[i].rank];

		r->behind += behind;
		r->fair += behind / n;
		r->squares += (tm_u128)behind * behind;
		r->blamed_wait += less(v[i].wait, all - behind);
		r->sure_waited += less(v[i].sure_wait, all - behind);
	}
	return true;
}

static bool settle_late(struct sums *s)
{
	struct elsewhere e = { .met = { .words = 2 },
		               .now = calloc((size_t)s->ranks.n + 1, sizeof *e.now) };
	bool ok = e.now != NULL;

	if (s->nmeeting)
		qsort(s->meeting, s->nmeeting, sizeof *s->meeting, by_order);
	for (size_t i = 0, end; ok && i < s->nmeeting; i = end) {
		for (end = i + 1; end < s->nmeeting && s->meeting[end].row == s->meeting[i].row &&
		                  s->meeting[end].at == s->meeting[i].at;)
			end++;
		ok = settle_row(s, &e, s->meeting + i, end - i);
	}
	tm_groups_fini(&e.met);
	free(e.then);
	free(e.now);
	return ok;
}

/* What is late of half of the ranks, at most.  False when out of memory. */
static bool find_behind(struct sums *s)
{
	uint64_t *v = tm_array((size_t)s->ranks.n + 1, sizeof *v);

	for (uint32_t i = 0; v && i < s->ranks.n; i++)
		v[i] = (uint64_t)s->rank[i].behind;
	if (v && s->ranks.n) {
		qsort(v, s->ranks.n, sizeof *v, by_value);
		s->behind = v[(s->ranks.n - 1) / 2];
	}
	free(v);
	return v != NULL;
}

/* ---- who works longer than others ---- */

struct ranked {
	uint32_t root;
	uint64_t v;
	uint32_t rank; /* in sums.rank */
};

static int by_root(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int d = tm_u64_cmp(a->root, b->root);

	return d ? d : tm_u64_cmp(a->v, b->v);
}

/* Of each company the rank in the middle of each of these times: half do no more, and wait
 * no less; of sends and receives, and of windows, the one with most.  False when out of memory. */
static bool find_halves(struct sums *s)
{
	const uint32_t n = s->ranks.n;
	struct ranked *v = tm_array((size_t)n + 1, sizeof *v);

	for (int k = 0; v && k < RANK_TIMES; k++) {
		for (uint32_t i = 0; i < n; i++)
			v[i] = (struct ranked) { company_of(s, i), s->rank[i].time[k], i };
		qsort(v, n, sizeof *v, by_root);
		for (uint32_t i = 0, end; i < n; i = end) {
			for (end = i + 1; end < n && v[end].root == v[i].root;)
				end++;
			s->rank[v[i].root].half[k] =
			        k >= RANK_SENDS ? v[end - 1].v
			                        : v[i + (end - i - (k <= RANK_BUSY)) / 2].v;
		}
	}
	free(v);
	return v != NULL;
}

/* Those of a company that communicate more than three times as often as others do other work, as
 * the learners and the actors of one job: let them be companies of their own.  The stages at the
 * ends of a pipeline have half as much to send.  False when out of memory. */
static bool part_companies(struct sums *s)
{
	const uint32_t n = s->ranks.n;
	struct ranked *v = tm_array((size_t)n + 1, sizeof *v);
	uint32_t first = 0;

	for (uint32_t i = 0; v && i < n; i++)
		v[i] = (struct ranked) { company_of(s, i), s->rank[i].count, i };
	if (v && n)
		qsort(v, n, sizeof *v, by_root);
	for (uint32_t i = 0; v && i < n; i++) {
		if (!i || v[i].root != v[i - 1].root || v[i].v > MORE_OFTEN * v[i - 1].v)
			first = v[i].rank;
		s->rank[v[i].rank].company = first;
	}
	free(v);
	return v != NULL;
}

/* Where traces are of different length, who works longer may wait longer, too.  Idle time may be
 * waiting for others by way of the host, as for what a pipeline hands back to its first stage. */
static uint64_t longer(struct sums *s, uint32_t i)
{
	const struct rank_sum *r = &s->rank[i], *root = &s->rank[company_of(s, i)];
	const uint64_t works = less(r->time[RANK_WORKS], root->half[RANK_WORKS]),
	               busy = less(r->time[RANK_BUSY], root->half[RANK_BUSY]);

	if (r->time[RANK_EXPOSED] >= root->half[RANK_EXPOSED])
		return 0;
	return busy < works ? busy : works;
}

/* ---- traces of part of the run ---- */

/* Where neither communicators nor clocks say which are one, ranks may have fewer collectives as
 * they need no more, like the ends of a pipeline: a trace of part of the run is shorter as well. */
static bool is_part(struct sums *s, uint64_t rank, uint64_t comm)
{
	const uint64_t most = s->rank[company_of(s, (uint32_t)rank)].half[RANK_WINDOW];

	return comm != NO_COMM || !s->blind ||
	       (tm_u128)s->rank[rank].time[RANK_WINDOW] * 100 < (tm_u128)most * WHOLE_PCT;
}

/* How many collectives of its communicators each rank should have, and lacks.  Those that are only
 * partly inside the window say nothing of that.  False when out of memory. */
static bool find_missing(struct sums *s)
{
	struct tm_groups rows = { .words = 1 }, parts = { .words = 2 };
	uint64_t *all = NULL, *own = NULL;
	size_t all_cap = 0, own_cap = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < s->nmeeting; i++) {
		const struct meeting *v = &s->meeting[i];
		const uint64_t part[] = { v->comm, v->rank };
		uint32_t row, at;

		if (!v->comm || v->cut)
			continue;
		row = tm_groups_item(&rows, part, &all, &all_cap, sizeof *all, NULL);
		at = tm_groups_item(&parts, part, &own, &own_cap, sizeof *own, NULL);
		ok = row != TM_GROUP_NONE && at != TM_GROUP_NONE;
		if (!ok)
			break;
		all[row] += !i || v[-1].row != v->row;
		own[at]++;
	}
	for (uint32_t i = 0; ok && i < parts.n; i++) {
		const uint64_t *part = parts.key + (size_t)i * parts.words;
		const uint64_t due = all[tm_groups_find(&rows, part)];

		s->rank[part[1]].due += due;
		s->rank[part[1]].missing += is_part(s, part[1], part[0]) ? due - own[i] : 0;
	}
	tm_groups_fini(&rows);
	tm_groups_fini(&parts);
	free(all);
	free(own);
	return ok;
}

/* ---- the table ---- */

static bool is_share(tm_u128 part, tm_u128 whole, unsigned pct)
{
	return whole && part * 100 >= whole * pct;
}

static bool is_once(const struct rank_sum *r)
{
	return is_share(r->sure_most, r->behind, BLAMED_PCT);
}

/* Of so many ranks one may be late that often by chance, if all are as likely to be: by Chernoff, a
 * share s of n delays, where p is to be expected, with a probability of no more than
 * exp(-n (s ln(s / p) + (1 - s) ln((1 - s) / (1 - p)))), which is (2 / ranks)^2 here.  What others
 * wait for twice as long as for half of the ranks is not by chance. */
static bool by_chance(const struct sums *s, const struct rank_sum *r)
{
	const double all = (double)r->behind, share = (double)r->late / all,
	             fair = (double)r->fair / all, n = all * all / (double)r->squares;
	double sure = share * log(share / fair);

	if (!r->behind || r->behind > 2 * s->behind || r->late <= r->fair || !r->fair)
		return false;
	if (share < 1)
		sure += (1 - share) * log((1 - share) / (1 - fair));
	return n * sure < 2 * log((double)s->ranks.n / 2);
}

/* Most of its lateness may still be one delay, of which the clocks leave too little. */
static bool is_often(const struct sums *s, const struct rank_sum *r)
{
	return !is_share(r->late_most, r->behind, BLAMED_PCT) &&
	       is_share(r->sure_late, r->behind, BLAMED_PCT) && !by_chance(s, r);
}

/* What the ranks that communicate with each other have in common. */
static void look_together(struct sums *s)
{
	for (uint32_t i = 0; i < s->ranks.n; i++) {
		const struct rank_sum *r = &s->rank[i];
		struct rank_sum *root = &s->rank[root_of(s, i)];

		/* Also where the clocks do not say for sure. */
		root->blamed |= is_share(r->late_most, r->behind, BLAMED_PCT) ||
		                (is_share(r->late, r->behind, BLAMED_PCT) && !by_chance(s, r));
		root->ready |= !is_share(r->sure_waited, r->held, READY_PCT);
		/* All else of a rank takes as long without them. */
		if (r->count > root->most || (r->count == root->most && r->exposed < root->least)) {
			root->most = r->count;
			root->least = r->exposed;
		}
	}
}

/* Do others wait for it in sends and receives, more than in collectives? */
static bool is_stage(struct sums *s, uint32_t i)
{
	const struct rank_sum *r = &s->rank[i], *root = &s->rank[company_of(s, i)];
	const uint64_t ns = longer(s, i);

	return is_share(ns, root->half[RANK_WINDOW], STAGE_PCT) && ns > r->late &&
	       less(root->half[RANK_SENDS], r->time[RANK_SENDS]) >= ns / 2;
}

/* Where a rank is to blame, others that come late in the same collectives are not: they may wait
 * for it elsewhere. */
static struct tm_cell pattern(struct sums *s, uint32_t i)
{
	const struct rank_sum *r = &s->rank[i], *root = &s->rank[root_of(s, i)];

	if (is_stage(s, i))
		return tm_cell_text("stage", 5);
	if (is_once(r))
		return tm_cell_text("once", 4);
	if (is_often(s, r))
		return tm_cell_text("often", 5);
	return root->several && !root->blamed && !root->ready ? tm_cell_text("turns", 5)
	                                                      : tm_cell_none();
}

static int by_rank(const void *pa, const void *pb, void *arg)
{
	const struct rank_sum *v = arg;

	return tm_u64_cmp(v[*(const uint32_t *)pa].rank, v[*(const uint32_t *)pb].rank);
}

/* Of the agent of each rank with most of it. */
static void take_exposed(struct sums *s, const struct tm_work *w)
{
	for (size_t i = 0; i < s->ntracks; i++) {
		const uint32_t at = tm_groups_find(&s->ranks, &w->track[i].rank);
		struct rank_sum *r = at == TM_GROUP_NONE ? NULL : &s->rank[at];
		tm_u128 exposed = 0;

		for (size_t k = 0; r && k < w->track[i].op[TM_WORK_COMM].n; k++)
			exposed += s->exposed[i][k];
		if (r && exposed > r->exposed)
			r->exposed = exposed;
		if (r && s->window[i] - (uint64_t)exposed >= r->time[RANK_WORKS]) {
			r->time[RANK_WINDOW] = s->window[i];
			r->time[RANK_EXPOSED] = (uint64_t)exposed;
			r->time[RANK_WORKS] = s->window[i] - r->time[RANK_EXPOSED];
			r->time[RANK_BUSY] = s->busy[i];
		}
		if (r)
			r->open |= s->open[i];
		if (r && s->transfer[i] > r->transfer)
			r->transfer = s->transfer[i];
	}
}

static bool put_rank(struct sums *s, uint32_t i, uint64_t lasts, tm_u128 caused, struct tm_table *t,
                     struct tm_report *rep)
{
	const struct rank_sum *r = &s->rank[i];
	const tm_u128 least = s->rank[root_of(s, i)].least;
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[RANK_RANK] = tm_cell_u64(r->rank);
	if (!r->open)
		c[RANK_TRANSFER] = tm_work_sum_cell(r->transfer < least ? r->transfer : least,
		                                    "exposed time", rep);
	if (r->due)
		c[RANK_MISSING] = tm_work_pct(r->missing, r->due);
	if (r->time[RANK_WINDOW]) {
		c[RANK_LONGER] = tm_cell_u64(longer(s, i));
		c[RANK_LONGER_PCT] = tm_work_pct(longer(s, i),
		                                 s->rank[company_of(s, i)].half[RANK_WINDOW]);
	}
	c[RANK_PATTERN] = pattern(s, i);
	if (!r->compared)
		return true;
	if (s->clocks && s->has_ends)
		c[RANK_ENDS] = tm_cell_u64(s->ends);
	c[RANK_LAST] = tm_cell_u64(r->last);
	c[RANK_LAST_PCT] = lasts ? tm_work_pct(r->last, lasts) : tm_cell_none();
	c[RANK_CAUSED] = tm_work_sum_cell(r->caused, "waiting", rep);
	c[RANK_CAUSED_PCT] = caused ? tm_work_pct(r->caused, caused) : tm_cell_none();
	c[RANK_WAITED] = tm_work_sum_cell(r->waited, "waiting", rep);
	c[RANK_LATE] = tm_work_sum_cell(r->late, "lateness", rep);
	/* Where clocks are off it may seem to wait when all is over. */
	c[RANK_WAITED_PCT] = r->held ? tm_work_pct(r->waited < r->held ? r->waited : r->held,
	                                           r->held)
	                             : tm_cell_none();
	c[RANK_COST] = tm_work_sum_cell(r->late < r->spare ? r->late : r->spare, "lateness", rep);
	c[RANK_WAIT_COST] = tm_work_sum_cell(r->blamed_wait < r->spent ? r->blamed_wait : r->spent,
	                                     "waiting", rep);
	c[RANK_LATE_MAX] = tm_cell_u64(r->late_most);
	if (!r->behind)
		return true;
	c[RANK_LATE_PCT] = tm_work_pct(r->late, r->behind);
	c[RANK_LATE_MAX_PCT] = tm_work_pct(r->late_most, r->behind);
	return true;
}

bool tm_collectives_put_ranks(struct sums *s, const struct tm_work *w, struct tm_table *t,
                              struct tm_report *rep)
{
	uint32_t *order = malloc(((size_t)s->ranks.n + 1) * sizeof *order);
	uint64_t lasts = 0;
	tm_u128 caused = 0;
	bool ok = order != NULL;

	take_exposed(s, w);
	ok = ok && find_halves(s) && find_missing(s) && part_companies(s) && find_halves(s) &&
	     settle_late(s) && find_behind(s);
	for (uint32_t i = 0; ok && i < s->ranks.n; i++) {
		order[i] = i;
		lasts += s->rank[i].last;
		caused += s->rank[i].caused;
	}
	look_together(s);
	if (ok && s->ranks.n)
		qsort_r(order, s->ranks.n, sizeof *order, by_rank, s->rank);
	for (uint32_t i = 0; ok && i < s->ranks.n; i++)
		ok = put_rank(s, order[i], lasts, caused, t, rep);
	free(order);
	return ok;
}
