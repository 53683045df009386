/* SPDX-License-Identifier: MIT */
#include "work/work_rank.h"

#include "work/calls.h"

#include <inttypes.h>
#include <string.h>

static const struct tm_intervals *host_copies(const struct tm_work *w, uint64_t rank)
{
	size_t lo = 0, hi = w->nhost;

	TM_BISECT(lo, hi, mid, w->host[mid].rank < rank);
	return lo < w->nhost && w->host[lo].rank == rank ? &w->host[lo].copy : NULL;
}

static void find_window(struct tm_work_rank *r, const struct tm_work *w)
{
	tm_metric_window(w->o, r->rank, &r->asked);
	for (size_t i = 0; i < r->ntrack; i++) {
		struct tm_extent e = r->track[i].window;

		r->window.lo = i && r->window.lo < e.lo ? r->window.lo : e.lo;
		r->window.hi = r->window.hi > e.hi ? r->window.hi : e.hi;
	}
}

bool tm_work_rank_next(struct tm_work_rank *r, const struct tm_work *w, size_t *at,
                       size_t *at_thread)
{
	*r = (struct tm_work_rank) { 0 };
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
		r->has_calls |= w->thread[*at_thread].calls[TM_WORK_HIP] ||
		                w->thread[*at_thread].calls[TM_WORK_HSA];
		r->nthread++;
	}
	r->host_copy = host_copies(w, r->rank);
	find_window(r, w);
	return true;
}

/* The stretch that holds that time; n = none. */
static size_t stretch_at(const struct tm_extent *at, size_t n, uint64_t time)
{
	size_t lo = 0, hi = n;

	TM_BISECT(lo, hi, mid, at[mid].hi <= time);
	return lo < n && at[lo].lo <= time ? lo : n;
}

void tm_work_rank_launches(const struct tm_work_rank *r, const struct tm_work *w,
                           const struct tm_extent *at, size_t n, uint64_t *launches)
{
	for (size_t i = 0; i < n; i++)
		launches[i] = 0;
	for (size_t t = 0; t < r->nthread; t++) {
		const struct tm_intervals *s = &r->thread[t].call[r->thread[t].api];

		for (size_t i = 0; i < s->n; i++) {
			size_t k = stretch_at(at, n, tm_interval_start(s, i));

			if (k < n && tm_call_kind_of(w, tm_interval_name(s, i)) != TM_CALL_OTHER)
				launches[k]++;
		}
	}
}

static bool unite_operations(struct tm_work_rank *r)
{
	bool ok = true;

	for (int k = 0; ok && k < TM_WORK_KINDS; k++) {
		for (size_t i = 0; ok && i < r->ntrack; i++)
			ok = tm_intervals_move_cover(&r->cover[k], &r->track[i].op[k]);
		if (ok)
			tm_intervals_sort(&r->cover[k], NULL);
		ok = ok && tm_intervals_unite(&r->cover[k]);
	}
	return ok;
}

static bool unite_waits(struct tm_work_rank *r, const struct tm_work *w)
{
	enum tm_work_api api = tm_work_api_of(w, r->rank);
	bool ok = true;

	for (size_t i = 0; ok && i < r->nthread; i++)
		ok = tm_intervals_move_cover(&r->wait, &r->thread[i].wait[api]);
	if (ok)
		tm_intervals_sort(&r->wait, NULL);
	return ok && tm_intervals_unite(&r->wait);
}

bool tm_work_rank_unite(struct tm_work_rank *r, const struct tm_work *w)
{
	return unite_operations(r) && unite_waits(r, w);
}

/* A walk over disjoint intervals that begins where the window does, mostly not far after *near,
 * where the one before began. */
static void within(struct tm_pieces *p, const struct tm_intervals *s, size_t *near,
                   struct tm_extent window)
{
	size_t lo = *near;

	if (lo > s->n || (lo && tm_interval_end(s, lo - 1) > window.lo))
		lo = 0;
	TM_GALLOP(lo, s->n, mid, tm_interval_end(s, mid) <= window.lo);
	*near = lo;
	tm_pieces_init(p, window);
	tm_pieces_add_from(p, s, lo);
}

struct tm_work_use tm_work_rank_use(struct tm_work_rank *r, struct tm_extent window)
{
	struct tm_pieces p[TM_WORK_KINDS];

	for (int k = 0; k < TM_WORK_KINDS; k++)
		within(&p[k], &r->cover[k], &r->near[k], window);
	return tm_work_use_pieces(p);
}

uint64_t tm_work_rank_waited(struct tm_work_rank *r, struct tm_extent window)
{
	struct tm_pieces p;
	struct tm_extent piece;
	uint64_t sum = 0;

	within(&p, &r->wait, &r->near[TM_WORK_KINDS], window);
	while (tm_pieces_next(&p, &piece))
		sum += piece.hi - piece.lo;
	return sum;
}

uint64_t tm_work_rank_waited_idle(struct tm_work_rank *r, struct tm_extent window)
{
	struct tm_pieces p;
	struct tm_extent piece;
	uint64_t idle = 0;

	within(&p, &r->wait, &r->near[TM_WORK_KINDS], window);
	while (tm_pieces_next(&p, &piece))
		idle += tm_work_rank_use(r, piece).idle;
	return idle;
}

/* Of few agents their lists are walked as they are, and of one others may have asked before. */
static bool use_whole(struct tm_work_rank *r, struct tm_work_use *use)
{
	struct tm_pieces p[TM_WORK_KINDS];

	if (r->ntrack > TM_PIECE_LISTS) {
		if (!unite_operations(r))
			return false;
		*use = tm_work_rank_use(r, r->window);
		return true;
	}
	for (int k = 0; r->ntrack != 1 && k < TM_WORK_KINDS; k++) {
		tm_pieces_init(&p[k], r->window);
		for (size_t i = 0; i < r->ntrack; i++)
			tm_pieces_add(&p[k], &r->track[i].op[k]);
	}
	*use = r->ntrack == 1 ? tm_work_use_of(r->track, 1) : tm_work_use_pieces(p);
	return true;
}

bool tm_work_rank_whole(struct tm_work_rank *r, const struct tm_work *w, struct tm_work_use *use,
                        uint64_t *waited)
{
	if (!use_whole(r, use) || !unite_waits(r, w))
		return false;
	*waited = tm_work_rank_waited(r, r->ntrack ? r->window : r->asked);
	return true;
}

/* How many of a sorted list start before; the first `lo` do.  Mostly it is not many more. */
static size_t before(const struct tm_intervals *s, size_t lo, uint64_t at)
{
	TM_GALLOP(lo, s->n, mid, tm_interval_start(s, mid) < at);
	return lo;
}

/* Each step looks into the list, or each kernel for its step: whichever are fewer. */
static void count_starts(const struct tm_intervals *list, const struct tm_extent *at, size_t n,
                         uint64_t *kernels)
{
	if (n <= list->n) {
		for (size_t i = 0, from = 0, to; i < n; i++) {
			if (at[i].lo >= at[i].hi)
				continue;
			from = before(list, from, at[i].lo);
			to = before(list, from, at[i].hi);
			kernels[i] += to - from;
			from = to;
		}
		return;
	}
	for (size_t i = 0; i < list->n; i++) {
		size_t in = stretch_at(at, n, tm_interval_start(list, i));

		if (in < n)
			kernels[in]++;
	}
}

void tm_work_rank_kernels(const struct tm_work_rank *r, const struct tm_extent *at, size_t n,
                          uint64_t *kernels)
{
	memset(kernels, 0, n * sizeof *kernels);
	for (size_t i = 0; i < r->ntrack; i++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++)
			count_starts(&r->track[i].op[k], at, n, kernels);
}

static void add_sizes(const struct tm_intervals *list, const struct tm_extent *at, size_t n,
                      uint64_t *bytes, uint64_t *unsized)
{
	for (size_t i = 0; i < list->n; i++) {
		size_t in = stretch_at(at, n, tm_interval_start(list, i));
		uint64_t tag = tm_interval_tag(list, i), add;

		if (in == n || tag == TM_WORK_COUNTED)
			continue;
		add = tag - TM_WORK_SIZED;
		if (tag == TM_WORK_UNSIZED || add > UINT64_MAX - bytes[in])
			unsized[in]++;
		else
			bytes[in] += add;
	}
}

bool tm_work_rank_copied(const struct tm_work_rank *r, const struct tm_extent *at, size_t n,
                         uint64_t *bytes, uint64_t *unsized)
{
	bool any = r->host_copy && r->host_copy->n;

	memset(bytes, 0, n * sizeof *bytes);
	memset(unsized, 0, n * sizeof *unsized);
	for (size_t t = 0; t < r->ntrack; t++) {
		any |= r->track[t].op[TM_WORK_COPY].n;
		add_sizes(&r->track[t].op[TM_WORK_COPY], at, n, bytes, unsized);
	}
	if (any && r->host_copy)
		add_sizes(r->host_copy, at, n, bytes, unsized);
	return any;
}

void tm_work_rank_note(const struct tm_work_rank *r, struct tm_work_rank_notes *n)
{
	size_t agents = 0;

	for (size_t i = 0; i < r->ntrack; i++)
		agents += r->track[i].has_agent;
	n->several += agents > 1;
	n->silent += !r->has_calls;
}

void tm_work_rank_tell(const struct tm_work_rank_notes *n, struct tm_report *rep)
{
	if (n->several)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " rank%s several agents, which are combined: busy when any "
		              "of them is; kstats timeline shows each",
		              n->several, n->several == 1 ? " has" : "s have");
	if (n->silent)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no API calls of %" PRIu64 " rank%s: sync_ns is absent; trace with "
		              "--hip-trace",
		              n->silent, n->silent == 1 ? "" : "s");
}

void tm_work_rank_fini(struct tm_work_rank *r)
{
	for (int k = 0; k < TM_WORK_KINDS; k++)
		tm_intervals_fini(&r->cover[k]);
	tm_intervals_fini(&r->wait);
	*r = (struct tm_work_rank) { 0 };
}
