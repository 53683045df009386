/* SPDX-License-Identifier: MIT */
#include "stack/bare.h"

#include <stdlib.h>

/* Has any of its threads a frame, or are they of several processes? */
static bool has_frames(const struct tm_stack_rank *r)
{
	const struct tm_stack_thread *t = r->s->thread;

	for (size_t i = r->thread_from; i < r->thread_to; i++)
		if (t[i].frame[TM_STACK_FRAMES].n || t[i].frame[TM_STACK_FUNCTIONS].n ||
		    tm_known_cmp(t[i].has_pid, t[i].pid, t[r->thread_from].has_pid,
		                 t[r->thread_from].pid))
			return true;
	return false;
}

/* The calls of one thread, by their ids: told and added.  False: one is of a graph. */
static bool tell_calls(struct tm_stack_rank *r, const struct tm_intervals *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (tm_interval_name(s, i))
			return false;
		tm_id_set_tell(&r->launched, tm_interval_tag(s, i));
	}
	return true;
}

static void add_calls(struct tm_stack_rank *r, struct tm_intervals *s)
{
	for (size_t i = 0; i < s->n; i++)
		tm_id_set_add(&r->launched, tm_interval_tag(s, i));
	tm_intervals_fini(s);
}

/* Can calls of that process have launched operations of this one? */
static bool may_launch(const struct tm_stack_rank *r, bool has_pid, uint64_t pid)
{
	return r->launched.n &&
	       tm_process_of(&r->s->whose, 0, &r->callers, has_pid, pid) == TM_PROCESS_ANY;
}

static enum tm_stack_how how_of(const struct tm_stack_rank *r, bool may, uint64_t corr)
{
	return may && tm_id_set_has(&r->launched, corr) ? TM_STACK_OUTSIDE : TM_STACK_NO_LAUNCH;
}

/* Each name has a sum for either answer there is. */
enum { HOWS = 2 };
_Static_assert(TM_STACK_OUTSIDE == TM_STACK_NO_LAUNCH + 1, "they are next to each other");

/* The sum of a name, made if new; NULL when out of memory. */
static struct tm_stack_sum *sum_of(struct tm_stack_rank *r, size_t *cap, uint32_t name,
                                   enum tm_stack_how how)
{
	uint32_t *at = &r->s->sum_at[(size_t)name * HOWS + (how - TM_STACK_NO_LAUNCH)];

	if (*at)
		return &r->sum[*at - 1];
	if (!tm_grow_array(&r->sum, cap, r->nsum + 1, sizeof *r->sum))
		return NULL;
	r->sum[r->nsum] = (struct tm_stack_sum) { .name = name, .how = how };
	*at = (uint32_t)++r->nsum;
	return &r->sum[r->nsum - 1];
}

static bool add_track(struct tm_stack_rank *r, const struct tm_stack_track *t, size_t *cap)
{
	const bool may = may_launch(r, t->has_pid, t->pid);

	for (size_t i = 0; i < t->op.n; i++) {
		struct tm_stack_sum *sum = sum_of(r, cap, tm_interval_name(&t->op, i),
		                                  how_of(r, may, tm_interval_tag(&t->op, i)));

		if (!sum)
			return false;
		sum->n++;
		sum->ns += tm_interval_dur(&t->op, i);
	}
	return true;
}

/* Fill in `sum`.  Of many ranks each has few of all the names, so that what is looked up by name is
 * there once, and what a rank wrote in it is cleared. */
static bool add_up(struct tm_stack_rank *r)
{
	struct tm_stack *s = r->s;
	size_t cap = 0;
	bool ok;

	if (!s->sum_at)
		s->sum_at = calloc((size_t)s->names.n + 1, HOWS * sizeof *s->sum_at);
	ok = s->sum_at != NULL;
	for (size_t i = r->track_from; ok && i < r->track_to; i++)
		ok = add_track(r, &s->track[i], &cap);
	for (size_t i = 0; i < r->nsum; i++)
		s->sum_at[(size_t)r->sum[i].name * HOWS + (r->sum[i].how - TM_STACK_NO_LAUNCH)] = 0;
	return ok;
}

bool tm_stack_bare_look(struct tm_stack_rank *r, enum tm_stack_api api)
{
	struct tm_stack_thread *t = r->s->thread;
	bool bare = !has_frames(r);

	for (size_t i = r->thread_from; i < r->thread_to; i++) {
		tm_processes_see(&r->all, t[i].has_pid, t[i].pid);
		if (t[i].calls[api])
			tm_processes_see(&r->callers, t[i].has_pid, t[i].pid);
	}

	for (size_t i = r->thread_from; bare && i < r->thread_to; i++)
		bare = tell_calls(r, &t[i].call[api]);
	if (bare && r->launched.n && !tm_id_set_room(&r->launched))
		return false;
	r->bare = bare && !r->launched.shift;
	if (!r->bare)
		tm_id_set_fini(&r->launched);
	for (size_t i = r->thread_from; r->bare && i < r->thread_to; i++)
		add_calls(r, &t[i].call[api]);
	return !r->bare || !r->s->o->sums || add_up(r);
}

void tm_stack_bare_find(const struct tm_stack_rank *r, bool has_pid, uint64_t pid, uint64_t corr,
                        struct tm_stack_place *out)
{
	out->n = 0;
	out->graph = out->unshared = false;
	out->thread = SIZE_MAX;
	out->how = how_of(r, may_launch(r, has_pid, pid), corr);
}
