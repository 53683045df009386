/* SPDX-License-Identifier: MIT
 * What was read, in an order that does not depend on the order of input. */
#include "base/base.h"
#include "stack/pool.h"
#include "stack/thread.h"

#include <stdlib.h>

static int by_thread(const void *pa, const void *pb)
{
	const struct tm_stack_thread *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_known_cmp(a->has_pid, a->pid, b->has_pid, b->pid);
	return c ? c : tm_known_cmp(a->has_tid, a->tid, b->has_tid, b->tid);
}

static int by_track(const void *pa, const void *pb)
{
	const struct tm_stack_track *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_known_cmp(a->has_pid, a->pid, b->has_pid, b->pid);
	if (!c)
		c = tm_known_cmp(a->has_tid, a->tid, b->has_tid, b->tid);
	if (!c)
		c = tm_u64_cmp(a->has_external, b->has_external);
	if (!c)
		c = tm_u64_cmp(a->copies, b->copies);
	if (!c)
		c = tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent);
	if (!c)
		c = tm_known_cmp(a->has_queue, a->queue, b->has_queue, b->queue);
	return c ? c : tm_known_cmp(a->has_stream, a->stream, b->has_stream, b->stream);
}

/* None before others. */
static int by_text(const struct tm_stack *s, uint32_t a, uint32_t b)
{
	bool some_a = a != TM_NAME_NONE, some_b = b != TM_NAME_NONE;

	return some_a != some_b ? some_a - some_b
	       : some_a         ? tm_name_cmp(&s->names.v[a], &s->names.v[b])
	                        : 0;
}

/* Of frames with the same ends annotations are outside, so their labels come first. */
static int by_label(const void *pa, const void *pb, void *arg)
{
	const struct tm_stack *s = arg;
	const struct tm_stack_label *a = &s->label[*(const uint32_t *)pa],
	                            *b = &s->label[*(const uint32_t *)pb];
	bool inner_a = a->kind == TM_STACK_OPERATOR, inner_b = b->kind == TM_STACK_OPERATOR;
	int c;

	if (inner_a != inner_b)
		return inner_a ? 1 : -1;
	c = tm_name_cmp(&s->names.v[a->name], &s->names.v[b->name]);
	if (!c)
		c = by_text(s, a->inputs, b->inputs);
	return c ? c : by_text(s, a->values, b->values);
}

static bool borrow(struct tm_stack *s)
{
	struct tm_stack *of = s->lender;

	if (!tm_stack_pool_settle(of))
		return false;
	s->names = of->names;
	s->labels = of->labels;
	s->label = of->label;
	s->order = of->order;
	s->thread = of->thread;
	s->nthread = of->nthread;
	s->track = of->track;
	s->ntrack = of->ntrack;
	tm_whose_merge(&s->whose, &of->whose);
	return s->lent = true;
}

/* What is known of the processes by now; what is of one thread then becomes one. */
static bool tell_processes(struct tm_stack *s)
{
	bool ok = tm_whose_settle(&s->whose);
	size_t n = 0;

	for (size_t i = 0; ok && i < s->ntrack; i++)
		tm_whose_tell(&s->whose, &s->track[i].has_pid, &s->track[i].pid);
	for (size_t i = 0; ok && i < s->nthread; i++)
		tm_whose_tell(&s->whose, &s->thread[i].has_pid, &s->thread[i].pid);
	if (s->nthread)
		qsort(s->thread, s->nthread, sizeof *s->thread, by_thread);
	for (size_t i = 0; i < s->nthread; i++) {
		if (!n || by_thread(&s->thread[n - 1], &s->thread[i])) {
			s->thread[n++] = s->thread[i];
			continue;
		}
		ok = tm_stack_thread_move(&s->thread[n - 1], &s->thread[i], NULL) && ok;
		tm_stack_thread_fini(&s->thread[i]);
	}
	s->nthread = n;
	return ok;
}

bool tm_stack_settle(struct tm_stack *s)
{
	if (s->lender)
		return borrow(s);
	if (!tell_processes(s))
		return false;
	if (s->ntrack)
		qsort(s->track, s->ntrack, sizeof *s->track, by_track);
	free(s->order);
	s->order = tm_places(s->labels.n, by_label, s);
	return s->nthread < UINT32_MAX / 2 && s->order;
}
