/* SPDX-License-Identifier: MIT */
#include "agg/merged.h"
#include "metric/priv_sync.h"

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

static uint64_t length(const struct intervals *s, struct extent window)
{
	struct pieces u;

	pieces_init(&u, window);
	pieces_add(&u, s);
	return pieces_length(u);
}

/* Of all threads together. */
static bool length_of_all(const struct sync_process *p, uint64_t *out)
{
	const struct intervals **list = calloc(p->n, sizeof(struct intervals *));
	const struct merged_list *next;
	struct merged m = { 0 };
	uint64_t done = p->window.lo;
	bool ok = list != NULL;

	for (size_t i = 0; ok && i < p->n; i++)
		list[i] = &p->thread[i].wait[p->api];
	ok = ok && merged_init(&m, list, p->n, NULL);
	*out = 0;
	for (; ok && (next = merged_at(&m)); merged_step(&m)) {
		uint64_t lo = interval_start(next->list, next->i);
		uint64_t hi = interval_end(next->list, next->i);

		lo = lo > done ? lo : done;
		hi = hi < p->window.hi ? hi : p->window.hi;
		if (lo >= hi)
			continue;
		*out += hi - lo;
		done = hi;
	}
	merged_fini(&m);
	free(list);
	return ok;
}

static bool find_process(struct work *w, size_t at, struct sync_process *p)
{
	struct extent asked;
	uint64_t calls = 0;

	*p = (struct sync_process) { .thread = &w->thread[at],
		                     .window = { UINT64_MAX, 0 },
		                     .api = w->thread[at].api };
	for (; at < w->nthread && same_process(p->thread, &w->thread[at]); at++, p->n++) {
		const struct work_thread *t = &w->thread[at];

		p->window.lo = t->host.lo < p->window.lo ? t->host.lo : p->window.lo;
		p->window.hi = t->host.hi > p->window.hi ? t->host.hi : p->window.hi;
		calls += t->calls[WORK_HIP] + t->calls[WORK_HSA];
	}
	metric_window(w->o, p->thread->rank, &asked);
	p->window.lo = asked.lo > p->window.lo ? asked.lo : p->window.lo;
	p->window.hi = asked.hi < p->window.hi ? asked.hi : p->window.hi;
	if (w->o->windowed && p->window.lo >= p->window.hi)
		return false;
	return calls != 0;
}

enum status sync_next(struct work *w, size_t *at, struct sync_process *p)
{
	bool found = false;

	while (!found && *at < w->nthread) {
		found = find_process(w, *at, p);
		*at += p->n;
	}
	if (!found)
		return ST_END;
	if (!length_of_all(p, &p->waited))
		return ST_FATAL;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t ns = length(&p->thread[i].wait[p->api], p->window);

		if (ns <= p->longest)
			continue;
		p->longest = ns;
		p->longest_thread = &p->thread[i];
	}
	return ST_OK;
}
