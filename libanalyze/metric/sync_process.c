/* SPDX-License-Identifier: MIT */
#include "agg/agg.h"
#include "metric/sync_parts.h"

#include <stdlib.h>

static bool same_process(const struct work_thread *a, const struct work_thread *b)
{
	return a->rank == b->rank && a->has_pid == b->has_pid && a->pid == b->pid;
}

bool sync_take_waits(const struct sync_process *p, struct intervals *all)
{
	for (size_t i = 0; i < p->n; i++)
		if (!intervals_move(all, &p->thread[i].wait[p->api], NULL))
			return false;
	intervals_sort(all, NULL);
	return true;
}

static bool find_process(const struct work *w, size_t at, struct sync_process *p)
{
	struct extent asked;
	uint64_t calls = 0;

	*p = (struct sync_process) { .thread = &w->thread[at],
		                     .host = { UINT64_MAX, 0 },
		                     .api = w->thread[at].api };
	for (; at < w->nthread && same_process(p->thread, &w->thread[at]); at++, p->n++) {
		const struct work_thread *t = &w->thread[at];

		p->host.lo = t->host.lo < p->host.lo ? t->host.lo : p->host.lo;
		p->host.hi = t->host.hi > p->host.hi ? t->host.hi : p->host.hi;
		calls += t->calls[WORK_HIP] + t->calls[WORK_HSA];
	}
	metric_window(w->o, p->thread->rank, &asked);
	p->host.lo = asked.lo > p->host.lo ? asked.lo : p->host.lo;
	p->host.hi = asked.hi < p->host.hi ? asked.hi : p->host.hi;
	if (w->o->windowed && p->host.lo >= p->host.hi)
		return false;
	return calls != 0;
}

bool sync_next(const struct work *w, size_t *at, struct sync_process *p)
{
	bool found = false;

	while (!found && *at < w->nthread) {
		found = find_process(w, *at, p);
		*at += p->n;
	}
	return found;
}

/* ---- of a whole rank ---- */

/* The union of sorted lists inside a window, stretch by stretch. */
struct cover_walk {
	struct merged m;
	struct extent window, at; /* at: the stretch reached; lo == hi behind the last */
};

static void walk_next(struct cover_walk *c)
{
	const struct merged_list *next;

	c->at.lo = c->at.hi;
	for (; (next = merged_at(&c->m)); merged_step(&c->m)) {
		uint64_t lo = interval_start(next->list, next->i);
		uint64_t hi = interval_end(next->list, next->i);

		lo = lo > c->window.lo ? lo : c->window.lo;
		hi = hi < c->window.hi ? hi : c->window.hi;
		if (lo >= hi || (c->at.lo < c->at.hi && hi <= c->at.hi))
			continue;
		if (c->at.lo < c->at.hi && lo > c->at.hi)
			return;
		c->at.lo = c->at.lo < c->at.hi ? c->at.lo : lo;
		c->at.hi = hi;
	}
}

static bool walk_init(struct cover_walk *c, const struct intervals *const *list, size_t n,
                      struct extent window)
{
	*c = (struct cover_walk) { .window = window };
	if (!merged_init(&c->m, list, n, NULL))
		return false;
	walk_next(c);
	return true;
}

/* Use up both walks. */
static void measure(struct cover_walk *wait, struct cover_walk *work, struct sync_use *out)
{
	for (; wait->at.lo < wait->at.hi; walk_next(wait)) {
		uint64_t edge = wait->at.lo;

		out->waited += wait->at.hi - wait->at.lo;
		for (; work->at.lo < work->at.hi && work->at.lo < wait->at.hi; walk_next(work)) {
			if (work->at.lo > edge)
				out->idle += work->at.lo - edge;
			edge = work->at.hi > edge ? work->at.hi : edge;
			if (edge >= wait->at.hi)
				break; /* it may reach into the next wait */
		}
		out->idle += edge < wait->at.hi ? wait->at.hi - edge : 0;
	}
}

bool sync_of_rank(const struct work *w, const struct work_rank *r, struct sync_use *out)
{
	size_t nwork = r->ntrack * WORK_KINDS;
	const struct intervals **list;
	struct cover_walk wait = { 0 }, work = { 0 };
	bool ok;

	*out = (struct sync_use) { 0 };
	if (!r->ntrack || !r->has_calls)
		return true;
	list = calloc(r->nthread + nwork, sizeof(struct intervals *));
	if (!list)
		return false;
	for (size_t i = 0; i < r->nthread; i++)
		list[i] = &r->thread[i].wait[work_api_of(w, r->rank)];
	for (size_t i = 0; i < nwork; i++)
		list[r->nthread + i] = &r->track[i / WORK_KINDS].op[i % WORK_KINDS];
	ok = walk_init(&wait, list, r->nthread, r->window) &&
	     walk_init(&work, list + r->nthread, nwork, r->window);
	if (ok) {
		out->window = r->window.hi - r->window.lo;
		measure(&wait, &work, out);
	}
	merged_fini(&wait.m);
	merged_fini(&work.m);
	free(list);
	return ok;
}
