/* SPDX-License-Identifier: MIT */
#include "stack/pool.h"

#include "base/base.h"
#include "stack/stack.h"

#include <pthread.h>
#include <stdlib.h>

struct tm_stack_shared_by {
	struct tm_stack s;
	struct tm_stack_opts o; /* of all that joined */
	struct tm_stack *first; /* who joined first, and how many did */
	size_t joined;
	struct tm_once settled;
	pthread_mutex_t ranks; /* guards s.kept */
};

/* ---- the sink ---- */

static bool init(void *acc, const void *arg)
{
	(void)arg;
	*(struct tm_stack_pool *)acc = (struct tm_stack_pool) { 0 };
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	const struct tm_stack_pool *pool = acc;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_stack_piece(&pool->v[i]->s, p);
	return ok;
}

static bool take(void *acc, const struct tm_batch *b)
{
	const struct tm_stack_pool *pool = acc;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_stack_take(&pool->v[i]->s, b);
	return ok;
}

/* The same questions join in the same order, however many accumulators there are. */
static bool merge(void *into, void *from)
{
	const struct tm_stack_pool *pool = into, *f = from;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_stack_merge(&pool->v[i]->s, &f->v[i]->s);
	return ok;
}

static void free_stack(struct tm_stack_shared_by *by)
{
	tm_stack_fini(&by->s);
	pthread_mutex_destroy(&by->ranks);
	free(by);
}

static void fini(void *acc)
{
	struct tm_stack_pool *pool = acc;

	for (size_t i = 0; i < pool->n; i++)
		free_stack(pool->v[i]);
	free(pool->v);
	*pool = (struct tm_stack_pool) { 0 };
}

const struct tm_event_sink tm_stack_pool_sink = { .size = sizeof(struct tm_stack_pool),
	                                          .init = init,
	                                          .piece = piece,
	                                          .take = take,
	                                          .merge = merge,
	                                          .fini = fini,
	                                          .mixed = true };

/* ---- who shares ---- */

/* Do both keep the same operations?  Which frames count may differ, and what more is known of them,
 * but operations are told by one thing. */
static bool shares(const struct tm_stack_opts *a, const struct tm_stack_opts *b)
{
	return a->dispatches == b->dispatches && a->copies == b->copies &&
	       a->overlapping == b->overlapping && a->one_by_one == b->one_by_one &&
	       a->bytes == b->bytes &&
	       (!a->names || !b->names || (a->named == b->named && a->named_keys == b->named_keys));
}

static void add_opts(struct tm_stack_opts *to, const struct tm_stack_opts *more)
{
	to->annotations &= more->annotations;
	to->inputs |= more->inputs;
	to->values |= more->values;
	to->pairs |= more->pairs;
	to->in_order |= more->in_order;
	to->sums |= more->sums;
	if (!more->names)
		return;
	to->names = true;
	to->named = more->named;
	to->named_keys = more->named_keys;
	to->named_want = more->named_want;
}

bool tm_stack_pool_join(struct tm_stack_pool *p, struct tm_stack *s)
{
	struct tm_stack_shared_by *by = NULL;

	if (!s)
		return true;
	for (size_t i = 0; i < p->n && !by; i++)
		by = shares(&p->v[i]->o, s->o) ? p->v[i] : NULL;
	if (!by) {
		if (!tm_grow_array(&p->v, &p->cap, p->n + 1, sizeof(struct tm_stack_shared_by *)))
			return false;
		by = calloc(1, sizeof *by);
		if (!by)
			return false;
		by->o = *s->o;
		by->first = s;
		pthread_mutex_init(&by->ranks, NULL);
		tm_stack_init(&by->s, &by->o);
		by->s.keeps = true;
		p->v[p->n++] = by;
	}
	by->joined++;
	add_opts(&by->o, s->o);
	by->s.marks |= s->marks;
	by->s.functions |= s->functions;
	by->s.tids |= s->tids;
	s->lender = &by->s;
	return true;
}

void tm_stack_pool_close(struct tm_stack_pool *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct tm_stack_shared_by *by = p->v[i];

		if (by->joined > 1) {
			p->v[n++] = by;
			continue;
		}
		by->first->lender = NULL;
		free_stack(by);
	}
	p->n = n;
}

struct tm_stack *tm_stack_pool_lanes(const struct tm_stack_pool *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct tm_stack_shared_by *by = p->v[i];

		if (!by->o.dispatches || !by->o.named || by->o.one_by_one)
			continue;
		by->s.lanes = true;
		return &by->s;
	}
	return NULL;
}

/* The structure whose first member a stack of the pool is. */
static struct tm_stack_shared_by *shared_by(struct tm_stack *of)
{
	return (struct tm_stack_shared_by *)(void *)of;
}

bool tm_stack_pool_settle(struct tm_stack *of)
{
	if (tm_once_begin(&shared_by(of)->settled)) {
		of->settled = tm_stack_settle(of);
		tm_once_end(&shared_by(of)->settled);
	}
	return of->settled;
}

void tm_stack_pool_lock(struct tm_stack *of)
{
	pthread_mutex_lock(&shared_by(of)->ranks);
}

void tm_stack_pool_unlock(struct tm_stack *of)
{
	pthread_mutex_unlock(&shared_by(of)->ranks);
}
