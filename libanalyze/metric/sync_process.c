/* SPDX-License-Identifier: MIT */
#include "metric/priv_sync.h"

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

/* Of very many threads, by way of a list of all. */
static bool length_of_all(const struct sync_process *p, uint64_t *out)
{
	struct intervals all = { 0 };
	struct pieces u;
	bool ok = true;

	pieces_init(&u, p->window);
	for (size_t i = 0; ok && i < p->n; i++)
		ok = !p->thread[i].wait[p->api].n || pieces_add(&u, &p->thread[i].wait[p->api]);
	if (ok) {
		*out = pieces_length(u);
		return true;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (!intervals_merge(&all, &p->thread[i].wait[p->api], NULL)) {
			intervals_fini(&all);
			return false;
		}
	}
	intervals_sort(&all, NULL);
	*out = length(&all, p->window);
	intervals_fini(&all);
	return true;
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
