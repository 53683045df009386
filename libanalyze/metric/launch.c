/* SPDX-License-Identifier: MIT
 * How long does it take from the launching call until the kernel runs, and until it is through?
 *
 *     A  duration of the API call; where it launched several kernels (a graph), each has its share
 *     Q  kernel start - API end, where that is positive
 *     K  duration of the kernel
 *     T  API start -> max(API end, kernel end)
 *
 * Of kernels whose call was found (work/calls.h); the others are counted aloud.  A long Q is not
 * bad in itself: the GPU had work waiting. */
#include "agg/agg.h"
#include "metric/launch.h"

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

static const struct column columns[] = {
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = UNIT_TEXT,
	               .about = "kernel",
	               .elastic = true },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = UNIT_COUNT,
	                .about = "kernels whose launch was found" },
	[COL_QCALLS] = { .name = "qcalls",
	                 .title = "QUEUED",
	                 .unit = UNIT_COUNT,
	                 .about = "those that start after the call has ended" },
	[COL_API] = { .name = "api_avg_ns",
	              .title = "API",
	              .unit = UNIT_NS,
	              .about = "A: duration of the call, or this kernel's share of it" },
	[COL_QUEUE] = { .name = "queue_avg_ns",
	                .title = "QUEUE",
	                .unit = UNIT_NS,
	                .about = "Q: from the end of the call to the start of the kernel, of those "
	                         "queued" },
	[COL_KERNEL] = { .name = "kernel_avg_ns",
	                 .title = "KERNEL",
	                 .unit = UNIT_NS,
	                 .about = "K: duration of the kernel" },
	[COL_TOTAL] = { .name = "total_avg_ns",
	                .title = "TOTAL",
	                .unit = UNIT_NS,
	                .about = "T: from the start of the call until call and kernel have ended" },
	[COL_Q50] = { .name = "queue_p50_ns",
	              .title = "QUEUE P50",
	              .unit = UNIT_NS,
	              .about = "Q that half of those queued do not exceed",
	              .spare = 3 },
	[COL_Q99] = { .name = "queue_p99_ns",
	              .title = "QUEUE P99",
	              .unit = UNIT_NS,
	              .about = "Q that 99 % of those queued do not exceed",
	              .spare = 2 },
	[COL_QMAX] = { .name = "queue_max_ns",
	               .title = "QUEUE MAX",
	               .unit = UNIT_NS,
	               .about = "longest Q",
	               .spare = 1 },
	[COL_N] = { 0 },
};

enum {
	/* WORK_ALL: what a call has launched may lie on both sides of an edge of the window. */
	KEEP = WORK_OP_NAMES | WORK_CORR | WORK_PIDS | WORK_CALLS | WORK_CALL_NAMES | WORK_ALL |
	       WORK_LOOSE
};

static unsigned keep(const struct metric_opts *o)
{
	return o->view ? KEEP | WORK_NODES : KEEP; /* --graphs */
}

static bool init(void *acc, const void *arg)
{
	return work_init(acc, arg, keep(arg));
}

static ev_set want(const struct metric_opts *o)
{
	return work_want(keep(o));
}

/* All kernels of one name. */
struct group {
	uint32_t name;
	uint64_t calls, qmin, qmax;
	u128 api, queue, kernel, total;
	struct quantile q; /* of Q; its n is QCount */
};

/* How the time of one call is divided: its kernels, those of them that start inside the window, and
 * how many have got their share. */
struct share {
	uint32_t kernels, inside, served;
};

struct fill {
	struct work *w;
	struct group *group; /* w->names.n of them */
	/* of the rank at hand */
	struct launches l;
	struct extent window;
	struct share *share; /* of the calls of one id */
	size_t share_cap;
	/* of all ranks */
	uint64_t kernels, lonely;   /* kernels, and those without a call */
	uint64_t launches, idle;    /* launching calls, and those without a kernel */
	uint64_t graphs, of_graphs; /* graph launches with kernels, and these */
};

static void fill_fini(struct fill *f)
{
	for (uint32_t i = 0; f->group && i < f->w->names.n; i++)
		quantile_fini(&f->group[i].q);
	free(f->group);
	free(f->share);
	launches_fini(&f->l);
}

/* A nanosecond that cannot be divided goes to the kernels that come first, so that the shares add
 * up to the call. */
static uint64_t share_of(struct share *s, uint64_t ns)
{
	return ns / s->kernels + (s->served++ < ns % s->kernels);
}

static uint64_t call_length(const struct fill *f, size_t call)
{
	struct extent api = calls_extent(&f->l.calls, call);

	return api.hi - api.lo;
}

static bool add(struct fill *f, size_t i, size_t call, uint64_t share)
{
	struct extent api = calls_extent(&f->l.calls, call);
	uint32_t name = launches_name(&f->l, i);
	struct group *g = &f->group[name];
	uint64_t start = interval_start(&f->l.ops, i), end = interval_end(&f->l.ops, i);

	g->name = name;
	g->calls++;
	g->api += share;
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
	return quantile_add(&g->q, start);
}

/* What one call has launched. */
static void count_launch(struct fill *f, size_t call, struct share launched)
{
	enum call_kind kind = calls_kind(&f->l.calls, call);
	uint64_t start = calls_extent(&f->l.calls, call).lo;

	if (kind == CALL_GRAPH && launched.inside) {
		f->graphs++;
		f->of_graphs += launched.inside;
	}
	if (kind == CALL_OTHER || start < f->window.lo || start >= f->window.hi)
		return;
	f->launches++;
	f->idle += !launched.kernels;
}

/* The kernels [from, to) of one id, first to see how many each call has launched.  *at is the first
 * call of this id or a later one, and behind those of this id afterwards. */
static bool add_same(struct fill *f, size_t from, size_t to, size_t *at)
{
	const struct intervals *calls = &f->l.calls.v;
	uint64_t corr = interval_tag(&f->l.ops, from);
	size_t n = 0, call;
	bool ok;

	for (; *at < calls->n && interval_tag(calls, *at) < corr; ++*at)
		count_launch(f, *at, (struct share) { 0 });
	while (*at + n < calls->n && interval_tag(calls, *at + n) == corr)
		n++;
	ok = grow_array(&f->share, &f->share_cap, n + 1, sizeof *f->share);
	for (size_t i = 0; ok && i < n; i++)
		f->share[i] = (struct share) { 0 };
	for (size_t i = from; ok && i < to; i++) {
		bool inside = launches_inside(&f->l, i);

		call = launches_call(&f->l, i);
		f->kernels += inside;
		f->lonely += inside && call == CALL_NONE;
		if (call == CALL_NONE)
			continue;
		f->share[call - *at].kernels++;
		f->share[call - *at].inside += inside;
	}
	for (size_t i = from; ok && n && i < to; i++) {
		uint64_t ns;

		call = launches_call(&f->l, i);
		if (call == CALL_NONE)
			continue;
		ns = share_of(&f->share[call - *at], call_length(f, call));
		ok = !launches_inside(&f->l, i) || add(f, i, call, ns);
	}
	for (size_t i = 0; ok && i < n; i++)
		count_launch(f, *at + i, f->share[i]);
	*at += n;
	return ok;
}

/* Tracks [from, to) are those of one rank. */
static bool add_rank(struct fill *f, uint64_t rank, size_t from, size_t to)
{
	bool ok = launches_init(&f->l, f->w, rank, from, to);
	size_t at = 0;

	metric_window(f->w->o, rank, &f->window);
	for (size_t i = 0, k; ok && i < f->l.ops.n; i = k) {
		k = i + launches_same(&f->l, i);
		ok = add_same(f, i, k, &at);
	}
	for (; ok && at < f->l.calls.v.n; at++)
		count_launch(f, at, (struct share) { 0 });
	launches_fini(&f->l);
	return ok;
}

/* Ranks with GPU work or calls, ascending. */
static bool add_ranks(struct fill *f)
{
	const struct work *w = f->w;
	size_t t = 0, h = 0;

	while (t < w->ntrack || h < w->nthread) {
		uint64_t rank = t < w->ntrack && (h == w->nthread ||
		                                  w->track[t].rank <= w->thread[h].rank)
		                        ? w->track[t].rank
		                        : w->thread[h].rank;
		size_t from = t;

		while (t < w->ntrack && w->track[t].rank == rank)
			t++;
		while (h < w->nthread && w->thread[h].rank == rank)
			h++;
		if (!add_rank(f, rank, from, t))
			return false;
	}
	return true;
}

static int most_time_first(const void *pa, const void *pb, void *arg)
{
	const struct group *a = pa, *b = pb;
	const uint32_t *order = arg;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (order[a->name] > order[b->name]) - (order[a->name] < order[b->name]);
}

static struct cell average(u128 sum, uint64_t n)
{
	return cell_ratio((uint64_t)(sum >> 64), (uint64_t)sum, n);
}

static bool fill_row(const struct work *w, struct group *g, struct table *t)
{
	struct cell *cell = table_row(t);

	if (!cell)
		return false;
	cell[COL_NAME] = cell_text(w->names.v[g->name].text, w->names.v[g->name].len);
	cell[COL_CALLS] = cell_u64(g->calls);
	cell[COL_QCALLS] = cell_u64(g->q.n);
	cell[COL_API] = average(g->api, g->calls);
	cell[COL_QUEUE] = average(g->queue, g->q.n);
	cell[COL_KERNEL] = average(g->kernel, g->calls);
	cell[COL_TOTAL] = average(g->total, g->calls);
	if (!g->q.n)
		return true;
	cell[COL_Q50] = cell_u64(quantile_at(&g->q, 500, g->qmin, g->qmax));
	cell[COL_Q99] = cell_u64(quantile_at(&g->q, 990, g->qmin, g->qmax));
	cell[COL_QMAX] = cell_u64(g->qmax);
	return true;
}

static bool fill_rows(struct fill *f, struct table *t)
{
	uint32_t n = 0;

	/* To the front with those that have calls; the others hold nothing. */
	for (uint32_t i = 0; i < f->w->names.n; i++) {
		struct group g = f->group[i];

		f->group[i] = (struct group) { 0 };
		if (g.calls)
			f->group[n++] = g;
	}
	if (n)
		qsort_r(f->group, n, sizeof *f->group, most_time_first, f->w->order);
	for (uint32_t i = 0; i < n; i++)
		if (!fill_row(f->w, &f->group[i], t))
			return false;
	return true;
}

static void tell(const struct fill *f, struct report *rep)
{
	report_add(rep, SEV_NOTE, NULL, 0,
	           "%" PRIu64 " of %" PRIu64 " kernels without launch, %" PRIu64 " of %" PRIu64
	           " launches without kernel",
	           f->lonely, f->kernels, f->idle, f->launches);
	if (f->graphs)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " of %" PRIu64 " kernels (%.1f %%) are of %" PRIu64
		           " graph launch%s, whose API time they share",
		           f->of_graphs, f->kernels,
		           100.0 * (double)f->of_graphs / (double)f->kernels, f->graphs,
		           f->graphs == 1 ? "" : "es");
}

static enum status explain(const struct fill *f, struct report *rep)
{
	const struct work *w = f->w;

	if (!f->kernels)
		work_explain_nothing(w, "kernels", rep);
	else if (!w->seen[DOMAIN_HIP] && !w->seen[DOMAIN_HSA])
		report_add(rep, SEV_ERROR, NULL, 0,
		           "nothing to show: no API calls in the input: give the API trace of the "
		           "same run too; rocprofv3 writes it with --hip-trace");
	else
		report_add(rep, SEV_ERROR, NULL, 0,
		           "nothing to show: none of the %" PRIu64
		           " kernels has the correlation id of an API call in the same rank",
		           f->kernels);
	return ST_END;
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct fill f = { .w = acc };
	bool ok;

	if (o->view)
		return launch_graphs_fill(acc, t, rep);
	table_init_list(t, columns);
	f.group = calloc((size_t)f.w->names.n + 1, sizeof *f.group);
	ok = f.group && work_settle(f.w) && add_ranks(&f) && fill_rows(&f, t);
	fill_fini(&f);
	if (!ok)
		return ST_FATAL;
	if (!t->nrows)
		return explain(&f, rep);
	work_tell(f.w, rep);
	tell(&f, rep);
	return ST_OK;
}

static const struct metric_view views[] = {
	{ .columns = columns },
	{ .option = "graphs",
	  .about = "list the kernels of HIP graphs, by node or position",
	  .columns = launch_graph_columns },
	{ 0 },
};
static const char *const options[] = { "name", NULL };

const struct metric metric_launch = {
	.name = "launch",
	.about = "time from the launch call until the kernel runs",
	.group = "Why is the GPU idle?",
	.examples = "kstats launch results.db\n"
	            "kstats launch --graphs results.db\n",
	.views = views,
	.options = options,
	.sink = { .size = sizeof(struct work),
	          .init = init,
	          .piece = work_piece,
	          .take = work_take,
	          .merge = work_merge,
	          .fini = work_fini },
	.want = want,
	.fill = fill,
};
