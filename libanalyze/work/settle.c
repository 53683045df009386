/* SPDX-License-Identifier: MIT
 * Of a store of work: what is done when all is there. */
#include "work/intervals.h"

#include "base/base.h"
#include "work/pool.h"

#include <stdlib.h>
#include <string.h>

static int by_track(const void *pa, const void *pb)
{
	const struct tm_work_track *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent);
	if (!c)
		c = tm_known_cmp(a->has_lane, a->lane, b->has_lane, b->lane);
	return c ? c : tm_known_cmp(a->has_pid, a->pid, b->has_pid, b->pid);
}

bool tm_work_same_lane(const struct tm_work_track *a, const struct tm_work_track *b)
{
	return a->rank == b->rank &&
	       !tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent) &&
	       !tm_known_cmp(a->has_lane, a->lane, b->has_lane, b->lane);
}

static int by_thread(const void *pa, const void *pb)
{
	const struct tm_work_thread *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_known_cmp(a->has_pid, a->pid, b->has_pid, b->pid);
	return c ? c : tm_known_cmp(a->has_tid, a->tid, b->has_tid, b->tid);
}

static int by_rank(const void *a, const void *b)
{
	return tm_u64_cmp(((const struct tm_work_host *)a)->rank,
	                  ((const struct tm_work_host *)b)->rank);
}

static int by_text(const void *pa, const void *pb, void *arg)
{
	const struct tm_name *v = arg;

	return tm_name_cmp(&v[*(const uint32_t *)pa], &v[*(const uint32_t *)pb]);
}

void tm_work_find_window(const struct tm_work *w, struct tm_work_track *t)
{
	struct tm_extent all = { UINT64_MAX, 0 };

	for (int k = 0; k < TM_WORK_KINDS; k++) {
		const struct tm_extent one = tm_intervals_span(&t->op[k]);

		all.lo = one.lo < all.lo ? one.lo : all.lo;
		all.hi = one.hi > all.hi ? one.hi : all.hi;
	}
	tm_metric_window(w->o, t->rank, &t->asked);
	t->window = t->asked;
	if (!w->o->windowed || w->o->open_from)
		t->window.lo = all.lo;
	if (!w->o->windowed || w->o->open_to)
		t->window.hi = all.hi;
	if (t->window.hi < t->window.lo)
		t->window.hi = t->window.lo;
}

/* What is known of the processes by now.  Once. */
static bool tell_processes(struct tm_work *w)
{
	if (w->told)
		return true;
	w->told = true;
	if (!tm_whose_settle(&w->whose))
		return false;
	for (size_t i = 0; w->keep & TM_WORK_PIDS && i < w->ntrack; i++)
		tm_whose_tell(&w->whose, &w->track[i].has_pid, &w->track[i].pid);
	for (size_t i = 0; i < w->nthread; i++)
		tm_whose_tell(&w->whose, &w->thread[i].has_pid, &w->thread[i].pid);
	return true;
}

/* By rank, process, thread; what only now is known to be of one thread becomes one. */
static bool order_threads(struct tm_work *w)
{
	size_t n = 0;
	bool ok = true;

	if (w->nthread)
		qsort(w->thread, w->nthread, sizeof *w->thread, by_thread);
	for (size_t i = 0; i < w->nthread; i++)
		if (n && !by_thread(&w->thread[n - 1], &w->thread[i]))
			ok = tm_work_join_thread(w, &w->thread[n - 1], &w->thread[i]) && ok;
		else
			w->thread[n++] = w->thread[i];
	w->nthread = n;
	return ok;
}

/* One more process on an agent than can be walked together: it becomes one of unknown id with the
 * last of those. */
static bool fold(struct tm_work_track *into, struct tm_work_track *from)
{
	bool ok = tm_intervals_move(&into->sized, &from->sized, NULL);

	into->has_pid = false;
	into->pid = UINT64_MAX; /* of no run either: whose calls are its is not known any more */
	for (int k = 0; k < TM_WORK_KINDS; k++) {
		into->started[k] += from->started[k];
		ok = tm_intervals_move(&into->op[k], &from->op[k], NULL) && ok;
	}
	return ok;
}

/* By rank, agent, lane, pid; at most TM_WORK_SAME of one lane. */
static bool order_tracks(struct tm_work *w)
{
	size_t n = 0, same = 0;
	bool ok = true;

	if (w->ntrack)
		qsort(w->track, w->ntrack, sizeof *w->track, by_track);
	for (size_t i = 0; i < w->ntrack; i++) {
		same = n && tm_work_same_lane(&w->track[n - 1], &w->track[i]) ? same + 1 : 0;
		if (same < TM_WORK_SAME)
			w->track[n++] = w->track[i];
		else
			ok = fold(&w->track[n - 1], &w->track[i]) && ok;
	}
	w->ntrack = n;
	return ok;
}

/* Threads are in order of their ranks. */
static void choose_apis(struct tm_work *w)
{
	for (size_t i = 0, end; i < w->nthread; i = end) {
		enum tm_work_api api = TM_WORK_HSA;

		for (end = i; end < w->nthread && w->thread[end].rank == w->thread[i].rank; end++)
			if (w->thread[end].calls[TM_WORK_HIP])
				api = TM_WORK_HIP;
		for (size_t k = i; k < end; k++)
			w->thread[k].api = api;
	}
}

static bool worked(const struct tm_work_track *t)
{
	bool any = false;

	for (int k = 0; k < TM_WORK_KINDS; k++)
		any |= t->op[k].n != 0;
	return any;
}

static bool open_edge(const struct tm_work *w)
{
	return w->o->windowed && (w->o->open_from || w->o->open_to);
}

/* An edge that -w leaves open is that of all agents of the rank: one that stopped before the others
 * is idle, as with two edges.  A rank that did nothing in such a window has none: {0, 0}. */
static void span_ranks(struct tm_work *w)
{
	for (size_t i = 0, end; i < w->ntrack; i = end) {
		struct tm_extent all = w->track[i].asked;
		bool any = false;

		for (end = i; end < w->ntrack && w->track[end].rank == w->track[i].rank; end++) {
			const struct tm_extent own = w->track[end].window;

			if (!worked(&w->track[end]))
				continue;
			if (w->o->open_from && (!any || own.lo < all.lo))
				all.lo = own.lo;
			if (w->o->open_to && (!any || own.hi > all.hi))
				all.hi = own.hi;
			any = true;
		}
		if (!any)
			all = (struct tm_extent) { 0, 0 };
		if (all.hi < all.lo)
			all.hi = all.lo;
		for (size_t k = i; k < end; k++)
			w->track[k].window = all;
	}
}

/* What did nothing in the window was idle for all of it; but not where the rank has no window, and
 * not where nobody did anything. */
static void drop_idle(struct tm_work *w)
{
	const bool open = open_edge(w), every = w->keep & TM_WORK_EVERY_AGENT;
	bool any = false;
	size_t n = 0;

	for (size_t i = 0; i < w->ntrack; i++)
		any |= worked(&w->track[i]);
	for (size_t i = 0; i < w->ntrack; i++) {
		const struct tm_work_track *t = &w->track[i];
		const struct tm_extent within = open ? t->window : t->asked;

		if (worked(t) || (any && (within.lo < within.hi || (open && every))))
			w->track[n++] = w->track[i];
	}
	w->ntrack = n;
}

/* Tracks are in order of their ranks. */
static bool note_busy(struct tm_work *w)
{
	if (w->busy)
		return true; /* of the first time: then tracks were dropped */
	w->busy = malloc((w->ntrack + 1) * sizeof *w->busy);
	for (size_t i = 0; w->busy && i < w->ntrack; i++)
		if (!i || w->track[i - 1].rank != w->track[i].rank)
			w->busy[w->nbusy++] = w->track[i].rank;
	return w->busy != NULL;
}

bool tm_work_order(struct tm_work *w)
{
	free(w->order);
	w->order = tm_places(w->names.n, by_text, w->names.v);
	return w->order != NULL;
}

bool tm_work_settle(struct tm_work *w)
{
	if (w->lender)
		return tm_work_borrow(w);
	if (!tm_work_order(w) || !tell_processes(w) || !order_tracks(w) || !note_busy(w) ||
	    !order_threads(w))
		return false;
	for (size_t i = 0; i < w->ntrack; i++) {
		for (int k = 0; k < TM_WORK_KINDS && !(w->keep & TM_WORK_LOOSE); k++)
			tm_intervals_sort(&w->track[i].op[k], w->order);
		tm_intervals_sort(&w->track[i].sized, w->order);
		tm_work_find_window(w, &w->track[i]);
	}
	if (open_edge(w))
		span_ranks(w);
	drop_idle(w);
	for (size_t i = 0; i < w->nthread; i++) {
		struct tm_work_thread *t = &w->thread[i];

		for (int a = 0; a < TM_WORK_APIS; a++)
			tm_intervals_sort(&t->wait[a], w->order);
		tm_intervals_sort(&t->region, w->order);
	}
	choose_apis(w);
	if (w->nhost)
		qsort(w->host, w->nhost, sizeof *w->host, by_rank);
	return true;
}

bool tm_work_add_tracks(struct tm_work *w, struct tm_work_track *v, size_t n)
{
	if (!tm_work_order(w) ||
	    !tm_grow_array(&w->track, &w->track_cap, w->ntrack + n, sizeof *w->track))
		return false;
	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < TM_WORK_KINDS; k++)
			tm_intervals_sort(&v[i].op[k], w->order);
		tm_work_find_window(w, &v[i]);
		w->track[w->ntrack++] = v[i];
		v[i] = (struct tm_work_track) { 0 };
	}
	if (w->ntrack)
		qsort(w->track, w->ntrack, sizeof *w->track, by_track);
	return true;
}

struct tm_work_range tm_work_tracks_of(const struct tm_work *w, uint64_t rank)
{
	size_t lo = 0, hi = w->ntrack;

	TM_BISECT(lo, hi, mid, w->track[mid].rank < rank);
	while (hi < w->ntrack && w->track[hi].rank == rank)
		hi++;
	return (struct tm_work_range) { lo, hi };
}

/* The first thread of that rank or a later one. */
static size_t first_thread(const struct tm_work *w, uint64_t rank)
{
	size_t lo = 0, hi = w->nthread;

	TM_BISECT(lo, hi, mid, w->thread[mid].rank < rank);
	return lo;
}

struct tm_work_range tm_work_threads_of(const struct tm_work *w, uint64_t rank)
{
	size_t lo = first_thread(w, rank), hi = lo;

	while (hi < w->nthread && w->thread[hi].rank == rank)
		hi++;
	return (struct tm_work_range) { lo, hi };
}

bool tm_work_know_calls(struct tm_work *w)
{
	if (!w->call_kind)
		w->call_kind = calloc((size_t)w->names.n + 1, sizeof *w->call_kind);
	if (!w->label_of)
		w->label_of = calloc((size_t)w->names.n + 1, sizeof *w->label_of);
	return w->call_kind && w->label_of;
}

enum tm_work_api tm_work_api_of(const struct tm_work *w, uint64_t rank)
{
	size_t i = first_thread(w, rank);

	return i < w->nthread && w->thread[i].rank == rank ? w->thread[i].api : TM_WORK_HSA;
}
