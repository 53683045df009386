/* SPDX-License-Identifier: MIT
 * Whole paths: frames and functions together, and backward operators where the forward ones are. */
#include "base/base.h"
#include "stack/frames.h"

#include <stdlib.h>

/* An operator that another may be the backward one of. */
struct forward {
	uint64_t sequence, start;
	size_t thread;
};

static struct forward forward_at(const struct tm_stack_rank *r, uint32_t number)
{
	uint32_t at;
	size_t thread = tm_stack_whose(r, r->pairs, number, &at);
	const struct tm_intervals *s = &r->s->thread[thread].pair;

	return (struct forward) { tm_interval_tag(s, at), tm_interval_start(s, at), thread };
}

static int by_sequence(const void *pa, const void *pb, void *arg)
{
	uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;
	const struct forward a = forward_at(arg, x), b = forward_at(arg, y);

	if (a.sequence != b.sequence)
		return a.sequence < b.sequence ? -1 : 1;
	/* By thread, then by start. */
	return (x > y) - (x < y);
}

/* The forward operators of that number: [from, to). */
static void find_sequence(const struct tm_stack_rank *r, uint64_t sequence, size_t *from,
                          size_t *to)
{
	size_t lo = 0, hi = r->nforward;

	TM_BISECT(lo, hi, mid, forward_at(r, r->forward[mid]).sequence < sequence);
	*from = *to = lo;
	while (*to < r->nforward && forward_at(r, r->forward[*to]).sequence == sequence)
		++*to;
}

static bool same_process(const struct tm_stack_rank *r, size_t a, size_t b)
{
	const struct tm_stack_thread *x = &r->s->thread[a], *y = &r->s->thread[b];

	return x->has_pid == y->has_pid && x->pid == y->pid;
}

/* The thread of all of them that are in the process of a thread; SIZE_MAX = several, or none. */
static size_t only_thread(const struct tm_stack_rank *r, size_t thread, size_t from, size_t to)
{
	size_t only = SIZE_MAX;

	for (size_t i = from; i < to; i++) {
		size_t of = forward_at(r, r->forward[i]).thread;

		if (!same_process(r, thread, of))
			continue;
		if (only != SIZE_MAX && only != of)
			return SIZE_MAX;
		only = of;
	}
	return only;
}

static bool note_forwards(struct tm_stack_rank *r)
{
	uint64_t *before = calloc(r->thread_to - r->thread_from + 1, sizeof *before);
	size_t n = 0;

	r->pairs = before;
	for (size_t t = r->thread_from; before && t < r->thread_to; t++, before++) {
		struct tm_intervals *s = &r->s->thread[t].pair;

		before[1] = before[0] + s->n;
		if (before[1] >= UINT32_MAX)
			return false;
		tm_intervals_sort(s, NULL);
		for (size_t i = 0; i < s->n; i++)
			n += !tm_interval_name(s, i);
	}
	r->forward = tm_array(n + 1, sizeof *r->forward);
	if (!r->pairs || !r->forward)
		return false;
	for (size_t t = r->thread_from; t < r->thread_to; t++) {
		const struct tm_intervals *s = &r->s->thread[t].pair;

		for (size_t i = 0; i < s->n; i++)
			if (!tm_interval_name(s, i))
				r->forward[r->nforward++] =
				        (uint32_t)(r->pairs[t - r->thread_from] + i);
	}
	tm_sort_in_place(r->forward, r->nforward, sizeof *r->forward, by_sequence, r);
	return true;
}

bool tm_stack_pair(struct tm_stack_rank *r)
{
	size_t cap = 0;

	if (!note_forwards(r))
		return false;
	for (size_t t = r->thread_from; t < r->thread_to; t++) {
		const struct tm_intervals *s = &r->s->thread[t].pair;

		for (size_t i = 0; i < s->n; i++) {
			uint64_t key[] = { r->s->thread[t].pid, tm_interval_name(s, i), 0 };
			size_t from, to, only;
			bool fresh;
			uint32_t g;

			if (!key[1])
				continue;
			find_sequence(r, tm_interval_tag(s, i), &from, &to);
			only = only_thread(r, t, from, to);
			if (only == SIZE_MAX)
				continue;
			key[2] = only;
			g = tm_groups_item(&r->home, key, &r->fits, &cap, sizeof *r->fits, &fresh);
			if (g == TM_GROUP_NONE)
				return false;
			r->fits[g]++;
		}
	}
	return true;
}

/* The forward operator of a backward one on that thread; false = not known. */
static bool forward_of(const struct tm_stack_rank *r, size_t thread, uint64_t sequence, uint32_t id,
                       struct forward *best)
{
	uint64_t most = 0;
	bool tie = false;
	size_t from, to;

	find_sequence(r, sequence, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct forward f = forward_at(r, r->forward[i]);
		const uint64_t key[] = { r->s->thread[thread].pid, id, f.thread };
		uint32_t g = tm_groups_find(&r->home, key);
		uint64_t fits = g == TM_GROUP_NONE ? 0 : r->fits[g];

		if (!fits || !same_process(r, thread, f.thread) || fits < most)
			continue;
		/* Of one thread the latest; of threads that fit equally well nobody knows. */
		tie = fits == most && (tie || best->thread != f.thread);
		*best = f;
		most = fits;
	}
	return most && !tie;
}

/* ---- paths ---- */

struct step {
	uint64_t start, end;
	uint32_t label, place;
	enum tm_stack_kind kind;
};

struct steps {
	struct step v[3 * TM_STACK_DEPTH];
	size_t n;
};

static int outermost_first(const void *pa, const void *pb)
{
	const struct step *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	/* Functions are around frames of the same ends. */
	if ((a->kind == TM_STACK_PYTHON) != (b->kind == TM_STACK_PYTHON))
		return a->kind == TM_STACK_PYTHON ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The open ones of a list, from `frame` downwards. */
static void add(struct steps *o, const struct tm_stack *s, const struct tm_intervals *list,
                uint32_t frame, uint64_t at, bool itself)
{
	size_t room = o->n + TM_STACK_DEPTH;
	unsigned left = 2 * TM_STACK_DEPTH;

	for (; frame != FRAME_NONE && left-- && o->n < room; frame = frame_below(list, frame)) {
		uint32_t label = tm_interval_name(list, frame);

		if (itself || tm_interval_end(list, frame) > at)
			o->v[o->n++] = (struct step) { .start = tm_interval_start(list, frame),
				                       .end = tm_interval_end(list, frame),
				                       .label = label,
				                       .place = frame,
				                       .kind = s->label[label].kind };
		itself = false;
	}
}

static void add_functions(struct steps *o, const struct tm_stack *s, size_t thread, uint64_t at)
{
	const struct tm_intervals *list = &s->thread[thread].frame[TM_STACK_FUNCTIONS];

	add(o, s, list, tm_frames_last(list, at), at, false);
}

/* The forward operator of a step; false = it is no backward one. */
static bool forward_of_step(const struct tm_stack_rank *r, size_t thread, const struct step *step,
                            struct forward *f)
{
	const struct tm_intervals *s = &r->s->thread[thread].pair;
	uint32_t i = step->kind == TM_STACK_OPERATOR ? tm_frames_last(s, step->start) : FRAME_NONE;

	for (; i != FRAME_NONE && tm_interval_start(s, i) == step->start; i--) {
		if (tm_interval_end(s, i) == step->end && tm_interval_name(s, i))
			return forward_of(r, thread, tm_interval_tag(s, i), tm_interval_name(s, i),
			                  f);
		if (!i)
			break;
	}
	return false;
}

static void put_steps(struct tm_stack_path *out, const struct steps *o, bool operators)
{
	for (size_t i = 0; i < o->n; i++)
		if (operators || o->v[i].kind != TM_STACK_OPERATOR)
			out->label[out->n++] = o->v[i].label;
}

/* Frames of other threads: of those that nobody knows. */
static void add_others(struct steps *o, const struct tm_stack *s, const struct tm_stack_place *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct tm_stack_frame *f = &p->open[i];
		const struct tm_intervals *list = &s->thread[f->thread].frame[TM_STACK_FRAMES];

		if (f->thread != p->thread)
			o->v[o->n++] = (struct step) { .start = tm_interval_start(list, f->frame),
				                       .end = tm_interval_end(list, f->frame),
				                       .label = f->label,
				                       .place = f->frame,
				                       .kind = s->label[f->label].kind };
	}
}

void tm_stack_path(const struct tm_stack_rank *r, const struct tm_stack_place *p,
                   struct tm_stack_path *out)
{
	const struct tm_stack *s = r->s;
	struct forward f;
	bool backward = false;
	const struct tm_intervals *frames;
	struct steps own, before; /* large: what is not used stays as it is */

	own.n = before.n = out->n = 0;
	if (p->thread != SIZE_MAX) {
		frames = &s->thread[p->thread].frame[TM_STACK_FRAMES];
		add(&own, s, frames, p->frame, p->at, p->how == TM_STACK_BY_EXTERNAL);
		add_functions(&own, s, p->thread, p->at);
	}
	add_others(&own, s, p);
	qsort(own.v, own.n, sizeof *own.v, outermost_first);
	for (size_t i = 0; p->thread != SIZE_MAX && i < own.n && !backward; i++)
		backward = forward_of_step(r, p->thread, &own.v[i], &f);
	out->backward = backward;
	if (backward) {
		frames = &s->thread[f.thread].frame[TM_STACK_FRAMES];
		add(&before, s, frames, tm_frames_last(frames, f.start), f.start, false);
		add_functions(&before, s, f.thread, f.start);
		qsort(before.v, before.n, sizeof *before.v, outermost_first);
		put_steps(out, &before, false);
	}
	put_steps(out, &own, true);
}

/* ---- texts ---- */

bool tm_stack_label_text(const struct tm_stack *s, uint32_t label, struct tm_buf *out)
{
	const struct tm_stack_label *l = &s->label[label];
	const struct tm_name *nm = &s->names.v[l->name];

	if (l->kind == TM_STACK_ANNOTATION)
		return tm_fold(out, nm->text, nm->len);
	tm_buf_clear(out);
	return tm_buf_add(out, nm->text, nm->len);
}
