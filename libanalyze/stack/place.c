/* SPDX-License-Identifier: MIT
 * Where the operations of one rank belong. */
#include "base/base.h"
#include "stack/bare.h"
#include "stack/frames.h"
#include "stack/pool.h"

#include <stdlib.h>
#include <string.h>

/* A frame that operations name: its number among those of all threads of the rank. */
struct tm_stack_external {
	uint32_t low, high; /* of the id; in 12 bytes, for there may be as many as operations */
	uint32_t frame;
};

static uint64_t id_of(const struct tm_stack_external *e)
{
	return (uint64_t)e->high << 32 | e->low;
}

size_t tm_stack_whose(const struct tm_stack_rank *r, const uint64_t *before, uint32_t number,
                      uint32_t *at)
{
	size_t lo = 0, hi = r->thread_to - r->thread_from;

	/* The last with no more before it; that has some. */
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (before[mid] <= number)
			lo = mid;
		else
			hi = mid;
	}
	*at = (uint32_t)(number - before[lo]);
	return r->thread_from + lo;
}

/* The order of threads: absent before present. */
static int thread_cmp(const struct tm_stack_thread *t, bool has_pid, uint64_t pid, bool has_tid,
                      uint64_t tid)
{
	int c = tm_known_cmp(t->has_pid, t->pid, has_pid, pid);

	return c ? c : tm_known_cmp(t->has_tid, t->tid, has_tid, tid);
}

size_t tm_stack_thread_find(const struct tm_stack_rank *r, bool has_pid, uint64_t pid, bool has_tid,
                            uint64_t tid)
{
	const struct tm_stack_thread *t = r->s->thread;
	size_t lo = r->thread_from, hi = r->thread_to;

	TM_BISECT(lo, hi, mid, thread_cmp(&t[mid], has_pid, pid, has_tid, tid) < 0);
	return lo < r->thread_to && !thread_cmp(&t[lo], has_pid, pid, has_tid, tid) ? lo : SIZE_MAX;
}

static uint64_t start_of(const struct tm_stack_rank *r, const struct tm_stack_external *e)
{
	uint32_t at;
	size_t thread = tm_stack_whose(r, r->frames, e->frame, &at);

	return tm_interval_start(&r->s->thread[thread].frame[TM_STACK_FRAMES], at);
}

const char *tm_stack_how_text(enum tm_stack_how how)
{
	static const char *const text[TM_STACK_HOWS] = {
		[TM_STACK_BY_EXTERNAL] = "by External id",
		[TM_STACK_BY_CALL] = "by the call that launched it",
		[TM_STACK_BY_FUNCTION] = "by the call that launched it, from Python only",
		[TM_STACK_BY_TIME] = "by when it started",
		[TM_STACK_NO_LAUNCH] = "no launch in the trace",
		[TM_STACK_OUTSIDE] = "launched outside any operator",
		[TM_STACK_GRAPH_OUTSIDE] = "graph launched outside any operator",
	};

	return text[how];
}

/* ---- frames of a thread ---- */

/* Those that begin together come the longest first; of the same ends in the order of the External
 * ids, which count from the outermost, then of the labels. */
static void outermost_first(struct tm_intervals *s)
{
	for (size_t i = 0, k; i < s->n; i = k) {
		for (k = i + 1; k < s->n && tm_interval_start(s, k) == tm_interval_start(s, i);)
			k++;
		if (k == i + 1)
			continue;
		tm_intervals_reverse(s, i, k - i);
		for (size_t a = i, b; a < k; a = b) {
			for (b = a + 1; b < k && tm_interval_dur(s, b) == tm_interval_dur(s, a);)
				b++;
			tm_intervals_reverse(s, a, b - a);
		}
	}
}

static void link_frames(struct tm_intervals *s)
{
	for (size_t i = 0; i < s->n; i++) {
		uint32_t open = i ? (uint32_t)i - 1 : FRAME_NONE;

		while (open != FRAME_NONE && tm_interval_end(s, open) <= tm_interval_start(s, i))
			open = frame_below(s, open);
		tm_interval_set_tag(s, i, open);
	}
}

uint32_t tm_frames_last(const struct tm_intervals *s, uint64_t at)
{
	size_t lo = 0, hi = s->n;

	TM_BISECT(lo, hi, mid, tm_interval_start(s, mid) <= at);
	return lo ? (uint32_t)lo - 1 : FRAME_NONE;
}

/* Add those of a list of the thread from `frame` downwards that are open at that time, `itself`
 * whether it is or not. */
static void add_open(const struct tm_intervals *s, size_t thread, uint32_t frame, uint64_t at,
                     bool itself, struct tm_stack_place *out)
{
	unsigned left = 2 * TM_STACK_DEPTH;

	for (; frame != FRAME_NONE; frame = frame_below(s, frame), itself = false) {
		if (!left-- || out->n == TM_STACK_DEPTH) {
			out->deep = true;
			return;
		}
		if (itself || tm_interval_end(s, frame) > at)
			out->open[out->n++] = (struct tm_stack_frame) {
				(uint32_t)thread, frame, tm_interval_name(s, frame)
			};
	}
}

uint32_t tm_stack_around(const struct tm_stack *s, size_t thread, uint32_t i,
                         uint32_t around[TM_STACK_DEPTH], bool *deep)
{
	const struct tm_intervals *list = &s->thread[thread].frame[TM_STACK_FRAMES];
	uint64_t start = tm_interval_start(list, i), end = tm_interval_end(list, i);
	unsigned left = 2 * TM_STACK_DEPTH;
	uint32_t n = 0;

	for (i = frame_below(list, i); i != FRAME_NONE; i = frame_below(list, i)) {
		uint64_t to = tm_interval_end(list, i);

		if (!left-- || n == TM_STACK_DEPTH) {
			*deep = true;
			break;
		}
		if (to >= end && to > start &&
		    s->label[tm_interval_name(list, i)].kind == TM_STACK_ANNOTATION)
			around[n++] = i;
	}
	return n;
}

/* ---- of which process ---- */

/* May what a thread did belong to the operation? */
static bool fits(const struct tm_stack_rank *r, size_t thread, const struct tm_stack_op *op,
                 enum tm_process_of of)
{
	const struct tm_stack_thread *th = &r->s->thread[thread];

	return of == TM_PROCESS_ANY ||
	       (of == TM_PROCESS_OWN && tm_process_same(&r->s->whose, th->rank, op->has_pid,
	                                                op->pid, th->has_pid, th->pid));
}

/* Of which of those processes may be what launched it? */
static enum tm_process_of process_of(const struct tm_stack_rank *r,
                                     const struct tm_processes_seen *seen,
                                     const struct tm_stack_op *op)
{
	return tm_process_of(&r->s->whose, tm_stack_rank_of(r), seen, op->has_pid, op->pid);
}

/* ---- frames of several threads ---- */

/* As if of one thread: in the order of their starts, the longest first, and linked. */
struct tm_stack_shared {
	struct shared_frame {
		uint32_t thread, frame, below;
	} * v;
	size_t n;
};

static void shared_fini(struct tm_stack_shared *h)
{
	if (!h)
		return;
	free(h->v);
	free(h);
}

static bool is_shared(const struct tm_stack *s, const struct tm_intervals *list, size_t i)
{
	return tm_interval_dur(list, i) &&
	       (!s->o->annotations ||
	        s->label[tm_interval_name(list, i)].kind == TM_STACK_ANNOTATION);
}

static const struct tm_intervals *list_of(const struct tm_stack_rank *r,
                                          const struct shared_frame *f)
{
	return &r->s->thread[f->thread].frame[TM_STACK_FRAMES];
}

/* As link_frames does it for those of one thread. */
static void link_shared(const struct tm_stack_rank *r, struct tm_stack_shared *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct shared_frame *f = &h->v[i];
		uint64_t start = tm_interval_start(list_of(r, f), f->frame);

		f->below = i ? (uint32_t)i - 1 : FRAME_NONE;
		while (f->below != FRAME_NONE &&
		       tm_interval_end(list_of(r, &h->v[f->below]), h->v[f->below].frame) <= start)
			f->below = h->v[f->below].below;
	}
}

/* The last that begins not after that time; FRAME_NONE = none. */
static uint32_t last_shared(const struct tm_stack_rank *r, const struct tm_stack_shared *h,
                            uint64_t at)
{
	size_t lo = 0, hi = h->n;

	TM_BISECT(lo, hi, mid, tm_interval_start(list_of(r, &h->v[mid]), h->v[mid].frame) <= at);
	return lo ? (uint32_t)lo - 1 : FRAME_NONE;
}

/* Add those that are open at that time and may be the operation's. */
static void add_shared(const struct tm_stack_rank *r, const struct tm_stack_shared *h,
                       const struct tm_stack_op *op, uint64_t at, struct tm_stack_place *out)
{
	const enum tm_process_of of = h ? process_of(r, &r->all, op) : TM_PROCESS_NONE;
	uint32_t i = h ? last_shared(r, h, at) : FRAME_NONE;
	unsigned left = 2 * TM_STACK_DEPTH;

	for (; i != FRAME_NONE; i = h->v[i].below) {
		const struct shared_frame *f = &h->v[i];

		if (!left-- || out->n == TM_STACK_DEPTH) {
			out->deep = true;
			return;
		}
		if (tm_interval_end(list_of(r, f), f->frame) > at && fits(r, f->thread, op, of))
			out->open[out->n++] = (struct tm_stack_frame) {
				f->thread, f->frame, tm_interval_name(list_of(r, f), f->frame)
			};
	}
}

/* ---- External ids ---- */

/* Which ids the operations of a rank name. */
static bool ids_of(struct tm_id_set *ids, const struct tm_stack_rank *r)
{
	for (int pass = 0; pass < 2; pass++) {
		for (size_t t = r->track_from; t < r->track_to; t++) {
			const struct tm_words *e = &r->s->track[t].external;

			for (size_t i = 0; i < e->n; i++)
				(pass ? tm_id_set_add : tm_id_set_tell)(ids, tm_words_at(e, i));
		}
		if (!ids->n || (!pass && !tm_id_set_room(ids)))
			return !ids->n;
	}
	return true;
}

/* Of the same id and start the one of the first thread, the outermost. */
static int by_id(const void *pa, const void *pb, void *arg)
{
	const struct tm_stack_external *a = pa, *b = pb;
	uint64_t start_a, start_b;

	if (id_of(a) != id_of(b))
		return id_of(a) < id_of(b) ? -1 : 1;
	start_a = start_of(arg, a);
	start_b = start_of(arg, b);
	if (start_a != start_b)
		return start_a < start_b ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/* Room for all frames with an id, in one go: what grows is there twice for a moment. */
static bool make_room(struct tm_stack_rank *r, const struct tm_id_set *ids)
{
	uint64_t *before = calloc(r->thread_to - r->thread_from + 1, sizeof *before);
	size_t n = 0;

	r->frames = before;
	for (size_t t = r->thread_from; before && t < r->thread_to; t++, before++) {
		const struct tm_intervals *s = &r->s->thread[t].frame[TM_STACK_FRAMES];

		before[1] = before[0] + s->n;
		if (before[1] >= UINT32_MAX)
			return false;
		for (size_t i = 0; (ids->bit || r->s->o->one_by_one) && i < s->n; i++)
			n += tm_interval_tag(s, i) != 0;
	}
	r->external = tm_array(n + 1, sizeof *r->external);
	return r->frames && r->external;
}

/* The frames of a thread, still tagged with their ids, that operations name. */
static void note_externals(struct tm_stack_rank *r, const struct tm_id_set *ids, size_t thread)
{
	const struct tm_intervals *s = &r->s->thread[thread].frame[TM_STACK_FRAMES];
	uint64_t before = r->frames[thread - r->thread_from];

	for (size_t i = 0; (ids->bit || r->s->o->one_by_one) && i < s->n; i++) {
		uint64_t id = tm_interval_tag(s, i);

		if (!id || (ids->bit && !tm_id_set_has(ids, id)))
			continue;
		r->external[r->nexternal++] = (struct tm_stack_external) {
			.low = (uint32_t)id,
			.high = (uint32_t)(id >> 32),
			.frame = (uint32_t)(before + i)
		};
	}
}

/* ---- a rank ---- */

static uint64_t rank_of(const struct tm_stack *s, size_t thread, size_t track)
{
	uint64_t rank = UINT64_MAX;

	if (thread < s->nthread)
		rank = s->thread[thread].rank;
	if (track < s->ntrack && s->track[track].rank < rank)
		rank = s->track[track].rank;
	return rank;
}

uint64_t tm_stack_rank_of(const struct tm_stack_rank *r)
{
	return r->thread_from < r->thread_to ? r->s->thread[r->thread_from].rank
	                                     : r->s->track[r->track_from].rank;
}

static enum tm_stack_api api_of(const struct tm_stack_rank *r)
{
	for (size_t i = r->thread_from; i < r->thread_to; i++)
		if (r->s->thread[i].calls[TM_STACK_HIP])
			return TM_STACK_HIP;
	return TM_STACK_HSA;
}

static bool take_calls(struct tm_stack_rank *r, size_t thread, enum tm_stack_api api)
{
	struct tm_stack_thread *t = &r->s->thread[thread];
	const uint32_t name[] = { (uint32_t)thread << 1, (uint32_t)thread << 1 | 1 };

	for (int k = 0; k < TM_STACK_APIS; k++)
		if (k != (int)api)
			tm_intervals_fini(&t->call[k]);
	return tm_intervals_move(&r->calls, &t->call[api], name);
}

/* Sort what a thread did, and link its frames. */
static bool take_frames(struct tm_stack_rank *r, const struct tm_id_set *ids, size_t thread)
{
	struct tm_intervals *frame = r->s->thread[thread].frame;

	for (int k = 0; k < TM_STACK_LISTS; k++) {
		if (frame[k].n >= FRAME_NONE)
			return false;
		tm_intervals_sort(&frame[k], r->s->order);
		outermost_first(&frame[k]);
	}
	note_externals(r, ids, thread);
	for (int k = 0; k < TM_STACK_LISTS; k++)
		link_frames(&frame[k]);
	return true;
}

/* The frames of all threads, or of those that nobody knows.  False when out of memory. */
static bool share(struct tm_stack_rank *r, bool loose, struct tm_stack_shared **out)
{
	size_t threads = r->thread_to - r->thread_from, n = 0;
	const struct tm_intervals **list = calloc(threads + 1, sizeof(struct tm_intervals *));
	struct tm_stack_shared *h = calloc(1, sizeof *h);
	const struct tm_merged_list *next;
	struct tm_merged m = { 0 };
	bool ok = list && h;

	*out = h;
	for (size_t i = 0; ok && i < threads; i++) {
		const struct tm_stack_thread *t = &r->s->thread[r->thread_from + i];

		if (loose && t->has_tid)
			continue;
		list[i] = &t->frame[TM_STACK_FRAMES];
		for (size_t k = 0; k < list[i]->n; k++)
			n += is_shared(r->s, list[i], k);
	}
	ok = ok && n < FRAME_NONE && tm_merged_init(&m, list, threads, NULL);
	if (ok)
		h->v = calloc(n + 1, sizeof *h->v);
	ok = ok && h->v;
	for (; ok && (next = tm_merged_at(&m)); tm_merged_step(&m))
		if (is_shared(r->s, next->list, next->i))
			h->v[h->n++] = (struct shared_frame) { .thread = (uint32_t)(r->thread_from +
				                                                    next->number),
				                               .frame = (uint32_t)next->i };
	if (ok)
		link_shared(r, h);
	tm_merged_fini(&m);
	free(list);
	return ok;
}

static int by_tid(const void *pa, const void *pb, void *arg)
{
	const struct tm_stack_thread *t = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (t[a].tid != t[b].tid)
		return t[a].tid < t[b].tid ? -1 : 1;
	return (a > b) - (a < b);
}

/* Threads by their ids, for operations that name one. */
static bool order_threads(struct tm_stack_rank *r)
{
	r->by_tid = calloc(r->thread_to - r->thread_from + 1, sizeof *r->by_tid);
	if (!r->by_tid)
		return false;
	for (size_t i = r->thread_from; i < r->thread_to; i++)
		if (r->s->thread[i].has_tid)
			r->by_tid[r->ntid++] = (uint32_t)i;
	if (r->ntid)
		qsort_r(r->by_tid, r->ntid, sizeof *r->by_tid, by_tid, r->s->thread);
	return true;
}

bool tm_stack_rank_share(struct tm_stack_rank *r)
{
	return r->any || (share(r, false, &r->any) && order_threads(r));
}

/* Frames of no known thread are around whatever is launched. */
static bool share_loose(struct tm_stack_rank *r)
{
	for (size_t i = r->thread_from; i < r->thread_to; i++)
		if (!r->s->thread[i].has_tid && r->s->thread[i].frame[TM_STACK_FRAMES].n)
			return share(r, true, &r->loose);
	return true;
}

/* opts.in_order: sorted here, before several threads read the tracks. */
static void order_ops(struct tm_stack_rank *r)
{
	for (size_t i = r->track_from; r->s->o->in_order && !r->bare && i < r->track_to; i++)
		if (!r->s->track[i].has_external)
			tm_intervals_sort(&r->s->track[i].op, NULL);
}

/* As tm_stack_rank_next, of those that there are. */
static bool make_rank(struct tm_stack_rank *r, struct tm_stack *s, size_t at_thread,
                      size_t at_track)
{
	const uint64_t rank = rank_of(s, at_thread, at_track);
	struct tm_id_set ids = { 0 };
	enum tm_stack_api api;
	bool ok;

	*r = (struct tm_stack_rank) { .s = s,
		                      .thread_from = at_thread,
		                      .thread_to = at_thread,
		                      .track_from = at_track,
		                      .track_to = at_track,
		                      .home = { .words = 3 } };
	while (r->thread_to < s->nthread && s->thread[r->thread_to].rank == rank)
		r->thread_to++;
	while (r->track_to < s->ntrack && s->track[r->track_to].rank == rank)
		r->track_to++;
	api = api_of(r);
	ok = tm_stack_bare_look(r, api) && ids_of(&ids, r) && make_room(r, &ids);
	for (size_t i = r->thread_from; ok && i < r->thread_to; i++)
		ok = take_calls(r, i, api) && take_frames(r, &ids, i);
	tm_id_set_fini(&ids);
	if (ok) {
		order_ops(r);
		tm_intervals_sort_by_tag(&r->calls, NULL, NULL);
		/* They count from the outermost: those of one thread are mostly in order. */
		tm_sort_in_place(r->external, r->nexternal, sizeof *r->external, by_id, r);
	}
	return ok && share_loose(r) && (!s->o->pairs || tm_stack_pair(r));
}

/* Copy a rank that the lender keeps into *r; the first time it is made, and its calls leave the
 * lender's threads. */
static bool kept_rank(struct tm_stack_rank *r, struct tm_stack *of, size_t at_thread,
                      size_t at_track)
{
	size_t i = 0, end = of->nkept;

	TM_BISECT(i, end, mid,
	          of->kept[mid].thread_from + of->kept[mid].track_from < at_thread + at_track);
	if (i == of->nkept) {
		if (!tm_grow_array(&of->kept, &of->kept_cap, of->nkept + 1, sizeof *of->kept))
			return false;
		if (!make_rank(&of->kept[i], of, at_thread, at_track)) {
			tm_stack_rank_fini(&of->kept[i]);
			return false;
		}
		of->nkept++;
	}
	*r = of->kept[i];
	return true;
}

static bool borrow_rank(struct tm_stack_rank *r, struct tm_stack *s, size_t at_thread,
                        size_t at_track)
{
	struct tm_stack *of = s->lender;
	bool ok;

	*r = (struct tm_stack_rank) { .s = s, .lent = true };
	tm_stack_pool_lock(of);
	ok = kept_rank(r, of, at_thread, at_track);
	tm_stack_pool_unlock(of);
	if (!ok)
		return false;
	r->s = s;
	r->lent = true;
	/* Fewer frames may count here. */
	r->own_loose = r->loose && s->o->annotations != of->o->annotations;
	return !r->own_loose || share(r, true, &r->loose);
}

bool tm_stack_rank_next(struct tm_stack_rank *r, struct tm_stack *s, size_t *at_thread,
                        size_t *at_track, bool *done)
{
	bool ok;

	*r = (struct tm_stack_rank) { .s = s };
	*done = *at_thread >= s->nthread && *at_track >= s->ntrack;
	if (*done)
		return false;
	ok = (s->lender ? borrow_rank : make_rank)(r, s, *at_thread, *at_track);
	if (ok) {
		*at_thread = r->thread_to;
		*at_track = r->track_to;
	}
	return ok;
}

void tm_stack_rank_fini(struct tm_stack_rank *r)
{
	shared_fini(r->any);
	free(r->by_tid);
	if (r->own_loose)
		shared_fini(r->loose);
	if (!r->lent) {
		tm_intervals_fini(&r->calls);
		free(r->external);
		free(r->frames);
		free(r->forward);
		free(r->pairs);
		free(r->fits);
		tm_groups_fini(&r->home);
		tm_id_set_fini(&r->launched);
		free(r->sum);
		shared_fini(r->loose);
	}
	*r = (struct tm_stack_rank) { 0 };
}

/* ---- an operation ---- */

/* Of whom a call may be. */
struct asked {
	const struct tm_stack_rank *r;
	const struct tm_stack_op *op;
	enum tm_process_of of;
};

static bool fits_call(const void *arg, uint32_t name)
{
	const struct asked *a = arg;

	return fits(a->r, name >> 1, a->op, a->of);
}

/* The call of that id, looked for from *near on; SIZE_MAX = none. */
static size_t call_of(const struct tm_stack_rank *r, const struct tm_stack_op *op, size_t *near)
{
	const struct asked a = { r, op, process_of(r, &r->callers, op) };

	if (!op->corr || a.of == TM_PROCESS_NONE)
		return SIZE_MAX;
	*near = tm_tagged_before(&r->calls, *near, op->corr, op->start);
	return tm_tagged_choose(&r->calls, *near, op->corr, fits_call, &a);
}

/* Can an operation with the id of that frame belong to it? */
static bool may_name(const struct tm_stack_rank *r, const struct tm_stack_external *e,
                     const struct tm_stack_op *op, enum tm_process_of of)
{
	uint32_t frame;
	size_t thread = tm_stack_whose(r, r->frames, e->frame, &frame);

	return fits(r, thread, op, of) &&
	       (r->s->o->annotations ||
	        !tm_stack_is_mark(r->s, &r->s->thread[thread].frame[TM_STACK_FRAMES], frame));
}

/* The frame of its External id, chosen as a call is; NULL = none. */
static const struct tm_stack_external *external_of(const struct tm_stack_rank *r,
                                                   const struct tm_stack_op *op)
{
	const enum tm_process_of of = process_of(r, &r->all, op);
	size_t lo = 0, hi = r->nexternal;

	while (lo < hi) {
		const struct tm_stack_external *e = &r->external[lo + (hi - lo) / 2];

		uint64_t id = id_of(e);

		if (id < op->external || (id == op->external && start_of(r, e) <= op->start))
			lo = lo + (hi - lo) / 2 + 1;
		else
			hi = lo + (hi - lo) / 2;
	}
	for (size_t k = lo;
	     k && lo - k < TM_TAGGED_WALK && id_of(&r->external[k - 1]) == op->external; k--)
		if (may_name(r, &r->external[k - 1], op, of))
			return &r->external[k - 1];
	for (size_t k = lo;
	     k < r->nexternal && k - lo < TM_TAGGED_WALK && id_of(&r->external[k]) == op->external;
	     k++)
		if (may_name(r, &r->external[k], op, of))
			return &r->external[k];
	return NULL;
}

void tm_stack_at(const struct tm_stack_rank *r, size_t thread, uint64_t at,
                 struct tm_stack_place *out)
{
	const struct tm_intervals *s = &r->s->thread[thread].frame[TM_STACK_FRAMES];

	out->n = 0;
	out->graph = out->unshared = false;
	out->thread = thread;
	out->how = TM_STACK_BY_CALL;
	out->at = at;
	out->frame = tm_frames_last(s, at);
	add_open(s, thread, out->frame, at, false, out);
}

/* The thread that an operation names: that of its process, as far as processes are known; SIZE_MAX
 * = none.  *several: it may be one or another. */
static size_t named_thread(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                           bool *several)
{
	const struct tm_stack_thread *t = r->s->thread;
	const enum tm_process_of of = process_of(r, &r->all, op);
	size_t lo = 0, hi = r->ntid, found = SIZE_MAX;

	*several = false;
	TM_BISECT(lo, hi, mid, t[r->by_tid[mid]].tid < op->tid);
	for (; lo < r->ntid && t[r->by_tid[lo]].tid == op->tid && !*several; lo++) {
		if (!fits(r, r->by_tid[lo], op, of))
			continue;
		*several = found != SIZE_MAX;
		found = r->by_tid[lo];
	}
	return found;
}

/* What is open on a thread, SIZE_MAX = none, at that time, and on those that nobody knows. */
static void open_on(const struct tm_stack_rank *r, const struct tm_stack_op *op, size_t thread,
                    uint64_t at, struct tm_stack_place *out)
{
	out->at = at;
	out->thread = thread;
	out->frame = FRAME_NONE;
	if (thread != SIZE_MAX) {
		const struct tm_intervals *s = &r->s->thread[thread].frame[TM_STACK_FRAMES];

		out->frame = tm_frames_last(s, at);
		add_open(s, thread, out->frame, at, false, out);
	}
	add_shared(r, r->loose, op, at, out);
}

/* What is open at that time where the thread is not known but by the operation, whose thread is
 * kept by_time alone: a store that is shared with such a question keeps it for others, too. */
static void open_then(const struct tm_stack_rank *r, const struct tm_stack_op *op, uint64_t at,
                      struct tm_stack_place *out)
{
	const bool named = op->has_tid && r->s->o->by_time;
	bool several = !named;
	size_t thread = SIZE_MAX;

	out->unshared = !r->any;
	if (named && r->any)
		thread = named_thread(r, op, &several);
	if (!several) {
		open_on(r, op, thread, at, out);
		return;
	}
	out->at = at;
	out->thread = SIZE_MAX;
	out->frame = FRAME_NONE;
	add_shared(r, r->any, op, at, out);
}

/* Where nothing else is open, functions of Python are. */
static void open_functions(const struct tm_stack_rank *r, struct tm_stack_place *out)
{
	const struct tm_intervals *s;

	if (out->n || out->thread == SIZE_MAX || r->s->o->annotations)
		return;
	s = &r->s->thread[out->thread].frame[TM_STACK_FUNCTIONS];
	add_open(s, out->thread, tm_frames_last(s, out->at), out->at, false, out);
	if (out->n)
		out->how = TM_STACK_BY_FUNCTION;
}

void tm_stack_find_op(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                      struct tm_stack_place *out)
{
	const struct tm_stack_external *e;
	size_t call, thread;

	if (r->bare) {
		tm_stack_bare_find(r, op->has_pid, op->pid, op->corr, out);
		return;
	}
	e = op->external ? external_of(r, op) : NULL;
	out->n = 0;
	out->graph = out->unshared = false;
	if (e) {
		const struct tm_intervals *s;

		out->how = TM_STACK_BY_EXTERNAL;
		out->thread = tm_stack_whose(r, r->frames, e->frame, &out->frame);
		s = &r->s->thread[out->thread].frame[TM_STACK_FRAMES];
		out->at = tm_interval_start(s, out->frame);
		add_open(s, out->thread, out->frame, out->at, true, out);
		add_shared(r, r->loose, op, out->at, out);
		return;
	}
	call = call_of(r, op, &out->near);
	if (call == SIZE_MAX) {
		out->how = TM_STACK_NO_LAUNCH;
		if (r->s->o->by_time)
			open_then(r, op, op->start, out);
		out->how = out->n ? TM_STACK_BY_TIME : TM_STACK_NO_LAUNCH;
		return;
	}
	thread = tm_interval_name(&r->calls, call) >> 1;
	out->graph = tm_interval_name(&r->calls, call) & 1;
	out->how = TM_STACK_BY_CALL;
	if (r->s->thread[thread].has_tid)
		open_on(r, op, thread, tm_interval_start(&r->calls, call), out);
	else
		open_then(r, op, tm_interval_start(&r->calls, call), out);
	open_functions(r, out);
	if (!out->n)
		out->how = out->graph ? TM_STACK_GRAPH_OUTSIDE : TM_STACK_OUTSIDE;
}

void tm_stack_find_start(const struct tm_stack_rank *r, const struct tm_stack_op *op,
                         struct tm_stack_place *out)
{
	out->n = 0;
	out->graph = out->unshared = false;
	out->how = TM_STACK_BY_TIME;
	open_then(r, op, op->start, out);
}

/* As tm_stack_find, of a rank that has more to say. */
static bool find(struct tm_stack_rank *r, const struct tm_stack_track *t, size_t i,
                 struct tm_stack_place *out)
{
	const struct tm_stack_op op = {
		.pid = t->pid,
		.has_pid = t->has_pid,
		.tid = t->tid,
		.has_tid = t->has_tid,
		.external = t->has_external ? tm_words_at(&t->external, i) : 0,
		.corr = tm_interval_tag(&t->op, i),
		.start = tm_interval_start(&t->op, i),
	};

	tm_stack_find_op(r, &op, out);
	if (!out->unshared)
		return true;
	if (!tm_stack_rank_share(r))
		return false;
	tm_stack_find_op(r, &op, out);
	return true;
}

bool tm_stack_find(struct tm_stack_rank *r, const struct tm_stack_track *t, size_t i,
                   struct tm_stack_place *out)
{
	if (!r->bare)
		return find(r, t, i, out);
	tm_stack_bare_find(r, t->has_pid, t->pid, tm_interval_tag(&t->op, i), out);
	return true;
}
