/* SPDX-License-Identifier: MIT */
#include "work/work_rank.h"

#include <inttypes.h>
#include <string.h>

static void find_window(struct work_rank *r, const struct work *w)
{
	metric_window(w->o, r->rank, &r->asked);
	for (size_t i = 0; i < r->ntrack; i++) {
		struct extent e = r->track[i].window;

		r->window.lo = i && r->window.lo < e.lo ? r->window.lo : e.lo;
		r->window.hi = r->window.hi > e.hi ? r->window.hi : e.hi;
	}
}

bool work_rank_next(struct work_rank *r, const struct work *w, size_t *at, size_t *at_thread)
{
	*r = (struct work_rank) { 0 };
	if (*at == w->ntrack && *at_thread == w->nthread)
		return false;
	r->rank = UINT64_MAX;
	if (*at < w->ntrack) {
		r->track = &w->track[*at];
		r->rank = r->track->rank;
	}
	if (*at_thread < w->nthread) {
		r->thread = &w->thread[*at_thread];
		r->rank = r->thread->rank < r->rank ? r->thread->rank : r->rank;
	}
	for (; *at < w->ntrack && w->track[*at].rank == r->rank; ++*at)
		r->ntrack++;
	for (; *at_thread < w->nthread && w->thread[*at_thread].rank == r->rank; ++*at_thread) {
		r->has_calls |= w->thread[*at_thread].calls[WORK_HIP] ||
		                w->thread[*at_thread].calls[WORK_HSA];
		r->nthread++;
	}
	find_window(r, w);
	return true;
}

bool work_rank_unite(struct work_rank *r, const struct work *w)
{
	enum work_api api = work_api_of(w, r->rank);
	bool ok = true;

	for (int k = 0; ok && k < WORK_KINDS; k++) {
		for (size_t i = 0; ok && i < r->ntrack; i++)
			ok = intervals_move(&r->cover[k], &r->track[i].op[k], NULL);
		if (ok)
			intervals_sort(&r->cover[k], NULL);
		ok = ok && intervals_unite(&r->cover[k]);
	}
	for (size_t i = 0; ok && i < r->nthread; i++)
		ok = intervals_move(&r->wait, &r->thread[i].wait[api], NULL);
	if (ok)
		intervals_sort(&r->wait, NULL);
	return ok && intervals_unite(&r->wait);
}

/* A walk over disjoint intervals that begins where the window does. */
static struct pieces within(const struct intervals *s, struct extent window)
{
	struct pieces p;
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_end(s, mid) <= window.lo)
			lo = mid + 1;
		else
			hi = mid;
	}
	pieces_init(&p, window);
	pieces_add_from(&p, s, lo);
	return p;
}

struct work_use work_rank_use(const struct work_rank *r, struct extent window)
{
	struct pieces p[WORK_KINDS];

	for (int k = 0; k < WORK_KINDS; k++)
		p[k] = within(&r->cover[k], window);
	return work_use_pieces(p);
}

uint64_t work_rank_waited(const struct work_rank *r, struct extent window)
{
	return pieces_length(within(&r->wait, window));
}

/* How many of a sorted list start before. */
static size_t before(const struct intervals *s, uint64_t at)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(s, mid) < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Each step looks into the list, or each kernel for its step: whichever are fewer. */
static void count_starts(const struct intervals *list, const struct extent *at, size_t n,
                         uint64_t *kernels)
{
	if (n <= list->n) {
		for (size_t i = 0; i < n; i++)
			if (at[i].lo < at[i].hi)
				kernels[i] += before(list, at[i].hi) - before(list, at[i].lo);
		return;
	}
	for (size_t i = 0; i < list->n; i++) {
		uint64_t start = interval_start(list, i);
		size_t lo = 0, hi = n;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (at[mid].hi <= start)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < n && at[lo].lo <= start)
			kernels[lo]++;
	}
}

void work_rank_kernels(const struct work_rank *r, const struct extent *at, size_t n,
                       uint64_t *kernels)
{
	memset(kernels, 0, n * sizeof *kernels);
	for (size_t i = 0; i < r->ntrack; i++)
		for (int k = 0; k < WORK_DISPATCHES; k++)
			count_starts(&r->track[i].op[k], at, n, kernels);
}

void work_rank_note(const struct work_rank *r, struct work_rank_notes *n)
{
	size_t agents = 0;

	for (size_t i = 0; i < r->ntrack; i++)
		agents += r->track[i].has_agent;
	n->several += agents > 1;
	n->silent += !r->has_calls;
}

void work_rank_tell(const struct work_rank_notes *n, struct report *rep)
{
	if (n->several)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " rank%s several agents, which are combined: busy when any "
		           "of them is; kstats timeline shows each",
		           n->several, n->several == 1 ? " has" : "s have");
	if (n->silent)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no API calls of %" PRIu64 " rank%s: sync_ns is absent; trace with "
		           "--hip-trace",
		           n->silent, n->silent == 1 ? "" : "s");
}

void work_rank_fini(struct work_rank *r)
{
	for (int k = 0; k < WORK_KINDS; k++)
		intervals_fini(&r->cover[k]);
	intervals_fini(&r->wait);
	*r = (struct work_rank) { 0 };
}
