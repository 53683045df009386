/* SPDX-License-Identifier: MIT
 * Queues of one GPU that work one after the other: a kernel that was launched before one of another
 * queue ended begins after it.  An event or the null stream may be why, or a lack of room, and the
 * work may depend on the other or not: the trace does not tell. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/sort.h"
#include "replay/tracks.h"

#include <stdlib.h>

/* As late a kernel begins at most after the one that it waited for; never at once is less than one
 * part in so many of the work; and so many take turns that it is no chance. */
enum { NEAR_NS = 20000, RARELY = 100, LEAST = 20 };

/* The kernel that ends last of those that began so far, and of those of other lanes than that. */
struct latest {
	uint64_t end, other;
	uint32_t lane;
};

/* What the kernels of an agent do. */
struct sums {
	uint64_t works, twice; /* time of all, and of those that begin while others run */
	uint32_t turns, switches;
};

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

/* Did it wait for a kernel of another lane, which ended at `other`, and for none of its own? */
static bool takes_turn(const struct tm_replay_rank *r, uint32_t op, uint64_t other)
{
	const struct tm_replay_op *o = &r->op[op];
	const uint32_t own = op_before(r, op);

	return o->call != NONE && other <= o->start && o->start - other <= NEAR_NS &&
	       op_sub(r, op) < other && (own == NONE || r->op[own].end <= other);
}

/* Mark those of v[0 .. n), in order of start, that take turns. */
static struct sums mark(struct tm_replay_rank *r, const struct key *v, uint32_t n)
{
	struct latest last = { .lane = NONE };
	struct sums s = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t op = (uint32_t)v[i].b;
		const struct tm_replay_op *o = &r->op[op];
		const uint64_t other = o->lane == last.lane ? last.other : last.end;
		const uint64_t to = other < o->end ? other : o->end;

		s.works += o->end - o->start;
		s.twice += to > o->start ? to - o->start : 0;
		s.switches += last.lane != NONE && o->lane != last.lane;
		if (o->lane != last.lane && takes_turn(r, op, other)) {
			r->turns[op / 8] |= (uint8_t)(1u << op % 8);
			s.turns++;
		}
		add(&last, o);
	}
	return s;
}

static void unmark(struct tm_replay_rank *r, const struct key *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		r->turns[v[i].b / 8] &= (uint8_t) ~(1u << v[i].b % 8);
}

/* True when the kernels of some agent take turns. */
static bool find(struct tm_replay_rank *r, struct key *v, struct key *room)
{
	bool any = false;

	for (uint32_t from = 0, to; from < r->nlane; from = to) {
		struct sums s;
		uint32_t n;

		for (to = from + 1; to < r->nlane && same_gpu(&r->lane[from], &r->lane[to]);)
			to++;
		if (gather(r, from, to, v, &n) < 2)
			continue;
		tm_replay_sort(v, room, n);
		s = mark(r, v, n);
		if (s.turns < LEAST || s.turns < s.switches / 2 || s.twice >= s.works / RARELY)
			unmark(r, v, n);
		else
			any = true;
	}
	return any;
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
		any = ok && find(r, v, room);
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
