/* SPDX-License-Identifier: MIT
 * From the waits and sums that `sync` remembers to its table. */
#include "metric/idle/sync_parts.h"

#include "agg/agg.h"
#include "work/work.h"

#include <stdlib.h>

enum {
	COL_RANK,
	COL_PID,
	COL_TID,
	COL_FUNCTION,
	COL_CALLS,
	COL_TOTAL,
	COL_PCT,
	COL_HOST_PCT,
	COL_IDLE,
	COL_IDLE_PCT,
	COL_AVG,
	COL_P99,
	COL_MAX,
	COL_N,
};

const struct tm_column tm_sync_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process" },
	[COL_PID] = { .name = "pid",
	              .title = "PID",
	              .unit = TM_UNIT_ID,
	              .local = true,
	              .spare = 2,
	              .about = "process id" },
	[COL_TID] = { .name = "tid",
	              .title = "TID",
	              .unit = TM_UNIT_ID,
	              .local = true,
	              .about = "thread; absent in process rows" },
	[COL_FUNCTION] = { .name = "function",
	                   .title = "FUNCTION",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true,
	                   .about = "call; absent in process rows" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "calls that start inside the window" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "time in such calls; process rows: of at least one thread" },
	[COL_PCT] = { .name = "window_pct",
	              .title = "WINDOW%",
	              .unit = TM_UNIT_PCT,
	              .about = "total_ns / GPU window of the rank" },
	[COL_HOST_PCT] = { .name = "host_pct",
	                   .title = "HOST%",
	                   .unit = TM_UNIT_PCT,
	                   .spare = 5,
	                   .about = "same time, also outside the GPU window, / host window" },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "IDLE",
	               .unit = TM_UNIT_NS,
	               .about = "part of total_ns with all agents of the rank idle" },
	[COL_IDLE_PCT] = { .name = "idle_pct",
	                   .title = "IDLE%",
	                   .unit = TM_UNIT_PCT,
	                   .bar = true,
	                   .about = "idle_ns / GPU window of the rank" },
	[COL_AVG] = { .name = "avg_ns",
	              .title = "AVG",
	              .unit = TM_UNIT_NS,
	              .spare = 3,
	              .about = "mean duration of a call" },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .unit = TM_UNIT_NS,
	              .spare = 1,
	              .about = "99th percentile" },
	[COL_MAX] = { .name = "max_ns",
	              .title = "MAX",
	              .unit = TM_UNIT_NS,
	              .spare = 4,
	              .about = "longest call" },
	[COL_N] = { 0 },
};

/* ---- adding up ---- */

static const char *const during_words[] = { "busy", "idle", NULL };

const struct tm_metric_option tm_sync_options[] = {
	{ .name = "during",
	  TM_METRIC_TO_CHOICE(struct sync_own, during),
	  .arg = "WHEN",
	  .choices = during_words,
	  .about = "only waits while the GPU was in this state" },
	{ 0 },
};

enum during tm_sync_during(const struct tm_metric_opts *o)
{
	const struct sync_own *own = o->own;

	if (!own->during)
		return DURING_ALL;
	return !strcmp(own->during, "busy") ? DURING_BUSY : DURING_IDLE;
}

/* Of [lo, hi), how much --during asks for, and how much of that the GPU was idle. */
struct part {
	uint64_t asked, idle;
};

static struct part part_of(const struct tm_cover *c, enum during during, uint64_t lo, uint64_t hi)
{
	uint64_t busy = lo < hi ? tm_cover_busy(c, lo, hi) : 0, all = lo < hi ? hi - lo : 0;

	switch (during) {
	case DURING_BUSY:
		return (struct part) { busy, 0 };
	case DURING_IDLE:
		return (struct part) { all - busy, all - busy };
	default:
		return (struct part) { all, all - busy };
	}
}

static struct tm_extent overlap(uint64_t lo, uint64_t hi, struct tm_extent w)
{
	return (struct tm_extent) { lo > w.lo ? lo : w.lo, hi < w.hi ? hi : w.hi };
}

/* A union as it grows: so much of it is asked for, the GPU is idle, also from the first kernel on;
 * and where it ends so far. */
struct covered {
	uint64_t asked, idle, later, edge;
};

struct tally {
	uint64_t calls, min, max;
	tm_u128 sum;
	struct tm_quantile q;
	struct covered gpu, host; /* inside the GPU window; inside the host window */
};

struct row {
	const struct tm_work_thread *thread; /* NULL = of no known thread */
	uint32_t name;
	struct tally t;
};

struct rows {
	struct row *v;
	size_t n, cap;
};

static void rows_clear(struct rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		tm_quantile_fini(&r->v[i].t.q);
	r->n = 0;
}

/* What the threads of a process were in a call. */
struct weight {
	uint64_t total, idle;
};

/* Shared by the rows of one answer. */
struct ask {
	struct tm_work *w;
	const struct tm_groups *busy; /* ranks with GPU work */
	struct tm_extent asked, host; /* windows: what -w says, of the host */
	struct tm_extent gpu;         /* of the GPU, or what -w says */
	bool has_gpu;                 /* there is one */
	bool has_idle;                /* and it is known when the GPU worked */
	struct tm_cover cover;        /* of the rank, */
	struct tm_extent tracks;      /* and the window of its tracks, */
	uint64_t first;               /* and where its first kernel begins; 0 = at any time */
	struct rows rows;
	struct tally total;
	struct covered thread; /* of the thread being looked at */
	struct tally kind[TM_WAIT_KINDS];
	struct weight *weight; /* name -> what its rows come to */
	uint8_t *kind_of;      /* name -> 1 + enum tm_wait_kind; 0 = not looked up */
	bool kinds;            /* --kinds: no rows of threads and calls */
	size_t *at;            /* name -> its row, + 1 */
	size_t track;          /* the first of the rank */
	uint64_t outside;      /* calls of the process that start outside the GPU window */
};

/* What is of all threads of a process. */
static void totals_clear(struct ask *a)
{
	tm_quantile_fini(&a->total.q);
	a->total = (struct tally) { 0 };
	for (int k = 0; k < TM_WAIT_KINDS; k++) {
		tm_quantile_fini(&a->kind[k].q);
		a->kind[k] = (struct tally) { 0 };
	}
}

static void covered_add(struct covered *c, const struct ask *a, struct tm_extent at)
{
	struct part p;

	at.lo = at.lo > c->edge ? at.lo : c->edge;
	if (at.lo >= at.hi)
		return;
	p = part_of(&a->cover, tm_sync_during(a->w->o), at.lo, at.hi);
	c->asked += p.asked;
	c->idle += p.idle;
	c->edge = at.hi;
	if (at.lo < a->first)
		p = part_of(&a->cover, tm_sync_during(a->w->o), a->first, at.hi);
	c->later += p.idle;
}

static bool starts_in(struct tm_extent w, uint64_t at)
{
	return at >= w.lo && at < w.hi;
}

/* One call.  Starting inside the GPU window it is counted, with its whole duration; of the union
 * there is what lies in the windows.  With --during only that part of a call exists. */
static bool tally_add(struct tally *t, const struct ask *a, uint64_t start, uint64_t end)
{
	const enum during during = tm_sync_during(a->w->o);
	struct tm_extent at = overlap(start, end, a->gpu);
	uint64_t ns = during == DURING_ALL ? end - start
	                                   : part_of(&a->cover, during, at.lo, at.hi).asked;

	if (starts_in(a->gpu, start) && (ns || during == DURING_ALL)) {
		t->min = t->calls && t->min < ns ? t->min : ns;
		t->max = t->max > ns ? t->max : ns;
		t->calls++;
		t->sum += ns;
		if (!tm_quantile_add(&t->q, ns))
			return false;
	}
	covered_add(&t->gpu, a, at);
	covered_add(&t->host, a, overlap(start, end, a->host));
	return true;
}

static bool add_thread(struct ask *a, const struct tm_work_thread *t, enum tm_work_api api)
{
	const struct tm_intervals *s = &t->wait[api];
	size_t first = a->rows.n;

	a->thread = (struct covered) { 0 };
	for (size_t i = 0; i < s->n; i++) {
		uint64_t start = tm_interval_start(s, i), end = tm_interval_end(s, i);
		uint32_t name = tm_interval_name(s, i);

		covered_add(&a->thread, a, overlap(start, end, a->gpu));

		if (!a->at[name]) {
			struct rows *r = &a->rows;

			if (!tm_grow_array(&r->v, &r->cap, r->n + 1, sizeof *r->v))
				return false;
			r->v[r->n++] = (struct row) { .thread = t, .name = name };
			a->at[name] = r->n;
		}
		if (!tally_add(&a->rows.v[a->at[name] - 1].t, a, start, end))
			return false;
	}
	for (size_t i = first; i < a->rows.n; i++)
		a->at[a->rows.v[i].name] = 0;
	return true;
}

static enum tm_wait_kind kind_of(struct ask *a, uint32_t name)
{
	const struct tm_wait *wait;

	if (!a->kind_of[name]) {
		wait = tm_wait_of(a->w->names.v[name].text);
		a->kind_of[name] = (uint8_t)(1 + (wait ? wait->kind : TM_WAIT_SYNC));
	}
	return (enum tm_wait_kind)(a->kind_of[name] - 1);
}

static bool add_total(struct ask *a, const struct tm_sync_process *p)
{
	struct tm_intervals all = { 0 };
	bool ok = tm_sync_take_waits(p, &all);

	for (size_t i = 0; ok && i < all.n; i++) {
		uint64_t start = tm_interval_start(&all, i), end = tm_interval_end(&all, i);
		enum tm_wait_kind kind = kind_of(a, tm_interval_name(&all, i));

		ok = tally_add(&a->total, a, start, end) &&
		     tally_add(&a->kind[kind], a, start, end);
		a->outside += !starts_in(a->gpu, start) && starts_in(a->asked, start);
	}
	tm_intervals_fini(&all);
	return ok;
}

/* ---- rows ---- */

/* Most time first, then by thread, absent ones first, then by name. */
static int by_time(const void *pa, const void *pb, void *order)
{
	const struct row *a = pa, *b = pb;
	bool ta = a->thread && a->thread->has_tid, tb = b->thread && b->thread->has_tid;
	int c = tm_u64_cmp(b->t.gpu.asked, a->t.gpu.asked);

	if (!c)
		c = ta - tb;
	if (!c && ta)
		c = tm_u64_cmp(a->thread->tid, b->thread->tid);
	return c ? c
	         : tm_u64_cmp(((const uint32_t *)order)[a->name],
	                      ((const uint32_t *)order)[b->name]);
}

static bool put_row(struct tm_table *t, const struct tm_sync_process *p, const struct ask *a,
                    const struct row *r, struct tally *y)
{
	const struct tm_work *w = a->w;
	const uint64_t gpu = a->gpu.hi - a->gpu.lo;
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[COL_RANK] = tm_cell_u64(p->thread->rank);
	if (p->thread->has_pid)
		cell[COL_PID] = tm_cell_u64(p->thread->pid);
	if (r && r->thread->has_tid)
		cell[COL_TID] = tm_cell_u64(r->thread->tid);
	if (r)
		cell[COL_FUNCTION] = tm_cell_text(w->names.v[r->name].text,
		                                  w->names.v[r->name].len);
	cell[COL_CALLS] = tm_cell_u64(y->calls);
	cell[COL_TOTAL] = tm_cell_u64(y->gpu.asked);
	cell[COL_HOST_PCT] = tm_work_pct(y->host.asked, a->host.hi - a->host.lo);
	if (a->has_gpu)
		cell[COL_PCT] = tm_work_pct(y->gpu.asked, gpu);
	if (a->has_idle) {
		cell[COL_IDLE] = tm_cell_u64(y->gpu.idle);
		cell[COL_IDLE_PCT] = tm_work_pct(y->gpu.idle, gpu);
	}
	if (!y->calls)
		return true;
	cell[COL_AVG] = tm_cell_ratio((uint64_t)(y->sum >> 64), (uint64_t)y->sum, y->calls);
	cell[COL_P99] = tm_cell_u64(tm_quantile_at(&y->q, 990, y->min, y->max));
	cell[COL_MAX] = tm_cell_u64(y->max);
	return true;
}

/* Of ascending keys. */
static bool is_in(const struct tm_groups *g, uint64_t key)
{
	uint32_t lo = 0, hi = g->n;

	TM_BISECT(lo, hi, mid, g->key[mid] < key);
	return lo < g->n && g->key[lo] == key;
}

/* From the first start to the last end of what the tracks of a rank did; ranks ascend. */
static struct tm_extent gpu_of(struct ask *a, uint64_t rank)
{
	const struct tm_work *w = a->w;

	if (a->cover.made && a->cover.rank == rank)
		return a->tracks;
	a->tracks = (struct tm_extent) { UINT64_MAX, 0 };
	a->first = UINT64_MAX;
	while (a->track < w->ntrack && w->track[a->track].rank < rank)
		a->track++;
	for (size_t i = a->track; i < w->ntrack && w->track[i].rank == rank; i++) {
		const struct tm_extent *one = &w->track[i].window;
		const uint64_t first = tm_work_first_kernel(&w->track[i]);

		a->first = first < a->first ? first : a->first;
		a->tracks.lo = one->lo < a->tracks.lo ? one->lo : a->tracks.lo;
		a->tracks.hi = one->hi > a->tracks.hi ? one->hi : a->tracks.hi;
	}
	a->first = a->first < UINT64_MAX ? a->first : 0;
	return a->tracks;
}

/* The windows of a process; ranks ascend. */
static bool turn_to(struct ask *a, const struct tm_sync_process *p)
{
	struct tm_work *w = a->w;
	const struct tm_metric_opts *o = w->o;
	uint64_t rank = p->thread->rank;
	struct tm_extent gpu = gpu_of(a, rank);

	/* Nobody did anything in a window that has both edges: it is one all the same. */
	tm_metric_window(o, rank, &a->asked);
	if (o->windowed && !o->open_from && !o->open_to)
		gpu = a->asked;
	a->has_gpu = gpu.lo < gpu.hi;
	a->has_idle = a->has_gpu && is_in(a->busy, rank);
	a->host = p->host;
	a->gpu = a->has_gpu ? gpu : a->asked;
	a->outside = 0;
	return tm_cover_make(&a->cover, w, rank);
}

/* What each kind of calls comes to, and in which most of it was spent. */
static bool note_kinds(struct ask *a, const struct tm_sync_process *p, struct notes *notes)
{
	struct kind_sum kinds[TM_WAIT_KINDS];
	const struct rows *r = &a->rows;

	for (int k = 0; k < TM_WAIT_KINDS; k++)
		kinds[k] = (struct kind_sum) { .calls = a->kind[k].calls,
			                       .total = a->kind[k].gpu.asked,
			                       .idle = a->kind[k].gpu.idle,
			                       .later = a->kind[k].gpu.later,
			                       .most = TM_NAME_NONE };
	for (size_t i = 0; i < r->n; i++) {
		a->weight[r->v[i].name].total += r->v[i].t.gpu.asked;
		a->weight[r->v[i].name].idle += r->v[i].t.gpu.idle;
	}
	for (size_t i = 0; i < r->n; i++) {
		const uint32_t name = r->v[i].name;
		const struct weight w = a->weight[name];

		if (w.total)
			tm_sync_weigh(a->w, &kinds[kind_of(a, name)], name, w.total, w.idle);
		a->weight[name] = (struct weight) { 0 };
	}
	return tm_sync_note_kinds(notes, p->thread->rank, p->thread, a->has_gpu ? &a->gpu : NULL,
	                          a->has_idle, kinds);
}

static bool fill_process(struct ask *a, const struct tm_sync_process *p, struct tm_table *t,
                         struct blocked *most, struct notes *notes)
{
	bool ok = turn_to(a, p);
	struct blocked b = { .rank = p->thread->rank,
		             .pid = p->thread->pid,
		             .has_pid = p->thread->has_pid,
		             .window = a->has_idle ? a->gpu.hi - a->gpu.lo : 0 };

	for (size_t i = 0; ok && i < p->n; i++) {
		ok = add_thread(a, &p->thread[i], p->api);
		if (a->thread.asked > b.longest) {
			b.longest = a->thread.asked;
			b.has_tid = p->thread[i].has_tid;
			b.tid = p->thread[i].tid;
		}
	}
	ok = ok && add_total(a, p) && note_kinds(a, p, notes) &&
	     (a->kinds || put_row(t, p, a, NULL, &a->total));
	b.waited = a->total.gpu.asked;
	b.idle = a->total.gpu.idle;
	if (ok && a->rows.n)
		qsort_r(a->rows.v, a->rows.n, sizeof *a->rows.v, by_time, a->w->order);
	for (size_t i = 0; ok && !a->kinds && i < a->rows.n; i++) {
		struct row *r = &a->rows.v[i];

		if (r->t.calls || r->t.gpu.asked || r->t.host.asked)
			ok = put_row(t, p, a, r, &r->t);
	}
	rows_clear(&a->rows);
	totals_clear(a);
	*most = b;
	return ok;
}

/* ---- sums ---- */

struct sum_row {
	uint64_t rank;
	enum tm_work_api api;
	uint32_t name;
	struct sum sum;
};

struct sums {
	struct sum_row *v; /* by rank, HIP first, most time first, name */
	size_t n;
	uint64_t beside; /* rows left out, for the trace of their run is there */
};

static int by_rank(const void *pa, const void *pb, void *order)
{
	const struct sum_row *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_u64_cmp(a->api, b->api);
	return c ? c
	         : tm_u64_cmp(((const uint32_t *)order)[a->name],
	                      ((const uint32_t *)order)[b->name]);
}

static int by_sum(const void *pa, const void *pb, void *order)
{
	const struct sum_row *a = pa, *b = pb;
	int c = tm_u64_cmp(a->rank, b->rank);

	if (!c)
		c = tm_u64_cmp(a->api, b->api);
	if (!c)
		c = (b->sum.total > a->sum.total) - (b->sum.total < a->sum.total);
	return c ? c : by_rank(pa, pb, order);
}

static bool was_traced(const struct sync *s, uint64_t run)
{
	for (uint32_t i = 0; i < s->traced.n; i++)
		if (s->traced.key[i] == run)
			return true;
	return false;
}

/* The sums of each function of a rank, over all runs that were not traced. */
static bool sums_make(const struct sync *s, struct sums *out)
{
	size_t n = 0;

	*out = (struct sums) { .v = calloc((size_t)s->keys.n + 1, sizeof *out->v) };
	if (!out->v)
		return false;
	for (uint32_t i = 0; i < s->keys.n; i++) {
		const uint64_t *key = s->keys.key + (size_t)i * KEY_WORDS;

		if (was_traced(s, key[KEY_RUN]))
			out->beside++;
		else
			out->v[n++] = (struct sum_row) { .rank = key[KEY_RANK],
				                         .api = (enum tm_work_api)key[KEY_API],
				                         .name = (uint32_t)key[KEY_NAME],
				                         .sum = s->sum[i] };
	}
	if (n)
		qsort_r(out->v, n, sizeof *out->v, by_rank, s->w.order);
	for (size_t i = 0; i < n; i++)
		if (out->n && !by_rank(&out->v[out->n - 1], &out->v[i], s->w.order))
			tm_sync_add_sum(&out->v[out->n - 1].sum, &out->v[i].sum);
		else
			out->v[out->n++] = out->v[i];
	if (out->n)
		qsort_r(out->v, out->n, sizeof *out->v, by_sum, s->w.order);
	return true;
}

static bool put_sum(struct tm_table *t, const struct tm_work *w, const struct sum_row *r,
                    bool whole_rank, tm_u128 whole, struct tm_report *rep)
{
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[COL_RANK] = tm_cell_u64(r->rank);
	if (!whole_rank)
		cell[COL_FUNCTION] = tm_cell_text(w->names.v[r->name].text,
		                                  w->names.v[r->name].len);
	cell[COL_CALLS] = tm_cell_u64(r->sum.calls);
	cell[COL_TOTAL] = tm_work_sum_cell(r->sum.total, "durations", rep);
	cell[COL_HOST_PCT] = tm_work_pct(r->sum.total, whole);
	cell[COL_AVG] = tm_cell_ratio((uint64_t)(r->sum.total >> 64), (uint64_t)r->sum.total,
	                              r->sum.calls);
	if (r->sum.calls && !r->sum.no_max)
		cell[COL_MAX] = tm_cell_u64(r->sum.max);
	return true;
}

/* How the host waits in a function, of the API that it is of; NULL = it does not. */
static const struct tm_wait *wait_of(const struct sync *s, const struct sum_row *r)
{
	const struct tm_wait *wait = tm_wait_of(s->w.names.v[r->name].text);

	return wait && wait->api == r->api ? wait : NULL;
}

/* The rows of the rank that begins at v[*at]; *at moves after it. */
static bool fill_sums(const struct sync *s, const struct sums *sums, size_t *at, struct tm_table *t,
                      struct notes *notes, bool by_kind, struct tm_report *rep)
{
	struct noted *noted = tm_sync_noted(notes, sums->v[*at].rank, NOTED_SUMS);
	struct kind_sum kinds[TM_WAIT_KINDS] = { 0 };
	const struct sum_row *v = sums->v;
	struct sum_row total = { .rank = v[*at].rank, .api = v[*at].api };
	size_t first = *at, end = first;
	double least = 0;
	tm_u128 whole = 0;
	bool ok;

	if (!noted)
		return false;
	for (int k = 0; k < TM_WAIT_KINDS; k++)
		kinds[k].most = TM_NAME_NONE;
	for (; end < sums->n && v[end].rank == total.rank && v[end].api == total.api; end++) {
		const struct tm_wait *wait = wait_of(s, &v[end]);

		whole += v[end].sum.total;
		least = v[end].sum.least > least ? v[end].sum.least : least;
		if (!wait)
			continue;
		tm_sync_add_sum(&total.sum, &v[end].sum);
		kinds[wait->kind].calls += v[end].sum.calls;
		kinds[wait->kind].total += v[end].sum.total;
		tm_sync_weigh(&s->w, &kinds[wait->kind], v[end].name, v[end].sum.total, 0);
	}
	for (*at = end; *at < sums->n && v[*at].rank == total.rank;)
		++*at; /* HSA calls beside HIP calls */
	noted->v[NOTED_HSA] = total.api == TM_WORK_HSA;
	if (least > (double)whole * (1 + 1e-9) + 1)
		whole = 0;
	else
		noted->v[NOTED_KNOWN] = 1;
	noted->v[NOTED_WHOLE] = (uint64_t)whole;
	noted->v[NOTED_WHOLE_HI] = (uint64_t)(whole >> 64);
	ok = tm_sync_note_kinds(notes, total.rank, NULL, NULL, false, kinds) &&
	     (by_kind || put_sum(t, &s->w, &total, true, whole, rep));
	for (size_t i = first; ok && !by_kind && i < end; i++)
		if (wait_of(s, &v[i]))
			ok = put_sum(t, &s->w, &v[i], false, whole, rep);
	return ok;
}

/* ---- all of it ---- */

static bool note_process(struct notes *n, const struct ask *ask, const struct tm_sync_process *p,
                         const struct blocked *b)
{
	struct noted *noted = tm_sync_noted(n, p->thread->rank, NOTED_PROCESS);

	if (!noted)
		return false;
	noted->v[NOTED_HSA] = p->api == TM_WORK_HSA;
	noted->v[NOTED_KNOWN] = ask->has_gpu;
	noted->v[NOTED_WHOLE] = ask->has_gpu ? ask->gpu.hi - ask->gpu.lo : 0;
	noted->v[NOTED_HOST] = ask->host.hi - ask->host.lo;
	noted->v[NOTED_OUTSIDE] = ask->outside;
	noted->v[NOTED_PID] = b->pid;
	noted->v[NOTED_HAS_PID] = b->has_pid;
	noted->v[NOTED_TID] = b->tid;
	noted->v[NOTED_HAS_TID] = b->has_tid;
	noted->v[NOTED_WINDOW] = b->window;
	noted->v[NOTED_WAITED] = b->waited;
	noted->v[NOTED_IDLE] = b->idle;
	noted->v[NOTED_LONGEST] = b->longest;
	return true;
}

static bool fill_all(struct sync *s, const struct sums *sums, struct ask *ask, struct notes *notes,
                     struct tm_table *t, struct tm_report *rep)
{
	struct tm_sync_process p;
	size_t at = 0, sum = 0;

	while (tm_sync_next(&s->w, &at, &p)) {
		struct blocked b;

		while (sum < sums->n && sums->v[sum].rank <= p.thread->rank)
			if (!fill_sums(s, sums, &sum, t, notes, ask->kinds, rep))
				return false;
		if (!fill_process(ask, &p, t, &b, notes) || !note_process(notes, ask, &p, &b))
			return false;
	}
	while (sum < sums->n)
		if (!fill_sums(s, sums, &sum, t, notes, ask->kinds, rep))
			return false;
	for (uint32_t i = 0; i < s->busy.n; i++)
		if (!tm_sync_noted(notes, s->busy.key[i], NOTED_BUSY))
			return false;
	return true;
}

/* The ranks with GPU work, also those that are idle in the window. */
static bool note_busy(struct sync *s)
{
	for (size_t i = 0; i < s->w.nbusy; i++)
		if (!tm_sync_note(&s->busy, s->w.busy[i]))
			return false;
	return true;
}

/* Room for what is known of each name; false when out of memory. */
static bool ask_init(struct ask *a)
{
	const size_t names = (size_t)a->w->names.n + 1;

	a->at = calloc(names, sizeof *a->at);
	a->weight = calloc(names, sizeof *a->weight);
	a->kind_of = calloc(names, sizeof *a->kind_of);
	return a->at && a->weight && a->kind_of;
}

enum tm_status tm_sync_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                            struct tm_report *rep)
{
	struct sync *s = acc;
	struct answer a = { .told = { .words = 1 }, .busy = { .words = 1 } };
	struct notes notes = { .names = &s->w.names };
	struct ask ask = { .w = &s->w, .busy = &s->busy, .kinds = o->view != NULL };
	struct sums sums = { 0 };
	bool ok;

	tm_table_init_list(t, ask.kinds ? tm_sync_kinds_columns : tm_sync_columns);
	ok = tm_work_settle(&s->w) && note_busy(s) && sums_make(s, &sums) && ask_init(&ask) &&
	     fill_all(s, &sums, &ask, &notes, t, rep) &&
	     (ask.kinds || tm_state_rows(o->state, t)) && tm_work_state(&s->w, o->state) &&
	     tm_sync_share_notes(&notes, o->state) && tm_sync_add_notes(&a, &notes) &&
	     (!ask.kinds || tm_sync_put_kinds(&notes, t, rep));
	a.beside = (uint64_t)tm_state_sum(o->state, sums.beside);
	tm_state_add(o->state, &s->unusable);
	if (ok && t->nrows)
		tm_sync_tell(s, &a, rep);
	else if (ok)
		tm_sync_explain_nothing(s, rep);
	rows_clear(&ask.rows);
	totals_clear(&ask);
	tm_cover_fini(&ask.cover);
	tm_groups_fini(&a.told);
	tm_groups_fini(&a.busy);
	free(notes.v);
	free(ask.rows.v);
	free(ask.at);
	free(ask.weight);
	free(ask.kind_of);
	free(sums.v);
	return !ok ? TM_ST_FATAL : t->nrows ? TM_ST_OK : TM_ST_END;
}
