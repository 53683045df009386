/* SPDX-License-Identifier: MIT */
#include "agg/agg.h"
#include "metric/idle/sync_parts.h"

#include <stdlib.h>

static bool same_process(const struct tm_work_thread *a, const struct tm_work_thread *b)
{
	return a->rank == b->rank && a->has_pid == b->has_pid && a->pid == b->pid;
}

bool tm_sync_take_waits(const struct tm_sync_process *p, struct tm_intervals *all)
{
	for (size_t i = 0; i < p->n; i++)
		if (!tm_intervals_move(all, &p->thread[i].wait[p->api], NULL))
			return false;
	tm_intervals_sort(all, NULL);
	return true;
}

static bool find_process(const struct tm_work *w, size_t at, struct tm_sync_process *p)
{
	struct tm_extent asked;
	uint64_t calls = 0;

	*p = (struct tm_sync_process) { .thread = &w->thread[at],
		                        .host = { UINT64_MAX, 0 },
		                        .api = w->thread[at].api };
	for (; at < w->nthread && same_process(p->thread, &w->thread[at]); at++, p->n++) {
		const struct tm_work_thread *t = &w->thread[at];
		const struct tm_extent host = tm_work_thread_host(t);

		p->host.lo = host.lo < p->host.lo ? host.lo : p->host.lo;
		p->host.hi = host.hi > p->host.hi ? host.hi : p->host.hi;
		calls += t->calls[TM_WORK_HIP] + t->calls[TM_WORK_HSA];
	}
	tm_metric_window(w->o, p->thread->rank, &asked);
	p->host.lo = asked.lo > p->host.lo ? asked.lo : p->host.lo;
	p->host.hi = asked.hi < p->host.hi ? asked.hi : p->host.hi;
	if (w->o->windowed && p->host.lo >= p->host.hi)
		return false;
	return calls != 0;
}

bool tm_sync_next(const struct tm_work *w, size_t *at, struct tm_sync_process *p)
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
	struct tm_merged m;
	struct tm_extent window, at; /* at: the stretch reached; lo == hi after the last */
};

static void walk_next(struct cover_walk *c)
{
	const struct tm_merged_list *next;

	c->at.lo = c->at.hi;
	for (; (next = tm_merged_at(&c->m)); tm_merged_step(&c->m)) {
		uint64_t lo = tm_interval_start(next->list, next->i);
		uint64_t hi = tm_interval_end(next->list, next->i);

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

static bool walk_init(struct cover_walk *c, const struct tm_intervals *const *list, size_t n,
                      struct tm_extent window)
{
	*c = (struct cover_walk) { .window = window };
	if (!tm_merged_init(&c->m, list, n, NULL))
		return false;
	walk_next(c);
	return true;
}

/* Use up both walks. */
static void measure(struct cover_walk *wait, struct cover_walk *work, struct tm_sync_use *out)
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

bool tm_sync_of_rank(const struct tm_work *w, const struct tm_work_rank *r, struct tm_sync_use *out)
{
	size_t nwork = r->ntrack * TM_WORK_KINDS;
	const struct tm_intervals **list;
	struct cover_walk wait = { 0 }, work = { 0 };
	bool ok;

	*out = (struct tm_sync_use) { 0 };
	if (!r->ntrack || !r->has_calls)
		return true;
	list = calloc(r->nthread + nwork, sizeof(struct tm_intervals *));
	if (!list)
		return false;
	for (size_t i = 0; i < r->nthread; i++)
		list[i] = &r->thread[i].wait[tm_work_api_of(w, r->rank)];
	for (size_t i = 0; i < nwork; i++)
		list[r->nthread + i] = &r->track[i / TM_WORK_KINDS].op[i % TM_WORK_KINDS];
	ok = walk_init(&wait, list, r->nthread, r->window) &&
	     walk_init(&work, list + r->nthread, nwork, r->window);
	if (ok) {
		out->window = r->window.hi - r->window.lo;
		measure(&wait, &work, out);
	}
	tm_merged_fini(&wait.m);
	tm_merged_fini(&work.m);
	free(list);
	return ok;
}
