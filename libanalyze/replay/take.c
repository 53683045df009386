/* SPDX-License-Identifier: MIT */
#include "replay/take.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows out of lists ---- */

/* Lists of one group, which are taken together; of more they are taken one after the other. */
enum { TOGETHER = 8 };

/* A list, what its rows are of, and the next one. */
struct source {
	struct tm_intervals *list;
	const uint32_t *names; /* names[name] are its names; NULL = it has them already */
	uint32_t of;
	size_t at;
	uint64_t start;
};

/* Where its next row is; false after the last. */
static bool source_to(struct source *s, size_t at)
{
	s->at = at;
	if (at == s->list->n)
		return false;
	s->start = tm_interval_start(s->list, at);
	return true;
}

/* Leave out those that have no rows; how many are left. */
static unsigned sources_begin(struct source *v, unsigned n)
{
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++)
		if (source_to(&v[i], 0))
			v[left++] = v[i];
		else
			tm_intervals_fini(v[i].list);
	return left;
}

static struct source *earliest(struct source *v, unsigned n)
{
	struct source *s = v;

	for (unsigned i = 1; i < n; i++)
		s = v[i].start < s->start ? &v[i] : s;
	return s;
}

/* Go on after the row that was taken: from the end of a list to the others, of which there are n.
 */
static void source_next(struct source *v, unsigned *n, struct source *s)
{
	if (source_to(s, s->at + 1))
		return;
	tm_intervals_fini(s->list);
	for (--*n; s < v + *n; s++)
		*s = s[1];
}

static uint32_t name_in(const struct source *s)
{
	const uint32_t name = tm_interval_name(s->list, s->at);

	return s->names ? s->names[name] : name;
}

static void take_ops_of(struct tm_replay_rank *r, struct source *v, unsigned n)
{
	for (n = sources_begin(v, n); n;) {
		struct source *s = earliest(v, n);

		r->op[r->nop++] = (struct tm_replay_op) { .start = s->start,
			                                  .end = tm_interval_end(s->list, s->at),
			                                  .corr = tm_interval_tag(s->list, s->at),
			                                  .name = name_in(s),
			                                  .lane = s->of };
		source_next(v, &n, s);
	}
}

static void take_calls_of(struct tm_replay_rank *r, struct source *v, unsigned n)
{
	for (n = sources_begin(v, n); n;) {
		struct source *s = earliest(v, n);

		r->call[r->ncall++] = (struct tm_replay_call) {
			.start = s->start,
			.end = tm_interval_end(s->list, s->at),
			.corr = tm_interval_tag(s->list, s->at),
			.name = name_in(s),
			.thread = s->of
		};
		source_next(v, &n, s);
	}
}

/* Numbers of tracks or threads of a rank, in an order. */
struct ids {
	uint32_t *v; /* n of them */
	uint32_t n;
};

static bool ids_init(struct ids *s, size_t most)
{
	*s = (struct ids) { .v = tm_array(most + 1, sizeof *s->v) };
	return s->v != NULL;
}

/* ---- calls, by thread ---- */

static int by_thread(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_thread *v = arg, *a = &v[*(const uint32_t *)pa],
	                              *b = &v[*(const uint32_t *)pb];

	if (a->has_pid != b->has_pid)
		return a->has_pid ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	if (a->has_tid != b->has_tid)
		return a->has_tid ? 1 : -1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Calls of HSA lie inside those of HIP. */
static bool is_inside(const struct tm_replay_thread *t, const struct tm_replay_rank_rows *rows)
{
	return t->hsa && rows->hip;
}

static bool has_calls(const struct tm_replay_thread *t, const struct tm_replay_rank_rows *rows)
{
	bool any = t->call.n && !is_inside(t, rows);

	for (int k = 0; k < TM_REPLAY_LISTS_LENT; k++)
		any |= t->lent[k].n != 0;
	return any;
}

/* The threads of the rank that have calls, in order.  False when out of memory. */
static bool order_threads(struct tm_replay_rank *r, const struct tm_replay_rank_rows *rows,
                          struct ids *ids)
{
	const struct tm_replay_thread *all = r->all->rows->thread;
	uint32_t n = 0;

	for (uint32_t at = rows->thread; at != TM_REPLAY_NONE; at = all[at].next)
		n += has_calls(&all[at], rows);
	r->thread = calloc((size_t)n + 1, sizeof *r->thread);
	if (!r->thread || !ids_init(ids, n))
		return false;
	for (uint32_t at = rows->thread; at != TM_REPLAY_NONE; at = all[at].next)
		if (has_calls(&all[at], rows))
			ids->v[ids->n++] = at;
	if (n)
		qsort_r(ids->v, n, sizeof *ids->v, by_thread, (void *)(uintptr_t)all);
	for (uint32_t i = 0; i < n; i++) {
		const struct tm_replay_thread *t = &all[ids->v[i]];
		struct thread *out = &r->thread[i];

		*out = (struct thread) { .pid = t->pid,
			                 .tid = t->tid,
			                 .has_pid = t->has_pid,
			                 .has_tid = t->has_tid,
			                 .last_wait = NONE };
		if (i && (out->has_pid != out[-1].has_pid || out->pid != out[-1].pid))
			r->nprocess++;
		out->process = r->nprocess;
	}
	r->nprocess += n != 0;
	r->nthread = n;
	return true;
}

/* The calls of its threads, thread by thread, out of their lists, whose memory is free afterwards.
 */
bool tm_replay_take_calls(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows)
{
	struct tm_replay_thread *all = r->all->rows->thread;
	struct ids ids = { 0 };
	bool ok = order_threads(r, rows, &ids);

	r->call = ok ? tm_array(rows->ncall + 1, sizeof *r->call) : NULL;
	for (uint32_t i = 0; r->call && i < ids.n; i++) {
		struct tm_replay_thread *t = &all[ids.v[i]];
		struct source v[1 + TM_REPLAY_LISTS_LENT];
		unsigned n = 0;

		if (!is_inside(t, rows))
			v[n++] = (struct source) { .list = &t->call, .of = i };
		for (int k = 0; k < TM_REPLAY_LISTS_LENT; k++)
			v[n++] = (struct source) { .list = &t->lent[k],
				                   .names = r->all->rows->lent_name,
				                   .of = i };
		take_calls_of(r, v, n);
	}
	for (uint32_t at = rows->thread; at != TM_REPLAY_NONE; at = all[at].next)
		tm_intervals_fini(&all[at].call);
	rows->ncall = 0;
	free(ids.v);
	return r->call != NULL;
}

/* ---- lanes ---- */

enum { LANE_WORDS = 4, LANE_PID = 1, LANE_AGENT = 2, LANE_ID = 4, LANE_WAY = 8 };

/* Is every kernel on a stream, and are there as many streams as queues? */
static bool by_stream(struct tm_replay_rank *r, const uint32_t *used, uint32_t n, bool *ok)
{
	const struct tm_replay_rows *rows = r->all->rows;
	struct tm_groups streams = { .words = 3 }, queues = { .words = 3 };
	bool every = true;

	for (uint32_t i = 0; i < n; i++) {
		const struct tm_replay_track *t = &rows->track[used[i]];
		uint64_t stream[3] = { t->pid, t->agent, t->stream };
		uint64_t queue[3] = { t->pid, t->agent, t->queue };

		if (t->copy)
			continue;
		every &= t->has_stream;
		if ((t->has_stream && tm_groups_add(&streams, stream, NULL) == TM_GROUP_NONE) ||
		    (t->has_queue && tm_groups_add(&queues, queue, NULL) == TM_GROUP_NONE))
			*ok = false;
	}
	every = every && streams.n && streams.n >= queues.n;
	tm_groups_fini(&streams);
	tm_groups_fini(&queues);
	return every;
}

/* The one agent that kernels ran on; NULL = none, or several. */
static const uint64_t *only_agent(const struct tm_replay_rank *r, const uint32_t *used, uint32_t n)
{
	const struct tm_replay_rows *rows = r->all->rows;
	const uint64_t *agent = NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct tm_replay_track *t = &rows->track[used[i]];

		if (t->copy || !t->has_agent)
			continue;
		if (agent && *agent != t->agent)
			return NULL;
		agent = &t->agent;
	}
	return agent;
}

static int by_lane(const void *pa, const void *pb)
{
	const struct lane *a = pa, *b = pb;
	const uint64_t x[] = { a->has_agent, a->agent, a->has_id, a->id,
		               a->has_pid,   a->pid,   a->way,    0 };
	const uint64_t y[] = { b->has_agent, b->agent, b->has_id, b->id,
		               b->has_pid,   b->pid,   b->way,    0 };

	for (size_t i = 0; i < sizeof x / sizeof *x; i++)
		if (x[i] != y[i])
			return x[i] > y[i] ? 1 : -1;
	return 0;
}

static struct lane lane_of(const struct tm_replay_track *t, bool stream, const uint64_t *only)
{
	struct lane l = { .has_agent = t->has_agent, .agent = t->agent, .stream = stream };

	if (!l.has_agent && t->copy && only) {
		l.has_agent = true;
		l.agent = *only;
	}
	l.has_id = stream ? t->has_stream : t->has_queue;
	if (l.has_id) {
		l.id = stream ? t->stream : t->queue;
		l.has_pid = t->has_pid;
		l.pid = t->pid;
	} else {
		l.way = (uint8_t)(t->way + 1);
	}
	return l;
}

/* A copy between two devices is on a stream of one of them, the producer does not say of which: of
 * the one whose kernels are on that stream, if only one has such. */
static void bring_home(const struct tm_replay_rows *rows, const uint32_t *used, uint32_t n,
                       struct lane *copy, const struct lane *lane)
{
	const struct lane *home = NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct lane *l = &lane[i];

		if (rows->track[used[i]].copy || !l->has_agent || !l->has_id || l->id != copy->id ||
		    l->has_pid != copy->has_pid || l->pid != copy->pid)
			continue;
		if (l->agent == copy->agent || (home && home->agent != l->agent))
			return;
		home = l;
	}
	if (home)
		copy->agent = home->agent;
}

/* The lanes of tracks, in order; lane_at[track] is that of each. */
static bool make_lanes(struct tm_replay_rank *r, const struct ids *tracks, uint32_t *lane_at)
{
	const struct tm_replay_rows *rows = r->all->rows;
	const uint32_t *used = tracks->v, n = tracks->n;
	struct lane *v = NULL, *lane = NULL;
	bool ok = true, stream;
	const uint64_t *only;

	v = calloc((size_t)n + 1, sizeof *v);
	lane = calloc((size_t)n + 1, sizeof *lane);
	ok = v && lane;
	stream = ok && by_stream(r, used, n, &ok);
	only = ok ? only_agent(r, used, n) : NULL;
	for (uint32_t i = 0; ok && i < n; i++)
		lane[i] = lane_of(&rows->track[used[i]], stream, only);
	for (uint32_t i = 0; ok && stream && i < n; i++)
		if (rows->track[used[i]].way == TM_WAY_BETWEEN && lane[i].has_agent &&
		    lane[i].has_id)
			bring_home(rows, used, n, &lane[i], lane);
	if (ok && n)
		memcpy(v, lane, n * sizeof *v);
	if (ok && n)
		qsort(v, n, sizeof *v, by_lane);
	for (uint32_t i = 0; ok && i < n; i++)
		if (!i || by_lane(&v[r->nlane - 1], &v[i]) != 0)
			v[r->nlane++] = v[i];
	for (uint32_t i = 0; ok && i < n; i++) {
		const struct lane *at = bsearch(&lane[i], v, r->nlane, sizeof *v, by_lane);

		lane_at[used[i]] = at ? (uint32_t)(at - v) : 0;
	}
	free(lane);
	if (!ok) {
		free(v);
		return false;
	}
	r->lane = v;
	return true;
}

static int by_lane_at(const void *pa, const void *pb, void *arg)
{
	const uint32_t *lane_at = arg, a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (lane_at[a] != lane_at[b])
		return lane_at[a] > lane_at[b] ? 1 : -1;
	return (a > b) - (a < b);
}

/* The operations of its tracks, lane by lane, out of their lists, whose memory is free afterwards:
 * each with its track instead of its lane. */
bool tm_replay_take_ops(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows,
                        uint32_t *lane_at)
{
	struct tm_replay_rows *all = r->all->rows;
	struct ids ids;
	uint32_t n = 0;
	bool ok;

	for (uint32_t at = rows->track; at != TM_REPLAY_NONE; at = all->track[at].next)
		n += all->track[at].op.n != 0;
	ok = ids_init(&ids, n);
	for (uint32_t at = rows->track; ok && at != TM_REPLAY_NONE; at = all->track[at].next)
		if (all->track[at].op.n)
			ids.v[ids.n++] = at;
	ok = ok && make_lanes(r, &ids, lane_at);
	if (ok && n)
		qsort_r(ids.v, n, sizeof *ids.v, by_lane_at, lane_at);
	r->op = ok ? tm_array(rows->nop + 1, sizeof *r->op) : NULL;
	for (uint32_t i = 0; r->op && i < n;) {
		struct source v[TOGETHER];
		const uint32_t lane = lane_at[ids.v[i]];
		unsigned k = 0;

		for (; i < n && k < TOGETHER && lane_at[ids.v[i]] == lane; i++) {
			struct tm_replay_track *t = &all->track[ids.v[i]];

			v[k++] = (struct source) { .list = &t->op,
				                   .names = t->part ? all->lane_name : NULL,
				                   .of = ids.v[i] };
		}
		take_ops_of(r, v, k);
	}
	rows->nop = 0;
	free(ids.v);
	return r->op != NULL;
}
