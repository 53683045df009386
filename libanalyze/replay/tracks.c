/* SPDX-License-Identifier: MIT */
#include "replay/tracks.h"

#include "base/base.h"
#include "replay/sort.h"

#include <stdlib.h>
#include <string.h>

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

/* Room for as many numbers as there are of anything in a rank, of `all` in every rank. */
static uint32_t *few(size_t all, size_t rows)
{
	return tm_array((all < rows ? all : rows) + 1, sizeof(uint32_t));
}

/* The threads of the rank, in order, and the place of each in map, where they are 0.  False when
 * out of memory. */
static bool order_threads(struct tm_replay_rank *r, uint32_t *map)
{
	const struct tm_replay_rows *rows = r->all->rows;
	uint32_t *ids = few(rows->threads.n, r->ncall), n = 0;

	for (uint32_t i = 0; ids && i < r->ncall; i++)
		if (!map[r->call[i].thread]++)
			ids[n++] = r->call[i].thread;
	r->thread = calloc((size_t)n + 1, sizeof *r->thread);
	if (!ids || !r->thread) {
		free(ids);
		return false;
	}
	if (n)
		qsort_r(ids, n, sizeof *ids, by_thread, rows->thread);
	for (uint32_t i = 0; i < n; i++) {
		const struct tm_replay_thread *t = &rows->thread[ids[i]];
		struct thread *out = &r->thread[i];

		*out = (struct thread) { .pid = t->pid,
			                 .tid = t->tid,
			                 .has_pid = t->has_pid,
			                 .has_tid = t->has_tid,
			                 .last_wait = NONE };
		if (i && (out->has_pid != out[-1].has_pid || out->pid != out[-1].pid))
			r->nprocess++;
		out->process = r->nprocess;
		map[ids[i]] = i;
	}
	r->nprocess += n != 0;
	r->nthread = n;
	free(ids);
	return true;
}

/* Calls that begin together: the one that ends last holds the others. */
static int by_call(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_call *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->end != b->end)
		return a->end < b->end ? 1 : -1;
	if (a->name != b->name)
		return order[a->name] > order[b->name] ? 1 : -1;
	return (a->corr > b->corr) - (a->corr < b->corr);
}

/* keys of n items into `to`: by group, which are `groups`, each in the order of the keys.  from[g]
 * becomes where group g begins; it has groups + 1 places. */
static void deal(const struct key *v, size_t n, const uint32_t *group, uint32_t groups,
                 uint32_t *from, uint32_t *to)
{
	memset(from, 0, ((size_t)groups + 1) * sizeof *from);
	for (size_t i = 0; i < n; i++)
		from[group[i] + 1]++;
	for (uint32_t g = 0; g < groups; g++)
		from[g + 1] += from[g];
	for (size_t i = 0; i < n; i++)
		to[from[group[v[i].b]]++] = (uint32_t)v[i].b;
	memmove(from + 1, from, groups * sizeof *from);
	from[0] = 0;
}

/* Room for bringing n items of `groups` groups in order. */
struct room {
	struct key *key;
	uint32_t *group, *from, *to;
};

static bool room_init(struct room *m, size_t n, size_t groups)
{
	m->key = tm_array(2 * n + 1, sizeof *m->key);
	m->group = calloc(n + 1, sizeof *m->group);
	m->to = tm_array(n + 1, sizeof *m->to);
	m->from = tm_array(groups + 2, sizeof *m->from);
	return m->key && m->group && m->to && m->from;
}

static void room_fini(struct room *m)
{
	free(m->key);
	free(m->group);
	free(m->to);
	free(m->from);
}

/* How rows of a kind are brought in order: by group, then key, then `next`. */
struct sorting {
	size_t size;
	uint64_t (*key)(const struct tm_replay_rank *r, const void *row);
	uint32_t (*group)(const void *row);
	int (*next)(const void *a, const void *b, void *order);
};

/* Rows of one group and key are together: bring those in order. */
static void sort_equal(const struct tm_replay_rank *r, const struct sorting *s, char *v, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		const char *row = v + i * s->size, *at = row + s->size;
		uint64_t key = s->key(r, row);

		for (end = i + 1; end < n && s->group(at) == s->group(row) && s->key(r, at) == key;
		     end++)
			at += s->size;
		if (end - i > 1)
			qsort_r(v + i * s->size, end - i, s->size, s->next, r->all->order);
	}
}

/* The n rows v in order, from malloc, v freed; *from: where those of each group begin, the caller's
 * to free.  NULL when out of memory, and v is as it was. */
static void *sorted_rows(const struct tm_replay_rank *r, const struct sorting *s, void *v,
                         uint32_t n, uint32_t groups, uint32_t **from)
{
	char *out = tm_array((size_t)n + 1, s->size);
	const char *old = v;
	struct room m = { 0 };
	bool ok = room_init(&m, n, groups) && out;

	for (uint32_t i = 0; ok && i < n; i++) {
		m.key[i] = (struct key) { s->key(r, old + i * s->size), i };
		m.group[i] = s->group(old + i * s->size);
	}
	if (ok) {
		tm_replay_sort(m.key, m.key + n, n);
		deal(m.key, n, m.group, groups, m.from, m.to);
		for (uint32_t i = 0; i < n; i++)
			memcpy(out + i * s->size, old + m.to[i] * s->size, s->size);
		sort_equal(r, s, out, n);
		*from = m.from;
		m.from = NULL;
	}
	room_fini(&m);
	free(ok ? v : out);
	return ok ? out : NULL;
}

static uint64_t call_key(const struct tm_replay_rank *r, const void *row)
{
	(void)r;
	return ((const struct tm_replay_call *)row)->start;
}

static uint32_t call_group(const void *row)
{
	return ((const struct tm_replay_call *)row)->thread;
}

static bool sort_calls(struct tm_replay_rank *r)
{
	static const struct sorting how = { sizeof *r->call, call_key, call_group, by_call };
	uint32_t *from = NULL;
	struct tm_replay_call *v = sorted_rows(r, &how, r->call, r->ncall, r->nthread, &from);

	for (uint32_t i = 0; v && i < r->nthread; i++) {
		r->thread[i].from = from[i];
		r->thread[i].to = from[i + 1];
	}
	r->call = v ? v : r->call;
	free(from);
	return v != NULL;
}

/* ---- the call of each operation ---- */

/* The last place of the sorted ids that is not after `id`, from *at on or before; n keys. */
static size_t first_not_before(const struct key *v, size_t n, uint64_t id, size_t at)
{
	size_t lo = 0, hi = n, step = 1;

	at = at < n ? at : 0;
	if (n && v[at].a < id) {
		for (lo = at + 1; at + step < n && v[at + step].a < id; step *= 2)
			lo = at + step + 1;
		hi = at + step < n ? at + step : n;
	} else if (n) {
		for (hi = at; at >= step && v[at - step].a >= id; step *= 2)
			hi = at - step;
		lo = at >= step ? at - step : 0;
	}
	TM_BISECT(lo, hi, mid, v[mid].a < id);
	return lo;
}

/* So many calls of one id are looked at, as in work/calls.c. */
enum { WALK = 1024 };

static bool has_process(const struct tm_replay_rank *r, uint64_t pid)
{
	for (uint32_t i = 0; i < r->nthread; i++)
		if (r->thread[i].has_pid && r->thread[i].pid == pid)
			return true;
	return false;
}

/* The last call of that id that begins not after the operation; NONE = there is none. */
static uint32_t call_of(const struct tm_replay_rank *r, const struct key *v, size_t at, uint64_t id,
                        uint64_t start, const uint64_t *pid)
{
	uint32_t best = NONE;

	for (size_t i = at; i < r->ncall && v[i].a == id && i - at < WALK; i++) {
		uint32_t c = (uint32_t)v[i].b;
		const struct thread *t = &r->thread[r->call[c].thread];

		if (r->call[c].start > start || (pid && t->has_pid && t->pid != *pid))
			continue;
		if (best == NONE || r->call[c].start >= r->call[best].start)
			best = c;
	}
	return best;
}

static bool join(struct tm_replay_rank *r)
{
	const struct tm_replay_track *tracks = r->all->rows->track, *track;
	struct key *v = tm_array(2 * (size_t)r->ncall + 1, sizeof *v);
	uint32_t last = NONE;
	bool of_process = false;
	size_t at = 0;

	for (uint32_t i = 0; v && i < r->ncall; i++)
		v[i] = (struct key) { r->call[i].corr, i };
	if (v)
		tm_replay_sort(v, v + r->ncall, r->ncall);
	for (uint32_t i = 0; v && i < r->nop; i++) {
		struct tm_replay_op *op = &r->op[i];
		uint64_t id = op->corr;

		track = &tracks[op->lane];
		if (op->lane != last) {
			of_process = track->has_pid && has_process(r, track->pid);
			last = op->lane;
		}
		op->call = NONE;
		op->group = NONE;
		if (!id)
			continue;
		at = first_not_before(v, r->ncall, id, at);
		op->call = call_of(r, v, at, id, op->start, of_process ? &track->pid : NULL);
	}
	free(v);
	return v != NULL;
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

/* The lanes, in order; lane_at[track], 0 before, is that of a track that is used. */
static bool make_lanes(struct tm_replay_rank *r, uint32_t *lane_at)
{
	const struct tm_replay_rows *rows = r->all->rows;
	uint32_t *used = few(rows->tracks.n, r->nop), n = 0;
	struct lane *v = NULL, *lane = NULL;
	bool ok = used != NULL, stream;
	const uint64_t *only;

	for (uint32_t i = 0; ok && i < r->nop; i++)
		if (!lane_at[r->op[i].lane]++)
			used[n++] = r->op[i].lane;
	v = calloc((size_t)n + 1, sizeof *v);
	lane = calloc((size_t)n + 1, sizeof *lane);
	ok = ok && v && lane;
	stream = ok && by_stream(r, used, n, &ok);
	only = ok ? only_agent(r, used, n) : NULL;
	for (uint32_t i = 0; ok && i < n; i++)
		v[i] = lane[i] = lane_of(&rows->track[used[i]], stream, only);
	if (ok && n)
		qsort(v, n, sizeof *v, by_lane);
	for (uint32_t i = 0; ok && i < n; i++)
		if (!i || by_lane(&v[r->nlane - 1], &v[i]) != 0)
			v[r->nlane++] = v[i];
	for (uint32_t i = 0; ok && i < n; i++) {
		const struct lane *at = bsearch(&lane[i], v, r->nlane, sizeof *v, by_lane);

		lane_at[used[i]] = at ? (uint32_t)(at - v) : 0;
	}
	free(used);
	free(lane);
	if (!ok) {
		free(v);
		return false;
	}
	r->lane = v;
	return true;
}

static int by_op(const void *pa, const void *pb, void *arg)
{
	const struct tm_replay_op *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	if (a->end != b->end)
		return a->end > b->end ? 1 : -1;
	if (a->name != b->name)
		return order[a->name] > order[b->name] ? 1 : -1;
	return (a->call > b->call) - (a->call < b->call);
}

/* As op_sub. */
static uint64_t op_key(const struct tm_replay_rank *r, const void *row)
{
	const struct tm_replay_op *o = row;

	return o->call != NONE ? r->call[o->call].start : o->start;
}

static uint32_t op_group(const void *row)
{
	return ((const struct tm_replay_op *)row)->lane;
}

static bool sort_ops(struct tm_replay_rank *r)
{
	static const struct sorting how = { sizeof *r->op, op_key, op_group, by_op };
	uint32_t *from = NULL;
	struct tm_replay_op *v = sorted_rows(r, &how, r->op, r->nop, r->nlane, &from);

	for (uint32_t i = 0; v && i < r->nlane; i++) {
		r->lane[i].from = from[i];
		r->lane[i].to = from[i + 1];
	}
	r->op = v ? v : r->op;
	free(from);
	return v != NULL;
}

/* ---- calls that matter for others ---- */

/* Calls that do one of two things, by process and start; of[p] is where those of process p begin.
 * False when out of memory. */
static bool list_calls(const struct tm_replay_rank *r, enum call_does a, enum call_does b,
                       uint32_t **out, uint32_t **of)
{
	struct room m = { 0 };
	size_t n = 0;
	bool ok;

	for (uint32_t i = 0; i < r->ncall; i++)
		n += call_does(r, i) == a || call_does(r, i) == b;
	ok = room_init(&m, n, r->nprocess);
	*out = tm_array(n + 1, sizeof **out);
	n = 0;
	for (uint32_t i = 0; ok && *out && i < r->ncall; i++)
		if (call_does(r, i) == a || call_does(r, i) == b) {
			m.key[n] = (struct key) { r->call[i].start, n };
			m.group[n] = r->thread[r->call[i].thread].process;
			(*out)[n++] = i;
		}
	if (ok && *out) {
		tm_replay_sort(m.key, m.key + n, n);
		deal(m.key, n, m.group, r->nprocess, m.from, m.to);
		for (size_t i = 0; i < n; i++)
			m.to[i] = (*out)[m.to[i]];
		memcpy(*out, m.to, n * sizeof **out);
		*of = m.from;
		m.from = NULL;
	}
	room_fini(&m);
	return ok && *out;
}

/* The first operation of each call, in call.ops; and calls inside others. */
static void first_ops(struct tm_replay_rank *r)
{
	for (uint32_t i = 0; i < r->ncall; i++) {
		r->call[i].enclosing = NONE;
		r->call[i].ops = NONE;
	}
	for (uint32_t i = 0; i < r->nop; i++) {
		uint32_t c = r->op[i].call, *first = c != NONE ? &r->call[c].ops : NULL;

		if (first && (*first == NONE || r->op[i].start < r->op[*first].start))
			*first = i;
	}
}

/* The operations of a rank out of its tracks, whose memory is free afterwards. */
static bool take_ops(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows)
{
	struct tm_replay_track *track = r->all->rows->track;

	r->op = tm_array(rows->nop + 1, sizeof *r->op);
	for (uint32_t at = rows->track; r->op && at != TM_REPLAY_NONE; at = track[at].next) {
		struct tm_intervals *s = &track[at].op;

		for (size_t i = 0; i < s->n; i++)
			r->op[r->nop++] = (struct tm_replay_op) {
				.start = tm_interval_start(s, i),
				.end = tm_interval_end(s, i),
				.corr = tm_interval_tag(s, i),
				.name = tm_replay_op_name(r->all->rows, &track[at], i),
				.lane = at
			};
		tm_intervals_fini(s);
	}
	rows->nop = 0;
	return r->op != NULL;
}

/* The calls of a list out of it; names[name] are theirs, NULL = they have them already. */
static void take_list(struct tm_replay_rank *r, struct tm_intervals *s, uint32_t thread,
                      const uint32_t *names)
{
	for (size_t i = 0; i < s->n; i++) {
		const uint32_t name = tm_interval_name(s, i);

		r->call[r->ncall++] = (struct tm_replay_call) { .start = tm_interval_start(s, i),
			                                        .end = tm_interval_end(s, i),
			                                        .corr = tm_interval_tag(s, i),
			                                        .name = names ? names[name] : name,
			                                        .thread = thread };
	}
	tm_intervals_fini(s);
}

/* The calls out of its threads; those of HSA lie inside those of HIP. */
static bool take_calls(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows)
{
	const struct tm_replay_rows *all = r->all->rows;

	r->call = tm_array(rows->ncall + 1, sizeof *r->call);
	for (uint32_t at = rows->thread; r->call && at != TM_REPLAY_NONE;
	     at = all->thread[at].next) {
		struct tm_replay_thread *t = &all->thread[at];

		if (t->hsa && rows->hip)
			tm_intervals_fini(&t->call);
		else
			take_list(r, &t->call, at, NULL);
		for (int k = 0; k < TM_REPLAY_LISTS_LENT; k++)
			take_list(r, &t->lent[k], at, all->lent_name);
	}
	rows->ncall = 0;
	return r->call != NULL;
}

bool tm_replay_tracks(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows)
{
	uint32_t *thread_at = r->all->place_of, *lane_at = thread_at + r->all->rows->threads.n;
	bool ok = take_ops(r, rows) && take_calls(r, rows) && order_threads(r, thread_at);

	for (uint32_t i = 0; ok && i < r->ncall; i++)
		r->call[i].thread = thread_at[r->call[i].thread];
	ok = ok && sort_calls(r) && join(r) && make_lanes(r, lane_at);
	for (uint32_t i = 0; ok && i < r->nop; i++)
		r->op[i].lane = lane_at[r->op[i].lane];
	ok = ok && sort_ops(r) && list_calls(r, DOES_AWAIT, DOES_GRAPH, &r->arm, &r->arm_of) &&
	     list_calls(r, DOES_RECORD, DOES_RECORD, &r->record, &r->record_of);
	if (ok)
		first_ops(r);
	return ok;
}
