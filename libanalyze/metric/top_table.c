/* SPDX-License-Identifier: MIT
 * The answer of `top`: layers put together, groups sorted, cells filled. */
#include "metric/top.h"
#include "work/work.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum top_column {
	COL_RANK,
	COL_AGENT,
	COL_QUEUE,
	COL_STREAM,
	COL_GRID,
	COL_WORKGROUP,
	COL_NAME,
	COL_CLASS,
	COL_CALLS,
	COL_TOTAL,
	COL_PCT,
	COL_CUM_PCT,
	COL_AVG,
	COL_MIN,
	COL_P50,
	COL_P90,
	COL_P99,
	COL_MAX,
	COL_STDDEV,
	COL_N,
};

const struct tm_column tm_top_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .unit = TM_UNIT_ID,
	               .about = "rank of the process (--per rank)" },
	[COL_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "agent as the producer numbers it: 4, or GPU 0 (--per agent)" },
	[COL_QUEUE] = { .name = "queue",
	                .title = "QUEUE",
	                .unit = TM_UNIT_ID,
	                .about = "queue id (--per queue)" },
	[COL_STREAM] = { .name = "stream",
	                 .title = "STREAM",
	                 .unit = TM_UNIT_ID,
	                 .about = "HIP stream id (--per stream)" },
	[COL_GRID] = { .name = "grid",
	               .title = "GRID",
	               .unit = TM_UNIT_TEXT,
	               .about = "grid in work-items, XxYxZ or their product (--per shape)" },
	[COL_WORKGROUP] = { .name = "workgroup",
	                    .title = "WORKGROUP",
	                    .unit = TM_UNIT_TEXT,
	                    .about = "workgroup in work-items, XxYxZ or their product (--per "
	                             "shape)" },
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = TM_UNIT_TEXT,
	               .elastic = true,
	               .about = "kernel, function, copy direction or marker" },
	[COL_CLASS] = { .name = "class",
	                .title = "CLASS",
	                .unit = TM_UNIT_TEXT,
	                .about = "kernel class; for anything else, its domain" },
	[COL_CALLS] = { .name = "calls",
	                .title = "CALLS",
	                .unit = TM_UNIT_COUNT,
	                .about = "number of calls" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .about = "total duration" },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .unit = TM_UNIT_PCT,
	              .bar = true,
	              .about = "share of the total over all rows, shown or not" },
	[COL_CUM_PCT] = { .name = "cum_pct",
	                  .title = "CUM",
	                  .spare = 5,
	                  .unit = TM_UNIT_PCT,
	                  .about = "pct of this row and those above it" },
	[COL_AVG] = { .name = "avg_ns",
	              .title = "AVG",
	              .spare = 1,
	              .unit = TM_UNIT_NS,
	              .about = "total / calls" },
	[COL_MIN] = { .name = "min_ns",
	              .title = "MIN",
	              .spare = 6,
	              .unit = TM_UNIT_NS,
	              .about = "shortest" },
	[COL_P50] = { .name = "p50_ns",
	              .title = "P50",
	              .spare = 3,
	              .unit = TM_UNIT_NS,
	              .about = "median" },
	[COL_P90] = { .name = "p90_ns",
	              .title = "P90",
	              .spare = 7,
	              .unit = TM_UNIT_NS,
	              .about = "90th percentile" },
	[COL_P99] = { .name = "p99_ns",
	              .title = "P99",
	              .spare = 2,
	              .unit = TM_UNIT_NS,
	              .about = "99th percentile" },
	[COL_MAX] = { .name = "max_ns",
	              .title = "MAX",
	              .spare = 4,
	              .unit = TM_UNIT_NS,
	              .about = "longest" },
	[COL_STDDEV] = { .name = "stddev_ns",
	                 .title = "STDDEV",
	                 .spare = 8,
	                 .unit = TM_UNIT_NS,
	                 .about = "sample standard deviation (n - 1)" },
	[COL_N] = { .name = NULL },
};

/* A row to be. */
struct row {
	const uint64_t *key;
	struct top_group *g;
	bool has_p, has_sd;
	uint64_t p50, p90, p99;
	double sd;
};

struct answer {
	const struct tm_top *t;
	const struct tm_metric_opts *o;
	struct row *row;
	size_t n;
	tm_u128 whole; /* what pct is a share of */
	bool oom;      /* a class could not be told */
	const struct tm_column *columns[COL_N];
	enum top_column which[COL_N];
	size_t ncols;
};

/* What --per has to say for these columns. */
static const unsigned per_of_column[COL_WORKGROUP + 1] = {
	[COL_RANK] = TM_PER_RANK,     [COL_AGENT] = TM_PER_AGENT, [COL_QUEUE] = TM_PER_QUEUE,
	[COL_STREAM] = TM_PER_STREAM, [COL_GRID] = TM_PER_SHAPE,  [COL_WORKGROUP] = TM_PER_SHAPE,
};

/* Unless --columns says otherwise: those --per asks for, then all that are not for --per. */
static bool usual(const struct tm_metric_opts *o, enum top_column c)
{
	return c > COL_WORKGROUP || o->per & per_of_column[c];
}

const char *tm_top_per_of(const struct tm_metric_opts *o, const char *column)
{
	for (int c = 0; c <= COL_WORKGROUP; c++)
		if (!strcmp(tm_top_columns[c].name, column) && !usual(o, (enum top_column)c))
			return tm_per_words[__builtin_ctz(per_of_column[c])];
	return NULL;
}

bool tm_top_asks(const struct tm_metric_opts *o, const char *column)
{
	for (size_t i = 0; i < o->ncolumns; i++)
		if (!strcmp(o->columns[i], column))
			return true;
	for (size_t i = 0; i < o->nsort; i++)
		if (!strcmp(o->sort[i], column))
			return true;
	for (int c = 0; !o->columns && c < COL_N; c++)
		if (!strcmp(tm_top_columns[c].name, column))
			return usual(o, (enum top_column)c);
	return false;
}

/* There may be a million rows: a cell that nobody asks for is not made. */
static void choose_columns(struct answer *a)
{
	for (int c = 0; c < COL_N; c++)
		if (tm_top_asks(a->o, tm_top_columns[c].name)) {
			a->columns[a->ncols] = &tm_top_columns[c];
			a->which[a->ncols++] = (enum top_column)c;
		}
}

/* ---- layers ---- */

/* The statistics of one run: the least measure of each domain, NULL = none. */
struct run_stats {
	const char *least[TM_DOMAIN_N];
	uint64_t domains;
};

/* Those of every run; NULL when out of memory. */
static struct run_stats *stats_of_runs(const struct tm_top *t)
{
	struct run_stats *v = calloc((size_t)t->runs.n + 1, sizeof *v);

	for (size_t i = 1; v && i < t->nlayer; i++) {
		const struct layer *l = &t->layer[i];
		const char **least = &v[l->run_id].least[l->domain];

		if (l->sort != LAYER_STATS)
			continue;
		v[l->run_id].domains |= TM_MASK_BIT(l->domain);
		if (!*least || strcmp(l->measure, *least) < 0)
			*least = l->measure;
	}
	return v;
}

/* Is one of two runs in the folder of the other, or below it? */
static bool same_place(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');
	size_t n = x ? (size_t)(x - a) : 0, k = y ? (size_t)(y - b) : 0;

	n = n < k ? n : k;
	return !strncmp(a, b, n) && (!n || (a[n] == '/' && b[n] == '/'));
}

/* What rocprofv3 printed: in a file of any name. */
static bool is_summary(const struct layer *l)
{
	static const char summary[] = "summary\n";

	return l->sort == LAYER_STATS && !strncmp(l->measure, summary, sizeof summary - 1);
}

/* A summary counts where it is alone: does anything else say the same? */
static const char *repeats(const struct tm_top *t, const struct layer *l)
{
	const char *run = t->runs.v[l->run_id].text;

	for (size_t i = 0; i < t->runs.n; i++)
		if (t->traced[i] & TM_MASK_BIT(l->domain) && same_place(t->runs.v[i].text, run))
			return "skipped: a summary of a trace that is also given";
	for (size_t i = 1; i < t->nlayer; i++) {
		const struct layer *m = &t->layer[i];

		if (m == l || m->sort != LAYER_STATS || m->domain != l->domain ||
		    !same_place(t->runs.v[m->run_id].text, run))
			continue;
		if (!is_summary(m))
			return "skipped: a summary of statistics that are also given";
		if (m->total == l->total && m->rows == l->rows && strcmp(m->path, l->path) < 0)
			return "skipped: the same summary is in another file";
	}
	return NULL;
}

/* Does something better than this layer speak for the same run? */
static const char *superseded(const struct tm_top *t, const struct run_stats *stats,
                              const struct layer *l)
{
	const struct run_stats *of = &stats[l->run_id];
	uint64_t traced = t->traced[l->run_id];

	if (l->domain == TM_DOMAIN_DOMAINS ? traced != 0 : (traced & TM_MASK_BIT(l->domain)) != 0)
		return l->sort == LAYER_COUNTERS
		               ? "skipped: the trace of the same run is also given; counting "
		                 "makes its kernels run one at a time"
		               : "skipped: the trace of the same run is also given";
	if (is_summary(l))
		return repeats(t, l);
	/* Two clocks for the same calls, or one table in two formats. */
	if (l->sort == LAYER_STATS && strcmp(of->least[l->domain], l->measure) < 0)
		return "skipped: another table of the same calls is also given";
	if (l->sort == LAYER_COUNTERS && of->least[TM_DOMAIN_KERNEL])
		return "skipped: kernel statistics of the same run are also given";
	if (l->domain == TM_DOMAIN_DOMAINS && of->domains & ~TM_MASK_BIT(TM_DOMAIN_DOMAINS))
		return "skipped: it only sums up other files of the same run";
	return NULL;
}

/* What pct of this file's rows is a share of: the total its Percentage column implies, when that is
 * more than the rows hold. */
static tm_u128 whole_of(const struct layer *l, struct tm_report *rep)
{
	const double slack = 1e-9;
	double mid;

	if (l->lo <= 0 || !isfinite(l->hi))
		return l->total;
	if (l->lo > l->hi * (1 + slack)) {
		tm_report_add(rep, TM_SEV_NOTE, l->path, 0,
		              "the Percentage column does not match the rows (edited, or several "
		              "files in one?); pct is computed from the rows");
		return l->total;
	}
	if ((double)l->total >= l->lo * (1 - slack))
		return l->total;
	mid = (l->lo + l->hi) / 2;
	tm_report_add(rep, TM_SEV_WARN, l->path, 0,
	              "truncated: its rows cover %.2f %% of the %s time implied by its Percentage "
	              "column (about %.0f ns); pct refers to the implied total",
	              100 * (double)l->total / mid, tm_domain_text(l->domain), mid);
	return (tm_u128)(mid + 0.5);
}

static void note_deviations(const struct layer *l, struct tm_report *rep)
{
	if (l->repaired)
		tm_report_add(rep, TM_SEV_NOTE, l->path, 0,
		              "StdDev of %" PRIu64
		              " row%s corrected (the profiler's sum of squares "
		              "overflowed 64 bits: total above 4.29 s)",
		              l->repaired, l->repaired == 1 ? "" : "s");
	if (l->unknown)
		tm_report_add(rep, TM_SEV_NOTE, l->path, 0,
		              "StdDev of %" PRIu64 " row%s unknown: the profiler's sum of squares "
		              "overflowed 64 bits, and several values fit",
		              l->unknown, l->unknown == 1 ? "" : "s");
}

/* Same kernel, without the counter? */
static bool same_but_counter(const uint64_t *a, const uint64_t *b)
{
	for (int w = 0; w < TOP_WORDS; w++)
		if (w != TOP_COUNTER && a[w] != b[w])
			return false;
	return true;
}

/* Sorting counter groups: kernel by kernel, most calls first, then by the counter's name. */
static int by_counter(const void *pa, const void *pb, void *arg)
{
	const struct row *a = pa, *b = pb;
	const struct tm_top *t = arg;

	for (int w = 0; w < TOP_WORDS; w++)
		if (w != TOP_COUNTER && a->key[w] != b->key[w])
			return a->key[w] < b->key[w] ? -1 : 1;
	if (a->g->m.n != b->g->m.n)
		return a->g->m.n > b->g->m.n ? -1 : 1;
	return tm_name_cmp(&t->names.v[a->key[TOP_COUNTER]], &t->names.v[b->key[TOP_COUNTER]]);
}

static bool pour_one(struct layer *into, const struct row *r)
{
	uint64_t key[TOP_WORDS];
	struct layer one = { .keys = { .words = TOP_WORDS, .n = 1, .key = key }, .g = r->g };

	memcpy(key, r->key, sizeof key);
	return tm_top_pour(into, &one, true);
}

/* The times of a counter run: of each kernel, those its best-covered counter came with. */
static bool pour_counters(struct tm_top *t, const struct layer *l)
{
	struct row *r = calloc(l->keys.n ? l->keys.n : 1, sizeof *r);
	bool ok = r != NULL;

	for (uint32_t i = 0; ok && i < l->keys.n; i++)
		r[i] = (struct row) { .key = l->keys.key + (size_t)i * TOP_WORDS, .g = &l->g[i] };
	if (ok)
		qsort_r(r, l->keys.n, sizeof *r, by_counter, t);
	for (uint32_t i = 0; ok && i < l->keys.n; i++)
		if (!i || !same_but_counter(r[i].key, r[i - 1].key))
			ok = pour_one(&t->layer[0], &r[i]);
	free(r);
	return ok;
}

static tm_u128 total_of(const struct layer *l)
{
	tm_u128 sum = 0;

	for (uint32_t i = 0; i < l->keys.n; i++)
		sum += l->g[i].m.sum;
	return sum;
}

/* What -w could not choose from. */
static void tell_window(const struct tm_top *t, struct tm_report *rep)
{
	if (t->unwindowed)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " row%s of statistics files ignored: they contain totals, "
		              "not calls, so -w cannot select from them",
		              t->unwindowed, t->unwindowed == 1 ? "" : "s");
	if (t->misplaced)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " row%s skipped: the window of the rank is unknown",
		              t->misplaced, t->misplaced == 1 ? "" : "s");
}

/* All layers but the first into it; *whole = what pct is a share of. */
static bool fold(struct tm_top *t, const struct run_stats *of, tm_u128 *whole,
                 struct tm_report *rep)
{
	bool traces = t->layer[0].keys.n > 0, stats = false;

	*whole = 0;
	for (size_t i = 1; i < t->nlayer; i++) {
		struct layer *l = &t->layer[i];
		const char *why = superseded(t, of, l);

		if (why) {
			if (!l->beside_trace)
				tm_report_add(rep, TM_SEV_NOTE, l->path, 0, "%s", why);
			continue;
		}
		if (l->sort == LAYER_COUNTERS) {
			tm_report_add(
			        rep, TM_SEV_NOTE, l->path, 0,
			        "durations come from a counter collection, which runs kernels "
			        "one at a time");
			if (!pour_counters(t, l))
				return false;
			traces = true;
			continue;
		}
		if (t->o->windowed) {
			t->unwindowed += l->rows;
			continue;
		}
		stats = true;
		*whole += whole_of(l, rep) - l->total;
		note_deviations(l, rep);
		if (!tm_top_pour(&t->layer[0], l, false))
			return false;
	}
	*whole += total_of(&t->layer[0]);
	tell_window(t, rep);
	if (traces && stats)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "traces and statistics files are added up as different runs");
	return true;
}

static bool fold_all(struct tm_top *t, tm_u128 *whole, struct tm_report *rep)
{
	struct run_stats *of = stats_of_runs(t);
	bool ok = of && fold(t, of, whole, rep);

	free(of);
	return ok;
}

bool tm_top_fold(struct tm_top *t, tm_u128 *whole, struct tm_report *rep)
{
	struct tm_top *of = tm_top_sums(t);

	if (!of->lends)
		return fold_all(of, whole, rep);
	if (tm_once_begin(&of->fold_once)) {
		of->folded = fold_all(of, &of->shares_of, &of->told);
		tm_once_end(&of->fold_once);
	}
	if (!of->folded)
		return false;
	*whole = of->shares_of;
	for (size_t i = 0; i < of->told.n; i++) {
		const struct tm_finding *f = &of->told.v[i];

		tm_report_add(rep, f->severity, f->where, f->line, "%s", f->text);
	}
	return !of->told.lost;
}

/* That rows of --name short stand for several kernels, where they do. */
static bool tell_joined(const struct tm_top *t, struct tm_report *rep)
{
	uint32_t *kernels = calloc((size_t)t->names.n + 1, sizeof *kernels);
	uint64_t names = 0, all = 0;

	for (uint32_t i = 0; kernels && i < t->whole.n; i++)
		kernels[t->brief[i]]++;
	for (uint32_t i = 0; kernels && i < t->names.n; i++)
		if (kernels[i] > 1) {
			names++;
			all += kernels[i];
		}
	if (names)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " name%s for several kernels (%" PRIu64
		              " in all) that --name short cannot distinguish; use --name full",
		              names, names == 1 ? " stands" : "s stand", all);
	free(kernels);
	return kernels != NULL;
}

/* ---- order ---- */

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int cmp_total(const struct row *a, const struct row *b)
{
	return (b->g->m.sum > a->g->m.sum) - (b->g->m.sum < a->g->m.sum);
}

static int cmp_name(const struct answer *an, const struct row *a, const struct row *b)
{
	return tm_name_cmp(&an->t->names.v[(uint32_t)a->key[TOP_NAME]],
	                   &an->t->names.v[(uint32_t)b->key[TOP_NAME]]);
}

/* The usual order: the largest total first. */
static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct row *a = pa, *b = pb;
	const struct answer *an = arg;
	int c = cmp_total(a, b);

	if (!c)
		c = cmp_name(an, a, b);
	if (!c)
		c = cmp_u64(a->key[TOP_NAME] >> 32, b->key[TOP_NAME] >> 32);
	if (!c && a->key[TOP_HAS] & b->key[TOP_HAS] & TM_MASK_BIT(TOP_CLASS))
		c = tm_name_cmp(&an->t->names.v[a->key[TOP_CLASS]],
		                &an->t->names.v[b->key[TOP_CLASS]]);
	for (int w = TOP_RANK; !c && w < TOP_WORDS; w++) {
		bool ha = a->key[TOP_HAS] & TM_MASK_BIT(w), hb = b->key[TOP_HAS] & TM_MASK_BIT(w);

		c = ha != hb ? (ha ? -1 : 1) : cmp_u64(a->key[w], b->key[w]);
	}
	return c;
}

static bool collect(struct answer *a, struct tm_top *t)
{
	struct layer *l = &t->layer[0];

	a->row = calloc(l->keys.n ? l->keys.n : 1, sizeof *a->row);
	if (!a->row)
		return false;
	for (uint32_t i = 0; i < l->keys.n; i++) {
		struct row *r = &a->row[a->n++];

		*r = (struct row) { .key = l->keys.key + (size_t)i * TOP_WORDS, .g = &l->g[i] };
		r->has_sd = tm_moments_stddev(&r->g->m, &r->sd);
		r->has_p = t->quantiles && r->g->q.n && !r->g->m.sealed;
		if (r->has_p) {
			r->p50 = tm_quantile_at(&r->g->q, 500, r->g->m.min, r->g->m.max);
			r->p90 = tm_quantile_at(&r->g->q, 900, r->g->m.min, r->g->m.max);
			r->p99 = tm_quantile_at(&r->g->q, 990, r->g->m.min, r->g->m.max);
		}
	}
	qsort_r(a->row, a->n, sizeof *a->row, by_total, a);
	return true;
}

/* ---- cells ---- */

static struct tm_cell id_cell(const struct row *r, enum top_word w)
{
	return r->key[TOP_HAS] & TM_MASK_BIT(w) ? tm_cell_u64(r->key[w]) : tm_cell_none();
}

/* "1024x8x1", or the product alone. */
static struct tm_cell shape_cell(struct tm_table *out, const struct row *r, enum top_word x)
{
	char text[80];
	int n;

	if (!(r->key[TOP_HAS] & TM_MASK_BIT(x)))
		return tm_cell_none();
	if (r->key[TOP_HAS] & TM_MASK_BIT(x + 1) && r->key[TOP_HAS] & TM_MASK_BIT(x + 2))
		n = snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, r->key[x],
		             r->key[x + 1], r->key[x + 2]);
	else
		n = snprintf(text, sizeof text, "%" PRIu64, r->key[x]);
	return tm_table_own(out, text, (size_t)n);
}

/* Class or domain of a row; "" when out of memory (a->oom). */
static const char *class_of(struct answer *a, const struct row *r)
{
	enum tm_domain d = (enum tm_domain)(r->key[TOP_NAME] >> 32);
	const struct tm_name *nm = &a->t->names.v[(uint32_t)r->key[TOP_NAME]];
	const char *class_name;

	if (d != TM_DOMAIN_KERNEL)
		return tm_domain_text(d);
	if (r->key[TOP_HAS] & TM_MASK_BIT(TOP_CLASS))
		return a->t->names.v[r->key[TOP_CLASS]].text;
	class_name = tm_classes_of(a->o->classes, nm->text, NULL);
	a->oom |= !class_name;
	return class_name ? class_name : "";
}

static struct tm_cell make_cell(struct answer *a, const struct row *r, enum top_column c,
                                struct tm_table *out)
{
	const struct tm_moments *m = &r->g->m;
	const struct tm_name *nm = &a->t->names.v[(uint32_t)r->key[TOP_NAME]];
	const char *class_name;
	char text[16];

	switch (c) {
	case COL_RANK:
		return id_cell(r, TOP_RANK);
	case COL_AGENT:
		if (!(r->key[TOP_HAS] & TM_MASK_BIT(TOP_AGENT)))
			return tm_cell_none();
		tm_agent_text(r->key[TOP_AGENT], text);
		return tm_table_own(out, text, strlen(text));
	case COL_QUEUE:
		return id_cell(r, TOP_QUEUE);
	case COL_STREAM:
		return id_cell(r, TOP_STREAM);
	case COL_GRID:
		return shape_cell(out, r, TOP_GRID_X);
	case COL_WORKGROUP:
		return shape_cell(out, r, TOP_WG_X);
	case COL_NAME:
		return tm_cell_text(nm->text, nm->len);
	case COL_CLASS:
		class_name = class_of(a, r);
		return tm_cell_text(class_name, strlen(class_name));
	case COL_CALLS:
		return tm_cell_u64(m->n);
	case COL_TOTAL:
		return m->sum >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)m->sum);
	case COL_PCT:
		return tm_work_pct(m->sum, a->whole);
	case COL_CUM_PCT: /* once it is known which rows are above it */
		break;
	case COL_AVG:
		return tm_cell_ratio((uint64_t)(m->sum >> 64), (uint64_t)m->sum, m->n);
	case COL_MIN:
		return tm_moments_extremes(m) ? tm_cell_u64(m->min) : tm_cell_none();
	case COL_MAX:
		return tm_moments_extremes(m) ? tm_cell_u64(m->max) : tm_cell_none();
	case COL_P50:
		return r->has_p ? tm_cell_u64(r->p50) : tm_cell_none();
	case COL_P90:
		return r->has_p ? tm_cell_u64(r->p90) : tm_cell_none();
	case COL_P99:
		return r->has_p ? tm_cell_u64(r->p99) : tm_cell_none();
	case COL_STDDEV:
		return r->has_sd ? tm_cell_real4(r->sd) : tm_cell_none();
	case COL_N:
		break;
	}
	return tm_cell_none();
}

static bool emit(struct answer *a, struct tm_table *out, struct tm_report *rep)
{
	uint64_t limit = a->o->nsort ? 0 : a->o->limit, wide = 0;
	size_t n = limit && limit < a->n ? (size_t)limit : a->n;

	out->more = a->n - n;
	for (size_t c = 0; c < a->ncols; c++)
		if (a->which[c] == COL_CUM_PCT)
			out->share.running = c;
	for (size_t i = 0; i < n; i++) {
		const struct tm_moments *m = &a->row[i].g->m;
		struct tm_cell *cells = tm_table_row(out);

		if (!cells || !tm_table_share(out, m->sum, a->whole))
			return false;
		wide += m->sum >> 64 != 0;
		for (size_t c = 0; c < a->ncols; c++)
			cells[c] = make_cell(a, &a->row[i], a->which[c], out);
	}
	if (wide)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "the total of %" PRIu64 " row%s exceeds 64 bits and is left empty",
		              wide, wide == 1 ? "" : "s");
	return true;
}

/* With --strict a kernel of unknown class is an error, shown or not. */
static void judge_classes(struct answer *a, struct tm_report *rep)
{
	uint64_t unknown = 0;

	for (size_t i = 0; i < a->n; i++)
		unknown += a->row[i].key[TOP_NAME] >> 32 == TM_DOMAIN_KERNEL &&
		           !strcmp(class_of(a, &a->row[i]), TM_CLASS_UNKNOWN);
	if (unknown)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " kernel%s of unknown class; --classes adds rules",
		              unknown, unknown == 1 ? "" : "s");
}

/* ---- nothing to show ---- */

static const char *things(enum tm_domain d)
{
	static const char *const word[TM_DOMAIN_N] = {
		[TM_DOMAIN_KERNEL] = "kernel dispatches",
		[TM_DOMAIN_COPY] = "copies",
		[TM_DOMAIN_HIP] = "HIP API calls",
		[TM_DOMAIN_HSA] = "HSA API calls",
		[TM_DOMAIN_MARKER] = "markers",
		[TM_DOMAIN_RCCL] = "RCCL API calls",
		[TM_DOMAIN_ROCDECODE] = "rocDecode API calls",
		[TM_DOMAIN_ROCJPEG] = "rocJPEG API calls",
		[TM_DOMAIN_ALLOC] = "allocations",
		[TM_DOMAIN_SCRATCH] = "scratch operations",
		[TM_DOMAIN_OTHER] = "calls of unknown domains",
		[TM_DOMAIN_DOMAINS] = "totals per domain",
	};

	return word[d];
}

/* Was it said already that something could not be read? */
bool tm_top_said_errors(const struct tm_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return true;
	return false;
}

/* Kernel dispatches that only counters tell of, where kernels are not asked for: each has every
 * counter of its run once, or it was not counted in all passes.  False when out of memory. */
static bool counted_dispatches(const struct tm_top *t, uint64_t *n)
{
	uint64_t *most = calloc((size_t)t->runs.n + 1, sizeof *most);

	*n = 0;
	for (uint32_t i = 0; most && i < t->counted.n; i++) {
		const size_t run = t->counted.key[(size_t)i * 2];

		if (t->counts_of[i] > most[run] &&
		    !(t->traced[run] & TM_MASK_BIT(TM_DOMAIN_KERNEL)))
			most[run] = t->counts_of[i];
	}
	for (uint32_t i = 0; most && i < t->runs.n; i++)
		*n += most[i];
	free(most);
	return most != NULL;
}

/* What there is instead of what was asked for: "copies (3), markers (4)".  The first of them that
 * can be shown, or TM_DOMAIN_N. */
static enum tm_domain other_things(const struct tm_top *t, const struct tm_metric_opts *o,
                                   struct tm_buf *out)
{
	enum tm_domain first = TM_DOMAIN_N;
	uint64_t counted;
	bool timed;

	out->failed |= !counted_dispatches(t, &counted);
	for (int d = 0; d < TM_DOMAIN_N; d++) {
		uint64_t n = t->seen[d] + (d == TM_DOMAIN_KERNEL ? counted : 0);

		if (!n || o->domains & TM_MASK_BIT(d))
			continue;
		timed = t->untimed[d] < n;
		tm_buf_fmt(out, "%s%s (%" PRIu64 "%s)", out->n ? ", " : "",
		           things((enum tm_domain)d), n, timed ? "" : ", without times");
		if (first == TM_DOMAIN_N && timed)
			first = (enum tm_domain)d;
	}
	return out->failed ? TM_DOMAIN_N : first;
}

void tm_top_explain_nothing(const struct tm_top *t, const struct tm_metric_opts *o,
                            struct tm_report *rep)
{
	static const char nothing[] = "nothing to show: ";
	const char *asked = "events";
	struct tm_buf list = { 0 };
	enum tm_domain other = other_things(t, o, &list);
	uint64_t untimed = 0;

	for (int d = 0; d < TM_DOMAIN_N; d++) {
		untimed += o->domains & TM_MASK_BIT(d) ? t->untimed[d] : 0;
		if (o->domains == TM_MASK_BIT(d))
			asked = things((enum tm_domain)d);
	}
	if (t->outside)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%snone of the %" PRIu64 " %s starts inside the window", nothing,
		              t->outside, asked);
	else if (untimed)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%s%" PRIu64 " %s without start and end times (%s)", nothing, untimed,
		              asked,
		              o->domains == TM_MASK_BIT(TM_DOMAIN_RCCL)
		                      ? "a log of RCCL has none"
		                      : "rocprof v1 records them with --timestamp on");
	else if (t->untimed_counters)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%s%" PRIu64
		              " rows of a counter collection without start and end times "
		              "(rocprofv3 records them since 6.3)",
		              nothing, t->untimed_counters);
	else if (t->counts)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%sa table with the counts of %" PRIu64 " calls has no times",
		              nothing, t->counts);
	else if (other != TM_DOMAIN_N && !t->unwindowed)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%sno %s; there are %s: try kstats top --domain %s", nothing, asked,
		              list.p, other == TM_DOMAIN_DOMAINS ? "all" : tm_domain_text(other));
	else if (list.n && !t->unwindowed)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "%sno %s; there are %s", nothing, asked,
		              list.p);
	else if (!tm_top_said_errors(rep)) /* otherwise it is said why already */
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "%sno %s %s%s", nothing, asked,
		              tm_metric_where(o, false),
		              t->readings && !list.n ? tm_metric_only_readings : "");
	tm_buf_fini(&list);
}

enum tm_status tm_top_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *out,
                           struct tm_report *rep)
{
	struct tm_top *t = acc;
	struct answer a = { .t = t, .o = o };
	uint64_t untimed = 0;
	enum tm_status st = TM_ST_FATAL;

	choose_columns(&a);
	tm_table_init(out, a.columns, a.ncols);
	if (!tm_top_fold(t, &a.whole, rep) || !collect(&a, t))
		goto done;
	st = a.n ? TM_ST_OK : TM_ST_END;
	for (int d = 0; d < TM_DOMAIN_N; d++)
		untimed += o->domains & TM_MASK_BIT(d) ? t->untimed[d] : 0;
	if (!a.n)
		tm_top_explain_nothing(t, o, rep);
	else if (untimed)
		tm_report_add(rep, TM_SEV_SKIP, NULL, 0,
		              "%" PRIu64 " row%s without start and end times skipped", untimed,
		              untimed == 1 ? "" : "s");
	if (o->all_domains && a.n)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "domains overlap in time (a HIP call contains HSA calls and waits for "
		        "kernels): pct is a share of the sum, not of elapsed time");
	if (o->strict)
		judge_classes(&a, rep);
	if (!tell_joined(t, rep) || !emit(&a, out, rep) || a.oom || out->failed)
		st = TM_ST_FATAL;
done:
	free(a.row);
	return st;
}
