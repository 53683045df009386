/* SPDX-License-Identifier: MIT
 * Every region with the GPU work launched inside it.
 *
 *     gpu_total = Σ durations of the operations launched while the region was open
 *     self_gpu  = Σ of those of which it was the innermost region
 *     gpu_busy  = length of their union, over all agents of the rank       gpu_busy <= gpu_total
 * but with -w, which clips unions, where sums are of what starts inside
 *     p50, p99  = nearest rank of the durations of its occurrences, each exactly
 *     gpu_p50, gpu_p99 = the same of what each occurrence launched: Σ of those is gpu_total, but
 * for operations whose occurrence began outside the window, or that several occurrences hold
 *
 * Σ self_gpu over all rows, those in no region included, is that of `kstats top`, whatever threads
 * have a region open: it is of one region only. */
#include "metric/attributed.h"
#include "metric/steps/regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
	COL_NUMBERS,
	COL_REASON,
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
	                 .about = "path of markers, outermost first: a/b/c; (unattributed): "
	                          "launched in no region",
	                 .unit = TM_UNIT_TEXT,
	                 .elastic = true },
	[COL_DEPTH] = { .name = "depth",
	                .title = "DEPTH",
	                .about = "number of regions around it",
	                .unit = TM_UNIT_COUNT,
	                .spare = 6 },
	[COL_COUNT] = { .name = "count",
	                .title = "COUNT",
	                .about = "number of times it began",
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
	               .about = "time with any of that running",
	               .unit = TM_UNIT_NS },
	[COL_SELF] = { .name = "self_gpu_ns",
	               .title = "SELF",
	               .about = "part of gpu_total_ns launched inside no inner region",
	               .unit = TM_UNIT_NS },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .about = "kernels it launched",
	                  .unit = TM_UNIT_COUNT,
	                  .tight = 1 },
	[COL_FIRST] = { .name = "first_ns",
	                .title = "FIRST",
	                .about = "start of the first operation it launched",
	                .unit = TM_UNIT_TIME,
	                .spare = 5 },
	[COL_LAST] = { .name = "last_ns",
	               .title = "LAST",
	               .about = "end of the last operation it launched",
	               .unit = TM_UNIT_TIME,
	               .spare = 5 },
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
	                  .about = "median GPU time launched by one occurrence",
	                  .unit = TM_UNIT_NS,
	                  .spare = 4 },
	[COL_GPU_P99] = { .name = "gpu_p99_ns",
	                  .title = "GPU P99",
	                  .about = "99th percentile of GPU time launched by one occurrence",
	                  .unit = TM_UNIT_NS,
	                  .spare = 4 },
	[COL_NUMBERS] = { .name = "numbers",
	                  .title = "NUMBERS",
	                  .about = "numbers that each * of the path stands for",
	                  .unit = TM_UNIT_TEXT,
	                  .spare = 7 },
	[COL_REASON] = { .name = "reason",
	                 .title = "REASON",
	                 .about = "why there is no region",
	                 .unit = TM_UNIT_TEXT,
	                 .spare = 8 },
	[COL_N] = { 0 },
};

enum {
	LIST_RANK,
	LIST_TID,
	LIST_REGION,
	LIST_NUMBERS,
	LIST_START,
	LIST_HOST,
	LIST_TOTAL,
	LIST_KERNELS,
	LIST_N,
};

const struct tm_column tm_region_list_columns[] = {
	[LIST_RANK] = { .name = "rank",
	                .title = "RANK",
	                .about = "rank of the process",
	                .unit = TM_UNIT_ID },
	[LIST_TID] = { .name = "tid",
	               .title = "TID",
	               .about = "host thread",
	               .local = true,
	               .unit = TM_UNIT_ID },
	[LIST_REGION] = { .name = "region",
	                  .title = "REGION",
	                  .about = "path of the region, a/b/c",
	                  .unit = TM_UNIT_TEXT,
	                  .elastic = true },
	[LIST_NUMBERS] = { .name = "numbers",
	                   .title = "NUMBERS",
	                   .about = "number that each * of the path stands for",
	                   .unit = TM_UNIT_TEXT },
	[LIST_START] = { .name = "start_ns",
	                 .title = "START",
	                 .about = "start on the host",
	                 .unit = TM_UNIT_TIME,
	                 .local = true,
	                 .spare = 1 },
	[LIST_HOST] = { .name = "host_ns",
	                .title = "HOST",
	                .about = "duration on the host",
	                .unit = TM_UNIT_NS },
	[LIST_TOTAL] = { .name = "gpu_total_ns",
	                 .title = "GPU",
	                 .about = "sum of the durations of what it launched",
	                 .unit = TM_UNIT_NS,
	                 .bar = true },
	[LIST_KERNELS] = { .name = "kernels",
	                   .title = "KERNELS",
	                   .about = "kernels it launched",
	                   .unit = TM_UNIT_COUNT },
	[LIST_N] = { 0 },
};

const char *tm_regions_how_text(enum tm_stack_how how)
{
	switch (how) {
	case TM_STACK_OUTSIDE:
		return "launched outside any region";
	case TM_STACK_GRAPH_OUTSIDE:
		return "graph launched outside any region";
	default:
		return tm_stack_how_text(how);
	}
}

/* ---- paths ---- */

/* A part of a path: where it holds what joins parts, that is marked. */
static void put_part(struct tm_buf *out, const struct tm_name *nm)
{
	for (size_t i = 0; i < nm->len; i++) {
		if (nm->text[i] == '/' || nm->text[i] == '\\')
			tm_buf_chr(out, '\\');
		tm_buf_chr(out, nm->text[i]);
	}
}

/* A region and those around it, outermost first; false when there are more than TM_STACK_DEPTH. */
static bool chain_of(const struct regions *g, uint32_t region, uint32_t v[TM_STACK_DEPTH],
                     size_t *n)
{
	*n = 0;
	for (; region != REGION_NONE && *n < TM_STACK_DEPTH; region = g->region[region].parent)
		v[(*n)++] = region;
	for (size_t i = 0; i < *n / 2; i++) {
		uint32_t swap = v[i];

		v[i] = v[*n - 1 - i];
		v[*n - 1 - i] = swap;
	}
	return region == REGION_NONE;
}

bool tm_regions_path(struct regions *g, uint32_t region)
{
	uint32_t chain[TM_STACK_DEPTH];
	size_t n;

	tm_buf_clear(&g->path);
	if (!chain_of(g, region, chain, &n))
		tm_buf_str(&g->path, ".../");
	for (size_t i = 0; i < n; i++) {
		if (i)
			tm_buf_chr(&g->path, '/');
		put_part(&g->path, &g->texts.v[g->region[chain[i]].text]);
	}
	return tm_buf_reserve(&g->path, 1) && !g->path.failed;
}

static struct tm_cell path_cell(struct regions *g, uint32_t region)
{
	if (!tm_regions_path(g, region)) {
		g->t->failed = true;
		return tm_cell_none();
	}
	return tm_table_own(g->t, g->path.p, g->path.n);
}

/* The text of g->buf, absent where it is empty. */
static struct tm_cell numbers_cell(struct regions *g)
{
	g->t->failed |= g->buf.failed;
	return g->buf.n ? tm_table_own(g->t, g->buf.p, g->buf.n) : tm_cell_none();
}

/* Of all its occurrences, for each part of the path. */
static struct tm_cell all_numbers(struct regions *g, uint32_t region)
{
	uint32_t chain[TM_STACK_DEPTH];
	size_t n;

	tm_buf_clear(&g->buf);
	chain_of(g, region, chain, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < g->region[chain[i]].nrange; k++)
			tm_fold_put(&g->buf, &g->ranges.v[g->region[chain[i]].range + k]);
	return numbers_cell(g);
}

/* Of one occurrence. */
static struct tm_cell own_numbers(struct regions *g, const struct region_occurrence *o)
{
	const struct tm_intervals *s = &g->s->thread[o->thread].frame[TM_STACK_FRAMES];
	uint32_t chain[TM_STACK_DEPTH + 1] = { o->frame };
	bool deep = false;
	uint32_t n = 1 + tm_stack_around(g->s, o->thread, o->frame, chain + 1, &deep);

	tm_buf_clear(&g->buf);
	while (n--) {
		const uint32_t label = tm_interval_name(s, chain[n]);
		const struct tm_name *nm = &g->s->names.v[g->s->label[label].name];
		size_t len;

		for (size_t at = 0; tm_fold_next(nm->text, nm->len, &at, &len); at += len) {
			struct tm_fold_range r = { 0 };

			tm_fold_widen(&r, nm->text + at, len);
			tm_fold_put(&g->buf, &r);
		}
	}
	return numbers_cell(g);
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

/* Percentiles over the occurrences of a region; v has room for one number each. */
static void put_occurrences(const struct regions *g, const struct region *r, bool gpu, uint64_t *v,
                            struct tm_cell *c)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct region_occurrence *o = &g->occurrence[g->sorted[r->at + i]];

		v[i] = tm_interval_dur(&g->s->thread[o->thread].frame[TM_STACK_FRAMES], o->frame);
	}
	put_quantiles(&c[COL_P50], &c[COL_P99], v, r->count);
	for (size_t i = 0; gpu && i < r->count; i++)
		v[i] = g->gpu[g->sorted[r->at + i]];
	if (gpu)
		put_quantiles(&c[COL_GPU_P50], &c[COL_GPU_P99], v, r->count);
}

static void put_work(const struct region *r, struct tm_cell *c)
{
	c[COL_TOTAL] = cell_sum(r->total);
	c[COL_BUSY] = tm_cell_u64(r->busy);
	c[COL_SELF] = cell_sum(r->self);
	c[COL_KERNELS] = tm_cell_u64(r->kernels);
	if (r->first <= r->last) {
		c[COL_FIRST] = tm_cell_u64(r->first);
		c[COL_LAST] = tm_cell_u64(r->last);
	}
}

static bool put_region(struct regions *g, uint32_t at, uint64_t *v)
{
	const struct region *r = &g->region[at];
	const struct tm_stack_thread *th = &g->s->thread[r->thread];
	bool gpu = g->r.track_from < g->r.track_to;
	struct tm_cell *c;

	if (!r->count && !r->total && !r->busy && !r->kernels)
		return true; /* outside the window */
	c = tm_table_row(g->t);
	if (!c)
		return false;
	c[COL_RANK] = tm_cell_u64(th->rank);
	if (th->has_tid)
		c[COL_TID] = tm_cell_u64(th->tid);
	c[COL_REGION] = path_cell(g, at);
	c[COL_DEPTH] = tm_cell_u64(r->depth);
	c[COL_COUNT] = tm_cell_u64(r->count);
	c[COL_HOST] = cell_sum(r->host);
	if (gpu)
		put_work(r, c);
	put_occurrences(g, r, gpu, v, c);
	c[COL_NUMBERS] = all_numbers(g, at);
	return true;
}

/* Regions with those inside each after it. */
static bool put_regions(struct regions *g)
{
	uint64_t *v = calloc(g->noccurrence + 1, sizeof *v);
	bool ok = v != NULL;

	for (uint32_t root = 0; ok && root < g->nregion; root++) {
		uint32_t at = root;

		if (g->region[root].parent != REGION_NONE)
			continue;
		while (ok && at != REGION_NONE) {
			ok = put_region(g, at, v);
			if (g->region[at].child) {
				at = g->region[at].child - 1;
				continue;
			}
			while (at != REGION_NONE && !g->region[at].next)
				at = g->region[at].parent;
			if (at != REGION_NONE)
				at = g->region[at].next - 1;
		}
	}
	free(v);
	return ok;
}

/* Each range, thread by thread as they begin. */
static bool put_list(struct regions *g)
{
	bool gpu = g->r.track_from < g->r.track_to;

	for (size_t i = 0; i < g->noccurrence; i++) {
		const struct region_occurrence *o = &g->occurrence[i];
		const struct tm_stack_thread *th = &g->s->thread[o->thread];
		const struct tm_intervals *s = &th->frame[TM_STACK_FRAMES];
		uint64_t start = tm_interval_start(s, o->frame);
		struct tm_cell *c;

		if (start < g->asked.lo || start >= g->asked.hi)
			continue;
		c = tm_table_row(g->t);
		if (!c)
			return false;
		c[LIST_RANK] = tm_cell_u64(th->rank);
		if (th->has_tid)
			c[LIST_TID] = tm_cell_u64(th->tid);
		c[LIST_REGION] = path_cell(g, o->region);
		c[LIST_NUMBERS] = own_numbers(g, o);
		c[LIST_START] = tm_cell_u64(start);
		c[LIST_HOST] = tm_cell_u64(tm_interval_dur(s, o->frame));
		if (gpu && g->gpu[i] != UINT64_MAX)
			c[LIST_TOTAL] = tm_cell_u64(g->gpu[i]);
		if (gpu)
			c[LIST_KERNELS] = tm_cell_u64(g->nkernel[i]);
	}
	return true;
}

/* What is in no region, at the end of the table, where no limit cuts it; one row of nothing says
 * that nothing is missing. */
static bool put_lost(struct regions *g)
{
	static const struct region none = { .first = UINT64_MAX };
	size_t n = g->nlost ? g->nlost : g->ranks ? 1 : 0;

	for (size_t i = 0; i < n; i++) {
		const struct region_lost *l = g->nlost ? &g->lost[i] : NULL;
		const char *why = l ? tm_regions_how_text(l->how) : NULL;
		struct tm_cell *c = tm_table_row(g->t);

		if (!c)
			return false;
		if (l || g->ranks == 1)
			c[COL_RANK] = tm_cell_u64(l ? l->rank : g->rank);
		c[COL_REGION] = tm_unattributed_cell();
		put_work(l ? &l->r : &none, c);
		if (why)
			c[COL_REASON] = tm_cell_text(why, strlen(why));
	}
	g->t->kept = n;
	return true;
}

/* ---- the answer ---- */

static bool any_calls(const struct tm_stack *s)
{
	for (size_t i = 0; i < s->nthread; i++)
		for (int a = 0; a < TM_STACK_APIS; a++)
			if (s->thread[i].calls[a])
				return true;
	return false;
}

static void tell_work(struct regions *g, struct tm_report *rep)
{
	tm_buf_clear(&g->buf);
	if (g->all && !g->list) {
		tm_attributed_share(&g->buf, g->all - g->lost_ns, g->all);
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%s of the GPU time is attributed to regions",
		              g->buf.failed ? "?" : g->buf.p);
		rep->lost |= g->buf.failed;
	}
	if (g->no_work)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " rank%s with regions but no kernels or copies: their GPU "
		              "columns are absent",
		              g->no_work, g->no_work == 1 ? "" : "s");
	if (g->by_time)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " GPU operations have no API call with their correlation id: they "
		              "count for the regions open when they started, on their own thread "
		              "if they have one%s",
		              g->by_time, g->ops,
		              g->calls ? "" : "; trace with --hip-trace to see who launched them");
	if (g->loose)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "some regions have no thread: launches of any thread count for them");
	if (g->deep)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "more than %d regions were open at a time: only the innermost %d count",
		        TM_STACK_DEPTH, TM_STACK_DEPTH);
}

static void explain_nothing(const struct regions *g, bool regions, struct tm_report *rep)
{
	if (g->s->stats && !g->some)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: statistics files contain totals, not events; give "
		              "the trace");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: no %s %s",
		              regions && !g->list ? "kernels" : "markers",
		              regions ? "inside the window" : tm_metric_where(g->o, false));
	if (!regions && !g->s->stats)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "rocprofv3 records roctx ranges with --marker-trace");
}

static bool fill_ranks(struct regions *g)
{
	size_t thread = 0, track = 0;
	bool done = false, ok = true;

	while (ok && !done) {
		ok = tm_regions_next(g, &thread, &track, &done);
		if (ok && !g->kernels)
			ok = g->list ? put_list(g) : put_regions(g);
		ok |= done;
		tm_regions_rank_fini(g);
	}
	return ok;
}

static bool has_regions(const struct tm_stack *s)
{
	for (size_t i = 0; i < s->labels.n; i++)
		if (s->label[i].kind == TM_STACK_ANNOTATION)
			return true;
	return false;
}

static bool fill_all(struct regions *g, struct tm_report *rep)
{
	g->text_of = calloc((size_t)g->s->labels.n + 1, sizeof *g->text_of);
	if (!g->text_of || !fill_ranks(g))
		return false;
	return !g->kernels || tm_region_kernels_rows(g, rep);
}

/* All rows.  Where no rank has a region there is no answer; written down is a rank without one,
 * too: others may have some. */
static bool fill_table(struct regions *g, bool *regions, struct tm_report *rep)
{
	struct tm_state *state = g->o->state;

	if (!tm_stack_settle(g->s))
		return false;
	*regions = tm_state_sum(state, has_regions(g->s)) != 0;
	g->calls = any_calls(g->s);
	g->some = g->s->nthread || g->s->ntrack;
	if (((*regions || (state && state->writing)) && !fill_all(g, rep)) ||
	    (!g->o->windowed && !tm_began_put(g->began, g->t)) || !tm_regions_state(g))
		return false;
	if (g->kernels || g->list || (state && state->writing))
		return true;
	return !(g->t->nrows || (*regions && g->nlost)) || put_lost(g);
}

enum tm_status tm_fill_regions(struct tm_stack *s, struct tm_began *began,
                               const struct tm_metric_opts *o, struct tm_table *t,
                               struct tm_report *rep)
{
	struct regions g = { .o = o, .s = s, .began = began, .t = t };
	bool kernels = o->view && !strcmp(o->view, "kernels"), regions;
	enum tm_status st = TM_ST_FATAL;

	g.list = o->view && !kernels;
	tm_table_init_list(t, kernels  ? tm_region_kernel_columns
	                      : g.list ? tm_region_list_columns
	                               : tm_region_columns);
	if (kernels)
		g.kernels = tm_region_kernels_new();
	if ((!kernels || g.kernels) && fill_table(&g, &regions, rep))
		st = t->nrows ? TM_ST_OK : TM_ST_END;
	if (st == TM_ST_END)
		explain_nothing(&g, regions, rep);
	if (st == TM_ST_OK) {
		tm_stack_tell(s, rep);
		tell_work(&g, rep);
	}
	tm_region_kernels_free(g.kernels);
	tm_names_fini(&g.texts);
	tm_buf_fini(&g.buf);
	tm_buf_fini(&g.path);
	free(g.text_of);
	free(g.lost);
	return st;
}
