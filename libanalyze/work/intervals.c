/* SPDX-License-Identifier: MIT */
#include "work/intervals.h"

#include "stack/stack.h"
#include "work/calls.h"
#include "work/pool.h"

#include <stdlib.h>
#include <string.h>

#define TIMED (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))

enum { TRACK_WORDS = 5, THREAD_WORDS = 4 };

struct tm_work_name {
	uint32_t own[2];        /* ids in work.names + 1, once asked for: as it is, of a kernel */
	bool classed;           /* of a kernel, as the next two */
	enum tm_work_kind kind; /* never TM_WORK_COPY */
	bool unknown;           /* --strict has yet to hear of it */
	bool looked, waits;     /* of a call */
	enum tm_work_api api;   /* whose wait it is */
};

tm_ev_set tm_work_want(unsigned keep)
{
	tm_ev_set want = TIMED | TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) |
	                 TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_SRC) | TM_EV_BIT(TM_EVC_DST);

	if (keep & TM_WORK_BYTES)
		want |= TM_EV_BIT(TM_EVC_BYTES);
	if (keep & (TM_WORK_CORR | TM_WORK_CALLS))
		want |= TM_EV_BIT(TM_EVC_CORR);
	if (keep &
	    (TM_WORK_CALLS | TM_WORK_WAITS | TM_WORK_REGIONS | TM_WORK_PIDS | TM_WORK_THREADS))
		want |= TM_EV_BIT(TM_EVC_PID) | TM_EV_BIT(TM_EVC_TID);
	if (keep & TM_WORK_QUEUES)
		want |= TM_EV_BIT(TM_EVC_QUEUE);
	if (keep & TM_WORK_NODES)
		want |= TM_EV_BIT(TM_EVC_GRAPH_NODE);
	if (keep & TM_WORK_STREAMS)
		want |= TM_EV_BIT(TM_EVC_STREAM);
	return want;
}

bool tm_work_init(struct tm_work *w, const struct tm_metric_opts *o, unsigned keep)
{
	*w = (struct tm_work) { .o = o,
		                .keep = keep,
		                .tracks = { .words = TRACK_WORDS },
		                .threads = { .words = THREAD_WORDS },
		                .hosts = { .words = 1 } };
	return true;
}

static void drop_tracks(struct tm_work_track *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < TM_WORK_KINDS; k++)
			tm_intervals_fini(&v[i].op[k]);
		tm_intervals_fini(&v[i].sized);
	}
	free(v);
}

static void drop_found(struct tm_work_found *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		free(v[i].piece);
	free(v);
}

static void drop_thread(struct tm_work_thread *t)
{
	for (int a = 0; a < TM_WORK_APIS; a++) {
		tm_intervals_fini(&t->call[a]);
		tm_intervals_fini(&t->wait[a]);
	}
	tm_intervals_fini(&t->region);
}

void tm_work_drop(struct tm_work *w)
{
	tm_calls_forget(w);
	drop_found(w->plain_found, w->nplain);
	drop_found(w->found, w->ntrack);
	drop_tracks(w->plain, w->nplain);
	drop_tracks(w->track, w->ntrack);
	for (size_t i = 0; i < w->nthread; i++)
		drop_thread(&w->thread[i]);
	for (size_t i = 0; i < w->nhost; i++)
		tm_intervals_fini(&w->host[i].copy);
	free(w->host);
	free(w->thread);
	free(w->busy);
	w->track = w->plain = NULL;
	w->found = w->plain_found = NULL;
	w->host = NULL;
	w->thread = NULL;
	w->busy = NULL;
	w->nhost = w->host_cap = 0;
	w->ntrack = w->nplain = w->track_cap = w->nthread = w->thread_cap = w->nbusy = 0;
}

void tm_work_fini(void *acc)
{
	struct tm_work *w = acc;

	tm_work_drop(w);
	free(w->known);
	free(w->order);
	free(w->call_kind);
	free(w->label_of);
	tm_groups_fini(&w->tracks);
	tm_groups_fini(&w->threads);
	tm_groups_fini(&w->hosts);
	tm_names_fini(&w->names);
	tm_names_fini(&w->unknown);
	tm_buf_fini(&w->text);
	tm_whose_fini(&w->whose);
}

/* ---- whose ---- */

enum { HAS_AGENT = 1, HAS_LANE = 2, HAS_PID = 4, HAS_TID = 8 };

/* The track of (rank, agent, lane, process), made if new; NULL when out of memory. */
static struct tm_work_track *track_of(struct tm_work *w, uint64_t rank, const uint64_t *agent,
                                      const uint64_t *lane, bool has_pid, uint64_t pid)
{
	uint64_t key[TRACK_WORDS] = { rank, agent ? *agent : 0, lane ? *lane : 0, pid,
		                      (agent ? HAS_AGENT : 0) | (lane ? HAS_LANE : 0) |
		                              (has_pid ? HAS_PID : 0) };
	uint32_t i = tm_groups_recent(&w->tracks, key, TRACK_WORDS);
	bool fresh = false;

	if (i == TM_GROUP_NONE)
		i = tm_groups_item(&w->tracks, key, &w->track, &w->track_cap, sizeof *w->track,
		                   &fresh);
	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh) {
		w->track[w->ntrack++] = (struct tm_work_track) { .rank = rank,
			                                         .agent = key[1],
			                                         .lane = key[2],
			                                         .pid = key[3],
			                                         .has_pid = has_pid,
			                                         .has_agent = agent != NULL,
			                                         .has_lane = lane != NULL };
	}
	return &w->track[i];
}

static struct tm_work_thread *thread_of(struct tm_work *w, uint64_t rank, bool has_pid,
                                        uint64_t pid, const uint64_t *tid)
{
	uint64_t key[THREAD_WORDS] = { rank, pid, tid ? *tid : 0,
		                       (has_pid ? HAS_PID : 0) | (tid ? HAS_TID : 0) };
	uint32_t i = tm_groups_recent(&w->threads, key, THREAD_WORDS);
	struct tm_work_thread *t;
	bool fresh = false;

	if (i == TM_GROUP_NONE)
		i = tm_groups_item(&w->threads, key, &w->thread, &w->thread_cap, sizeof *w->thread,
		                   &fresh);
	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh) {
		t = &w->thread[w->nthread++];
		*t = (struct tm_work_thread) { .rank = rank,
			                       .pid = key[1],
			                       .tid = key[2],
			                       .has_pid = has_pid,
			                       .has_tid = tid != NULL };
		for (int k = 0; k < TM_WORK_CALLERS; k++)
			t->called[k] = (struct tm_extent) { UINT64_MAX, 0 };
	}
	return &w->thread[i];
}

/* The copies from host to host of a rank, made if new; NULL when out of memory. */
static struct tm_work_host *host_of(struct tm_work *w, uint64_t rank)
{
	bool fresh = false;
	uint32_t i = tm_groups_item(&w->hosts, &rank, &w->host, &w->host_cap, sizeof *w->host,
	                            &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh) {
		w->host[i] = (struct tm_work_host) { .rank = rank };
		w->nhost++;
	}
	return &w->host[i];
}

bool tm_work_piece(void *acc, const struct tm_piece *p)
{
	struct tm_work *w = acc;

	w->rank = p->id.rank;
	w->only = p->only;
	w->nknown = 0;
	tm_whose_piece(&w->whose, p);
	tm_metric_window(w->o, p->id.rank, &w->window);
	return true;
}

/* ---- names ---- */

static bool know_names(struct tm_work *w, uint32_t n)
{
	return tm_grow_known(&w->known, &w->nknown, &w->known_cap, n, sizeof *w->known);
}

/* What --name makes of a kernel's name, into w->text. */
static bool own_text(struct tm_work *w, const struct tm_name *nm)
{
	const char *class_name;

	if (!tm_kernel_name(&w->text, nm->text, nm->len, w->o->level))
		return false;
	if (!w->o->by_class)
		return true;
	class_name = tm_classes_of(w->o->classes, w->text.p ? w->text.p : "", NULL);
	tm_buf_clear(&w->text);
	if (class_name)
		tm_buf_str(&w->text, class_name);
	return class_name && !w->text.failed;
}

/* The id of a name of the piece among our own. */
static bool own_name(struct tm_work *w, const struct tm_names *names, uint32_t id, bool kernel,
                     uint32_t *own)
{
	struct tm_work_name *k = &w->known[id];
	const struct tm_name *nm = &names->v[id];

	if (!k->own[kernel]) {
		uint32_t n;

		tm_buf_clear(&w->text);
		if (kernel && !own_text(w, nm))
			return false;
		n = kernel ? tm_names_add(&w->names, w->text.p ? w->text.p : "", w->text.n)
		           : tm_names_add(&w->names, nm->text, nm->len);
		if (n == TM_NAME_NONE)
			return false;
		k->own[kernel] = n + 1;
	}
	*own = k->own[kernel] - 1;
	return true;
}

enum tm_work_kind tm_work_kind_of(const char *class_name)
{
	static const struct {
		const char *class_name;
		enum tm_work_kind kind;
	} kinds[] = { { "comm", TM_WORK_COMM },
		      { "memory", TM_WORK_MOVE },
		      { "sync", TM_WORK_SPIN } };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].class_name, class_name))
			return kinds[i].kind;
	return TM_WORK_KERNEL;
}

/* The kind of a kernel is in *k from now on. */
static bool classify(struct tm_work *w, const struct tm_names *names, uint32_t id)
{
	struct tm_work_name *k = &w->known[id];

	if (!k->classed) {
		const struct tm_name *nm = &names->v[id];
		const char *class_name;

		tm_buf_clear(&w->text);
		if (!tm_kernel_name(&w->text, nm->text, nm->len, TM_NAME_FULL))
			return false;
		class_name = tm_classes_of(w->o->classes, w->text.p ? w->text.p : "", NULL);
		if (!class_name)
			return false;
		k->kind = tm_work_kind_of(class_name);
		k->unknown = w->o->strict && !strcmp(class_name, TM_CLASS_UNKNOWN);
		k->classed = true;
	}
	return true;
}

const char *const tm_wait_words[] = {
	[TM_WAIT_SYNC] = "sync", [TM_WAIT_COPY] = "copy",           [TM_WAIT_FILL] = "fill",
	[TM_WAIT_FREE] = "free", [TM_WAIT_HOST_FREE] = "host_free", [TM_WAIT_KINDS] = NULL,
};

const struct tm_wait *tm_wait_of(const char *name)
{
	static const struct tm_wait waits[] = {
#define WAIT(api, kind, name) { TM_WORK_##api, TM_WAIT_##kind, name },
#include "schemas/sync_calls.def"
#undef WAIT
	};

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		if (tm_name_like(waits[i].name, name))
			return &waits[i];
	return NULL;
}

/* Does the host block in this call? */
static bool is_wait(struct tm_work *w, const struct tm_names *names, uint32_t id,
                    enum tm_work_api api)
{
	struct tm_work_name *k = &w->known[id];

	if (!k->looked) {
		const struct tm_wait *wait = tm_wait_of(names->v[id].text);

		k->waits = wait != NULL;
		k->api = wait ? wait->api : TM_WORK_HIP;
		k->looked = true;
	}
	return k->waits && k->api == api;
}

/* ---- rows ---- */

/* The part of a row that lies in the window, at all? */
static bool inside(const struct tm_work *w, uint64_t start, uint64_t end)
{
	return w->keep & TM_WORK_ALL ||
	       (start < w->window.hi && (end > w->window.lo || start >= w->window.lo));
}

/* See TM_WORK_BYTES. */
static uint64_t size_tag(const struct tm_batch *b, uint32_t i)
{
	const uint64_t *bytes = tm_batch_cell(b, i, TM_EVC_BYTES);

	return bytes && *bytes <= UINT64_MAX - TM_WORK_SIZED ? *bytes + TM_WORK_SIZED
	                                                     : TM_WORK_UNSIZED;
}

/* What stands for the process of operations that name none. */
static uint64_t run_of(const struct tm_work *w)
{
	return w->keep & TM_WORK_PIDS ? w->whose.run : 0;
}

/* With `again` it is on another agent as well. */
static bool add_op(struct tm_work *w, const struct tm_batch *b, uint32_t i, enum tm_work_kind kind,
                   const uint64_t *agent, bool again)
{
	const uint64_t *corr = w->keep & TM_WORK_CORR ? tm_batch_cell(b, i, TM_EVC_CORR) : NULL,
	               *lane = NULL, *pid;
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i], tag;
	struct tm_work_track *t;
	uint32_t name = 0;

	if (w->keep & TM_WORK_NODES)
		lane = tm_batch_cell(b, i, TM_EVC_GRAPH_NODE);
	else if (w->keep & TM_WORK_THREADS)
		lane = tm_batch_cell(b, i, TM_EVC_TID);
	else if (w->keep & (TM_WORK_QUEUES | TM_WORK_STREAMS))
		lane = tm_batch_cell(b, i, w->keep & TM_WORK_QUEUES ? TM_EVC_QUEUE : TM_EVC_STREAM);
	pid = w->keep & TM_WORK_PIDS ? tm_batch_cell(b, i, TM_EVC_PID) : NULL;
	t = track_of(w, w->rank, w->keep & TM_WORK_RANKS ? NULL : agent, lane, pid != NULL,
	             pid ? *pid : run_of(w));
	if (!t || !inside(w, start, end))
		return t != NULL; /* the agent is there, and may be idle in the window */
	if (w->keep & TM_WORK_OP_NAMES && !own_name(w, b->names, (uint32_t)b->col[TM_EVC_NAME][i],
	                                            b->kind == TM_EV_DISPATCH, &name))
		return false;
	w->uncorrelated += w->keep & TM_WORK_CORR && !corr;
	t->started[kind] += start >= w->window.lo && start < w->window.hi;
	/* No call has correlation id 0: the profilers count from 1. */
	tag = corr ? *corr : 0;
	if (w->keep & TM_WORK_BYTES && kind == TM_WORK_COPY) {
		const uint64_t size = again ? TM_WORK_COUNTED : size_tag(b, i);

		if (!(w->keep & TM_WORK_CORR))
			tag = size;
		else if (!tm_intervals_add(&t->sized, start, end, size, name))
			return false;
	}
	return tm_intervals_add(&t->op[kind], start, end, tag, name);
}

/* The same kernel in several pieces is one. */
static bool note_unknown(struct tm_work *w, const struct tm_names *names, uint32_t id)
{
	const struct tm_name *nm = &names->v[id];

	tm_buf_clear(&w->text);
	w->known[id].unknown = false;
	return tm_kernel_name(&w->text, nm->text, nm->len, TM_NAME_FULL) &&
	       tm_names_add(&w->unknown, w->text.p ? w->text.p : "", w->text.n) != TM_NAME_NONE;
}

static bool take_dispatch(struct tm_work *w, const struct tm_batch *b, uint32_t i)
{
	uint32_t id = (uint32_t)b->col[TM_EVC_NAME][i];
	uint64_t start = b->col[TM_EVC_START][i];
	bool starts = start >= w->window.lo && start < w->window.hi;

	if (!inside(w, start, b->col[TM_EVC_END][i]))
		return add_op(w, b, i, TM_WORK_KERNEL, tm_batch_cell(b, i, TM_EVC_AGENT), false);
	if (!classify(w, b->names, id))
		return false;
	if (w->known[id].kind == TM_WORK_MOVE && starts) {
		w->blits++;
		w->blit_ns += b->col[TM_EVC_END][i] - start;
	}
	if (w->known[id].unknown && starts && !note_unknown(w, b->names, id))
		return false;
	return add_op(w, b, i, w->known[id].kind, tm_batch_cell(b, i, TM_EVC_AGENT), false);
}

/* Of no GPU, so of no track: only its size is asked for. */
static bool take_host_copy(struct tm_work *w, const struct tm_batch *b, uint32_t i)
{
	const uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];
	struct tm_work_host *h;

	if (!(w->keep & TM_WORK_BYTES))
		return true;
	h = host_of(w, w->rank);
	return h && (!inside(w, start, end) ||
	             tm_intervals_add(&h->copy, start, end, size_tag(b, i), 0));
}

static bool take_copy(struct tm_work *w, const struct tm_batch *b, uint32_t i)
{
	const struct tm_name *nm = &b->names->v[b->col[TM_EVC_NAME][i]];
	const char *way = tm_copy_direction(nm->text, nm->len);
	const uint64_t *of[2];
	unsigned n;
	bool again = false;

	if (way && !strcmp(way, "host_to_host")) {
		w->host_copies++;
		return take_host_copy(w, b, i);
	}
	n = tm_copy_agents(b, i, way, of);
	if (!n)
		return add_op(w, b, i, TM_WORK_COPY, NULL, false);
	for (unsigned k = 0; k < n && !(again && w->keep & TM_WORK_RANKS); k++) {
		if (!tm_only_agent(w->only, *of[k]))
			continue; /* kept for the agent at its other end */
		if (!add_op(w, b, i, TM_WORK_COPY, of[k], again))
			return false;
		again = true;
	}
	return true;
}

static void widen(struct tm_extent *e, uint64_t lo, uint64_t hi)
{
	e->lo = lo < e->lo ? lo : e->lo;
	e->hi = hi > e->hi ? hi : e->hi;
}

struct tm_extent tm_work_thread_host(const struct tm_work_thread *t)
{
	struct tm_extent all = t->called[0];

	for (int k = 1; k < TM_WORK_CALLERS; k++)
		widen(&all, t->called[k].lo, t->called[k].hi);
	return all;
}

static struct tm_work_thread *thread_of_row(struct tm_work *w, const struct tm_batch *b, uint32_t i)
{
	const uint64_t *pid = tm_batch_cell(b, i, TM_EVC_PID);

	return thread_of(w, w->rank, pid != NULL, pid ? *pid : w->whose.run,
	                 tm_batch_cell(b, i, TM_EVC_TID));
}

/* Every call, inside the window or not, tells how long the host ran and whose calls count; *out is
 * its thread, where calls are kept. */
static bool note_call(struct tm_work *w, const struct tm_batch *b, uint32_t i, enum tm_domain d,
                      struct tm_work_thread **out)
{
	struct tm_work_thread *t;

	if (!(w->keep & (TM_WORK_CALLS | TM_WORK_WAITS)) ||
	    (d != TM_DOMAIN_HIP && d != TM_DOMAIN_HSA && d != TM_DOMAIN_RCCL &&
	     d != TM_DOMAIN_ROCDECODE && d != TM_DOMAIN_ROCJPEG))
		return true;
	t = thread_of_row(w, b, i);
	if (!t)
		return false;
	widen(&t->called[d == TM_DOMAIN_HIP   ? TM_WORK_HIP
	                 : d == TM_DOMAIN_HSA ? TM_WORK_HSA
	                                      : TM_WORK_OTHERS],
	      b->col[TM_EVC_START][i], b->col[TM_EVC_END][i]);
	t->calls[TM_WORK_HIP] += d == TM_DOMAIN_HIP;
	t->calls[TM_WORK_HSA] += d == TM_DOMAIN_HSA;
	*out = t;
	return true;
}

/* `t`: as note_call found it. */
static bool take_call(struct tm_work *w, const struct tm_batch *b, uint32_t i, enum tm_work_api api,
                      struct tm_work_thread *t)
{
	uint64_t start = b->col[TM_EVC_START][i], end = b->col[TM_EVC_END][i];
	const uint64_t *corr = tm_batch_cell(b, i, TM_EVC_CORR);
	uint32_t id = (uint32_t)b->col[TM_EVC_NAME][i], name = 0;
	bool waits = w->keep & TM_WORK_WAITS && is_wait(w, b->names, id, api);

	if (!(w->keep & (TM_WORK_CALLS | TM_WORK_WAITS)))
		return true;
	if ((waits || w->keep & TM_WORK_CALL_NAMES) && !own_name(w, b->names, id, false, &name))
		return false;
	if (!waits && !(w->keep & TM_WORK_CALLS))
		return true;
	return tm_intervals_add(waits ? &t->wait[api] : &t->call[api], start, end,
	                        corr && w->keep & TM_WORK_CALLS ? *corr : 0, name);
}

static bool take_region(struct tm_work *w, const struct tm_batch *b, uint32_t i)
{
	struct tm_work_thread *t;
	uint32_t name;

	if (!(w->keep & TM_WORK_REGIONS))
		return true;
	t = thread_of_row(w, b, i);
	return t && own_name(w, b->names, (uint32_t)b->col[TM_EVC_NAME][i], false, &name) &&
	       tm_intervals_add(&t->region, b->col[TM_EVC_START][i], b->col[TM_EVC_END][i], 0,
	                        name);
}

static bool take_row(struct tm_work *w, const struct tm_batch *b, uint32_t i, enum tm_domain d,
                     struct tm_work_thread *t)
{
	switch (d) {
	case TM_DOMAIN_KERNEL:
		return take_dispatch(w, b, i);
	case TM_DOMAIN_COPY:
		return take_copy(w, b, i);
	case TM_DOMAIN_HIP:
		return take_call(w, b, i, TM_WORK_HIP, t);
	case TM_DOMAIN_HSA:
		return take_call(w, b, i, TM_WORK_HSA, t);
	case TM_DOMAIN_MARKER:
		return take_region(w, b, i);
	default:
		return true;
	}
}

/* The columns that tell tracks of kernels apart, and their tag; NULL = not asked for, or in no row
 * of the batch. */
struct op_columns {
	const uint64_t *agent, *lane, *pid, *corr;
	uint64_t has; /* of the key of the track */
};

/* As tm_batch_column, of one that may not be asked for. */
static bool asked_column(const struct tm_batch *b, bool asked, enum tm_ev_col c,
                         const uint64_t **out)
{
	*out = NULL;
	return !asked || tm_batch_column(b, c, out);
}

static bool op_columns(const struct tm_work *w, const struct tm_batch *b, struct op_columns *c)
{
	const unsigned lanes = TM_WORK_NODES | TM_WORK_THREADS | TM_WORK_QUEUES | TM_WORK_STREAMS;
	enum tm_ev_col lane = w->keep & TM_WORK_NODES     ? TM_EVC_GRAPH_NODE
	                      : w->keep & TM_WORK_THREADS ? TM_EVC_TID
	                      : w->keep & TM_WORK_QUEUES  ? TM_EVC_QUEUE
	                                                  : TM_EVC_STREAM;

	if (!asked_column(b, !(w->keep & TM_WORK_RANKS), TM_EVC_AGENT, &c->agent) ||
	    !asked_column(b, w->keep & lanes, lane, &c->lane) ||
	    !asked_column(b, w->keep & TM_WORK_PIDS, TM_EVC_PID, &c->pid) ||
	    !asked_column(b, w->keep & TM_WORK_CORR, TM_EVC_CORR, &c->corr))
		return false;
	c->has = (c->agent ? HAS_AGENT : 0) | (c->lane ? HAS_LANE : 0) | (c->pid ? HAS_PID : 0);
	return true;
}

/* The track of row i, if it is known. */
static uint32_t known_track(const struct tm_work *w, const struct op_columns *c, uint32_t i)
{
	const uint64_t key[TRACK_WORDS] = { w->rank, c->agent ? c->agent[i] : 0,
		                            c->lane ? c->lane[i] : 0,
		                            c->pid ? c->pid[i] : run_of(w), c->has };

	return tm_groups_recent(&w->tracks, key, TRACK_WORDS);
}

/* Kernels that have all columns, or none has: what take_dispatch does, without asking each row what
 * it has. */
static bool take_dispatches(struct tm_work *w, const struct tm_batch *b, const struct op_columns *c)
{
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END],
	               *name = b->col[TM_EVC_NAME];
	const bool names = w->keep & TM_WORK_OP_NAMES, one = tm_column_same(c->agent, b->n) &&
	                                                     tm_column_same(c->lane, b->n) &&
	                                                     tm_column_same(c->pid, b->n);
	uint32_t track = TM_GROUP_NONE;

	w->seen[TM_DOMAIN_KERNEL] += b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct tm_work_name *k = &w->known[name[i]];
		struct tm_work_track *t;

		if (!one || track == TM_GROUP_NONE)
			track = known_track(w, c, i);
		if (!k->classed || (names && !k->own[true]) || k->kind == TM_WORK_MOVE ||
		    k->unknown || !inside(w, start[i], end[i]) || track == TM_GROUP_NONE) {
			if (!take_dispatch(w, b, i))
				return false;
			continue;
		}
		t = &w->track[track];
		w->uncorrelated += w->keep & TM_WORK_CORR && !c->corr;
		t->started[k->kind] += start[i] >= w->window.lo && start[i] < w->window.hi;
		if (!tm_intervals_add(&t->op[k->kind], start[i], end[i], c->corr ? c->corr[i] : 0,
		                      names ? k->own[true] - 1 : 0))
			return false;
	}
	return true;
}

/* A row that has times and a name. */
static bool take_any(struct tm_work *w, const struct tm_batch *b, uint32_t i, enum tm_domain d)
{
	struct tm_work_thread *t = NULL;

	return note_call(w, b, i, d, &t) &&
	       ((d != TM_DOMAIN_KERNEL && d != TM_DOMAIN_COPY &&
	         !inside(w, b->col[TM_EVC_START][i], b->col[TM_EVC_END][i]) &&
	         !(w->keep & TM_WORK_ALL_CALLS && (d == TM_DOMAIN_HIP || d == TM_DOMAIN_HSA))) ||
	        take_row(w, b, i, d, t));
}

/* The columns of calls that every row has; NULL = none has it. */
struct call_columns {
	const uint64_t *domain, *pid, *tid, *corr;
	uint64_t has; /* of the key of the thread */
};

static bool call_columns(const struct tm_batch *b, struct call_columns *c)
{
	if (!tm_batch_column(b, TM_EVC_DOMAIN, &c->domain) || !c->domain ||
	    !tm_batch_column(b, TM_EVC_PID, &c->pid) || !tm_batch_column(b, TM_EVC_TID, &c->tid) ||
	    !tm_batch_column(b, TM_EVC_CORR, &c->corr))
		return false;
	c->has = (c->pid ? HAS_PID : 0) | (c->tid ? HAS_TID : 0);
	return true;
}

/* The thread of row i, if it and the name are known, and it is a call. */
static uint32_t known_thread(const struct tm_work *w, const struct tm_batch *b,
                             const struct call_columns *c, uint32_t i)
{
	const uint64_t key[THREAD_WORDS] = { w->rank, c->pid ? c->pid[i] : w->whose.run,
		                             c->tid ? c->tid[i] : 0, c->has };
	const struct tm_work_name *k = &w->known[b->col[TM_EVC_NAME][i]];

	if ((c->domain[i] != TM_DOMAIN_HIP && c->domain[i] != TM_DOMAIN_HSA) || !k->looked ||
	    !k->own[false])
		return TM_GROUP_NONE;
	return tm_groups_recent(&w->threads, key, THREAD_WORDS);
}

/* What take_any does of all rows, where calls and waits are kept by name. */
static bool take_calls(struct tm_work *w, const struct tm_batch *b, const struct call_columns *c)
{
	const uint64_t *start = b->col[TM_EVC_START], *end = b->col[TM_EVC_END],
	               *name = b->col[TM_EVC_NAME];

	for (uint32_t i = 0; i < b->n; i++) {
		const enum tm_domain d = (enum tm_domain)c->domain[i];
		const enum tm_work_api api = d == TM_DOMAIN_HIP ? TM_WORK_HIP : TM_WORK_HSA;
		const struct tm_work_name *k = &w->known[name[i]];
		const uint32_t thread = known_thread(w, b, c, i);
		struct tm_work_thread *t;

		w->seen[d]++;
		if (thread == TM_GROUP_NONE) {
			if (!take_any(w, b, i, d))
				return false;
			continue;
		}
		t = &w->thread[thread];
		widen(&t->called[api], start[i], end[i]);
		t->calls[api]++;
		if (!(w->keep & TM_WORK_ALL_CALLS) && !inside(w, start[i], end[i]))
			continue;
		if (!tm_intervals_add(k->waits && k->api == api ? &t->wait[api] : &t->call[api],
		                      start[i], end[i], c->corr ? c->corr[i] : 0,
		                      k->own[false] - 1))
			return false;
	}
	return true;
}

/* What rows there are, where another store takes them. */
static void count_rows(struct tm_work *w, const struct tm_batch *b)
{
	const tm_ev_set need = TIMED | TM_EV_BIT(TM_EVC_NAME);
	struct tm_batch_domains domains;

	if (!b->domains)
		tm_batch_see_domains(b, &domains);
	for (int d = 0; d < TM_DOMAIN_N; d++)
		w->seen[d] += (b->domains ? b->domains : &domains)->rows[d];
	for (uint32_t i = 0; (b->has & need) != need && i < b->n; i++)
		w->untimed += !tm_batch_has_all(b, i, need);
}

/* A value of a counter is of the dispatch that it names, or a reading of a sensor. */
static void count_counters(struct tm_work *w, const struct tm_batch *b)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < b->n; i++)
		named += tm_batch_has(b, i, TM_EVC_NAME);
	w->counters += named;
	w->readings += b->n - named;
}

bool tm_work_take(void *acc, const struct tm_batch *b)
{
	struct tm_work *w = acc;
	const uint64_t *dom = b->some & TM_EV_BIT(TM_EVC_DOMAIN) ? b->col[TM_EVC_DOMAIN] : NULL;
	enum tm_domain usual = tm_ev_kind_domain(b->kind);
	const tm_ev_set need = TIMED | TM_EV_BIT(TM_EVC_NAME);
	const unsigned named_calls = TM_WORK_CALLS | TM_WORK_CALL_NAMES | TM_WORK_WAITS;
	struct call_columns calls;
	struct op_columns cols;

	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP) {
		w->stats += b->n;
		return true;
	}
	if (b->kind == TM_EV_COUNTER)
		count_counters(w, b);
	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY && b->kind != TM_EV_API)
		return true;
	if (w->lender) {
		count_rows(w, b);
		return true;
	}
	if (!know_names(w, b->names->n))
		return false;
	if (tm_batch_kernels(b, need) && op_columns(w, b, &cols))
		return take_dispatches(w, b, &cols);
	if (b->kind == TM_EV_API && (w->keep & named_calls) == named_calls &&
	    (b->has & need) == need && call_columns(b, &calls))
		return take_calls(w, b, &calls);
	for (uint32_t i = 0; i < b->n; i++) {
		enum tm_domain d = dom && tm_batch_has(b, i, TM_EVC_DOMAIN) ? (enum tm_domain)dom[i]
		                                                            : usual;

		w->seen[d]++;
		if (!tm_batch_has_all(b, i, need))
			w->untimed++;
		else if (!take_any(w, b, i, d))
			return false;
	}
	return true;
}

/* ---- merging ---- */

static bool merge_track(struct tm_work *w, struct tm_work_track *f, const uint32_t *map)
{
	struct tm_work_track *t = track_of(w, f->rank, f->has_agent ? &f->agent : NULL,
	                                   f->has_lane ? &f->lane : NULL, f->has_pid, f->pid);

	for (int k = 0; t && k < TM_WORK_KINDS; k++) {
		t->started[k] += f->started[k];
		if (!tm_intervals_move(&t->op[k], &f->op[k],
		                       w->keep & TM_WORK_OP_NAMES ? map : NULL))
			return false;
	}
	return t &&
	       tm_intervals_move(&t->sized, &f->sized, w->keep & TM_WORK_OP_NAMES ? map : NULL);
}

/* What a thread holds becomes another's; names of it are map[name] there, NULL = the same. */
static bool move_thread(struct tm_work *w, struct tm_work_thread *t, struct tm_work_thread *f,
                        const uint32_t *map)
{
	for (int a = 0; a < TM_WORK_APIS; a++) {
		t->calls[a] += f->calls[a];
		if (!tm_intervals_move(&t->call[a], &f->call[a],
		                       w->keep & TM_WORK_CALL_NAMES ? map : NULL) ||
		    !tm_intervals_move(&t->wait[a], &f->wait[a], map))
			return false;
	}
	for (int k = 0; k < TM_WORK_CALLERS; k++)
		widen(&t->called[k], f->called[k].lo, f->called[k].hi);
	return tm_intervals_move(&t->region, &f->region, map);
}

bool tm_work_join_thread(struct tm_work *w, struct tm_work_thread *t, struct tm_work_thread *f)
{
	const bool ok = move_thread(w, t, f, NULL);

	drop_thread(f);
	return ok;
}

static bool merge_thread(struct tm_work *w, struct tm_work_thread *f, const uint32_t *map)
{
	struct tm_work_thread *t = thread_of(w, f->rank, f->has_pid, f->pid,
	                                     f->has_tid ? &f->tid : NULL);

	return t && move_thread(w, t, f, map);
}

static bool merge_host(struct tm_work *w, struct tm_work_host *f)
{
	struct tm_work_host *h = host_of(w, f->rank);

	return h && tm_intervals_move(&h->copy, &f->copy, NULL);
}

bool tm_work_merge(void *into, void *acc)
{
	struct tm_work *w = into, *from = acc;
	uint32_t *map;
	bool ok = tm_names_adopt(&w->names, &from->names, &map);

	tm_whose_merge(&w->whose, &from->whose);
	for (size_t i = 0; ok && i < from->ntrack; i++)
		ok = merge_track(w, &from->track[i], map);
	for (size_t i = 0; ok && i < from->nthread; i++)
		ok = merge_thread(w, &from->thread[i], map);
	for (size_t i = 0; ok && i < from->nhost; i++)
		ok = merge_host(w, &from->host[i]);
	for (int d = 0; d < TM_DOMAIN_N; d++)
		w->seen[d] += from->seen[d];
	for (uint32_t i = 0; ok && i < from->unknown.n; i++)
		ok = tm_names_add(&w->unknown, from->unknown.v[i].text, from->unknown.v[i].len) !=
		     TM_NAME_NONE;
	w->untimed += from->untimed;
	w->stats += from->stats;
	w->counters += from->counters;
	w->readings += from->readings;
	w->host_copies += from->host_copies;
	w->uncorrelated += from->uncorrelated;
	w->blits += from->blits;
	w->blit_ns += from->blit_ns;
	free(map);
	return ok;
}
