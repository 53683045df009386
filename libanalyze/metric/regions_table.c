/* SPDX-License-Identifier: MIT
 * Every region with the GPU work launched inside it.
 *
 *     gpu_total = Σ durations of the operations launched while the region was open
 *     self_gpu  = Σ of those of which it was the innermost region
 *     gpu_busy  = length of their union, over all agents of the rank       gpu_busy <= gpu_total
 *     p50, p99  = nearest rank of the durations of its occurrences, each exactly
 *     gpu_p50, gpu_p99 = the same of what each occurrence launched: Σ of those is gpu_total, but
 * for operations whose occurrence began outside the window
 *
 * An operation was launched when its API call began, on that thread.  Where no call is known, it
 * counts when it started, often too late, since the GPU lags behind: for the regions open on the
 * thread that its own record names, or on any thread.  A call of no known thread says when, of the
 * thread that the operation names, else of any; where the threads of calls or operations are known
 * otherwise, without the former it says nothing.
 *
 * Whatever threads hold it, the time of an operation is that of one region itself: of the innermost
 * of its thread, else of a thread without id, else of the one that began last of all. */
#include "metric/regions.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	COL_RANK,
	COL_TID,
	COL_REGION,
	COL_DEPTH,
	COL_COUNT,
	COL_HOST,
	COL_TOTAL,
	COL_BUSY,
	COL_SELF,
	COL_KERNELS,
	COL_FIRST,
	COL_LAST,
	COL_P50,
	COL_P99,
	COL_GPU_P50,
	COL_GPU_P99,
	COL_N,
};

const struct tm_column tm_region_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = TM_UNIT_ID },
	[COL_TID] = { .name = "tid",
	              .title = "TID",
	              .about = "host thread",
	              .local = true,
	              .unit = TM_UNIT_ID },
	[COL_REGION] = { .name = "region",
	                 .title = "REGION",
	                 .about = "text of the marker",
	                 .unit = TM_UNIT_TEXT,
	                 .elastic = true },
	[COL_DEPTH] = { .name = "depth",
	                .title = "DEPTH",
	                .about = "regions around it",
	                .unit = TM_UNIT_COUNT },
	[COL_COUNT] = { .name = "count",
	                .title = "COUNT",
	                .about = "how often it began",
	                .unit = TM_UNIT_COUNT },
	[COL_HOST] = { .name = "host_ns",
	               .title = "HOST",
	               .about = "sum of its durations on the host",
	               .unit = TM_UNIT_NS },
	[COL_TOTAL] = { .name = "gpu_total_ns",
	                .title = "GPU",
	                .about = "sum of the durations of what it launched",
	                .unit = TM_UNIT_NS,
	                .bar = true },
	[COL_BUSY] = { .name = "gpu_busy_ns",
	               .title = "BUSY",
	               .about = "time in which any of that ran",
	               .unit = TM_UNIT_NS },
	[COL_SELF] = { .name = "self_gpu_ns",
	               .title = "SELF",
	               .about = "what it launched itself, inside no inner region",
	               .unit = TM_UNIT_NS },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .about = "kernels it launched",
	                  .unit = TM_UNIT_COUNT,
	                  .tight = 1 },
	[COL_FIRST] = { .name = "first_ns",
	                .title = "FIRST",
	                .about = "the first of what it launched starts",
	                .unit = TM_UNIT_ID,
	                .spare = 1 },
	[COL_LAST] = { .name = "last_ns",
	               .title = "LAST",
	               .about = "the last of it ends",
	               .unit = TM_UNIT_ID,
	               .spare = 2 },
	[COL_P50] = { .name = "p50_ns",
	              .title = "P50",
	              .about = "median duration on the host",
	              .unit = TM_UNIT_NS,
	              .spare = 3 },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .about = "99th percentile of its durations on the host",
	              .unit = TM_UNIT_NS,
	              .spare = 3 },
	[COL_GPU_P50] = { .name = "gpu_p50_ns",
	                  .title = "GPU P50",
	                  .about = "median of what one occurrence launched",
	                  .unit = TM_UNIT_NS,
	                  .spare = 4 },
	[COL_GPU_P99] = { .name = "gpu_p99_ns",
	                  .title = "GPU P99",
	                  .about = "99th percentile of what one occurrence launched",
	                  .unit = TM_UNIT_NS,
	                  .spare = 4 },
	[COL_N] = { 0 },
};

/* A row: the ranges of one text at one depth of one thread. */
struct group {
	size_t thread;
	uint32_t name, depth;
	uint64_t count, kernels, first, last, busy, cover, seen;
	tm_u128 host, total, self;
	size_t at; /* its occurrences: count of them from here on, as they begin */
};

/* Occurrences of all groups of a rank, those of one together. */
struct occurrences {
	uint64_t *start, *host, *gpu; /* gpu: UINT64_MAX = too much to be written */
	size_t n;
};

/* What one rank is told from.  The names of its ranges become groups. */
struct rank_regions {
	struct tm_work *w;
	size_t from, n;                    /* its threads */
	const struct tm_work_track *track; /* ntrack of them: its operations */
	size_t ntrack;
	const struct tm_work_thread **tid; /* ntid of its threads, those with an id, by that */
	size_t ntid;
	bool by_thread;              /* calls or operations know their threads */
	bool loose;                  /* there are ranges of threads without id */
	struct tm_intervals shared;  /* the ranges of those without id; of all, but by_thread */
	struct tm_region_sweep any;  /* by_thread: those of any thread */
	struct tm_regions_open open; /* at the instant looked at */
	struct tm_calls calls;
	struct tm_groups keys; /* thread, depth | name */
	struct group *group;
	size_t ngroup, cap;
	struct occurrences one;
	uint32_t *order; /* of groups: the innermost first */
	struct tm_extent asked, window;
	uint64_t ops, by_time;
};

static void rank_fini(struct rank_regions *r)
{
	tm_intervals_fini(&r->shared);
	tm_region_sweep_fini(&r->any);
	tm_calls_fini(&r->calls);
	tm_groups_fini(&r->keys);
	free(r->group);
	free(r->one.start);
	free(r->one.host);
	free(r->one.gpu);
	free(r->order);
	free(r->tid);
}

static void find_tracks(struct rank_regions *r)
{
	const struct tm_work_range of = tm_work_tracks_of(r->w, r->w->thread[r->from].rank);

	if (of.from == of.to)
		return;
	r->track = &r->w->track[of.from];
	r->ntrack = of.to - of.from;
}

static bool is_asked(const struct rank_regions *r, uint64_t at)
{
	return at >= r->asked.lo && at < r->asked.hi;
}

static struct tm_intervals *ranges_of(struct rank_regions *r, size_t thread)
{
	return &r->w->thread[r->from + thread].region;
}

static bool group_thread(struct rank_regions *r, size_t thread)
{
	struct tm_intervals *s = ranges_of(r, thread);

	if (!tm_regions_link(s))
		return false;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t around = tm_region_around(s, i, &r->open.deep),
		         name = tm_interval_name(s, i);
		uint32_t depth = around == TM_REGION_NONE
		                         ? 0
		                         : r->group[tm_interval_name(s, around)].depth + 1;
		uint64_t key[] = { thread, (uint64_t)depth << 32 | name };
		uint32_t g = tm_groups_add(&r->keys, key, NULL);

		if (g == TM_GROUP_NONE ||
		    !tm_grow_array(&r->group, &r->cap, g + 1, sizeof *r->group) ||
		    !tm_interval_set_name(s, i, g))
			return false;
		if (g == r->ngroup)
			r->group[r->ngroup++] = (struct group) { .thread = r->from + thread,
				                                 .name = name,
				                                 .depth = depth,
				                                 .first = UINT64_MAX };
		if (is_asked(r, tm_interval_start(s, i))) {
			r->group[g].count++;
			r->group[g].host += tm_interval_dur(s, i);
		}
	}
	return true;
}

/* Keep each occurrence, in the places of its group. */
static bool keep_occurrences(struct rank_regions *r)
{
	struct occurrences *o = &r->one;

	for (size_t i = 0; i < r->ngroup; i++) {
		r->group[i].at = o->n;
		o->n += r->group[i].count;
	}
	o->start = calloc(o->n + 1, sizeof *o->start);
	o->host = calloc(o->n + 1, sizeof *o->host);
	o->gpu = calloc(o->n + 1, sizeof *o->gpu);
	if (!o->start || !o->host || !o->gpu)
		return false;
	for (size_t thread = 0; thread < r->n; thread++) {
		const struct tm_intervals *s = ranges_of(r, thread);

		for (uint32_t i = 0; i < s->n; i++) {
			struct group *g = &r->group[tm_interval_name(s, i)];

			if (!is_asked(r, tm_interval_start(s, i)))
				continue;
			o->start[g->at] = tm_interval_start(s, i);
			o->host[g->at++] = tm_interval_dur(s, i);
		}
	}
	for (size_t i = 0; i < r->ngroup; i++)
		r->group[i].at -= r->group[i].count;
	return true;
}

/* The occurrence of that group that began then gets what it launched. */
static void launched(struct rank_regions *r, const struct group *g, uint64_t start, uint64_t ns)
{
	const uint64_t *v = r->one.start + g->at;
	size_t lo = 0, hi = g->count;
	uint64_t *gpu;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid] < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == g->count || v[lo] != start)
		return; /* it began outside the window */
	gpu = &r->one.gpu[g->at + lo];
	*gpu = ns > UINT64_MAX - *gpu ? UINT64_MAX : *gpu + ns;
}

static int outermost_first(const void *pa, const void *pb, void *of)
{
	const struct rank_regions *r = of;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (r->group[a].depth != r->group[b].depth)
		return r->group[a].depth < r->group[b].depth ? -1 : 1;
	return (a > b) - (a < b);
}

static bool order_groups(struct rank_regions *r)
{
	uint32_t *sorted = malloc((r->ngroup + 1) * sizeof *sorted);

	r->order = malloc((r->ngroup + 1) * sizeof *r->order);
	if (!sorted || !r->order) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < r->ngroup; i++)
		sorted[i] = (uint32_t)i;
	qsort_r(sorted, r->ngroup, sizeof *sorted, outermost_first, r);
	for (size_t i = 0; i < r->ngroup; i++)
		r->order[sorted[i]] = (uint32_t)(r->ngroup - i);
	free(sorted);
	return true;
}

/* The ranges of threads without id, or of all threads, as if of one. */
static bool share(struct rank_regions *r)
{
	struct tm_intervals *s = &r->shared;
	bool ok = true;

	for (size_t i = 0; ok && i < r->n; i++) {
		bool loose = !r->w->thread[r->from + i].has_tid;

		r->loose |= loose && ranges_of(r, i)->n;
		if (loose || !r->by_thread)
			ok = tm_intervals_move(s, ranges_of(r, i), NULL);
	}
	for (size_t i = 0; ok && i < s->n; i++)
		tm_interval_set_tag(s, i, 0);
	if (ok)
		tm_intervals_sort(s, r->order);
	return ok && tm_regions_link(s);
}

/* Ranges of any thread, for operations whose calls are not known. */
static bool sweep(struct rank_regions *r)
{
	const struct tm_intervals **list = calloc(r->n + 1, sizeof(struct tm_intervals *));
	bool ok = list != NULL;

	for (size_t i = 0; ok && i < r->n; i++)
		list[i] = ranges_of(r, i);
	if (ok)
		list[r->n] = &r->shared;
	ok = ok && tm_region_sweep_init(&r->any, list, r->n + 1, r->order);
	free(list);
	return ok;
}

static bool any_thread_known(const struct rank_regions *r)
{
	for (size_t i = 0; i < r->ntrack; i++)
		if (r->track[i].has_lane)
			return true;
	for (size_t i = 0; i < r->n; i++) {
		const struct tm_work_thread *t = &r->w->thread[r->from + i];

		if (t->has_tid && t->calls[t->api])
			return true;
	}
	return false;
}

/* Groups come in the order in which they begin: that of the rows. */
static bool rank_init(struct rank_regions *r, struct tm_work *w, size_t from, size_t n)
{
	*r = (struct rank_regions) { .w = w, .from = from, .n = n, .keys = { .words = 2 } };
	find_tracks(r);
	tm_metric_window(w->o, w->thread[from].rank, &r->asked);
	for (size_t i = 0; i < n; i++)
		if (!group_thread(r, i))
			return false;
	if (!keep_occurrences(r) || !tm_calls_init(&r->calls, w, w->thread[from].rank, false))
		return false;
	r->by_thread = any_thread_known(r);
	return order_groups(r) && share(r) && (!r->by_thread || sweep(r));
}

/* ---- work ---- */

/* One operation, of the regions that are open; *self: whose own time it is has yet to be found. */
static void account(struct rank_regions *r, const struct tm_intervals *s, size_t i, bool kernel,
                    bool *self)
{
	uint64_t start = tm_interval_start(s, i), end = tm_interval_end(s, i);
	uint64_t lo = start > r->window.lo ? start : r->window.lo;
	uint64_t hi = end < r->window.hi ? end : r->window.hi;
	bool counts = is_asked(r, start);

	if (r->open.n && counts && *self)
		r->group[r->open.name[0]].self += end - start;
	*self &= !r->open.n;
	for (size_t k = 0; k < r->open.n; k++) {
		struct group *g = &r->group[r->open.name[k]];

		if (g->seen == r->ops)
			continue; /* a second range of the same text holds it, too */
		g->seen = r->ops;
		if (lo < hi) {
			uint64_t from = lo > g->cover ? lo : g->cover;

			g->busy += hi > from ? hi - from : 0;
			g->cover = hi > g->cover ? hi : g->cover;
		}
		if (!counts)
			continue;
		g->total += end - start;
		launched(r, g, r->open.start[k], end - start);
		g->kernels += kernel;
		g->first = start < g->first ? start : g->first;
		g->last = end > g->last ? end : g->last;
	}
}

/* A list of operations. */
struct tm_source {
	const struct tm_work_track *track;
	const struct tm_intervals *ops;
	const struct tm_intervals
	        *own; /* ranges of the thread that they name, NULL = it has none */
	bool names_thread;
	bool of_process, kernel;
};

static int by_tid(const void *pa, const void *pb)
{
	const struct tm_work_thread *a = *(const struct tm_work_thread *const *)pa,
	                            *b = *(const struct tm_work_thread *const *)pb;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* The threads that have an id, by that. */
static bool order_threads(struct rank_regions *r)
{
	r->tid = calloc(r->n + 1, sizeof(struct tm_work_thread *));
	for (size_t i = 0; r->tid && i < r->n; i++)
		if (r->w->thread[r->from + i].has_tid)
			r->tid[r->ntid++] = &r->w->thread[r->from + i];
	if (r->ntid)
		qsort(r->tid, r->ntid, sizeof *r->tid, by_tid);
	return r->tid != NULL;
}

/* Find the thread that operations of a track name; not which of several processes' it is, if that
 * is not known. */
static void find_own(const struct rank_regions *r, struct tm_source *s)
{
	const struct tm_work_track *t = s->track;
	size_t lo = 0, hi = r->ntid;

	s->names_thread = t->has_lane;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->tid[mid]->tid < t->lane)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; t->has_lane && lo < r->ntid && r->tid[lo]->tid == t->lane; lo++) {
		const struct tm_work_thread *th = r->tid[lo];

		if (th->has_pid && t->has_pid && th->pid != t->pid)
			continue;
		s->names_thread = !s->own;
		s->own = s->own ? NULL : &th->region;
		if (!s->own)
			return;
	}
}

/* Regions that are open on a thread at an instant. */
static void place_on(struct rank_regions *r, const struct tm_source *s, size_t i,
                     const struct tm_intervals *own, uint64_t at)
{
	bool self = true;

	if (own) {
		tm_regions_at(own, at, &r->open);
		account(r, s->ops, i, s->kernel, &self);
	}
	tm_regions_at(&r->shared, at, &r->open);
	account(r, s->ops, i, s->kernel, &self);
}

static bool place(struct rank_regions *r, const struct tm_source *s, size_t i)
{
	size_t call = tm_calls_find(&r->calls, s->track, s->of_process, s->ops, i);
	uint64_t start = tm_interval_start(s->ops, i);
	const struct tm_work_thread *th = call != TM_CALL_NONE
	                                          ? &r->w->thread[tm_calls_thread(&r->calls, call)]
	                                          : NULL;
	bool known = th && th->has_tid, self = true;

	r->ops++;
	if (th && (known || s->names_thread || !r->by_thread)) {
		place_on(r, s, i, known ? &th->region : s->own,
		         tm_calls_extent(&r->calls, call).lo);
		return true;
	}
	r->by_time++;
	if (s->names_thread || !r->by_thread) {
		place_on(r, s, i, s->own, start);
		return true;
	}
	if (!tm_region_sweep_at(&r->any, start, &r->open))
		return false;
	account(r, s->ops, i, s->kernel, &self);
	return true;
}

/* Operations of n lists in the order in which they start. */
static bool place_lists(struct rank_regions *r, const struct tm_source *s,
                        const struct tm_intervals *const *list, size_t n)
{
	const struct tm_merged_list *next;
	struct tm_merged m;
	bool ok = tm_merged_init(&m, list, n, NULL);

	for (; ok && (next = tm_merged_at(&m)); tm_merged_step(&m)) {
		uint64_t start = tm_interval_start(next->list, next->i);

		if (is_asked(r, start) ||
		    (start < r->window.hi && tm_interval_end(next->list, next->i) > r->window.lo))
			ok = place(r, &s[next->number], next->i);
	}
	tm_merged_fini(&m);
	return ok;
}

/* All operations of the rank. */
static bool place_all(struct rank_regions *r)
{
	const struct tm_work_track *t = r->track;
	size_t n = r->ntrack;
	struct tm_source *s = calloc(n * TM_WORK_KINDS, sizeof *s);
	const struct tm_intervals **list = calloc(n * TM_WORK_KINDS, sizeof(struct tm_intervals *));
	bool ok = s && list && order_threads(r);

	r->window = t->window;
	for (size_t i = 0; ok && i < n; i++) {
		bool of_process = tm_calls_of_process(&r->calls, &t[i]);

		r->window.lo = t[i].window.lo < r->window.lo ? t[i].window.lo : r->window.lo;
		r->window.hi = t[i].window.hi > r->window.hi ? t[i].window.hi : r->window.hi;
		for (size_t k = 0; k < TM_WORK_KINDS; k++) {
			list[i * TM_WORK_KINDS + k] = &t[i].op[k];
			s[i * TM_WORK_KINDS + k] = (struct tm_source) { .track = &t[i],
				                                        .ops = &t[i].op[k],
				                                        .of_process = of_process,
				                                        .kernel = k !=
				                                                  TM_WORK_COPY };
			find_own(r, &s[i * TM_WORK_KINDS + k]);
		}
	}
	ok = ok && place_lists(r, s, list, n * TM_WORK_KINDS);
	free(list);
	free(s);
	return ok;
}

/* ---- rows ---- */

/* Absent when it does not fit. */
static struct tm_cell cell_sum(tm_u128 sum)
{
	return sum >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)sum);
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Median and 99th percentile of n values, which are sorted. */
static void put_quantiles(struct tm_cell *p50, struct tm_cell *p99, uint64_t *v, uint64_t n)
{
	struct tm_cell *const out[] = { p50, p99 };
	static const unsigned percent[] = { 50, 99 };

	qsort(v, n, sizeof *v, by_number);
	for (size_t i = 0; n && i < 2; i++) {
		/* The ceil(percent n / 100)-th smallest. */
		uint64_t at = n / 100 * percent[i] + (n % 100 * percent[i] + 99) / 100 - 1;

		*out[i] = v[at] == UINT64_MAX ? tm_cell_none() : tm_cell_u64(v[at]);
	}
}

static bool add_rows(const struct rank_regions *r, bool gpu, struct tm_table *t)
{
	for (size_t i = 0; i < r->ngroup; i++) {
		const struct group *g = &r->group[i];
		const struct tm_work_thread *th = &r->w->thread[g->thread];
		const struct tm_name *nm = &r->w->names.v[g->name];
		struct tm_cell *c;

		if (!g->count && !g->total && !g->busy && !g->kernels)
			continue; /* outside the window */
		c = tm_table_row(t);
		if (!c)
			return false;
		c[COL_RANK] = tm_cell_u64(th->rank);
		if (th->has_tid)
			c[COL_TID] = tm_cell_u64(th->tid);
		c[COL_REGION] = tm_cell_text(nm->text, nm->len);
		c[COL_DEPTH] = tm_cell_u64(g->depth);
		c[COL_COUNT] = tm_cell_u64(g->count);
		c[COL_HOST] = cell_sum(g->host);
		put_quantiles(&c[COL_P50], &c[COL_P99], r->one.host + g->at, g->count);
		if (!gpu)
			continue;
		c[COL_TOTAL] = cell_sum(g->total);
		c[COL_BUSY] = tm_cell_u64(g->busy);
		c[COL_SELF] = cell_sum(g->self);
		c[COL_KERNELS] = tm_cell_u64(g->kernels);
		put_quantiles(&c[COL_GPU_P50], &c[COL_GPU_P99], r->one.gpu + g->at, g->count);
		if (g->first <= g->last) {
			c[COL_FIRST] = tm_cell_u64(g->first);
			c[COL_LAST] = tm_cell_u64(g->last);
		}
	}
	return true;
}

/* What the notes say, of all ranks together. */
struct told {
	uint64_t ops, by_time, no_work, loose;
	bool deep;
};

static bool fill_rank(struct tm_work *w, size_t from, size_t n, struct tm_table *t,
                      struct told *told)
{
	struct rank_regions r;
	bool ok = rank_init(&r, w, from, n);

	if (ok && r.ngroup) {
		ok = (!r.ntrack || place_all(&r)) && add_rows(&r, r.ntrack != 0, t);
		told->ops += r.ops;
		told->by_time += r.by_time;
		told->no_work += !r.ntrack;
		told->loose += r.loose;
		told->deep |= r.open.deep;
	}
	rank_fini(&r);
	return ok;
}

static void tell(const struct tm_work *w, const struct told *told, struct tm_report *rep)
{
	const struct step_own *own = w->o->own;
	bool calls = w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA];

	tm_work_tell(w, rep);
	if (own->skip)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "--skip applies to --steps only: nothing skipped");
	if (told->no_work)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " rank%s with regions but no kernels or copies: their GPU "
		              "columns are absent",
		              told->no_work, told->no_work == 1 ? "" : "s");
	if (told->by_time)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "%" PRIu64 " of %" PRIu64
		        " GPU operations have no API call with their correlation id: they count "
		        "for the regions that were open when they started, on their own thread "
		        "where they name one%s",
		        told->by_time, told->ops,
		        calls ? "" : "; trace with --hip-trace to know who launched them");
	if (told->loose)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "some regions carry no thread: what any thread launched counts for "
		              "them");
	if (told->deep)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "more than %d regions were open at a time: only the innermost %d count",
		        TM_REGION_OPEN, TM_REGION_OPEN);
}

enum tm_status tm_fill_regions(struct tm_work *w, const struct tm_metric_opts *o,
                               struct tm_table *t, struct tm_report *rep)
{
	struct told told = { 0 };

	(void)o;
	tm_table_init_list(t, tm_region_columns);
	if (!tm_work_settle(w))
		return TM_ST_FATAL;
	for (size_t i = 0, k; i < w->nthread; i = k) {
		for (k = i + 1; k < w->nthread && w->thread[k].rank == w->thread[i].rank;)
			k++;
		if (!fill_rank(w, i, k - i, t, &told))
			return TM_ST_FATAL;
	}
	if (!t->nrows) {
		tm_work_explain_nothing(w, "markers", rep);
		if (!w->seen[TM_DOMAIN_MARKER] && !w->stats)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "rocprofv3 records roctx ranges with --marker-trace");
		return TM_ST_END;
	}
	tell(w, &told, rep);
	return TM_ST_OK;
}
