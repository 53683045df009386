/* SPDX-License-Identifier: MIT */
#include "replay/rows.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_NAME))

enum { TRACK_WORDS = 7, THREAD_WORDS = 4 };
enum {
	HAS_PID = 1,
	HAS_AGENT = 2,
	HAS_QUEUE = 4,
	HAS_STREAM = 8,
	HAS_TID = 16,
	IS_COPY = 32,
	IS_HSA = 64,
	WAY_SHIFT = 8
};

tm_ev_set tm_replay_rows_want(void)
{
	return TIMED | TM_EV_BIT(TM_EVC_DOMAIN) | TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_SRC) |
	       TM_EV_BIT(TM_EVC_DST) | TM_EV_BIT(TM_EVC_CORR) | TM_EV_BIT(TM_EVC_PID) |
	       TM_EV_BIT(TM_EVC_TID) | TM_EV_BIT(TM_EVC_QUEUE) | TM_EV_BIT(TM_EVC_STREAM) |
	       /* Whether there are counters of dispatches: then times mean nothing. */
	       TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE) | tm_comm_calls_want();
}

bool tm_replay_rows_init(void *acc, const void *arg)
{
	*(struct tm_replay_rows *)acc = (struct tm_replay_rows) {
		.o = arg,
		.tracks = { .words = TRACK_WORDS },
		.threads = { .words = THREAD_WORDS },
		.ranks = { .words = 1 }
	};
	return true;
}

void tm_replay_rows_fini(void *acc)
{
	struct tm_replay_rows *r = acc;

	for (uint32_t i = 0; i < r->ranks.n; i++)
		free(r->rank[i].outside);
	for (uint32_t i = 0; i < r->tracks.n; i++)
		tm_intervals_fini(&r->track[i].op);
	for (uint32_t i = 0; i < r->threads.n; i++) {
		tm_intervals_fini(&r->thread[i].call);
		for (int k = 0; k < TM_REPLAY_LISTS_LENT; k++)
			tm_intervals_fini(&r->thread[i].lent[k]);
	}
	free(r->lent_name);
	free(r->lane_name);
	free(r->rank);
	free(r->track);
	free(r->thread);
	free(r->comm);
	free(r->own);
	tm_groups_fini(&r->tracks);
	tm_groups_fini(&r->threads);
	tm_groups_fini(&r->ranks);
	tm_names_fini(&r->names);
	tm_comm_calls_fini(&r->comms);
	tm_whose_fini(&r->whose);
	tm_buf_fini(&r->text);
}

static uint32_t rank_of(struct tm_replay_rows *r, uint64_t rank)
{
	bool fresh;
	uint32_t i = tm_groups_item(&r->ranks, &rank, &r->rank, &r->rank_cap, sizeof *r->rank,
	                            &fresh);

	if (i != TM_GROUP_NONE && fresh)
		r->rank[i] = (struct tm_replay_rank_rows) { .rank = rank,
			                                    .track = TM_REPLAY_NONE,
			                                    .thread = TM_REPLAY_NONE };
	return i;
}

bool tm_replay_rows_piece(void *acc, const struct tm_piece *p)
{
	struct tm_replay_rows *r = acc;

	r->nown = 0;
	tm_whose_piece(&r->whose, p);
	tm_metric_window(r->o, p->id.rank, &r->window);
	r->counters += p->lost ? p->lost->of[TM_LOSS_UNDRAWN].n : 0;
	r->at_rank = rank_of(r, p->id.rank);
	return r->at_rank != TM_GROUP_NONE && tm_comm_calls_piece(&r->comms, p);
}

/* ---- names ---- */

/* Room in `comm` for all names. */
static bool know_comm(struct tm_replay_rows *r)
{
	return tm_grow_zeroed(&r->comm, &r->comm_cap, (size_t)r->names.n + 1, 1);
}

static bool add_name(struct tm_replay_rows *r, const struct tm_name *nm, bool kernel, uint32_t *own)
{
	const char *class_name;

	if (!kernel) {
		*own = tm_names_add(&r->names, nm->text, nm->len);
		return *own != TM_NAME_NONE && know_comm(r);
	}
	tm_buf_clear(&r->text);
	if (!tm_kernel_name(&r->text, nm->text, nm->len, TM_NAME_FULL))
		return false;
	*own = tm_names_add(&r->names, r->text.p ? r->text.p : "", r->text.n);
	if (*own == TM_NAME_NONE || !know_comm(r))
		return false;
	class_name = tm_classes_of(r->o->classes, r->text.p ? r->text.p : "", NULL);
	if (class_name && !strcmp(class_name, "comm"))
		r->comm[*own] = 1;
	return class_name != NULL;
}

/* The id of a name of the piece among our own. */
static bool own_name(struct tm_replay_rows *r, const struct tm_names *names, uint32_t id,
                     bool kernel, uint32_t *own)
{
	if (!tm_grow_known(&r->own, &r->nown, &r->own_cap, names->n, sizeof *r->own))
		return false;
	if (!r->own[id]) {
		if (!add_name(r, &names->v[id], kernel, own))
			return false;
		r->own[id] = *own + 1;
	}
	*own = r->own[id] - 1;
	return true;
}

/* ---- rows ---- */

static const uint64_t *cell_of(const struct tm_batch *b, uint32_t i, enum tm_ev_col c)
{
	return tm_batch_has(b, i, c) ? &b->col[c][i] : NULL;
}

/* The track of that kind, of a rank that is there; TM_GROUP_NONE when out of memory. */
static uint32_t track_of(struct tm_replay_rows *r, const struct tm_replay_track *t, uint32_t rank)
{
	uint64_t key[TRACK_WORDS] = {
		t->rank,
		t->pid,
		t->agent,
		t->queue,
		t->stream,
		(t->has_pid ? HAS_PID : 0u) | (t->has_agent ? HAS_AGENT : 0u) |
		        (t->has_queue ? HAS_QUEUE : 0u) | (t->has_stream ? HAS_STREAM : 0u) |
		        (t->copy ? IS_COPY : 0u) | (unsigned)t->way << WAY_SHIFT,
		t->part
	};
	uint32_t i = tm_groups_recent(&r->tracks, key, TRACK_WORDS);
	bool fresh;

	if (i != TM_GROUP_NONE)
		return i;
	i = tm_groups_item(&r->tracks, key, &r->track, &r->track_cap, sizeof *r->track, &fresh);
	if (i != TM_GROUP_NONE && fresh) {
		r->track[i] = *t;
		r->track[i].op = (struct tm_intervals) { 0 };
		r->track[i].next = r->rank[rank].track;
		r->rank[rank].track = i;
	}
	return i;
}

static uint32_t thread_of(struct tm_replay_rows *r, const struct tm_replay_thread *t, uint32_t rank)
{
	uint64_t key[THREAD_WORDS] = { t->rank, t->pid, t->tid,
		                       (t->has_pid ? HAS_PID : 0u) | (t->has_tid ? HAS_TID : 0u) |
		                               (t->hsa ? IS_HSA : 0u) };
	uint32_t i = tm_groups_recent(&r->threads, key, THREAD_WORDS);
	bool fresh;

	if (i != TM_GROUP_NONE)
		return i;
	i = tm_groups_item(&r->threads, key, &r->thread, &r->thread_cap, sizeof *r->thread, &fresh);
	if (i != TM_GROUP_NONE && fresh) {
		r->thread[i] = *t;
		r->thread[i].call = (struct tm_intervals) { 0 };
		memset(r->thread[i].lent, 0, sizeof r->thread[i].lent);
		r->thread[i].next = r->rank[rank].thread;
		r->rank[rank].thread = i;
	}
	return i;
}

static const char *const ways[] = { [TM_WAY_NONE] = NULL,
	                            [TM_WAY_TO] = "host_to_device",
	                            [TM_WAY_FROM] = "device_to_host",
	                            [TM_WAY_BETWEEN] = "device_to_device",
	                            [TM_WAY_HOST] = "host_to_host" };

static uint8_t way_of(const struct tm_name *nm)
{
	const char *way = tm_copy_direction(nm->text, nm->len);

	for (uint8_t i = TM_WAY_TO; way && i <= TM_WAY_HOST; i++)
		if (!strcmp(ways[i], way))
			return i;
	return TM_WAY_NONE;
}

static bool take_op(struct tm_replay_rows *r, const struct tm_batch *b, uint32_t i)
{
	bool copy = b->kind == TM_EV_COPY;
	uint32_t id = (uint32_t)b->col[TM_EVC_NAME][i];
	struct tm_replay_rank_rows *k = &r->rank[r->at_rank];
	struct tm_replay_track t = { .rank = k->rank, .copy = copy };
	const uint64_t *agent = cell_of(b, i, TM_EVC_AGENT), *pid = cell_of(b, i, TM_EVC_PID),
	               *queue = cell_of(b, i, TM_EVC_QUEUE), *stream = cell_of(b, i, TM_EVC_STREAM),
	               *corr = cell_of(b, i, TM_EVC_CORR), *of[2];
	struct tm_replay_op op = { .start = b->col[TM_EVC_START][i],
		                   .end = b->col[TM_EVC_END][i],
		                   .corr = corr ? *corr : 0 };
	bool inside = op.start >= r->window.lo && op.start < r->window.hi;

	if (copy) {
		t.way = way_of(&b->names->v[id]);
		if (t.way == TM_WAY_HOST)
			return true; /* no GPU works */
		agent = tm_copy_agents(b, i, ways[t.way], of) ? of[0] : NULL;
	}
	if (!own_name(r, b->names, id, !copy, &op.name))
		return false;
	if (!inside && (copy || !r->comm[op.name]))
		return true;
	t.has_agent = agent, t.agent = agent ? *agent : 0;
	t.has_pid = pid, t.pid = pid ? *pid : r->whose.run;
	t.has_queue = queue, t.queue = queue ? *queue : 0;
	t.has_stream = stream, t.stream = stream ? *stream : 0;
	op.lane = track_of(r, &t, r->at_rank);
	if (op.lane == TM_GROUP_NONE)
		return false;
	if (!inside) {
		if (!tm_grow_array(&k->outside, &k->outside_cap, k->noutside + 1, sizeof op))
			return false;
		k->outside[k->noutside++] = op;
		return true;
	}
	k->nop++;
	return tm_intervals_add(&r->track[op.lane].op, op.start, op.end, op.corr, op.name);
}

static bool take_call(struct tm_replay_rows *r, const struct tm_batch *b, uint32_t i, bool hsa)
{
	struct tm_replay_rank_rows *k = &r->rank[r->at_rank];
	const uint64_t *pid = cell_of(b, i, TM_EVC_PID), *tid = cell_of(b, i, TM_EVC_TID),
	               *corr = cell_of(b, i, TM_EVC_CORR);
	struct tm_replay_thread t = { .rank = k->rank,
		                      .pid = pid ? *pid : r->whose.run,
		                      .tid = tid ? *tid : 0,
		                      .has_pid = pid,
		                      .has_tid = tid,
		                      .hsa = hsa };
	uint64_t start = b->col[TM_EVC_START][i];
	uint32_t thread, name;

	k->hip |= !hsa;
	if (start < r->window.lo || start >= r->window.hi || (hsa && k->hip))
		return true;
	thread = thread_of(r, &t, r->at_rank);
	if (thread == TM_GROUP_NONE ||
	    !own_name(r, b->names, (uint32_t)b->col[TM_EVC_NAME][i], false, &name))
		return false;
	k->ncall++;
	return tm_intervals_add(&r->thread[thread].call, start, b->col[TM_EVC_END][i],
	                        corr ? *corr : 0, name);
}

/* Columns that every row of a batch has; NULL = none has it. */
struct columns {
	const uint64_t *pid, *tid, *agent, *queue, *stream, *corr;
	uint64_t has; /* of the key of a track or thread */
};

static bool op_columns(const struct tm_batch *b, struct columns *c)
{
	if (!tm_batch_column(b, TM_EVC_PID, &c->pid) ||
	    !tm_batch_column(b, TM_EVC_AGENT, &c->agent) ||
	    !tm_batch_column(b, TM_EVC_QUEUE, &c->queue) ||
	    !tm_batch_column(b, TM_EVC_STREAM, &c->stream) ||
	    !tm_batch_column(b, TM_EVC_CORR, &c->corr))
		return false;
	c->has = (c->pid ? HAS_PID : 0) | (c->agent ? HAS_AGENT : 0) | (c->queue ? HAS_QUEUE : 0) |
	         (c->stream ? HAS_STREAM : 0);
	return true;
}

static bool call_columns(const struct tm_batch *b, struct columns *c)
{
	if (!tm_batch_column(b, TM_EVC_PID, &c->pid) || !tm_batch_column(b, TM_EVC_TID, &c->tid) ||
	    !tm_batch_column(b, TM_EVC_CORR, &c->corr))
		return false;
	c->has = (c->pid ? HAS_PID : 0) | (c->tid ? HAS_TID : 0);
	return true;
}

static uint64_t at(const uint64_t *column, uint32_t i)
{
	return column ? column[i] : 0;
}

/* The name of a row among our own, + 1; 0 = not known yet. */
static uint32_t known_name(const struct tm_replay_rows *r, const struct tm_batch *b, uint32_t i)
{
	uint64_t id = b->col[TM_EVC_NAME][i];

	return id < r->nown ? r->own[id] : 0;
}

/* Kernels of such columns: what take_op does of names and tracks that are known. */
static bool take_kernels(struct tm_replay_rows *r, const struct tm_batch *b,
                         const struct columns *c)
{
	struct tm_replay_rank_rows *k = &r->rank[r->at_rank];
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END];

	r->seen += b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		const uint64_t key[TRACK_WORDS] = {
			k->rank,          c->pid ? c->pid[i] : r->whose.run,
			at(c->agent, i),  at(c->queue, i),
			at(c->stream, i), c->has
		};
		uint32_t name = known_name(r, b, i),
		         lane = tm_groups_recent(&r->tracks, key, TRACK_WORDS);

		if (!name || lane == TM_GROUP_NONE || start[i] < r->window.lo ||
		    start[i] >= r->window.hi) {
			if (!take_op(r, b, i))
				return false;
			continue;
		}
		k->nop++;
		if (!tm_intervals_add(&r->track[lane].op, start[i], end[i], at(c->corr, i),
		                      name - 1))
			return false;
	}
	return true;
}

/* The same of calls. */
static bool take_calls(struct tm_replay_rows *r, const struct tm_batch *b, const struct columns *c)
{
	struct tm_replay_rank_rows *k = &r->rank[r->at_rank];
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END],
	               *domain = b->col[TM_EVC_DOMAIN];

	for (uint32_t i = 0; i < b->n; i++) {
		const bool hsa = domain[i] == TM_DOMAIN_HSA, hip = domain[i] == TM_DOMAIN_HIP;
		const uint64_t key[THREAD_WORDS] = { k->rank, c->pid ? c->pid[i] : r->whose.run,
			                             at(c->tid, i), c->has | (hsa ? IS_HSA : 0u) };
		uint32_t name, thread;

		r->seen += hip || hsa || domain[i] == TM_DOMAIN_KERNEL ||
		           domain[i] == TM_DOMAIN_COPY;
		if (!hip && !hsa)
			continue;
		name = known_name(r, b, i);
		thread = tm_groups_recent(&r->threads, key, THREAD_WORDS);
		if (!name || thread == TM_GROUP_NONE || (hsa && k->hip) ||
		    start[i] < r->window.lo || start[i] >= r->window.hi) {
			if (!take_call(r, b, i, hsa))
				return false;
			continue;
		}
		k->hip |= hip;
		k->ncall++;
		if (!tm_intervals_add(&r->thread[thread].call, start[i], end[i], at(c->corr, i),
		                      name - 1))
			return false;
	}
	return true;
}

static bool is_timed(const struct tm_batch *b, uint32_t i)
{
	return (b->has & TIMED) == TIMED || (b->row_has[i] & TIMED & ~b->has) == (TIMED & ~b->has);
}

/* Of rows that another store keeps. */
static void count_lent(struct tm_replay_rows *r, const struct tm_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const enum tm_domain d = tm_batch_domain(b, i);

		if (d != TM_DOMAIN_KERNEL && d != TM_DOMAIN_COPY && d != TM_DOMAIN_HIP &&
		    d != TM_DOMAIN_HSA)
			continue;
		r->seen++;
		r->untimed += !is_timed(b, i);
	}
}

bool tm_replay_rows_take(void *acc, const struct tm_batch *b)
{
	struct tm_replay_rows *r = acc;
	struct columns c;
	uint64_t untimed = 0;

	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP) {
		r->stats += b->n;
		return true;
	}
	for (uint32_t i = 0; b->kind == TM_EV_COUNTER && i < b->n; i++)
		r->counters += tm_batch_has(b, i, TM_EVC_NAME);
	if (!tm_comm_calls_take(&r->comms, b, &untimed))
		return false;
	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY && b->kind != TM_EV_API)
		return true;
	if ((b->kind == TM_EV_API && r->lender) || (b->kind == TM_EV_DISPATCH && r->lanes)) {
		count_lent(r, b);
		return true;
	}
	if (tm_batch_kernels(b, TIMED) && op_columns(b, &c))
		return take_kernels(r, b, &c);
	if (b->kind == TM_EV_API && (b->has & TIMED) == TIMED &&
	    b->has & TM_EV_BIT(TM_EVC_DOMAIN) && call_columns(b, &c))
		return take_calls(r, b, &c);
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = tm_batch_domain(b, i);
		bool ok = true;

		if (d != TM_DOMAIN_KERNEL && d != TM_DOMAIN_COPY && d != TM_DOMAIN_HIP &&
		    d != TM_DOMAIN_HSA)
			continue;
		r->seen++;
		if (!is_timed(b, i))
			r->untimed++;
		else if (b->kind == TM_EV_API)
			ok = d != TM_DOMAIN_HIP && d != TM_DOMAIN_HSA
			             ? true
			             : take_call(r, b, i, d == TM_DOMAIN_HSA);
		else
			ok = take_op(r, b, i);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- merging ---- */

/* Names of another accumulator are map[name] here; NULL when out of memory. */
static uint32_t *map_names(struct tm_replay_rows *r, const struct tm_replay_rows *from)
{
	uint32_t *map = tm_names_add_all(&r->names, &from->names);

	if (!map || !know_comm(r)) {
		free(map);
		return NULL;
	}
	for (uint32_t i = 0; i < from->names.n; i++)
		r->comm[map[i]] |= from->comm[i];
	return map;
}

/* What the tracks and threads of a rank hold becomes that of another accumulator. */
static bool move_rank(struct tm_replay_rows *r, uint32_t at, struct tm_replay_rows *from,
                      const struct tm_replay_rank_rows *f, const uint32_t *name)
{
	for (uint32_t i = f->track; i != TM_REPLAY_NONE; i = from->track[i].next) {
		uint32_t to = track_of(r, &from->track[i], at);

		if (to == TM_GROUP_NONE ||
		    !tm_intervals_move(&r->track[to].op, &from->track[i].op, name))
			return false;
	}
	for (uint32_t i = f->thread; i != TM_REPLAY_NONE; i = from->thread[i].next) {
		uint32_t to = thread_of(r, &from->thread[i], at);

		if (to == TM_GROUP_NONE ||
		    !tm_intervals_move(&r->thread[to].call, &from->thread[i].call, name))
			return false;
	}
	return true;
}

static bool merge_rank(struct tm_replay_rows *r, struct tm_replay_rows *from,
                       const struct tm_replay_rank_rows *f, const uint32_t *name)
{
	uint32_t at = rank_of(r, f->rank);
	struct tm_replay_rank_rows *k;

	if (at == TM_GROUP_NONE || !move_rank(r, at, from, f, name))
		return false;
	k = &r->rank[at];
	k->hip |= f->hip;
	k->nop += f->nop;
	k->ncall += f->ncall;
	if (!tm_grow_array(&k->outside, &k->outside_cap, k->noutside + f->noutside,
	                   sizeof *k->outside))
		return false;
	for (size_t i = 0; i < f->noutside; i++) {
		struct tm_replay_op *o = &k->outside[k->noutside++];

		*o = f->outside[i];
		o->name = name[o->name];
		o->lane = track_of(r, &from->track[o->lane], at);
	}
	return true;
}

bool tm_replay_rows_merge(void *into, void *acc)
{
	struct tm_replay_rows *r = into, *from = acc;
	uint32_t *name = map_names(r, from);
	bool ok = name != NULL;

	tm_whose_merge(&r->whose, &from->whose);
	for (uint32_t i = 0; ok && i < from->ranks.n; i++)
		ok = merge_rank(r, from, &from->rank[i], name);
	r->untimed += from->untimed;
	r->stats += from->stats;
	r->counters += from->counters;
	r->seen += from->seen;
	free(name);
	return ok && tm_comm_calls_move(&r->comms, &from->comms);
}

/* ---- what is lent ---- */

void tm_replay_rows_lend(struct tm_replay_rows *r, struct tm_work *calls, struct tm_stack *kernels)
{
	r->lender = calls;
	r->lanes = kernels;
}

/* Which names of the lender's are those of calls. */
static void mark_names(struct tm_replay_rows *r, const struct tm_intervals *s)
{
	for (size_t i = 0; i < s->n; i++)
		r->lent_name[tm_interval_name(s, i)] = 1;
}

/* Those names among our own. */
static bool take_names(struct tm_replay_rows *r)
{
	const struct tm_work *of = r->lender;

	r->lent_name = calloc((size_t)of->names.n + 1, sizeof *r->lent_name);
	if (!r->lent_name)
		return false;
	for (size_t i = 0; i < of->nthread; i++)
		for (int a = 0; a < TM_WORK_APIS; a++) {
			mark_names(r, &of->thread[i].call[a]);
			mark_names(r, &of->thread[i].wait[a]);
		}
	for (uint32_t i = 0; i < of->names.n; i++) {
		const struct tm_name *nm = &of->names.v[i];

		if (!r->lent_name[i])
			continue;
		r->lent_name[i] = tm_names_add(&r->names, nm->text, nm->len);
		if (r->lent_name[i] == TM_NAME_NONE)
			return false;
	}
	return know_comm(r);
}

/* Those of HSA lie inside those of HIP: of a rank that has any they are left out. */
static bool borrow_thread(struct tm_replay_rows *r, const struct tm_work_thread *f)
{
	const enum tm_work_api api = f->api;
	const struct tm_replay_thread t = { .rank = f->rank,
		                            .pid = f->pid,
		                            .tid = f->tid,
		                            .has_pid = f->has_pid,
		                            .has_tid = f->has_tid,
		                            .hsa = api == TM_WORK_HSA };
	struct tm_replay_rank_rows *k;
	uint32_t rank, to;

	if (!f->call[api].n && !f->wait[api].n)
		return true;
	rank = rank_of(r, f->rank);
	to = rank == TM_GROUP_NONE ? rank : thread_of(r, &t, rank);
	if (to == TM_GROUP_NONE)
		return false;
	k = &r->rank[rank];
	k->hip |= api == TM_WORK_HIP;
	k->ncall += f->call[api].n + f->wait[api].n;
	tm_intervals_lend(&r->thread[to].lent[0], &f->call[api]);
	tm_intervals_lend(&r->thread[to].lent[1], &f->wait[api]);
	return true;
}

static bool borrow_calls(struct tm_replay_rows *r)
{
	struct tm_work *of = r->lender;
	bool ok;

	if (!of || r->lent_name)
		return true;
	ok = tm_work_pool_settle(of) && take_names(r);
	for (size_t i = 0; ok && i < of->nthread; i++)
		ok = borrow_thread(r, &of->thread[i]);
	return ok;
}

/* The names of kernels, by what the lender tells them by. */
static bool take_kernel_names(struct tm_replay_rows *r)
{
	const struct tm_stack *of = r->lanes;

	r->lane_name = calloc((size_t)of->names.n + 1, sizeof *r->lane_name);
	for (uint32_t i = 0; r->lane_name && i < of->kernel_cap && i < of->names.n; i++)
		if (of->kernel[i] != TM_NAME_NONE &&
		    !add_name(r, &of->names.v[of->kernel[i]], true, &r->lane_name[i]))
			return false;
	return r->lane_name != NULL;
}

static bool borrow_track(struct tm_replay_rows *r, const struct tm_stack_track *f, uint32_t part)
{
	const struct tm_replay_track t = { .rank = f->rank,
		                           .pid = f->pid,
		                           .agent = f->agent,
		                           .queue = f->queue,
		                           .stream = f->stream,
		                           .has_pid = f->has_pid,
		                           .has_agent = f->has_agent,
		                           .has_queue = f->has_queue,
		                           .has_stream = f->has_stream,
		                           .part = part };
	const uint32_t rank = rank_of(r, f->rank),
	               to = rank == TM_GROUP_NONE ? rank : track_of(r, &t, rank);

	if (to == TM_GROUP_NONE)
		return false;
	r->rank[rank].nop += f->op.n;
	tm_intervals_lend(&r->track[to].op, &f->op);
	return true;
}

static bool borrow_kernels(struct tm_replay_rows *r)
{
	struct tm_stack *of = r->lanes;
	bool ok;

	if (!of || r->lane_name)
		return true;
	ok = tm_stack_pool_settle(of) && take_kernel_names(r);
	for (size_t i = 0; ok && i < of->ntrack; i++)
		ok = of->track[i].copies || borrow_track(r, &of->track[i], (uint32_t)i + 1);
	return ok;
}

static bool tell_processes(struct tm_replay_rows *r)
{
	if (r->told)
		return true;
	r->told = true;
	if (!tm_whose_settle(&r->whose))
		return false;
	for (uint32_t i = 0; i < r->tracks.n; i++)
		tm_whose_tell(&r->whose, &r->track[i].has_pid, &r->track[i].pid);
	for (uint32_t i = 0; i < r->threads.n; i++)
		tm_whose_tell(&r->whose, &r->thread[i].has_pid, &r->thread[i].pid);
	return true;
}

bool tm_replay_rows_borrow(struct tm_replay_rows *r)
{
	return tell_processes(r) && borrow_calls(r) && borrow_kernels(r);
}
