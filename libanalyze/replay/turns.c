/* SPDX-License-Identifier: MIT
 * Queues of one GPU that work one after the other: a kernel that was launched before one of another
 * queue ended begins after it.  All may do so, or one that none of the others works beside, as the
 * null stream.  An event or that stream may be why, or a lack of room, and the work may depend on
 * the other or not: the trace does not tell. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/sort.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>

/* As late a kernel begins at most after the one that it waited for; never at once is less than one
 * part in so many of the work; and so many take turns that it is no chance. */
enum { NEAR_NS = 20000, RARELY = 100, LEAST = 20 };

/* The kernel that ends last of those that began so far, and of those of other lanes than that. */
struct latest {
	uint64_t end, other;
	uint32_t lane;
};

/* What kernels of one queue do, or those of all. */
struct sums {
	uint64_t works, twice;    /* their time, and that beside others */
	uint32_t turns, switches; /* of those after one of another queue, which they waited for */
};

/* The queues of an agent: what each does, when its last kernel ends, and which are at work. */
struct queues {
	uint32_t from, nbusy;
	struct sums *of;
	uint64_t *ends;
	uint32_t *busy;
	uint8_t *in_turn;
	struct sums all;
};

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool computes(const struct tm_replay_rank *r, uint32_t op)
{
	return !op_copies(r, op) && !r->all->rows->comm[r->op[op].name];
}

/* The kernels of lanes [from, to); in how many of these. */
static unsigned gather(const struct tm_replay_rank *r, uint32_t from, uint32_t to, struct key *v,
                       uint32_t *n)
{
	unsigned lanes = 0;

	*n = 0;
	for (uint32_t l = from; l < to; l++) {
		const uint32_t before = *n;

		for (uint32_t i = r->lane[l].from; r->lane[l].has_id && i < r->lane[l].to; i++)
			if (computes(r, i))
				v[(*n)++] = (struct key) { r->op[i].start, i };
		lanes += *n > before;
	}
	return lanes;
}

/* Did it wait for a kernel of another lane, which ended at `other`, and for none of its own? */
static bool takes_turn(const struct tm_replay_rank *r, uint32_t op, uint64_t other)
{
	const struct tm_replay_op *o = &r->op[op];
	const uint32_t own = op_before(r, op);

	return o->call != NONE && other <= o->start && o->start - other <= NEAR_NS &&
	       op_sub(r, op) < other && (own == NONE || r->op[own].end <= other);
}

/* A kernel begins: how long it runs beside those that began before. */
static void count_twice(struct queues *q, const struct tm_replay_op *o)
{
	uint64_t most = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->nbusy; i++) {
		const uint32_t lane = q->busy[i];
		const uint64_t end = q->ends[lane - q->from], to = end < o->end ? end : o->end;

		if (end <= o->start || lane == o->lane)
			continue;
		q->busy[n++] = lane;
		q->of[lane - q->from].twice += to - o->start;
		most = later_of(most, to - o->start);
	}
	q->busy[n++] = o->lane;
	q->nbusy = n;
	q->of[o->lane - q->from].twice += most;
	q->all.twice += most;
}

static void add(struct latest *l, const struct tm_replay_op *o)
{
	if (o->lane == l->lane) {
		l->end = o->end > l->end ? o->end : l->end;
	} else if (o->end > l->end) {
		l->other = l->end;
		l->end = o->end;
		l->lane = o->lane;
	} else if (o->end > l->other) {
		l->other = o->end;
	}
}

/* When the last of other lanes than that of a kernel ends. */
static uint64_t end_elsewhere(const struct latest *l, const struct tm_replay_op *o)
{
	return o->lane == l->lane ? l->other : l->end;
}

static void add_one(struct sums *s, const struct tm_replay_op *o, bool switches, bool turn)
{
	s->works += o->end - o->start;
	s->switches += switches;
	s->turns += switches && turn;
}

/* What each queue of v[0 .. n) does, in order of start. */
static void count(const struct tm_replay_rank *r, const struct key *v, uint32_t n, struct queues *q)
{
	struct latest last = { .lane = NONE };

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t op = (uint32_t)v[i].b;
		const struct tm_replay_op *o = &r->op[op];
		const bool switches = last.lane != NONE && o->lane != last.lane,
		           turn = switches && takes_turn(r, op, end_elsewhere(&last, o));

		add_one(&q->all, o, switches, turn);
		/* The null stream needs nobody to tell it that it waits. */
		add_one(&q->of[o->lane - q->from], o, switches,
		        turn && tm_replay_armed(r, op) == NONE);
		count_twice(q, o);
		add(&last, o);
		q->ends[o->lane - q->from] = later_of(q->ends[o->lane - q->from], o->end);
	}
}

static bool are_in_turn(const struct sums *s)
{
	return s->turns >= LEAST && s->turns >= s->switches / 2 && s->twice < s->works / RARELY;
}

/* Mark those of v[0 .. n) that are of such a queue and wait for another, or wait for such a one. */
static bool mark(struct tm_replay_rank *r, const struct key *v, uint32_t n, const struct queues *q)
{
	struct latest last = { .lane = NONE }, in_turn = { .lane = NONE };
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t op = (uint32_t)v[i].b;
		const struct tm_replay_op *o = &r->op[op];
		const bool is = q->in_turn[o->lane - q->from];

		if ((is && takes_turn(r, op, end_elsewhere(&last, o))) ||
		    takes_turn(r, op, end_elsewhere(&in_turn, o))) {
			r->turns[op / 8] |= (uint8_t)(1u << op % 8);
			any = true;
		}
		add(&last, o);
		if (is)
			add(&in_turn, o);
	}
	return any;
}

static void queues_fini(struct queues *q)
{
	free(q->of);
	free(q->ends);
	free(q->busy);
	free(q->in_turn);
}

/* Those of lanes [from, to), whose kernels are v[0 .. n).  False when out of memory. */
static bool find_one(struct tm_replay_rank *r, uint32_t from, uint32_t to, const struct key *v,
                     uint32_t n, bool *any)
{
	const size_t lanes = to - from;
	struct queues q = { .from = from,
		            .of = calloc(lanes, sizeof *q.of),
		            .ends = calloc(lanes, sizeof *q.ends),
		            .busy = calloc(lanes + 1, sizeof *q.busy),
		            .in_turn = calloc(lanes, 1) };
	bool ok = q.of && q.ends && q.busy && q.in_turn, some = false;

	if (ok)
		count(r, v, n, &q);
	for (size_t i = 0; ok && i < lanes; i++) {
		q.in_turn[i] = are_in_turn(&q.all) || are_in_turn(&q.of[i]);
		some |= q.in_turn[i];
	}
	if (some)
		*any = mark(r, v, n, &q) || *any;
	queues_fini(&q);
	return ok;
}

/* *any: kernels of some agent take turns. */
static bool find(struct tm_replay_rank *r, struct key *v, struct key *room, bool *any)
{
	bool ok = true;

	for (uint32_t from = 0, to; ok && from < r->nlane; from = to) {
		uint32_t n;

		for (to = from + 1; to < r->nlane && same_gpu(&r->lane[from], &r->lane[to]);)
			to++;
		if (gather(r, from, to, v, &n) < 2)
			continue;
		tm_replay_sort(v, room, n);
		ok = find_one(r, from, to, v, n, any);
	}
	return ok;
}

bool tm_replay_find_turns(struct tm_replay_rank *r)
{
	struct key *v = NULL, *room = NULL;
	bool ok = true, any = false;

	/* Without calls it is not known when a kernel was launched. */
	if (r->nlane > 1 && r->ncall) {
		v = tm_array((size_t)r->nop + 1, sizeof *v);
		room = tm_array((size_t)r->nop + 1, sizeof *room);
		r->turns = calloc((size_t)r->nop / 8 + 1, 1);
		ok = v && room && r->turns;
		ok = ok && find(r, v, room, &any);
	}
	free(v);
	free(room);
	if (!any) {
		free(r->turns);
		r->turns = NULL;
	}
	return ok;
}

bool tm_replay_has_turns(const struct tm_replay *r)
{
	for (size_t i = 0; i < r->nrank; i++)
		if (r->rank[i]->turns)
			return true;
	return false;
}
