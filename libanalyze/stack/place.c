/* SPDX-License-Identifier: MIT
 * Where the operations of one rank belong. */
#include "base/base.h"
#include "stack/frames.h"

#include <stdlib.h>
#include <string.h>

/* So many calls or frames of one id are looked at: a crafted trace takes no longer than others. */
enum { WALK = 1024 };

/* A frame that operations name. */
struct tm_stack_external {
	uint64_t id, start;
	uint32_t thread, frame;
};

const char *tm_stack_how_text(enum tm_stack_how how)
{
	static const char *const text[TM_STACK_HOWS] = {
		[TM_STACK_BY_EXTERNAL] = "by External id",
		[TM_STACK_BY_CALL] = "by the call that launched it",
		[TM_STACK_BY_FUNCTION] = "by the call that launched it, from Python only",
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

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tm_interval_start(s, mid) <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? (uint32_t)lo - 1 : FRAME_NONE;
}

/* Add those from `frame` downwards that are open at that time, `itself` whether it is or not. */
static void add_open(const struct tm_intervals *s, uint32_t frame, uint64_t at, bool itself,
                     struct tm_stack_place *out)
{
	unsigned left = 2 * TM_STACK_DEPTH;

	for (; frame != FRAME_NONE; frame = frame_below(s, frame), itself = false) {
		if (!left-- || out->n == TM_STACK_DEPTH) {
			out->deep = true;
			return;
		}
		if (itself || tm_interval_end(s, frame) > at)
			out->label[out->n++] = tm_interval_name(s, frame);
	}
}

/* ---- External ids ---- */

/* Which ids the operations of a rank name: a bit for each hash, so that a few others pass. */
struct ids {
	uint64_t *bit;
	unsigned shift;
	const struct tm_hash *hash;
};

static uint64_t bit_of(const struct ids *ids, uint64_t id)
{
	return tm_hash_word(ids->hash, id) >> ids->shift;
}

static bool ids_of(struct ids *ids, const struct tm_stack_rank *r)
{
	unsigned bits = 6;
	size_t n = 0;

	for (size_t t = r->track_from; t < r->track_to; t++)
		n += r->s->track[t].external.n;
	while (n > (UINT64_C(1) << bits) / 8)
		bits++;
	*ids = (struct ids) { .shift = 64 - bits, .hash = tm_hash_own() };
	if (!n)
		return true;
	ids->bit = calloc((size_t)1 << (bits - 6), sizeof *ids->bit);
	for (size_t t = r->track_from; ids->bit && t < r->track_to; t++) {
		const struct tm_intervals *e = &r->s->track[t].external;

		for (size_t i = 0; i < e->n; i++) {
			uint64_t b = bit_of(ids, tm_interval_start(e, i));

			ids->bit[b / 64] |= UINT64_C(1) << b % 64;
		}
	}
	return ids->bit != NULL;
}

/* Of the same id and start the one of the first thread, the outermost. */
static int by_id(const void *pa, const void *pb)
{
	const struct tm_stack_external *a = pa, *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/* The frames of a thread, still tagged with their ids, that operations name. */
static bool note_externals(struct tm_stack_rank *r, size_t *cap, const struct ids *ids,
                           size_t thread)
{
	const struct tm_intervals *s = &r->s->thread[thread].frame[TM_STACK_FRAMES];

	for (size_t i = 0; ids->bit && i < s->n; i++) {
		uint64_t id = tm_interval_tag(s, i), b = bit_of(ids, id);

		if (!id || !(ids->bit[b / 64] >> b % 64 & 1))
			continue;
		if (!tm_grow_array(&r->external, cap, r->nexternal + 1, sizeof *r->external))
			return false;
		r->external[r->nexternal++] = (struct tm_stack_external) {
			.id = id,
			.start = tm_interval_start(s, i),
			.thread = (uint32_t)thread,
			.frame = (uint32_t)i
		};
	}
	return true;
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
static bool take_frames(struct tm_stack_rank *r, size_t *cap, const struct ids *ids, size_t thread)
{
	struct tm_intervals *frame = r->s->thread[thread].frame;

	for (int k = 0; k < TM_STACK_LISTS; k++) {
		if (frame[k].n >= FRAME_NONE)
			return false;
		tm_intervals_sort(&frame[k], r->s->order);
		outermost_first(&frame[k]);
	}
	if (!note_externals(r, cap, ids, thread))
		return false;
	for (int k = 0; k < TM_STACK_LISTS; k++)
		link_frames(&frame[k]);
	return true;
}

bool tm_stack_rank_next(struct tm_stack_rank *r, struct tm_stack *s, size_t *at_thread,
                        size_t *at_track, bool *done)
{
	const uint64_t rank = rank_of(s, *at_thread, *at_track);
	struct ids ids = { 0 };
	enum tm_stack_api api;
	size_t cap = 0;
	bool ok;

	*r = (struct tm_stack_rank) {
		.s = s, .thread_from = *at_thread, .track_from = *at_track, .home = { .words = 3 }
	};
	*done = *at_thread >= s->nthread && *at_track >= s->ntrack;
	if (*done)
		return false;
	while (*at_thread < s->nthread && s->thread[*at_thread].rank == rank)
		++*at_thread;
	while (*at_track < s->ntrack && s->track[*at_track].rank == rank)
		++*at_track;
	r->thread_to = *at_thread;
	r->track_to = *at_track;
	api = api_of(r);
	ok = ids_of(&ids, r);
	for (size_t i = r->thread_from; ok && i < r->thread_to; i++)
		ok = take_calls(r, i, api) && take_frames(r, &cap, &ids, i);
	free(ids.bit);
	if (ok) {
		tm_intervals_sort_by_tag(&r->calls, NULL, NULL);
		if (r->nexternal)
			qsort(r->external, r->nexternal, sizeof *r->external, by_id);
	}
	return ok && (!s->o->pairs || tm_stack_pair(r));
}

void tm_stack_rank_fini(struct tm_stack_rank *r)
{
	tm_intervals_fini(&r->calls);
	free(r->external);
	free(r->forward);
	free(r->fits);
	tm_groups_fini(&r->home);
	*r = (struct tm_stack_rank) { 0 };
}

/* ---- an operation ---- */

/* Has the rank calls of this track's process?  Then only those count for its operations. */
static bool has_process(const struct tm_stack_rank *r, const struct tm_stack_track *t)
{
	size_t lo = r->thread_from, hi = r->thread_to;

	/* In order of processes, those of no known one first. */
	while (lo < hi) {
		const struct tm_stack_thread *th = &r->s->thread[lo + (hi - lo) / 2];

		if (!th->has_pid || th->pid < t->pid)
			lo = lo + (hi - lo) / 2 + 1;
		else
			hi = lo + (hi - lo) / 2;
	}
	return t->has_pid && lo < r->thread_to && r->s->thread[lo].pid == t->pid;
}

static bool fits(const struct tm_stack_rank *r, size_t thread, const struct tm_stack_track *t,
                 bool only)
{
	const struct tm_stack_thread *th = &r->s->thread[thread];

	return !only || (th->has_pid && th->pid == t->pid);
}

/* The call of that id: the last that starts not after the operation, else the first; SIZE_MAX =
 * none. */
static size_t call_of(const struct tm_stack_rank *r, const struct tm_stack_track *t, uint64_t corr,
                      uint64_t start)
{
	const struct tm_intervals *v = &r->calls;
	bool only = has_process(r, t);
	size_t lo = 0, hi = v->n;

	while (corr && lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		uint64_t tag = tm_interval_tag(v, mid);

		if (tag < corr || (tag == corr && tm_interval_start(v, mid) <= start))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!corr)
		return SIZE_MAX;
	for (size_t k = lo; k && lo - k < WALK && tm_interval_tag(v, k - 1) == corr; k--)
		if (fits(r, tm_interval_name(v, k - 1) >> 1, t, only))
			return k - 1;
	for (size_t k = lo; k < v->n && k - lo < WALK && tm_interval_tag(v, k) == corr; k++)
		if (fits(r, tm_interval_name(v, k) >> 1, t, only))
			return k;
	return SIZE_MAX;
}

/* The frame of that External id, chosen as a call is; NULL = none. */
static const struct tm_stack_external *external_of(const struct tm_stack_rank *r,
                                                   const struct tm_stack_track *t, uint64_t id,
                                                   uint64_t start)
{
	bool only = has_process(r, t);
	size_t lo = 0, hi = r->nexternal;

	while (lo < hi) {
		const struct tm_stack_external *e = &r->external[lo + (hi - lo) / 2];

		if (e->id < id || (e->id == id && e->start <= start))
			lo = lo + (hi - lo) / 2 + 1;
		else
			hi = lo + (hi - lo) / 2;
	}
	for (size_t k = lo; k && lo - k < WALK && r->external[k - 1].id == id; k--)
		if (fits(r, r->external[k - 1].thread, t, only))
			return &r->external[k - 1];
	for (size_t k = lo; k < r->nexternal && k - lo < WALK && r->external[k].id == id; k++)
		if (fits(r, r->external[k].thread, t, only))
			return &r->external[k];
	return NULL;
}

void tm_stack_at(const struct tm_stack_rank *r, size_t thread, uint64_t at,
                 struct tm_stack_place *out)
{
	const struct tm_intervals *frame = r->s->thread[thread].frame;

	out->n = 0;
	out->thread = thread;
	out->how = TM_STACK_BY_CALL;
	out->at = at;
	out->frame = tm_frames_last(&frame[TM_STACK_FRAMES], at);
	add_open(&frame[TM_STACK_FRAMES], out->frame, at, false, out);
}

void tm_stack_find(const struct tm_stack_rank *r, const struct tm_stack_track *t, size_t i,
                   struct tm_stack_place *out)
{
	uint64_t start = tm_interval_start(&t->op, i), at;
	const struct tm_stack_external *e =
	        t->has_external ? external_of(r, t, tm_interval_start(&t->external, i), start)
	                        : NULL;
	const struct tm_intervals *frame;
	size_t call;

	out->n = 0;
	if (e) {
		out->how = TM_STACK_BY_EXTERNAL;
		out->thread = e->thread;
		out->at = e->start;
		out->frame = e->frame;
		frame = r->s->thread[e->thread].frame;
		add_open(&frame[TM_STACK_FRAMES], e->frame, e->start, true, out);
		return;
	}
	call = call_of(r, t, tm_interval_tag(&t->op, i), start);
	if (call == SIZE_MAX) {
		out->how = TM_STACK_NO_LAUNCH;
		return;
	}
	at = tm_interval_start(&r->calls, call);
	tm_stack_at(r, tm_interval_name(&r->calls, call) >> 1, at, out);
	if (out->n)
		return;
	frame = r->s->thread[out->thread].frame;
	out->how = TM_STACK_BY_FUNCTION;
	add_open(&frame[TM_STACK_FUNCTIONS], tm_frames_last(&frame[TM_STACK_FUNCTIONS], at), at,
	         false, out);
	if (!out->n)
		out->how = tm_interval_name(&r->calls, call) & 1 ? TM_STACK_GRAPH_OUTSIDE
		                                                 : TM_STACK_OUTSIDE;
}
