/* SPDX-License-Identifier: MIT
 * How long does it take from the launching call until the kernel runs, and until it is through?
 *
 *     A  duration of the API call; where it launched several kernels (a graph), each has its share
 *     Q  kernel start - API end, where that is positive
 *     K  duration of the kernel
 *     T  API start -> max(API end, kernel end)
 *
 * Of kernels whose call was found (work/calls.h); the others are counted in a note.  A long Q is
 * not bad in itself: the GPU had work waiting. */
#include "agg/agg.h"
#include "metric/idle/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_NAME,
	COL_CALLS,
	COL_QCALLS,
	COL_API,
	COL_QUEUE,
	COL_KERNEL,
	COL_TOTAL,
	COL_Q50,
	COL_Q99,
	COL_QMAX,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .about = "kernel",
	               .elastic = true },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "kernels whose launch was found" },
	[COL_QCALLS] = { .name = "qcalls",
	                 .title = "QUEUED",
	                 .unit = TM_UNIT_COUNT,
	                 .about = "those that start after the call returned" },
	[COL_API] = { .name = "api_avg_ns",
	              .title = "API",
	              .unit = TM_UNIT_NS,
	              .about = "A: duration of the call, or this kernel's share of it" },
	[COL_QUEUE] = { .name = "queue_avg_ns",
	                .title = "QUEUE",
	                .unit = TM_UNIT_NS,
	                .about = "Q: from the end of the call to the start of the kernel, if "
	                         "queued" },
	[COL_KERNEL] = { .name = "kernel_avg_ns",
	                 .title = "KERNEL",
	                 .unit = TM_UNIT_NS,
	                 .about = "K: duration of the kernel" },
	[COL_TOTAL] = { .name = "total_avg_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "T: from the start of the call until both have ended" },
	[COL_Q50] = { .name = "queue_p50_ns",
	              .title = "QUEUE P50",
	              .unit = TM_UNIT_NS,
	              .about = "median Q of queued kernels",
	              .spare = 3 },
	[COL_Q99] = { .name = "queue_p99_ns",
	              .title = "QUEUE P99",
	              .unit = TM_UNIT_NS,
	              .about = "99th percentile of Q",
	              .spare = 2 },
	[COL_QMAX] = { .name = "queue_max_ns",
	               .title = "QUEUE MAX",
	               .unit = TM_UNIT_NS,
	               .about = "longest Q",
	               .spare = 1 },
	[COL_N] = { 0 },
};

enum {
	/* TM_WORK_ALL: what a call has launched may lie on both sides of an edge of the window. */
	KEEP = TM_WORK_OP_NAMES | TM_WORK_CORR | TM_WORK_PIDS | TM_WORK_CALLS | TM_WORK_CALL_NAMES |
	       TM_WORK_WAITS | TM_WORK_ALL
};

static unsigned keep(const struct tm_metric_opts *o)
{
	return o->view ? KEEP | TM_WORK_NODES | TM_WORK_LOOSE : KEEP; /* --graphs */
}

static bool init(void *acc, const void *arg)
{
	return tm_work_init(acc, arg, keep(arg));
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_work_want(keep(o));
}

/* So many values of Q of a kernel are all kept, its quantiles being exact: fewer than elsewhere,
 * for they spread over many powers of two, and files of totals keep them of every kernel. */
enum { QUEUED_EXACT = 128 };

/* All kernels of one name. */
struct group {
	uint32_t name;
	uint64_t calls, qmin, qmax;
	tm_u128 api, queue, kernel, total;
	struct tm_quantile q; /* of Q; its n is QCount */
};

/* What is known of a call: it has launched a kernel, several, one that starts inside the window. */
enum { LAUNCHED = 1, SEVERAL = 2, INSIDE = 4 };

/* How the time of a call that has launched several is divided: its kernels but for the first, and
 * how many have got their share. */
struct share {
	uint32_t more, served;
};

struct fill {
	struct tm_work *w;
	struct group *group; /* w->names.n of them */
	size_t group_cap;
	bool damaged; /* what was kept of quantiles */
	/* of the rank at hand */
	struct tm_calls calls;
	struct tm_extent window;
	uint8_t *known;      /* of each call */
	struct share *share; /* the same; NULL = none has launched several */
	/* of all ranks */
	uint64_t kernels, lonely;   /* kernels, and those without a call */
	uint64_t launches, idle;    /* launching calls, and those without a kernel */
	uint64_t graphs, of_graphs; /* graph launches with kernels, and these */
};

static void rank_fini(struct fill *f)
{
	tm_calls_fini(&f->calls);
	free(f->known);
	free(f->share);
	f->known = NULL;
	f->share = NULL;
}

static void fill_fini(struct fill *f)
{
	for (uint32_t i = 0; f->group && i < f->w->names.n; i++)
		tm_quantile_fini(&f->group[i].q);
	free(f->group);
	rank_fini(f);
}

static uint64_t call_length(const struct fill *f, size_t call)
{
	struct tm_extent api = tm_calls_extent(&f->calls, call);

	return api.hi - api.lo;
}

/* A kernel whose call is known, all of whose time is its own as far as that is known. */
static bool add(struct fill *f, const struct tm_intervals *s, size_t i, size_t call)
{
	struct tm_extent api = tm_calls_extent(&f->calls, call);
	uint32_t name = tm_interval_name(s, i);
	struct group *g = &f->group[name];
	uint64_t start = tm_interval_start(s, i), end = tm_interval_end(s, i);

	g->name = name;
	g->q.most = QUEUED_EXACT;
	g->calls++;
	g->api += api.hi - api.lo;
	g->kernel += end - start;
	end = end > api.hi ? end : api.hi;
	g->total += end - api.lo;
	if (start <= api.hi)
		return true;
	start -= api.hi;
	g->queue += start;
	if (!g->q.n || start < g->qmin)
		g->qmin = start;
	if (start > g->qmax)
		g->qmax = start;
	return tm_quantile_add(&g->q, start);
}

/* Each kernel, with its call or TM_CALL_NONE, in the order in which the kernels of one call have
 * their share.  False when out of memory. */
static bool see_kernel(struct fill *f, const struct tm_intervals *s, size_t i, size_t call,
                       bool inside)
{
	f->kernels += inside;
	f->lonely += inside && call == TM_CALL_NONE;
	if (call == TM_CALL_NONE)
		return true;
	if (f->known[call] & LAUNCHED) {
		if (!f->share)
			f->share = calloc(f->calls.v.n, sizeof *f->share);
		if (!f->share)
			return false;
		f->share[call].more++;
		f->known[call] |= SEVERAL;
	}
	f->known[call] |= LAUNCHED | (inside ? INSIDE : 0);
	return !inside || add(f, s, i, call);
}

/* A nanosecond that cannot be divided goes to the kernels that come first, so that the shares add
 * up to the call. */
static bool share_call(struct fill *f, const struct tm_intervals *s, size_t i, size_t call,
                       bool inside)
{
	uint64_t ns, kernels;

	if (call == TM_CALL_NONE || !(f->known[call] & SEVERAL))
		return true;
	ns = call_length(f, call);
	kernels = (uint64_t)f->share[call].more + 1;
	if (inside) {
		struct group *g = &f->group[tm_interval_name(s, i)];

		g->api -= ns;
		g->api += ns / kernels + (f->share[call].served < ns % kernels);
		f->of_graphs += tm_calls_kind(&f->calls, call) == TM_CALL_GRAPH;
	}
	f->share[call].served++;
	return true;
}

/* Kernels of tracks [from, to), all of one rank. */
static bool each_kernel(struct fill *f, size_t from, size_t to,
                        bool (*see)(struct fill *f, const struct tm_intervals *s, size_t i,
                                    size_t call, bool inside))
{
	for (size_t t = from; t < to; t++) {
		const struct tm_work_track *track = &f->w->track[t];
		const enum tm_process_of of = tm_calls_of(&f->calls, track);

		for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
			const struct tm_intervals *s = &track->op[k];

			for (size_t i = 0; i < s->n; i++)
				if (!see(f, s, i, tm_calls_find(&f->calls, track, of, s, i),
				         tm_work_starts_inside(track, tm_interval_start(s, i))))
					return false;
		}
	}
	return true;
}

static void count_launch(struct fill *f, size_t call)
{
	enum tm_call_kind kind = tm_calls_kind(&f->calls, call);
	uint64_t start = tm_calls_extent(&f->calls, call).lo;

	if (kind == TM_CALL_GRAPH && f->known[call] & INSIDE) {
		f->graphs++;
		f->of_graphs += !(f->known[call] & SEVERAL);
	}
	if (kind == TM_CALL_OTHER || start < f->window.lo || start >= f->window.hi)
		return;
	f->launches++;
	f->idle += !f->known[call];
}

/* A rank of which no call is known: no kernel has one. */
static bool add_uncalled(struct fill *f, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (int k = 0; k < TM_WORK_DISPATCHES; k++) {
			f->kernels += f->w->track[i].started[k];
			f->lonely += f->w->track[i].started[k];
		}
	return true;
}

/* Tracks [from, to) are those of one rank. */
static bool add_rank(struct fill *f, uint64_t rank, size_t from, size_t to)
{
	bool ok = tm_calls_init(&f->calls, f->w, rank, false);

	tm_metric_window(f->w->o, rank, &f->window);
	f->known = ok ? calloc(f->calls.v.n + 1, sizeof *f->known) : NULL;
	ok = f->known && each_kernel(f, from, to, see_kernel) &&
	     (!f->share || each_kernel(f, from, to, share_call));
	for (size_t i = 0; ok && i < f->calls.v.n; i++)
		count_launch(f, i);
	rank_fini(f);
	return ok;
}

/* Ranks with GPU work or calls, ascending. */
static bool add_ranks(struct fill *f)
{
	const struct tm_work *w = f->w;
	size_t t = 0, h = 0;

	while (t < w->ntrack || h < w->nthread) {
		uint64_t rank = t < w->ntrack && (h == w->nthread ||
		                                  w->track[t].rank <= w->thread[h].rank)
		                        ? w->track[t].rank
		                        : w->thread[h].rank;
		size_t from = t, called = h;

		while (t < w->ntrack && w->track[t].rank == rank)
			t++;
		while (h < w->nthread && w->thread[h].rank == rank)
			h++;
		if (!(h > called ? add_rank(f, rank, from, t) : add_uncalled(f, from, t)))
			return false;
	}
	return true;
}

/* A group as an item, and back. */
enum {
	KEPT_CALLS,
	KEPT_QMIN,
	KEPT_QMAX,
	KEPT_QUEUED,
	KEPT_API, /* low and high half, as the next ones */
	KEPT_QUEUE = KEPT_API + 2,
	KEPT_KERNEL = KEPT_QUEUE + 2,
	KEPT_TOTAL = KEPT_KERNEL + 2,
	KEPT_N = KEPT_TOTAL + 2
};

static void put_sum(uint64_t *v, tm_u128 sum)
{
	v[0] = (uint64_t)sum;
	v[1] = (uint64_t)(sum >> 64);
}

static tm_u128 sum_at(const uint64_t *v)
{
	return (tm_u128)v[1] << 64 | v[0];
}

static bool keep_groups(struct fill *f, struct tm_state *s)
{
	struct tm_buf q = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && s && s->writing && i < f->w->names.n; i++) {
		struct group *g = &f->group[i];
		struct tm_state_item it = { .text = f->w->names.v[i].text,
			                    .len = f->w->names.v[i].len,
			                    .v = { g->calls, g->qmin, g->qmax, g->q.n },
			                    .nv = KEPT_N };

		if (!g->calls)
			continue;
		put_sum(&it.v[KEPT_API], g->api);
		put_sum(&it.v[KEPT_QUEUE], g->queue);
		put_sum(&it.v[KEPT_KERNEL], g->kernel);
		put_sum(&it.v[KEPT_TOTAL], g->total);
		tm_buf_clear(&q);
		ok = tm_quantile_save(&g->q, &q);
		it.bytes = q.p;
		it.nbytes = q.n;
		tm_state_put(s, &it);
	}
	tm_buf_fini(&q);
	return ok;
}

static bool add_kept(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct fill *f = arg;
	uint32_t before = f->w->names.n, id = tm_names_add(&f->w->names, it->text, it->len);
	struct group *g;
	bool bad = false;

	(void)rank;
	if (id == TM_NAME_NONE)
		return false;
	f->damaged |= it->v[KEPT_QUEUED] > it->v[KEPT_CALLS];
	if (f->w->names.n > before) {
		if (!tm_grow_array(&f->group, &f->group_cap, f->w->names.n, sizeof *f->group))
			return false;
		f->group[id] = (struct group) { .name = id };
	}
	g = &f->group[id];
	g->name = id;
	g->q.most = QUEUED_EXACT;
	g->calls += it->v[KEPT_CALLS];
	g->api += sum_at(&it->v[KEPT_API]);
	g->queue += sum_at(&it->v[KEPT_QUEUE]);
	g->kernel += sum_at(&it->v[KEPT_KERNEL]);
	g->total += sum_at(&it->v[KEPT_TOTAL]);
	if (!it->v[KEPT_QUEUED])
		return true;
	if (!g->q.n || it->v[KEPT_QMIN] < g->qmin)
		g->qmin = it->v[KEPT_QMIN];
	if (it->v[KEPT_QMAX] > g->qmax)
		g->qmax = it->v[KEPT_QMAX];
	if (tm_quantile_merge_saved(&g->q, it->bytes, it->nbytes, it->v[KEPT_QUEUED], &bad))
		return true;
	f->damaged |= bad;
	return bad;
}

/* What files of totals keep, and what they are to keep.  The order of names is another then. */
static bool share_state(struct fill *f, struct tm_state *s, struct tm_report *rep)
{
	uint64_t *const sums[] = { &f->kernels, &f->lonely, &f->launches,
		                   &f->idle,    &f->graphs, &f->of_graphs };

	if (!s)
		return true;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		tm_state_add(s, sums[i]);
	f->group_cap = f->w->names.n;
	if (!tm_work_state(f->w, s) || !keep_groups(f, s) || !tm_state_each(s, KEPT_N, add_kept, f))
		return false;
	if (f->damaged)
		tm_report_add(rep, TM_SEV_ERROR, s->where, 0,
		              "table state: quantiles kept for 'launch' are damaged: merge the "
		              "traces again");
	return tm_work_order(f->w);
}

static int most_time_first(const void *pa, const void *pb, void *arg)
{
	const struct group *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (order[a->name] > order[b->name]) - (order[a->name] < order[b->name]);
}

static struct tm_cell average(tm_u128 sum, uint64_t n)
{
	return tm_cell_ratio((uint64_t)(sum >> 64), (uint64_t)sum, n);
}

static bool fill_row(const struct tm_work *w, struct group *g, struct tm_table *t)
{
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[COL_NAME] = tm_cell_text(w->names.v[g->name].text, w->names.v[g->name].len);
	cell[COL_CALLS] = tm_cell_u64(g->calls);
	cell[COL_QCALLS] = tm_cell_u64(g->q.n);
	cell[COL_API] = average(g->api, g->calls);
	cell[COL_QUEUE] = average(g->queue, g->q.n);
	cell[COL_KERNEL] = average(g->kernel, g->calls);
	cell[COL_TOTAL] = average(g->total, g->calls);
	if (!g->q.n)
		return true;
	cell[COL_Q50] = tm_cell_u64(tm_quantile_at(&g->q, 500, g->qmin, g->qmax));
	cell[COL_Q99] = tm_cell_u64(tm_quantile_at(&g->q, 990, g->qmin, g->qmax));
	cell[COL_QMAX] = tm_cell_u64(g->qmax);
	return true;
}

static bool fill_rows(struct fill *f, struct tm_table *t)
{
	uint32_t n = 0;

	/* To the front with those that have calls; the others hold nothing. */
	for (uint32_t i = 0; i < f->w->names.n; i++) {
		struct group g = f->group[i];

		f->group[i] = (struct group) { 0 };
		if (g.calls)
			f->group[n++] = g;
		else
			tm_quantile_fini(&g.q); /* of damaged state: it adds up to 2^64 */
	}
	if (n)
		qsort_r(f->group, n, sizeof *f->group, most_time_first, f->w->order);
	for (uint32_t i = 0; i < n; i++)
		if (!fill_row(f->w, &f->group[i], t))
			return false;
	return true;
}

static void tell(const struct fill *f, struct tm_report *rep)
{
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "%" PRIu64 " of %" PRIu64 " kernels without launch, %" PRIu64 " of %" PRIu64
	              " launches without kernel",
	              f->lonely, f->kernels, f->idle, f->launches);
	if (f->graphs)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64 " kernels (%.1f %%) come from %" PRIu64
		              " graph launch%s and share their API time",
		              f->of_graphs, f->kernels,
		              100.0 * (double)f->of_graphs / (double)f->kernels, f->graphs,
		              f->graphs == 1 ? "" : "es");
}

static enum tm_status explain(const struct fill *f, struct tm_report *rep)
{
	const struct tm_work *w = f->w;

	if (!f->kernels)
		tm_work_explain_nothing(w, "kernels", rep);
	else if (!w->seen[TM_DOMAIN_HIP] && !w->seen[TM_DOMAIN_HSA])
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: no API calls %s: add the API trace of the same run "
		              "(rocprofv3 --hip-trace)",
		              tm_metric_where(w->o, false));
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: none of the %" PRIu64
		              " kernels has the correlation id of an API call in the same rank",
		              f->kernels);
	return TM_ST_END;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct fill f = { .w = acc };
	bool ok;

	if (o->view)
		return tm_launch_graphs_fill(acc, t, rep);
	tm_table_init_list(t, columns);
	ok = tm_work_settle(f.w);
	f.group = ok ? calloc((size_t)f.w->names.n + 1, sizeof *f.group) : NULL;
	ok = f.group && add_ranks(&f) && share_state(&f, o->state, rep) && fill_rows(&f, t);
	fill_fini(&f);
	if (!ok)
		return TM_ST_FATAL;
	if (!t->nrows)
		return explain(&f, rep);
	tm_work_tell(f.w, rep);
	tell(&f, rep);
	return TM_ST_OK;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "graphs",
	  .about = "list the kernels of HIP graphs, by node or position",
	  .columns = tm_launch_graph_columns },
	{ 0 },
};

const struct tm_metric tm_metric_launch = {
	.name = "launch",
	.about = "time from the launch call until the kernel runs",
	.group = "Why is the GPU idle?",
	.examples = "kstats launch results.db\n"
	            "kstats launch --graphs results.db\n",
	.views = views,
	.takes = TM_TAKES_NAME | TM_TAKES_CLASS,
	.state = 1,
	.sink = { .size = sizeof(struct tm_work),
	          .init = init,
	          .piece = tm_work_piece,
	          .take = tm_work_take,
	          .merge = tm_work_merge,
	          .fini = tm_work_fini },
	.whole = TM_WHOLE_KERNELS,
	.want = want,
	.work = tm_work_itself,
	.fill = fill,
};
