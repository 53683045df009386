/* SPDX-License-Identifier: MIT
 * From rows to the graph of all ranks. */
#include "replay/replay.h"

#include "base/base.h"
#include "replay/couple.h"
#include "replay/graph.h"
#include "replay/lanes.h"
#include "replay/plain/plain.h"
#include "replay/order.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static enum call_does does_of(const char *name)
{
	const struct tm_wait *wait;

	switch (tm_call_kind_of_text(name)) {
	case TM_CALL_GRAPH:
		return DOES_GRAPH;
	case TM_CALL_LAUNCH:
		return DOES_LAUNCH;
	default:
		break;
	}
	if (strstr(name, "StreamWaitEvent"))
		return DOES_AWAIT;
	if (strstr(name, "EventRecord"))
		return DOES_RECORD;
	if (strstr(name, "EventQuery") || strstr(name, "StreamQuery"))
		return DOES_POLL;
	wait = tm_wait_of(name);
	if (!wait)
		return strstr(name, "emcpy") ? DOES_MAYBE : DOES_OTHER;
	if (wait->kind != TM_WAIT_SYNC)
		return wait->kind == TM_WAIT_FREE || wait->kind == TM_WAIT_HOST_FREE ? DOES_FREE
		                                                                     : DOES_COPY;
	if (strstr(name, "DeviceSynchronize") || strstr(name, "CtxSynchronize"))
		return DOES_DEVICE;
	if (strstr(name, "StreamSynchronize"))
		return DOES_STREAM;
	if (strstr(name, "EventSynchronize") || wait->api == TM_WORK_HSA)
		return DOES_EVENT;
	return DOES_OTHER;
}

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct tm_name *v = arg;

	return tm_name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

/* The order of names, and what those of calls do. */
static bool know_names(struct tm_replay *r)
{
	const struct tm_names *names = &r->rows->names;
	uint32_t *ids = tm_array((size_t)names->n + 1, sizeof *ids);

	r->order = tm_array((size_t)names->n + 1, sizeof *r->order);
	r->does = calloc((size_t)names->n + 1, 1);
	r->class_of = calloc((size_t)names->n + 1, sizeof *r->class_of);
	if (!ids || !r->order || !r->does || !r->class_of) {
		free(ids);
		return false;
	}
	for (uint32_t i = 0; i < names->n; i++) {
		ids[i] = i;
		r->does[i] = (uint8_t)does_of(names->v[i].text);
	}
	if (names->n)
		qsort_r(ids, names->n, sizeof *ids, by_text, names->v);
	for (uint32_t i = 0; i < names->n; i++)
		r->order[ids[i]] = i;
	free(ids);
	return true;
}

static bool know_class(struct tm_replay *r, uint32_t name)
{
	struct tm_class_match m;

	if (r->class_of[name])
		return true;
	if (r->names) {
		r->class_of[name] = r->names->class_of[name];
		return true;
	}
	if (!tm_classes_match(r->rows->o->classes, r->rows->names.v[name].text, &m))
		return false;
	r->class_of[name] = (uint16_t)(m.id < UINT16_MAX ? m.id + 1 : UINT16_MAX);
	return true;
}

/* The classes of kernels: asked for names that kernels of ranks `from` to `to` have. */
static bool know_classes(struct tm_replay *r, uint32_t from, uint32_t to)
{
	const struct tm_replay_rows *rows = r->rows;

	for (uint32_t k = from; k < to; k++)
		for (uint32_t at = rows->rank[k].track; at != NONE; at = rows->track[at].next) {
			const struct tm_replay_track *t = &rows->track[at];

			for (size_t i = 0; i < t->op.n && !t->copy; i++)
				if (!know_class(r, tm_replay_op_name(rows, t, i)))
					return false;
		}
	return true;
}

/* ---- ranks ---- */

static void rank_free(struct tm_replay_rank *r)
{
	if (!r)
		return;
	free(r->op);
	free(r->call);
	free(r->lane);
	free(r->thread);
	free(r->arm);
	free(r->record);
	free(r->arm_of);
	free(r->record_of);
	free(r->launch.v);
	free(r->back.v);
	free(r->alone.v);
	free(r->room.v);
	free(r->polled);
	free(r->full);
	free(r->loads);
	free(r->turns);
	free(r->unmatched);
	free(r->t);
	free(r->prev);
	free(r->owner);
	free(r->first);
	free(r->what);
	free(r->edge);
	free(r);
}

void tm_replay_free(struct tm_replay *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nrank; i++)
		rank_free(r->rank[i]);
	free(r->rank);
	if (!r->names) {
		free(r->order);
		free(r->does);
	}
	free(r->class_of);
	free(r->group);
	free(r->member);
	free(r->place);
	free(r->lane_at);
	tm_replay_weave_free(r->weave);
	free(r);
}

uint64_t tm_replay_rank_of(const struct tm_replay *r, size_t i)
{
	return r->rank[i]->rank;
}

uint64_t tm_replay_recorded(const struct tm_replay *r, size_t i)
{
	return r->rank[i]->hi - r->lo;
}

/* Does a kernel of that name compute or communicate? */
static bool computes(const struct tm_replay *r, uint32_t name)
{
	enum tm_work_kind kind;

	if (!r->class_of[name])
		return false;
	kind = tm_work_kind_of(tm_classes_name(r->rows->o->classes, r->class_of[name] - 1u));
	return kind == TM_WORK_KERNEL || kind == TM_WORK_COMM;
}

/* The first kernel that computes or communicates; NONE. */
static uint32_t first_kernel(const struct tm_replay_rank *k)
{
	uint32_t first = NONE;

	for (uint32_t op = 0; op < k->nop; op++)
		if ((first == NONE || k->op[op].start < k->op[first].start) &&
		    computes(k->all, k->op[op].name))
			first = op;
	return first;
}

/* The start of that kernel; or where it loads first, when nothing on the GPU and no call was left
 * to wait for: what takes so long is part of a launch. */
static struct tm_replay_mark begin_of(const struct tm_replay_rank *k, uint32_t first)
{
	const struct tm_replay_op *o = &k->op[first];
	const struct tm_replay_call *c = o->call != NONE ? &k->call[o->call] : NULL;
	const struct thread *t = c ? &k->thread[c->thread] : NULL;
	uint64_t free = 0;

	for (uint32_t op = 0; c && op < k->nop; op++)
		if (k->op[op].end <= o->start && k->op[op].end > free)
			free = k->op[op].end;
	if (!free || o->start - (free > c->start ? free : c->start) < TM_REPLAY_LOADS_NS)
		return (struct tm_replay_mark) { .at = o->start, .gpu = true };
	if (free >= c->start)
		return (struct tm_replay_mark) { .at = free, .gpu = true, .end = true };
	return (struct tm_replay_mark) { .at = c->start,
		                         .pid = t->pid,
		                         .tid = t->tid,
		                         .has_pid = t->has_pid,
		                         .has_tid = t->has_tid };
}

bool tm_replay_gpu(const struct tm_replay *r, size_t i, struct tm_replay_gpu *gpu)
{
	const struct tm_replay_rank *k = r->line || r->weave ? NULL : r->rank[i];
	uint32_t first;

	*gpu = (struct tm_replay_gpu) { .lo = UINT64_MAX };
	if (!k || !k->nop)
		return false;
	for (uint32_t op = 0; op < k->nop; op++) {
		gpu->lo = k->op[op].start < gpu->lo ? k->op[op].start : gpu->lo;
		gpu->hi = k->op[op].end > gpu->hi ? k->op[op].end : gpu->hi;
	}
	gpu->begin = (struct tm_replay_mark) { .at = gpu->lo, .gpu = true };
	first = r->rows->window.lo ? NONE : first_kernel(k);
	if (first != NONE)
		gpu->begin = begin_of(k, first);
	gpu->begin.rank = (uint32_t)i;
	return true;
}

void tm_replay_called(const struct tm_replay *r, uint8_t *called)
{
	for (size_t i = 0; i < r->nrank; i++)
		for (uint32_t c = 0; c < r->rank[i]->ncall; c++)
			called[r->rank[i]->call[c].name] = 1;
}

void tm_replay_blocking(const struct tm_replay *r, uint8_t *name)
{
	for (size_t i = 0; i < r->nrank; i++)
		for (uint32_t c = 0; c < r->rank[i]->ncall; c++)
			name[r->rank[i]->call[c].name] |= tm_replay_blocked(r->rank[i], c);
}

void tm_replay_kernels(const struct tm_replay *r, tm_u128 *ns)
{
	if (r->line)
		tm_replay_line_kernels(r, ns);
	for (size_t i = 0; i < r->nrank; i++)
		for (uint32_t op = 0; op < r->rank[i]->nop; op++) {
			const struct tm_replay_op *o = &r->rank[i]->op[op];

			if (!op_copies(r->rank[i], op))
				ns[o->name] += o->end - o->start;
		}
}

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_replay_rank *a = *(struct tm_replay_rank *const *)pa,
	                            *b = *(struct tm_replay_rank *const *)pb;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* More rows of one rank than instants can be numbered. */
enum { MOST_ROWS = 1 << 30 };

static bool list_ranks(struct tm_replay *r, uint32_t from, uint32_t to)
{
	const struct tm_replay_rows *rows = r->rows;

	r->rank = calloc((size_t)(to - from) + 1, sizeof *r->rank);
	for (uint32_t i = from; r->rank && i < to; i++) {
		const struct tm_replay_rank_rows *k = &rows->rank[i];

		if (!k->nop && !k->ncall)
			continue;
		if (k->nop + k->ncall > MOST_ROWS)
			return false;
		r->rank[r->nrank] = calloc(1, sizeof **r->rank);
		if (!r->rank[r->nrank])
			return false;
		r->rank[r->nrank]->all = r;
		r->rank[r->nrank++]->rank = k->rank;
	}
	if (r->rank && r->nrank)
		qsort(r->rank, r->nrank, sizeof *r->rank, by_rank);
	return r->rank != NULL;
}

/* Put the rows of a rank in order. */
static bool put_in_order(void *arg, size_t i)
{
	struct tm_replay *r = arg;
	struct tm_replay_rank *k = r->rank[i];
	uint32_t at = tm_groups_find(&r->rows->ranks, &k->rank);

	return tm_replay_tracks(k, &r->rows->rank[at]);
}

/* Find out what is usual there. */
static bool prepare(void *arg, size_t i)
{
	struct tm_replay *r = arg;

	return tm_replay_find_turns(r->rank[i]) && tm_replay_usual(r->rank[i]);
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Where a rank has not seen what is usual, others may have: the middle one of them. */
static bool share_usual(struct tm_replay *r)
{
	uint64_t *gap = tm_array(2 * r->nrank + 1, sizeof *gap), *launch = gap + r->nrank;
	size_t gaps = 0, launches = 0;

	for (size_t i = 0; gap && i < r->nrank; i++) {
		if (r->rank[i]->queued)
			gap[gaps++] = r->rank[i]->gaps.median;
		if (r->rank[i]->launch.samples)
			launch[launches++] = r->rank[i]->launch.median;
	}
	if (gap) {
		qsort(gap, gaps, sizeof *gap, by_number);
		qsort(launch, launches, sizeof *launch, by_number);
	}
	for (size_t i = 0; gap && i < r->nrank; i++) {
		struct tm_replay_rank *k = r->rank[i];

		if (!k->queued && gaps)
			k->gaps = (struct usual) { .n = 1, .median = gap[(gaps - 1) / 2] };
		else if (!k->queued)
			k->counts.assumed = k->nop > 1;
		if (!k->launch.samples && launches)
			k->launch.median = k->launch.least = launch[(launches - 1) / 2];
	}
	free(gap);
	return gap != NULL;
}

/* ---- the graph of a rank ---- */

/* As many as there are edges where little is special: of calls, along lanes, between those. */
static size_t usual_edges(const struct tm_replay_rank *r)
{
	size_t n = r->nop + (size_t)r->nop / 4 + r->ncall / 16 + 16;

	for (uint32_t i = 0; i < r->nop; i++)
		n += r->op[i].call != NONE;
	return n;
}

static bool making_init(struct making *m, struct tm_replay_rank *r)
{
	size_t n = 2 * (size_t)r->ncall + 1;

	*m = (struct making) { .r = r };
	m->last_op = tm_array((size_t)r->ncall + 1, sizeof *m->last_op);
	m->latest = tm_array((size_t)r->ncall + 1, sizeof *m->latest);
	m->ready = tm_array((size_t)r->nop + 1, sizeof *m->ready);
	m->prev = tm_array(n, sizeof *m->prev);
	m->owner = tm_array(n, sizeof *m->owner);
	m->t = tm_array(n, sizeof *m->t);
	m->kind = tm_array(n, 1);
	m->tier = tm_array(n, 1);
	if (!tm_grow_array(&m->v, &m->cap, usual_edges(r), sizeof *m->v))
		return false;
	return m->last_op && m->latest && m->ready && m->prev && m->owner && m->t && m->kind &&
	       m->tier;
}

/* Free what only making edges needs, for others to have the memory. */
static void made_edges(struct making *m)
{
	free(m->last_op);
	free(m->latest);
	free(m->ready);
	free(m->owner);
	free(m->t);
	free(m->kind);
	free(m->tier);
	m->last_op = m->latest = m->owner = NULL;
	m->ready = m->t = NULL;
	m->kind = m->tier = NULL;
}

static void making_fini(struct making *m)
{
	made_edges(m);
	free(m->v);
	free(m->prev);
	free(m->place);
}

/* Of calls: their last operation, and which launched last before. */
static void know_calls(struct making *m)
{
	const struct tm_replay_rank *r = m->r;

	for (uint32_t i = 0; i < r->ncall; i++)
		m->last_op[i] = NONE;
	for (uint32_t i = 0; i < r->nop; i++) {
		uint32_t c = r->op[i].call;

		if (c != NONE && (m->last_op[c] == NONE || r->op[i].end > r->op[m->last_op[c]].end))
			m->last_op[c] = i;
	}
	for (uint32_t t = 0; t < r->nthread; t++)
		for (uint32_t i = r->thread[t].from; i < r->thread[t].to; i++)
			m->latest[i] = m->last_op[i] != NONE   ? i
			               : i > r->thread[t].from ? m->latest[i - 1]
			                                       : NONE;
}

/* The wait of each thread that must stay: its last, if it launches nothing afterwards. */
static void find_last_waits(struct tm_replay_rank *r)
{
	for (uint32_t t = 0; t < r->nthread; t++)
		for (uint32_t i = r->thread[t].to; i > r->thread[t].from; i--) {
			enum call_does d = call_does(r, i - 1);

			if (r->call[i - 1].ops != NONE)
				break;
			if (d >= DOES_DEVICE && d <= DOES_EVENT) {
				r->thread[t].last_wait = i - 1;
				break;
			}
		}
}

/* Does a thread wait for calls of another: for data that it loads? */
static bool waits_for(const struct tm_replay_rank *r, const struct thread *t,
                      const struct thread *other)
{
	struct pauses p = { 0 };
	uint32_t at = other->from;
	uint64_t ended = 0, last = 0;

	for (uint32_t c = t->from; c < t->to; c++) {
		const uint64_t from = ended, to = r->call[c].start;
		uint64_t calls = 0;

		ended = r->call[c].end > ended ? r->call[c].end : ended;
		if (c == t->from || to < from)
			continue;
		for (; at < other->to && r->call[at].end <= to; at++) {
			last = r->call[at].end;
			calls += last > from;
		}
		tm_replay_pause(&p, from, to, calls, last);
	}
	return tm_replay_awaits(&p);
}

/* Threads that neither launch work nor wait for it; none where there is nothing else. */
static void find_aside(struct tm_replay_rank *r)
{
	uint32_t left = 0;

	for (uint32_t t = 0; t < r->nthread; t++) {
		bool aside = true;

		for (uint32_t i = r->thread[t].from; aside && i < r->thread[t].to; i++)
			aside = r->call[i].ops == NONE && call_does(r, i) == DOES_OTHER;
		r->thread[t].aside = aside;
		left += !aside;
	}
	for (uint32_t t = 0; left && t < r->nthread; t++) {
		for (uint32_t of = 0; r->thread[t].aside && of < r->nthread; of++)
			if (!r->thread[of].aside && waits_for(r, &r->thread[of], &r->thread[t]))
				r->thread[t].aside = false;
		r->any_aside |= r->thread[t].aside && r->nop;
	}
}

/* Once instants are in order. */
static void find_end(struct tm_replay_rank *r)
{
	uint32_t i = r->n - 1;

	while (i && is_aside(r, i))
		i--;
	r->hi = r->t[i];
}

static void count_rank(struct tm_replay_rank *r)
{
	struct tm_replay_counts *c = &r->counts;

	c->ops = r->nop;
	c->calls = r->ncall;
	for (uint32_t i = 0; i < r->nop; i++) {
		bool copy = op_copies(r, i);

		c->kernels += !copy;
		c->uncalled += r->op[i].call == NONE;
		c->uncalled_kernels += r->op[i].call == NONE && !copy;
		c->comm_ops += r->all->rows->comm[r->op[i].name] && !copy;
		c->coupled_ops += r->op[i].group != NONE;
	}
	for (uint32_t i = 0; i < r->ncall; i++)
		c->awaits += call_does(r, i) == DOES_AWAIT;
	c->comm_ranks = c->comm_ops != 0;
	c->instants = r->n;
	c->edges = r->nedge;
	for (uint32_t i = 0; i < r->n; i++)
		c->edges += r->prev[i] != NONE || node_kind(r, i) == NODE_END;
}

/* Edges to one instant come in the order in which these and tm_replay_events make them. */
static bool make_edges(struct making *m)
{
	bool ok = tm_replay_find_loads(m->r) && tm_replay_pauses(m) && tm_replay_lanes(m) &&
	          tm_replay_waits(m) && tm_replay_full(m);

	tm_replay_settle_loads(m->r);
	return ok;
}

enum { PARTS = 2 };

/* Neither asks for what the other makes. */
static bool make_part(void *arg, size_t i)
{
	static bool (*const make[PARTS])(struct making *) = { make_edges, tm_replay_place };

	return make[i](arg);
}

static bool make_graph(void *arg, size_t i)
{
	struct tm_replay *all = arg;
	struct tm_replay_rank *r = all->rank[i];
	struct making m;
	bool ok;

	r->n = 2 * (r->ncall + r->nop);
	ok = making_init(&m, r);
	if (ok) {
		know_calls(&m);
		find_last_waits(r);
		find_aside(r);
	}
	ok = ok && tm_replay_chains(&m) && tm_each(make_part, &m, PARTS, all->jobs_each) &&
	     tm_replay_events(&m);
	made_edges(&m);
	ok = ok && tm_replay_order(&m);
	making_fini(&m);
	if (ok) {
		find_end(r);
		count_rank(r);
	}
	return ok;
}

/* ---- all of it ---- */

static void add_counts(struct tm_replay_counts *a, const struct tm_replay_counts *b)
{
	a->kernels += b->kernels;
	a->ops += b->ops;
	a->calls += b->calls;
	a->uncalled += b->uncalled;
	a->uncalled_kernels += b->uncalled_kernels;
	a->dropped += b->dropped;
	a->overlaps += b->overlaps;
	a->instants += b->instants;
	a->edges += b->edges;
	a->assumed += b->assumed;
	a->awaits += b->awaits;
	a->comm_ops += b->comm_ops;
	a->coupled_ops += b->coupled_ops;
	a->comm_ranks += b->comm_ranks;
	if (b->pause > a->pause) {
		a->pause = b->pause;
		a->pause_rank = b->pause_rank;
	}
	for (uint64_t i = 0; i < b->waits && i < TM_REPLAY_FEW; i++)
		if (a->waits + i < TM_REPLAY_FEW)
			a->wait[a->waits + i] = b->wait[i];
	a->waits += b->waits;
}

static void find_extent(struct tm_replay *r)
{
	r->lo = UINT64_MAX;
	for (size_t i = 0; i < r->nrank; i++) {
		const struct tm_replay_rank *k = r->rank[i];

		add_counts(&r->counts, &k->counts);
		r->lo = k->t[0] < r->lo ? k->t[0] : r->lo;
		r->hi = k->hi > r->hi ? k->hi : r->hi;
	}
	if (!r->nrank)
		r->lo = 0;
}

/* What a graph would say of itself. */
static bool begin_weave(struct tm_replay *r)
{
	struct tm_replay_rank *k = r->rank[0];

	if (!tm_replay_weave(r))
		return false;
	count_rank(k);
	k->counts.assumed = k->nop > 1;
	add_counts(&r->counts, &k->counts);
	r->hi = 0;
	r->lo = UINT64_MAX;
	for (uint32_t op = 0; op < k->nop; op++) {
		r->lo = k->op[op].start < r->lo ? k->op[op].start : r->lo;
		r->hi = k->op[op].end > r->hi ? k->op[op].end : r->hi;
	}
	return true;
}

/* A graph of no rank yet. */
static struct tm_replay *begin(struct tm_replay_rows *rows, bool likely)
{
	struct tm_replay *r = calloc(1, sizeof *r);

	if (r)
		*r = (struct tm_replay) { .rows = rows, .likely = likely };
	return r;
}

/* That of ranks `from` to `to`, whose names and classes are known. */
static bool make_ranks(struct tm_replay *r, uint32_t from, uint32_t to, unsigned jobs)
{
	bool ok;

	r->lane_at = tm_array((size_t)r->rows->tracks.n + 1, sizeof *r->lane_at);
	ok = r->lane_at && list_ranks(r, from, to);
	r->jobs_each = r->nrank && jobs > r->nrank ? (unsigned)(jobs / r->nrank) : 1;
	ok = ok && tm_each(put_in_order, r, r->nrank, jobs);
	free(r->lane_at);
	r->lane_at = NULL;
	if (ok && r->totals && r->nrank == 1 && tm_replay_can_weave(r->rank[0]))
		return begin_weave(r);
	ok = ok && tm_each(prepare, r, r->nrank, jobs) && share_usual(r) && tm_replay_couple(r) &&
	     tm_each(make_graph, r, r->nrank, jobs) && tm_replay_place_members(r);
	if (ok)
		find_extent(r);
	return ok;
}

/* Is the first kernel one that computes or communicates?  Of what is before it more is asked than
 * totals. */
static bool begins_computing(const struct tm_replay *r)
{
	const struct tm_replay_rows *rows = r->rows;
	uint64_t first = UINT64_MAX;
	uint32_t name = NONE;

	for (uint32_t i = 0; i < rows->tracks.n; i++) {
		const struct tm_replay_track *t = &rows->track[i];
		const size_t n = t->op.sorted && t->op.n ? 1 : t->op.n;

		for (size_t k = 0; k < n; k++)
			if (tm_interval_start(&t->op, k) < first) {
				first = tm_interval_start(&t->op, k);
				name = tm_replay_op_name(rows, t, k);
			}
	}
	return name != NONE && computes(r, name);
}

struct tm_replay *tm_replay_new(struct tm_replay_rows *rows, enum tm_replay_for what, unsigned jobs)
{
	const uint32_t all = rows->ranks.n;
	struct tm_replay *r = begin(rows, what != TM_REPLAY_ANY_JOB);
	bool ok = r && tm_comm_calls_settle(&rows->comms) && know_names(r) &&
	          know_classes(r, 0, all);

	if (ok)
		r->totals = what == TM_REPLAY_TOTALS && (rows->window.lo || begins_computing(r));
	if (ok && r->totals && tm_replay_is_line(rows))
		tm_replay_line_begin(r);
	else
		ok = ok && make_ranks(r, 0, all, jobs);
	if (ok)
		return r;
	tm_replay_free(r);
	return NULL;
}

/* ---- each rank by itself ---- */

struct apart {
	const struct tm_replay *names; /* of all rows */
	bool (*use)(void *arg, uint32_t which, const struct tm_replay *r);
	void *arg;
};

static bool use_one(void *arg, size_t i)
{
	const struct apart *a = arg;
	const uint32_t which = (uint32_t)i;
	struct tm_replay *r;
	bool ok;

	if (!a->names->rows->rank[which].nop)
		return true;
	r = begin(a->names->rows, true);
	if (!r)
		return false;
	r->names = a->names;
	r->order = a->names->order;
	r->does = a->names->does;
	/* A name may be that of a kernel on another rank only. */
	r->class_of = calloc((size_t)r->rows->names.n + 1, sizeof *r->class_of);
	ok = r->class_of && know_classes(r, which, which + 1) &&
	     make_ranks(r, which, which + 1, 1) && a->use(a->arg, which, r);
	tm_replay_free(r);
	return ok;
}

bool tm_replay_apart(struct tm_replay_rows *rows, unsigned jobs,
                     bool (*use)(void *arg, uint32_t which, const struct tm_replay *r), void *arg)
{
	struct tm_replay *names = begin(rows, true);
	struct apart a = { names, use, arg };
	/* Graphs are made side by side, and this is of all. */
	bool ok = names && tm_comm_calls_settle(&rows->comms) && know_names(names) &&
	          know_classes(names, 0, rows->ranks.n) &&
	          tm_each(use_one, &a, rows->ranks.n, jobs);

	tm_replay_free(names);
	return ok;
}
