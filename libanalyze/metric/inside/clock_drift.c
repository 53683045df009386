/* SPDX-License-Identifier: MIT
 * Does one kernel of one shape take longer as time goes on, or on some GPUs?  kstats clock --drift.
 *
 * The clock is what makes all kernels of a GPU slower alike.  A GPU is behind the one in the middle
 * by the time of its compute kernels; of that, the clock's part is what the same launches take
 * longer by the factor that the GPU has: by its measured clock where all GPUs have one, else by the
 * median of what its kernels show, weighted by time, which is the most that it can be. */
#include "metric/inside/clock.h"
#include "work/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_AGENT,
	COL_NAME,
	COL_SHAPE,
	COL_DISPATCHES,
	COL_TOTAL,
	COL_MEDIAN,
	COL_EARLY,
	COL_LATE,
	COL_DRIFT,
	COL_GPUS,
	COL_OTHERS,
	COL_APART,
	COL_BEHIND,
	COL_CLOCK,
	COL_CLOCK_PCT,
	COL_BASIS,
	COL_N,
};

const struct tm_column tm_clock_drift_columns[] = {
	[COL_RANK] = { TM_COLUMN_RANK },
	[COL_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "agent as the producer numbers it" },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel, or (all kernels) of a GPU" },
	[COL_SHAPE] = { .name = "shape",
	                .title = "SHAPE",
	                .unit = TM_UNIT_TEXT,
	                .spare = 5,
	                .about = "workgroup and grid in work-items" },
	[COL_DISPATCHES] = { .name = "dispatches",
	                     .title = "CALLS",
	                     .unit = TM_UNIT_COUNT,
	                     .about = "launches of that shape" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "sum of their durations" },
	[COL_MEDIAN] = { .name = "median_ns",
	                 .title = "MEDIAN",
	                 .unit = TM_UNIT_NS,
	                 .spare = 4,
	                 .about = "median of their durations" },
	[COL_EARLY] = { .name = "early_ns",
	                .title = "EARLY",
	                .unit = TM_UNIT_NS,
	                .spare = 6,
	                .about = "median of the first quarter, of 20 or more launches" },
	[COL_LATE] = { .name = "late_ns",
	               .title = "LATE",
	               .unit = TM_UNIT_NS,
	               .spare = 6,
	               .about = "median of the last quarter" },
	[COL_DRIFT] = { .name = "drift_pct",
	                .title = "DRIFT",
	                .unit = TM_UNIT_PCT,
	                .about = "change from early_ns to late_ns; GPU rows: time-weighted median "
	                         "of its kernels" },
	[COL_GPUS] = { .name = "gpus",
	               .title = "GPUS",
	               .unit = TM_UNIT_COUNT,
	               .spare = 3,
	               .about = "GPUs with 5 or more launches of that shape" },
	[COL_OTHERS] = { .name = "others_ns",
	                 .title = "MIDDLE",
	                 .unit = TM_UNIT_NS,
	                 .spare = 4,
	                 .about = "median of their median_ns" },
	[COL_APART] = { .name = "apart_pct",
	                .title = "APART",
	                .unit = TM_UNIT_PCT,
	                .about = "median_ns above others_ns; GPU rows: time-weighted median of its "
	                         "kernels" },
	[COL_BEHIND] = { .name = "behind_ns",
	                 .title = "BEHIND",
	                 .unit = TM_UNIT_NS,
	                 .about =
	                         "GPU rows: time in compute kernels above that of the median GPU" },
	[COL_CLOCK] = { .name = "clock_ns",
	                .title = "CLOCK",
	                .unit = TM_UNIT_NS,
	                .about = "part of behind_ns that its clock costs; by durations, at most" },
	[COL_CLOCK_PCT] = { .name = "clock_pct",
	                    .title = "CLOCK%",
	                    .unit = TM_UNIT_PCT,
	                    .tight = 1,
	                    .about = "share of behind_ns" },
	[COL_BASIS] = { .name = "basis",
	                .title = "BY",
	                .unit = TM_UNIT_TEXT,
	                .spare = 2,
	                .about = "basis of clock_ns: clock (measured) or durations" },
	[COL_N] = { .name = NULL },
};

enum { FEWEST = 5, QUARTERED = 20, MILLION = 1000000 };

static const char all_kernels[] = "(all kernels)";

/* A kernel of one shape on one GPU. */
struct kernel {
	const uint64_t *key;
	const struct tm_name *name;
	uint32_t gpu;
	uint64_t n, median, early, late; /* early 0 = not known */
	tm_u128 total;
	uint64_t gpus, others; /* 0 = on no other */
};

/* A GPU, as far as compute kernels go. */
struct gpu {
	uint64_t n;
	tm_u128 total, expected; /* expected: of launches that other GPUs have too, at their pace */
	uint64_t drift, apart;   /* in millionths; 0 = not known */
	uint64_t factor;         /* of the clock, the same */
};

struct answer {
	struct clock *a;
	struct clock_found f;
	struct kernel *k; /* n of them */
	size_t n;
	struct gpu *gpu; /* f.n of them */
	bool measured;
	uint64_t other; /* dispatches of other classes */
};

/* ---- medians ---- */

static int by_number(const void *pa, const void *pb)
{
	uint64_t a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return tm_u64_cmp(a, b);
}

/* The lower median, n > 0; sorts. */
static uint64_t median_of(uint64_t *v, size_t n)
{
	qsort(v, n, sizeof *v, by_number);
	return v[(n - 1) / 2];
}

/* Millionths, rounded. */
static uint64_t ratio(uint64_t a, uint64_t b)
{
	tm_u128 v = b ? ((tm_u128)a * MILLION + b / 2) / b : 0;

	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

/* A ratio and the time that speaks for it. */
struct weighted {
	uint64_t ratio;
	tm_u128 weight;
};

static int by_ratio(const void *pa, const void *pb)
{
	const struct weighted *a = pa, *b = pb;

	return tm_u64_cmp(a->ratio, b->ratio);
}

/* The ratio at which half of the time is reached; 0 of none. */
static uint64_t weighted_median(struct weighted *v, size_t n)
{
	tm_u128 all = 0, sum = 0;
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		all += v[k].weight;
	if (!n)
		return 0;
	qsort(v, n, sizeof *v, by_ratio);
	for (; i + 1 < n && 2 * (sum + v[i].weight) < all; i++)
		sum += v[i].weight;
	return v[i].ratio;
}

/* ---- kernels ---- */

/* Is it a compute kernel?  1, 0, or -1 when out of memory. */
static int computes(const struct answer *w, const struct tm_name *nm)
{
	const char *class_name = tm_classes_of(w->a->o->classes, nm->text, NULL);

	return !class_name ? -1 : tm_work_kind_of(class_name) == TM_WORK_KERNEL;
}

/* Its launches are [from, to) of a->ops, in order; `room` has a place for each. */
static void measure(struct kernel *k, const struct tm_intervals *ops, size_t from, size_t to,
                    uint64_t *room)
{
	size_t n = to - from, quarter = n / 4;

	for (size_t i = 0; i < n; i++) {
		room[i] = tm_interval_dur(ops, from + i);
		k->total += room[i];
	}
	k->n = n;
	if (n >= QUARTERED) {
		k->early = median_of(room, quarter);
		k->late = median_of(room + n - quarter, quarter);
	}
	k->median = median_of(room, n);
}

/* Launches sorted by group become kernels. */
static bool find_kernels(struct answer *w)
{
	struct clock *a = w->a;
	struct tm_intervals *ops = &a->ops;
	uint32_t *self = calloc((size_t)a->keys.n + 1, sizeof *self);
	uint64_t *room = calloc(ops->n + 1, sizeof *room);
	bool ok = self && room && (w->k = calloc((size_t)a->keys.n + 1, sizeof *w->k)) != NULL;
	size_t to;

	for (uint32_t i = 0; ok && i < a->keys.n; i++)
		self[i] = i;
	if (ok)
		tm_intervals_sort_by_group(ops, self, NULL);
	for (size_t from = 0; ok && from < ops->n; from = to) {
		uint32_t group = tm_interval_name(ops, from);
		struct kernel *k = &w->k[w->n];
		int compute;

		for (to = from; to < ops->n && tm_interval_name(ops, to) == group;)
			to++;
		*k = (struct kernel) { .key = a->keys.key + (size_t)group * CLOCK_WORDS,
			               .gpu = w->f.gpu_of[group] };
		k->name = &a->own.names.v[k->key[CLOCK_KERNEL]];
		compute = computes(w, k->name);
		ok = compute >= 0;
		w->other += compute ? 0 : to - from;
		if (compute > 0) {
			measure(k, ops, from, to, room);
			w->n++;
		}
	}
	free(self);
	free(room);
	return ok;
}

static int by_shape(const struct kernel *a, const struct kernel *b)
{
	int c = tm_name_cmp(a->name, b->name);

	for (int i = 0; !c && i < SHAPE_WORDS; i++)
		c = tm_u64_cmp(a->key[CLOCK_SHAPE + i], b->key[CLOCK_SHAPE + i]);
	return c;
}

static int by_kernel(const void *pa, const void *pb)
{
	const struct kernel *a = pa, *b = pb;
	int c = by_shape(a, b);

	return c ? c : tm_u64_cmp(a->gpu, b->gpu);
}

/* Kernels of one name and shape, on n GPUs. */
static void compare(struct kernel *k, size_t n, uint64_t *room)
{
	uint64_t gpus = 0, others;

	for (size_t i = 0; i < n; i++)
		if (k[i].n >= FEWEST)
			room[gpus++] = k[i].median;
	if (!gpus)
		return;
	others = median_of(room, (size_t)gpus);
	for (size_t i = 0; i < n; i++) {
		k[i].gpus = gpus;
		k[i].others = gpus > 1 && k[i].n >= FEWEST ? others : 0;
	}
}

/* ---- GPUs ---- */

/* Its kernels are k[0..n); `room` has a place for each. */
static void judge(struct gpu *g, const struct kernel *const *k, size_t n, struct weighted *room)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (k[i]->early)
			room[m++] = (struct weighted) { ratio(k[i]->late, k[i]->early),
				                        k[i]->total };
	g->drift = weighted_median(room, m);
	m = 0;
	for (size_t i = 0; i < n; i++) {
		g->n += k[i]->n;
		g->total += k[i]->total;
		if (!k[i]->others)
			continue;
		g->expected += (tm_u128)k[i]->n * k[i]->others;
		room[m++] = (struct weighted) { ratio(k[i]->median, k[i]->others), k[i]->total };
	}
	g->factor = g->apart = weighted_median(room, m);
}

/* Factors by the measured clocks, where every GPU that shares kernels has one. */
static void by_clock(struct answer *w, uint64_t *room)
{
	size_t n = 0;
	uint64_t middle;

	for (size_t i = 0; i < w->f.n; i++) {
		const struct clock_sum *s = &w->f.gpu[i].read;

		if (!w->gpu[i].expected)
			continue;
		if (s->n < CLOCK_FEWEST)
			return;
		room[n++] = tm_clock_of(s);
	}
	if (!n)
		return;
	/* Of an even number the faster, as for durations. */
	qsort(room, n, sizeof *room, by_number);
	middle = room[n / 2];
	for (size_t i = 0; i < w->f.n; i++)
		if (w->gpu[i].expected)
			w->gpu[i].factor = ratio(middle, tm_clock_of(&w->f.gpu[i].read));
	w->measured = true;
}

static int by_gpu(const void *pa, const void *pb)
{
	const struct kernel *a = *(const struct kernel *const *)pa,
	                    *b = *(const struct kernel *const *)pb;

	return a->gpu != b->gpu ? tm_u64_cmp(a->gpu, b->gpu) : by_kernel(a, b);
}

static bool find_gpus(struct answer *w)
{
	const struct kernel **of = calloc(w->n + 1, sizeof *of);
	struct weighted *room = calloc(w->n + 1, sizeof *room);
	uint64_t *number = calloc((w->n > w->f.n ? w->n : w->f.n) + 1, sizeof *number);
	bool ok = of && room && number && (w->gpu = calloc(w->f.n + 1, sizeof *w->gpu)) != NULL;
	size_t to;

	if (ok && w->n)
		qsort(w->k, w->n, sizeof *w->k, by_kernel);
	for (size_t from = 0; ok && from < w->n; from = to) {
		for (to = from; to < w->n && !by_shape(&w->k[from], &w->k[to]); to++)
			of[to] = &w->k[to];
		compare(&w->k[from], to - from, number);
	}
	if (ok && w->n)
		qsort(of, w->n, sizeof *of, by_gpu);
	for (size_t from = 0; ok && from < w->n; from = to) {
		for (to = from; to < w->n && of[to]->gpu == of[from]->gpu;)
			to++;
		judge(&w->gpu[of[from]->gpu], of + from, to - from, room);
	}
	if (ok)
		by_clock(w, number);
	free(of);
	free(room);
	free(number);
	return ok;
}

/* ---- cells ---- */

/* How much more than 1 a ratio is, in percent. */
static struct tm_cell more(uint64_t millionths)
{
	uint64_t away = millionths < MILLION ? MILLION - millionths : millionths - MILLION;
	struct tm_cell c = tm_cell_pct(away, MILLION);

	c.neg = millionths < MILLION && c.v.u;
	return c;
}

static struct tm_cell ns(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

static struct tm_cell *new_row(const struct answer *w, struct tm_table *t, uint32_t gpu)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return NULL;
	c[COL_RANK] = tm_cell_u64(w->f.gpu[gpu].rank);
	c[COL_AGENT] = tm_work_agent_cell(t, w->f.gpu[gpu].has_agent, w->f.gpu[gpu].agent);
	return c;
}

static bool put_gpu(const struct answer *w, uint32_t i, tm_u128 middle, bool several,
                    struct tm_table *t)
{
	const struct gpu *g = &w->gpu[i];
	struct tm_cell *c = new_row(w, t, i);
	const char *basis = w->measured ? "clock" : "durations";
	uint64_t away = g->factor < MILLION ? MILLION - g->factor : g->factor - MILLION;
	tm_u128 clock = (g->expected * away + MILLION / 2) / MILLION, behind;

	if (!c)
		return false;
	t->pinned++;
	c[COL_NAME] = tm_cell_text(all_kernels, sizeof all_kernels - 1);
	c[COL_DISPATCHES] = tm_cell_u64(g->n);
	c[COL_TOTAL] = ns(g->total);
	if (g->drift)
		c[COL_DRIFT] = more(g->drift);
	if (g->apart)
		c[COL_APART] = more(g->apart);
	if (!several)
		return true;
	behind = g->total < middle ? middle - g->total : g->total - middle;
	c[COL_BEHIND] = ns(behind);
	c[COL_BEHIND].neg = g->total < middle;
	if (!g->expected)
		return true;
	c[COL_CLOCK] = ns(clock);
	c[COL_CLOCK].neg = g->factor < MILLION && clock;
	c[COL_BASIS] = tm_cell_text(basis, strlen(basis));
	if (g->total > middle)
		c[COL_CLOCK_PCT] = g->factor < MILLION
		                           ? tm_cell_pct(0, 1)
		                           : tm_cell_pct(clock < behind ? clock : behind, behind);
	return true;
}

static bool put_kernel(const struct answer *w, const struct kernel *k, struct tm_buf *text,
                       struct tm_table *t)
{
	struct tm_cell *c = new_row(w, t, k->gpu);

	tm_buf_clear(text);
	if (!c || !tm_shape_put(text, k->key + CLOCK_SHAPE))
		return false;
	c[COL_NAME] = tm_cell_text(k->name->text, k->name->len);
	c[COL_SHAPE] = text->n ? tm_table_own(t, text->p, text->n) : tm_cell_none();
	c[COL_DISPATCHES] = tm_cell_u64(k->n);
	c[COL_TOTAL] = ns(k->total);
	c[COL_MEDIAN] = tm_cell_u64(k->median);
	if (k->n >= QUARTERED) {
		c[COL_EARLY] = tm_cell_u64(k->early);
		c[COL_LATE] = tm_cell_u64(k->late);
	}
	if (k->early)
		c[COL_DRIFT] = more(ratio(k->late, k->early));
	c[COL_GPUS] = tm_cell_u64(k->gpus);
	if (k->others) {
		c[COL_OTHERS] = tm_cell_u64(k->others);
		c[COL_APART] = more(ratio(k->median, k->others));
	}
	return !t->failed;
}

/* ---- all of it ---- */

static int by_total(const void *pa, const void *pb)
{
	const struct kernel *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return by_kernel(a, b);
}

static int by_size(const void *pa, const void *pb)
{
	tm_u128 a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return a < b ? -1 : a > b;
}

/* The total in the middle of the GPUs that computed; *n = how many did.  False when out of memory.
 */
static bool middle_of(const struct answer *w, tm_u128 *middle, size_t *n)
{
	tm_u128 *v = calloc(w->f.n + 1, sizeof *v);

	*n = 0;
	*middle = 0;
	for (size_t i = 0; v && i < w->f.n; i++)
		if (w->gpu[i].n)
			v[(*n)++] = w->gpu[i].total;
	if (v && *n) {
		qsort(v, *n, sizeof *v, by_size);
		*middle = v[(*n - 1) / 2];
	}
	free(v);
	return v != NULL;
}

static bool put_all(struct answer *w, struct tm_table *t, struct tm_report *rep)
{
	struct tm_buf text = { 0 };
	tm_u128 middle;
	size_t gpus;
	bool ok = middle_of(w, &middle, &gpus);

	for (size_t i = 0; ok && i < w->f.n; i++)
		ok = !w->gpu[i].n || put_gpu(w, (uint32_t)i, middle, gpus > 1, t);
	if (ok && w->n)
		qsort(w->k, w->n, sizeof *w->k, by_total);
	for (size_t i = 0; ok && i < w->n; i++)
		ok = put_kernel(w, &w->k[i], &text, t);
	tm_buf_fini(&text);
	if (w->other)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64
		              " dispatches that communicate, copy or wait are ignored: how "
		              "long they take depends on others",
		              w->other);
	if (gpus > 1 && !w->measured)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "no clock for all GPUs %s: clock_ns is the slowdown common to all kernels "
		        "of a GPU, whatever the reason: an upper bound of what its clock costs",
		        tm_metric_where(w->a->o, true));
	tm_report_untimed(rep, w->a->untimed);
	tm_report_stats(rep, w->a->stats);
	return ok && !t->failed;
}

enum tm_status tm_clock_drift_fill(struct clock *a, const struct tm_metric_opts *o,
                                   struct tm_table *t, struct tm_report *rep)
{
	struct answer w = { .a = a };
	enum tm_status st = TM_ST_OK;

	tm_table_init_list(t, tm_clock_drift_columns);
	if (!tm_clock_find(&w.f, a, o, rep) || !find_kernels(&w) || !find_gpus(&w)) {
		st = TM_ST_FATAL;
	} else if (!w.n) {
		tm_report_add(
		        rep, TM_SEV_ERROR, NULL, 0, "nothing to show: %s",
		        a->outside && !a->ops.n ? "no kernel starts in the window"
		        : a->outside            ? "no compute kernel starts in the window"
		        : a->stats && !a->ops.n
		                ? "statistics files contain totals, not events; give the trace"
		        : a->o->selected
		                ? "no compute kernels with start and end among the selected "
		                  "events"
		                : "no compute kernels with start and end in the input");
		st = TM_ST_END;
	} else if (!put_all(&w, t, rep)) {
		st = TM_ST_FATAL;
	}
	free(w.k);
	free(w.gpu);
	tm_clock_found_fini(&w.f);
	return st;
}
