/* SPDX-License-Identifier: MIT
 * The n-th collective of a communicator is the same one on all ranks, where the trace or a log of
 * RCCL names communicators on all of them; else the n-th of every agent, as metric/ranks has it.
 * Where all kernels of a communicator are numbered, those of one number are the same one, also if
 * some ranks lack others: these do not hold it up, as ranks without a trace do not.
 * Its transfer begins when the last has come; so on clocks that can be compared no rank is through
 * before.  Sends and receives do not count there: the n-th of two ranks are one, and others wait
 * for nobody knows whom (work/comm_lanes.h), also where one rank is all there is. */
#include "replay/couple.h"

#include "base/base.h"
#include "replay/graph.h"
#include "replay/slow_comm.h"
#include "replay/sort.h"

#include <stdlib.h>
#include <string.h>

enum { MUST_COUPLE_PCT = 90 };

/* An operation of class comm. */
struct item {
	uint64_t start, end, agent;
	bool has_agent;
	uint32_t rank, op; /* op NONE: outside the window */
	uint32_t name, comm;
	uint32_t member; /* which agent of which rank */
	const struct tm_comm_call *call;
	enum tm_comm_lane lane;
};

struct items {
	struct item *v;
	size_t n, cap;
	const struct tm_replay_rows *rows;
	uint32_t members;
	bool apart,
	        global; /* all members name communicators; and the names mean the same anywhere */
	bool *numbered; /* of each communicator and lane: collectives are matched by number */
};

static int by_agent(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->has_agent != b->has_agent)
		return a->has_agent ? 1 : -1;
	if (a->agent != b->agent)
		return a->agent > b->agent ? 1 : -1;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->end != b->end)
		return a->end > b->end ? 1 : -1;
	return (a->op > b->op) - (a->op < b->op);
}

static bool add_item(struct items *s, struct item item)
{
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	s->v[s->n++] = item;
	return true;
}

/* The operations of class comm of one rank, inside the window or not, by agent and start. */
static bool list_rank(struct items *s, const struct tm_replay *r, uint32_t rank)
{
	const struct tm_replay_rank *k = r->rank[rank];
	uint32_t at = tm_groups_find(&r->rows->ranks, &k->rank);
	const struct tm_replay_rank_rows *rows = &r->rows->rank[at];
	size_t first = s->n;

	for (uint32_t i = 0; i < k->nop; i++) {
		const struct tm_replay_op *o = &k->op[i];
		const struct lane *l = &k->lane[o->lane];

		if (r->class_of[o->name] && r->rows->comm[o->name] &&
		    !add_item(s, (struct item) { o->start, o->end, l->agent, l->has_agent, rank, i,
		                                 o->name, 0, 0, NULL, TM_LANE_ALL }))
			return false;
	}
	for (size_t i = 0; i < rows->noutside; i++) {
		const struct tm_replay_op *o = &rows->outside[i];
		const struct tm_replay_track *t = &r->rows->track[o->lane];

		if (!add_item(s, (struct item) { o->start, o->end, t->agent, t->has_agent, rank,
		                                 NONE, o->name, 0, 0, NULL, TM_LANE_ALL }))
			return false;
	}
	if (s->n > first)
		qsort(s->v + first, s->n - first, sizeof *s->v, by_agent);
	return true;
}

/* Operations of one agent, for tm_comm_join. */
struct of_agent {
	const struct items *s;
	size_t first;
};

static const char *name_of(const void *of, size_t i)
{
	const struct of_agent *a = of;

	return a->s->rows->names.v[a->s->v[a->first + i].name].text;
}

static struct tm_extent ran(const void *of, size_t i)
{
	const struct of_agent *a = of;
	const struct item *item = &a->s->v[a->first + i];

	return (struct tm_extent) { item->start, item->end };
}

/* The communicators of the n operations of an agent from `first` on. */
static bool ask_agent(struct items *s, struct tm_comm_join *j, uint64_t rank, size_t first,
                      size_t n)
{
	const struct of_agent of = { s, first };
	const struct tm_comm_kernels k = { .n = n,
		                           .name = name_of,
		                           .ran = ran,
		                           .of = &of,
		                           .agent = s->v[first].has_agent ? s->v[first].agent
		                                                          : UINT64_MAX };
	const struct tm_comm_call **call = calloc(n + 1, sizeof(*call));
	struct tm_comm_joined told;
	bool ok = call && tm_comm_join(j, rank, &k, call, &told);

	for (size_t i = 0; ok && i < n; i++) {
		uint32_t comm = call[i] ? call[i]->comm : TM_NAME_NONE;

		s->v[first + i].member = s->members;
		s->v[first + i].call = call[i];
		if (comm == TM_NAME_NONE)
			continue;
		s->v[first + i].comm = comm + 1;
		s->global &= tm_comm_is_global(&j->calls->names.v[comm]);
	}
	s->members++;
	if (ok)
		s->apart &= told.own || told.joins;
	free(call);
	return ok;
}

static bool same_agent(const struct item *a, const struct item *b)
{
	return a->rank == b->rank && a->has_agent == b->has_agent && a->agent == b->agent;
}

static bool ask_all(struct items *s, struct tm_replay *r)
{
	struct tm_comm_join j = { .calls = &r->rows->comms };
	bool ok = true;

	for (size_t i = 0, end; ok && i < s->n; i = end) {
		for (end = i + 1; end < s->n && same_agent(&s->v[i], &s->v[end]);)
			end++;
		ok = ask_agent(s, &j, r->rank[s->v[i].rank]->rank, i, end - i);
	}
	tm_comm_join_fini(&j);
	return ok;
}

static struct tm_comm_kernel kernel_of(const struct items *s, const struct tm_replay *r,
                                       const struct item *item)
{
	return (struct tm_comm_kernel) { r->rank[item->rank]->rank,
		                         s->apart && s->global ? item->comm : 0, item->call,
		                         s->rows->names.v[item->name].text };
}

static bool set_lanes(struct items *s, const struct tm_replay *r)
{
	struct tm_comm_lanes l = { .calls = &r->rows->comms, .told = s->apart };
	struct tm_comm_kernel kernel;
	bool ok = true;

	for (size_t i = 0; ok && i < s->n; i++) {
		kernel = kernel_of(s, r, &s->v[i]);
		ok = tm_comm_lanes_add(&l, &kernel);
	}
	for (size_t i = 0; ok && i < s->n; i++) {
		kernel = kernel_of(s, r, &s->v[i]);
		s->v[i].lane = tm_comm_lane_of(&l, &kernel);
	}
	tm_comm_lanes_fini(&l);
	return ok;
}

/* What items are of: a communicator, and there a lane. */
static void key_of(const struct items *s, const struct item *item, uint64_t key[2])
{
	key[0] = s->apart && s->global ? item->comm : 0;
	key[1] = item->lane;
}

/* Are the kernels of all members numbered, in that order?  Of each key, which `orders` gets; NULL
 * when out of memory. */
static bool *find_numbered(const struct items *s, struct tm_groups *orders)
{
	struct tm_groups parts = { .words = 2 };
	bool *numbered = calloc(1, sizeof *numbered), ok = numbered != NULL, fresh;
	uint64_t *last = NULL;
	size_t cap = ok, last_cap = 0;

	for (size_t i = 0; ok && i < s->n; i++) {
		const struct item *item = &s->v[i];
		const struct tm_comm_call *call = item->call;
		uint64_t key[2], part[2] = { item->member };
		uint32_t order, at;

		key_of(s, item, key);
		part[1] = order = tm_groups_item(orders, key, &numbered, &cap, sizeof *numbered,
		                                 &fresh);
		at = tm_groups_item(&parts, part, &last, &last_cap, sizeof *last, NULL);
		ok = order != TM_GROUP_NONE && at != TM_GROUP_NONE;
		if (!ok)
			break;
		numbered[order] = (fresh || numbered[order]) && key[0] &&
		                  item->lane == TM_LANE_ALL && call && call->has_op &&
		                  call->op >= last[at];
		last[at] = call ? call->op : 0;
	}
	tm_groups_fini(&parts);
	free(last);
	if (ok)
		return numbered;
	free(numbered);
	return NULL;
}

struct places {
	struct tm_groups orders;  /* communicator, lane */
	struct tm_groups parts;   /* member, order */
	struct tm_groups numbers; /* order, number, which one of that */
	struct placed {
		uint64_t op; /* the last number, */
		uint32_t n;  /* how many of it, or in all */
	} * placed;          /* of each of parts */
	size_t cap;
};

/* Where an item is in its order; TM_GROUP_NONE when out of memory. */
static uint32_t place_of(struct places *p, const struct items *s, const struct item *item,
                         uint64_t order)
{
	const uint64_t part[2] = { item->member, order };
	uint64_t number[3] = { order };
	uint32_t at = tm_groups_item(&p->parts, part, &p->placed, &p->cap, sizeof *p->placed, NULL);
	struct placed *last;

	if (at == TM_GROUP_NONE)
		return TM_GROUP_NONE;
	last = &p->placed[at];
	if (!s->numbered[order])
		return last->n++;
	number[1] = item->call->op;
	number[2] = last->n = last->n && last->op == number[1] ? last->n + 1 : 1;
	last->op = number[1];
	return tm_groups_add(&p->numbers, number, NULL);
}

/* Items by communicator and place in it; those of one place are one collective.  Those of
 * which nobody knows with whom are not among the *n.  NULL when out of memory. */
static struct key *place_items(struct items *s, size_t *n)
{
	struct key *v = tm_array(2 * s->n + 1, sizeof *v);
	struct places p = { { .words = 2 }, { .words = 2 }, { .words = 3 }, NULL, 0 };
	bool ok;

	*n = 0;
	s->numbered = find_numbered(s, &p.orders);
	ok = v && s->numbered;
	for (size_t i = 0; ok && i < s->n; i++) {
		const struct item *item = &s->v[i];
		uint64_t key[2], order;
		uint32_t place;

		if (item->lane == TM_LANE_ALONE)
			continue;
		key_of(s, item, key);
		order = tm_groups_find(&p.orders, key);
		place = place_of(&p, s, item, order);
		ok = place != TM_GROUP_NONE;
		v[(*n)++] = (struct key) { order << 32 | place, i };
	}
	tm_groups_fini(&p.orders);
	tm_groups_fini(&p.parts);
	tm_groups_fini(&p.numbers);
	free(p.placed);
	if (!ok) {
		free(v);
		return NULL;
	}
	tm_replay_sort(v, v + s->n, *n);
	return v;
}

/* How many items from i on are one collective. */
static size_t alike(const struct key *v, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && v[end].a == v[i].a)
		end++;
	return end - i;
}

/* One more of several items, and whether it is a group. */
static void count(struct tm_replay *r, const struct item *item, bool group)
{
	const bool pair = item->lane != TM_LANE_ALL;

	r->counts.collectives += !pair;
	r->counts.coupled += !pair && group;
	r->counts.pairs += pair;
	r->counts.coupled_pairs += pair && group;
}

/* One collective of `n` items: a group, unless its kernels differ or do not all overlap. */
static bool add_group(struct tm_replay *r, const struct items *s, const struct key *v, size_t n)
{
	struct tm_replay_group g = { .from = (uint32_t)r->nmember,
		                     .pair = s->v[v[0].b].lane != TM_LANE_ALL,
		                     .call = s->v[v[0].b].call };
	uint64_t first_end = UINT64_MAX;
	bool same = true;

	for (size_t i = 0; i < n; i++) {
		const struct item *item = &s->v[v[i].b];

		if (item->op == NONE)
			continue;
		same &= item->name == s->v[v[0].b].name;
		g.arrival = item->start > g.arrival ? item->start : g.arrival;
		first_end = item->end < first_end ? item->end : first_end;
		if (!tm_grow_array(&r->member, &r->member_cap, r->nmember + 1, sizeof *r->member))
			return false;
		r->member[r->nmember++] = (struct tm_replay_member) { item->rank, item->op };
		g.members++;
	}
	same &= g.arrival <= first_end;
	if (g.members > 1)
		count(r, &s->v[v[0].b], same);
	if (g.members < 2 || !same) {
		r->nmember = g.from;
		return true;
	}
	if (!tm_grow_array(&r->group, &r->group_cap, r->ngroup + 1, sizeof *r->group))
		return false;
	r->group[r->ngroup++] = g;
	return true;
}

/* Collectives of communicators that are numbered, or of which all members have as many. */
static bool add_groups(struct tm_replay *r, const struct items *s, const struct key *v,
                       size_t placed)
{
	for (size_t i = 0, end; i < placed; i = end) {
		size_t most = alike(v, placed, i), least = most;

		for (end = i; end < placed && v[end].a >> 32 == v[i].a >> 32;) {
			size_t n = alike(v, placed, end);

			least = n < least ? n : least;
			end += n;
		}
		if (s->numbered[v[i].a >> 32])
			least = most;
		r->counts.lacking |= least < most;
		for (size_t at = i, n; at < end; at += n) {
			n = alike(v, placed, at);
			if (least < most && n > 1)
				count(r, &s->v[v[at].b], false);
			else if (least == most && !add_group(r, s, v + at, n))
				return false;
		}
	}
	return true;
}

/* Can the clocks be compared?  What sends does not always wait for who receives, so that these say
 * something only where there is nothing else. */
static bool are_coupled(const struct tm_replay_counts *c)
{
	return c->collectives ? c->coupled * 100 >= c->collectives * MUST_COUPLE_PCT
	                      : c->coupled_pairs * 100 >= c->pairs * MUST_COUPLE_PCT;
}

/* Sends and receives that are no groups: what ends them is elsewhere. */
static bool mark_alone(struct tm_replay *r, const struct items *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct item *item = &s->v[i];
		struct tm_replay_rank *k = r->rank[item->rank];

		if (item->lane == TM_LANE_ALL || item->op == NONE || k->op[item->op].group != NONE)
			continue;
		k->unmatched = k->unmatched ? k->unmatched : calloc((size_t)k->nop / 8 + 1, 1);
		if (!k->unmatched)
			return false;
		k->unmatched[item->op / 8] |= (uint8_t)(1u << item->op % 8);
		r->counts.unmatched++;
	}
	return true;
}

bool tm_replay_couple(struct tm_replay *r)
{
	struct items s = { .rows = r->rows, .apart = true, .global = true };
	struct key *v = NULL;
	size_t placed;
	bool ok = true;

	for (uint32_t i = 0; ok && i < r->nrank; i++)
		ok = list_rank(&s, r, i);
	if (ok && s.n) {
		ok = ask_all(&s, r) && set_lanes(&s, r);
		v = ok ? place_items(&s, &placed) : NULL;
		ok = v && add_groups(r, &s, v, placed);
	}
	if (!are_coupled(&r->counts))
		r->ngroup = r->nmember = 0;
	for (uint32_t g = 0; ok && g < r->ngroup; g++)
		for (uint32_t i = 0; i < r->group[g].members; i++) {
			const struct tm_replay_member *m = &r->member[r->group[g].from + i];

			r->rank[m->rank]->op[m->op].group = g;
		}
	ok = ok && mark_alone(r, &s) && tm_replay_find_slow(r);
	free(v);
	free(s.v);
	free(s.numbered);
	return ok;
}

static int by_op(const void *pa, const void *pb)
{
	const struct tm_replay_member *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	return (a->op > b->op) - (a->op < b->op);
}

bool tm_replay_place_members(struct tm_replay *r)
{
	r->place = calloc(r->nmember + 1, sizeof *r->place);
	if (!r->place)
		return false;
	for (uint32_t g = 0; g < r->ngroup; g++)
		qsort(r->member + r->group[g].from, r->group[g].members, sizeof *r->member, by_op);
	for (uint32_t k = 0; r->ngroup && k < r->nrank; k++) {
		const struct tm_replay_rank *rank = r->rank[k];

		for (uint32_t i = 0; i < rank->n; i++) {
			struct tm_replay_member want = { k, rank->owner[i] };
			const struct tm_replay_group *g;
			const struct tm_replay_member *m;

			if (node_kind(rank, i) != NODE_START || rank->op[want.op].group == NONE)
				continue;
			g = &r->group[rank->op[want.op].group];
			m = bsearch(&want, r->member + g->from, g->members, sizeof *m, by_op);
			if (m)
				r->place[m - r->member] = i;
		}
	}
	return true;
}
