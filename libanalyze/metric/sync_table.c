/* SPDX-License-Identifier: MIT
 * From the waits and sums that `sync` remembers to its table. */
#include "metric/priv_sync.h"

#include "agg/quantile.h"
#include "metric/cover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	COL_RANK,
	COL_PID,
	COL_TID,
	COL_FUNCTION,
	COL_CALLS,
	COL_TOTAL,
	COL_PCT,
	COL_AVG,
	COL_P99,
	COL_MAX,
	COL_N,
};

const struct column sync_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = UNIT_ID,
	               .about = "process of the job" },
	[COL_PID] = { .name = "pid",
	              .title = "PID",
	              .unit = UNIT_ID,
	              .spare = 2,
	              .about = "process of the system" },
	[COL_TID] = { .name = "tid",
	              .title = "TID",
	              .unit = UNIT_ID,
	              .about = "thread; absent in the row of a whole process" },
	[COL_FUNCTION] = { .name = "function",
	                   .title = "FUNCTION",
	                   .unit = UNIT_TEXT,
	                   .elastic = true,
	                   .about = "the call; absent in the row of a process" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = UNIT_COUNT,
	                .about = "calls that start inside the window" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = UNIT_NS,
	                .about = "time inside such calls; of a process: of at least one thread" },
	[COL_PCT] = { .name = "window_pct",
	              .title = "WINDOW%",
	              .unit = UNIT_PCT,
	              .bar = true,
	              .about = "total_ns / host window of the process" },
	[COL_AVG] = { .name = "avg_ns",
	              .title = "AVG",
	              .unit = UNIT_NS,
	              .spare = 3,
	              .about = "mean duration of a call" },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .unit = UNIT_NS,
	              .spare = 1,
	              .about = "99 % of the calls take no longer" },
	[COL_MAX] = { .name = "max_ns",
	              .title = "MAX",
	              .unit = UNIT_NS,
	              .spare = 4,
	              .about = "longest call" },
	[COL_N] = { 0 },
};

/* ---- adding up ---- */

/* How much of [lo, hi) is asked for. */
static uint64_t part(const struct cover *c, enum during during, uint64_t lo, uint64_t hi)
{
	uint64_t busy = during == DURING_ALL ? 0 : cover_busy(c, lo, hi);

	return during == DURING_BUSY ? busy : hi - lo - busy;
}

struct tally {
	uint64_t calls, min, max;
	u128 sum;
	struct quantile q;
	uint64_t covered, edge; /* of the union: so much, and where it ends so far */
};

struct row {
	const struct work_thread *thread; /* NULL = of no known thread */
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
		quantile_fini(&r->v[i].t.q);
	r->n = 0;
}

/* Shared by the rows of one answer. */
struct ask {
	struct work *w;
	struct extent asked, window; /* what -w says, host window */
	struct cover cover;
	struct rows rows;
	struct tally total;
	size_t *at; /* name -> row of the thread being looked at, + 1 */
};

/* One call.  Starting inside the window it is counted, with its whole duration; of the union there
 * is what lies in the host window.  With --during only that part of a call exists. */
static bool tally_add(struct tally *t, const struct ask *a, uint64_t start, uint64_t end)
{
	const enum during during = a->w->o->during;
	uint64_t lo = start > a->window.lo ? start : a->window.lo,
	         hi = end < a->window.hi ? end : a->window.hi, ns = end - start;

	hi = hi < lo ? lo : hi;
	if (during != DURING_ALL)
		ns = part(&a->cover, during, lo, hi);
	if (start >= a->asked.lo && start < a->asked.hi && (ns || during == DURING_ALL)) {
		t->min = t->calls && t->min < ns ? t->min : ns;
		t->max = t->max > ns ? t->max : ns;
		t->calls++;
		t->sum += ns;
		if (!quantile_add(&t->q, ns))
			return false;
	}
	lo = lo > t->edge ? lo : t->edge;
	if (hi > lo) {
		t->covered += part(&a->cover, during, lo, hi);
		t->edge = hi;
	}
	return true;
}

static bool add_thread(struct ask *a, const struct work_thread *t, enum work_api api)
{
	const struct intervals *s = &t->wait[api];
	size_t first = a->rows.n;

	for (size_t i = 0; i < s->n; i++) {
		uint32_t name = interval_name(s, i);

		if (!a->at[name]) {
			struct rows *r = &a->rows;

			if (!grow_array(&r->v, &r->cap, r->n + 1, sizeof *r->v))
				return false;
			r->v[r->n++] = (struct row) { .thread = t, .name = name };
			a->at[name] = r->n;
		}
		if (!tally_add(&a->rows.v[a->at[name] - 1].t, a, interval_start(s, i),
		               interval_end(s, i)))
			return false;
	}
	for (size_t i = first; i < a->rows.n; i++)
		a->at[a->rows.v[i].name] = 0;
	return true;
}

static bool add_total(struct ask *a, const struct sync_process *p)
{
	struct intervals all = { 0 };
	bool ok = sync_take_waits(p, &all);

	for (size_t i = 0; ok && i < all.n; i++)
		ok = tally_add(&a->total, a, interval_start(&all, i), interval_end(&all, i));
	intervals_fini(&all);
	return ok;
}

/* ---- rows ---- */

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Most time first, then by thread, absent ones first, then by name. */
static int by_time(const void *pa, const void *pb, void *order)
{
	const struct row *a = pa, *b = pb;
	bool ta = a->thread && a->thread->has_tid, tb = b->thread && b->thread->has_tid;
	int c = cmp_u64(b->t.covered, a->t.covered);

	if (!c)
		c = ta - tb;
	if (!c && ta)
		c = cmp_u64(a->thread->tid, b->thread->tid);
	return c ? c
	         : cmp_u64(((const uint32_t *)order)[a->name], ((const uint32_t *)order)[b->name]);
}

static bool put_row(struct table *t, const struct sync_process *p, const struct work *w,
                    const struct row *r, struct tally *y)
{
	struct cell *cell = table_row(t);

	if (!cell)
		return false;
	cell[COL_RANK] = cell_u64(p->thread->rank);
	if (p->thread->has_pid)
		cell[COL_PID] = cell_u64(p->thread->pid);
	if (r && r->thread->has_tid)
		cell[COL_TID] = cell_u64(r->thread->tid);
	if (r)
		cell[COL_FUNCTION] = cell_text(w->names.v[r->name].text, w->names.v[r->name].len);
	cell[COL_CALLS] = cell_u64(y->calls);
	cell[COL_TOTAL] = cell_u64(y->covered);
	cell[COL_PCT] = work_pct(y->covered, p->window.hi - p->window.lo);
	if (!y->calls)
		return true;
	cell[COL_AVG] = cell_ratio((uint64_t)(y->sum >> 64), (uint64_t)y->sum, y->calls);
	cell[COL_P99] = cell_u64(quantile_at(&y->q, 990, y->min, y->max));
	cell[COL_MAX] = cell_u64(y->max);
	return true;
}

static bool fill_process(struct ask *a, const struct sync_process *p, struct table *t)
{
	struct work *w = a->w;
	bool ok = w->o->during == DURING_ALL || cover_make(&a->cover, w, p->thread->rank);

	metric_window(w->o, p->thread->rank, &a->asked);
	a->window = p->window;
	for (size_t i = 0; ok && i < p->n; i++)
		ok = add_thread(a, &p->thread[i], p->api);
	ok = ok && add_total(a, p) && put_row(t, p, w, NULL, &a->total);
	if (ok && a->rows.n)
		qsort_r(a->rows.v, a->rows.n, sizeof *a->rows.v, by_time, w->order);
	for (size_t i = 0; ok && i < a->rows.n; i++) {
		struct row *r = &a->rows.v[i];

		if (r->t.calls || r->t.covered)
			ok = put_row(t, p, w, r, &r->t);
	}
	rows_clear(&a->rows);
	quantile_fini(&a->total.q);
	a->total = (struct tally) { 0 };
	return ok;
}

/* ---- sums ---- */

struct sum_row {
	uint64_t rank;
	enum work_api api;
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
	int c = cmp_u64(a->rank, b->rank);

	if (!c)
		c = cmp_u64(a->api, b->api);
	return c ? c
	         : cmp_u64(((const uint32_t *)order)[a->name], ((const uint32_t *)order)[b->name]);
}

static int by_sum(const void *pa, const void *pb, void *order)
{
	const struct sum_row *a = pa, *b = pb;
	int c = cmp_u64(a->rank, b->rank);

	if (!c)
		c = cmp_u64(a->api, b->api);
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
				                         .api = (enum work_api)key[KEY_API],
				                         .name = (uint32_t)key[KEY_NAME],
				                         .sum = s->sum[i] };
	}
	if (n)
		qsort_r(out->v, n, sizeof *out->v, by_rank, s->w.order);
	for (size_t i = 0; i < n; i++)
		if (out->n && !by_rank(&out->v[out->n - 1], &out->v[i], s->w.order))
			sync_add_sum(&out->v[out->n - 1].sum, &out->v[i].sum);
		else
			out->v[out->n++] = out->v[i];
	if (out->n)
		qsort_r(out->v, out->n, sizeof *out->v, by_sum, s->w.order);
	return true;
}

static bool put_sum(struct table *t, const struct work *w, const struct sum_row *r, bool whole_rank,
                    u128 whole, struct report *rep)
{
	struct cell *cell = table_row(t);

	if (!cell)
		return false;
	cell[COL_RANK] = cell_u64(r->rank);
	if (!whole_rank)
		cell[COL_FUNCTION] = cell_text(w->names.v[r->name].text, w->names.v[r->name].len);
	cell[COL_CALLS] = cell_u64(r->sum.calls);
	cell[COL_TOTAL] = work_sum_cell(r->sum.total, "durations", rep);
	cell[COL_PCT] = work_pct(r->sum.total, whole);
	cell[COL_AVG] = cell_ratio((uint64_t)(r->sum.total >> 64), (uint64_t)r->sum.total,
	                           r->sum.calls);
	if (r->sum.calls && !r->sum.no_max)
		cell[COL_MAX] = cell_u64(r->sum.max);
	return true;
}

/* What the notes tell of the denominators: smallest and largest, and whose they are. */
struct wholes {
	uint64_t n, lo_rank, hi_rank;
	u128 lo, hi;
	uint64_t ranks; /* or processes, with a whole or not */
	uint64_t cut;   /* of these, those whose statistics hold less than they say */
	uint64_t hsa;   /* of these, those whose HSA calls count */
};

static void wholes_add(struct wholes *d, u128 whole, uint64_t rank)
{
	if (!d->n || whole < d->lo) {
		d->lo = whole;
		d->lo_rank = rank;
	}
	if (!d->n || whole > d->hi) {
		d->hi = whole;
		d->hi_rank = rank;
	}
	d->n++;
}

/* The rows of the rank that begins at v[*at]; *at moves behind it. */
static bool fill_sums(const struct sync *s, const struct sums *sums, size_t *at, struct table *t,
                      struct wholes *d, struct report *rep)
{
	const struct sum_row *v = sums->v;
	struct sum_row total = { .rank = v[*at].rank, .api = v[*at].api };
	size_t first = *at, end = first;
	double least = 0;
	u128 whole = 0;
	bool ok;

	for (; end < sums->n && v[end].rank == total.rank && v[end].api == total.api; end++) {
		enum work_api api;

		whole += v[end].sum.total;
		least = v[end].sum.least > least ? v[end].sum.least : least;
		if (work_is_wait(s->w.names.v[v[end].name].text, &api) && api == total.api)
			sync_add_sum(&total.sum, &v[end].sum);
	}
	for (*at = end; *at < sums->n && v[*at].rank == total.rank;)
		++*at; /* HSA calls beside HIP calls */
	if (least > (double)whole * (1 + 1e-9) + 1) {
		d->cut++;
		whole = 0;
	} else {
		wholes_add(d, whole, total.rank);
	}
	d->ranks++;
	d->hsa += total.api == WORK_HSA;
	ok = put_sum(t, &s->w, &total, true, whole, rep);
	for (size_t i = first; ok && i < end; i++) {
		enum work_api api;

		if (work_is_wait(s->w.names.v[v[i].name].text, &api) && api == total.api)
			ok = put_sum(t, &s->w, &v[i], false, whole, rep);
	}
	return ok;
}

/* ---- notes ---- */

static const char *ns_text(u128 ns, char out[32])
{
	uint64_t n = ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;

	if (n < 1000000)
		snprintf(out, 32, "%" PRIu64 " ns", n);
	else if (n < 1000000000)
		snprintf(out, 32, "%" PRIu64 ".%03" PRIu64 " ms", n / 1000000, n / 1000 % 1000);
	else
		snprintf(out, 32, "%" PRIu64 ".%03" PRIu64 " s", n / 1000000000,
		         n / 1000000 % 1000);
	return out;
}

static void tell_wholes(struct report *rep, const char *what, const struct wholes *d)
{
	char lo[32], hi[32];

	if (d->n && d->lo == d->hi)
		report_add(rep, SEV_NOTE, NULL, 0, "%s: %s", what, ns_text(d->lo, lo));
	else if (d->n)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%s: %s (rank %" PRIu64 ") to %s (rank %" PRIu64 ")", what,
		           ns_text(d->lo, lo), d->lo_rank, ns_text(d->hi, hi), d->hi_rank);
}

/* Hundredths of a percent, rounded as the table does. */
static uint64_t share(uint64_t part_ns, const struct sync_process *p)
{
	uint64_t whole = p->window.hi - p->window.lo;

	return (uint64_t)(((u128)part_ns * 20000 + whole) / ((u128)whole * 2));
}

/* The process that was blocked the largest share of its time, against what people aim at. */
static void tell_most(struct report *rep, const struct sync_process *p, bool several)
{
	uint64_t all = share(p->waited, p), one = share(p->longest, p);
	char pid[32] = "", thread[40] = "one thread";

	if (p->thread->has_pid)
		snprintf(pid, sizeof pid, " (pid %" PRIu64 ")", p->thread->pid);
	if (p->longest_thread->has_tid)
		snprintf(thread, sizeof thread, "thread %" PRIu64, p->longest_thread->tid);
	report_add(rep, SEV_NOTE, NULL, 0,
	           "%srank %" PRIu64 "%s is blocked %" PRIu64 ".%02" PRIu64
	           " %% of its host window, %s alone %" PRIu64 ".%02" PRIu64
	           " %%; the usual target is below 5 %%",
	           several ? "most of all " : "", p->thread->rank, pid, all / 100, all % 100,
	           thread, one / 100, one % 100);
}

struct answer {
	struct wholes windows, sums;
	struct sync_process most;
	struct groups told; /* ranks with rows */
};

/* Ranks in `a` that are not in `b`: how many, and the smallest. */
static uint64_t missing(const struct groups *a, const struct groups *b, uint64_t *least)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < a->n; i++) {
		bool there = false;

		for (uint32_t k = 0; k < b->n && !there; k++)
			there = a->key[i] == b->key[k];
		if (there)
			continue;
		*least = !n || a->key[i] < *least ? a->key[i] : *least;
		n++;
	}
	return n;
}

static void tell_missing(struct report *rep, const struct groups *a, const struct groups *b,
                         const char *what)
{
	uint64_t least = 0, n = missing(a, b, &least);

	if (n == 1)
		report_add(rep, SEV_NOTE, NULL, 0, "rank %" PRIu64 " %s", least, what);
	else if (n)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "rank %" PRIu64 " and %" PRIu64 " other%s: each %s", least, n - 1,
		           n == 2 ? "" : "s", what);
}

static void tell_sums(const struct sync *s, const struct sums *sums, const struct answer *a,
                      struct report *rep)
{
	tell_wholes(rep,
	            "a statistics file knows no threads and no window: total_ns is a plain sum, "
	            "window_pct its share of the sum over all calls of the same API",
	            &a->sums);
	if (a->sums.cut)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "cut: the rows hold less than their Percentage column implies; no "
		           "window_pct");
	if (sums->beside)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " row%s of statistics left out: the trace of the same run is "
		           "given too",
		           sums->beside, sums->beside == 1 ? "" : "s");
	if (s->unusable)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " row%s of statistics left out: they are sums, which %s "
		           "cannot divide",
		           s->unusable, s->unusable == 1 ? "" : "s",
		           s->w.o->windowed ? "-w" : "--during");
}

static void tell(const struct sync *s, const struct sums *sums, const struct answer *a,
                 struct report *rep)
{
	const struct metric_opts *o = s->w.o;

	tell_wholes(rep,
	            o->windowed ? "window_pct is of the host window, first to last API call of a "
	                          "process, cut by -w"
	                        : "window_pct is of the host window, first to last API call of a "
	                          "process",
	            &a->windows);
	if (a->most.waited && o->during == DURING_ALL)
		tell_most(rep, &a->most, a->windows.n > 1);
	tell_sums(s, sums, a, rep);
	if (a->windows.hsa || a->sums.hsa)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no HIP calls of %s: waiting in HSA calls counts instead",
		           a->windows.hsa + a->sums.hsa == a->windows.ranks + a->sums.ranks
		                   ? "any rank"
		                   : "some ranks");
	if (o->during != DURING_ALL)
		tell_missing(rep, &a->told, &s->busy,
		             "has no GPU work in the input: all its time counts as idle");
	tell_missing(rep, &s->busy, &a->told,
	             "has GPU work but no API calls: trace with --hip-trace to see it wait");
	work_tell(&s->w, rep);
}

static void explain_nothing(const struct sync *s, struct report *rep)
{
	const struct metric_opts *o = s->w.o;

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == SEV_ERROR)
			return; /* said already */
	if (s->unusable)
		report_add(rep, SEV_ERROR, NULL, 0,
		           "nothing to show: statistics are sums, which %s cannot divide; give the "
		           "trace",
		           o->windowed ? "-w" : "--during");
	else
		report_add(rep, SEV_ERROR, NULL, 0,
		           "nothing to show: no HIP or HSA calls %s; trace with --hip-trace",
		           o->windowed ? "inside the window" : "in the input");
}

static bool fill_all(struct sync *s, const struct sums *sums, struct ask *ask, struct answer *a,
                     struct table *t, struct report *rep)
{
	struct sync_process p;
	size_t at = 0, sum = 0;
	enum status st;

	while ((st = sync_next(&s->w, &at, &p)) == ST_OK) {
		while (sum < sums->n && sums->v[sum].rank <= p.thread->rank)
			if (!sync_note(&a->told, sums->v[sum].rank) ||
			    !fill_sums(s, sums, &sum, t, &a->sums, rep))
				return false;
		if (!sync_note(&a->told, p.thread->rank) || !fill_process(ask, &p, t))
			return false;
		wholes_add(&a->windows, p.window.hi - p.window.lo, p.thread->rank);
		a->windows.ranks++;
		a->windows.hsa += p.api == WORK_HSA;
		if (p.waited &&
		    (!a->most.waited || share(p.waited, &p) > share(a->most.waited, &a->most)))
			a->most = p;
	}
	while (st == ST_END && sum < sums->n)
		if (!sync_note(&a->told, sums->v[sum].rank) ||
		    !fill_sums(s, sums, &sum, t, &a->sums, rep))
			return false;
	return st == ST_END;
}

enum status sync_fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct sync *s = acc;
	struct answer a = { .told = { .words = 1 } };
	struct ask ask = { .w = &s->w };
	struct sums sums = { 0 };
	bool ok;

	(void)o;
	table_init_list(t, sync_columns);
	ok = work_settle(&s->w) && sums_make(s, &sums);
	ask.at = ok ? calloc((size_t)s->w.names.n + 1, sizeof *ask.at) : NULL;
	ok = ask.at && fill_all(s, &sums, &ask, &a, t, rep);
	if (ok && t->nrows)
		tell(s, &sums, &a, rep);
	else if (ok)
		explain_nothing(s, rep);
	rows_clear(&ask.rows);
	quantile_fini(&ask.total.q);
	cover_fini(&ask.cover);
	groups_fini(&a.told);
	free(ask.rows.v);
	free(ask.at);
	free(sums.v);
	return !ok ? ST_FATAL : t->nrows ? ST_OK : ST_END;
}
