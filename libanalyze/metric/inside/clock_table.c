/* SPDX-License-Identifier: MIT
 * The answer of `clock`: a row for each GPU, then one for each of its kernels, by source. */
#include "metric/inside/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_AGENT,
	COL_NAME,
	COL_DISPATCHES,
	COL_CLOCK,
	COL_MAX,
	COL_SLOWDOWN,
	COL_SAMPLES,
	COL_SOURCE,
	COL_NOTE,
	COL_TOTAL,
	COL_N,
};

const struct tm_column tm_clock_columns[] = {
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
	[COL_DISPATCHES] = { .name = "dispatches",
	                     .title = "CALLS",
	                     .unit = TM_UNIT_COUNT,
	                     .about = "dispatches; for grbm, those counted" },
	[COL_CLOCK] = { .name = "clock_mhz",
	                .title = "MHZ",
	                .unit = TM_UNIT_RATIO,
	                .about = "mean clock it ran at" },
	[COL_MAX] = { .name = "max_mhz",
	              .title = "MAX",
	              .unit = TM_UNIT_COUNT,
	              .about = "maximum clock of the GPU" },
	[COL_SLOWDOWN] = { .name = "slowdown_pct",
	                   .title = "SLOWDOWN",
	                   .unit = TM_UNIT_PCT,
	                   .bar = true,
	                   .about = "share of time that max_mhz would save, if only the clock "
	                            "matters" },
	[COL_SAMPLES] = { .name = "samples",
	                  .title = "SAMPLES",
	                  .unit = TM_UNIT_COUNT,
	                  .spare = 1,
	                  .about = "readings or dispatches in the mean" },
	[COL_SOURCE] = { .name = "source",
	                 .title = "SOURCE",
	                 .unit = TM_UNIT_TEXT,
	                 .about = "sclk (a sensor) or grbm (GRBM_GUI_ACTIVE)" },
	[COL_NOTE] = { .name = "note",
	               .title = "NOTE",
	               .unit = TM_UNIT_TEXT,
	               .spare = 2,
	               .about = "why there is no clock, or what it depends on" },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .unit = TM_UNIT_NS,
	                .spare = 3,
	                .about = "sum of the durations of the dispatches" },
	[COL_N] = { .name = NULL },
};

enum source { SOURCE_READ, SOURCE_COUNTED, SOURCES };

static const char all_kernels[] = "(all kernels)";

/* A line of the answer. */
struct row {
	const struct clock_gpu *gpu;
	const struct tm_name *name; /* NULL: of the GPU */
	enum source source;
	uint64_t calls;
	tm_u128 total;
	struct clock_sum sum;
};

struct answer {
	struct clock_found f;
	struct row *row;
	size_t n;
};

/* ---- rows ---- */

static struct row *add(struct answer *w, const struct clock_gpu *gpu, const struct tm_name *name,
                       enum source source)
{
	struct row *r = &w->row[w->n++];

	*r = (struct row) { .gpu = gpu,
		            .name = name,
		            .source = source,
		            .sum = source == SOURCE_READ ? gpu->read : gpu->counted };
	return r;
}

/* A GPU that there is nothing to say of has no rows. */
static bool has(const struct clock_gpu *g, enum source source)
{
	return source == SOURCE_READ ? g->readings && g->launched : g->counts != 0;
}

static bool gather(struct answer *w)
{
	const struct clock *a = w->f.a;
	struct row **of = calloc(w->f.n * SOURCES + 1, sizeof *of);

	w->row = calloc(w->f.n * SOURCES + a->keys.n + 1, sizeof *w->row);
	if (!of || !w->row) {
		free(of);
		return false;
	}
	for (size_t i = 0; i < w->f.n; i++)
		for (int s = 0; s < SOURCES; s++)
			if (has(&w->f.gpu[i], (enum source)s))
				of[i * SOURCES + (size_t)s] = add(w, &w->f.gpu[i], NULL,
				                                  (enum source)s);
	for (uint32_t i = 0; i < a->keys.n; i++) {
		const uint64_t *key = a->keys.key + (size_t)i * CLOCK_WORDS;
		enum source s = key[CLOCK_FLAGS] & CLOCK_COUNTED ? SOURCE_COUNTED : SOURCE_READ;
		struct row *whole = of[(size_t)w->f.gpu_of[i] * SOURCES + (size_t)s], *r;

		if (!whole)
			continue;
		r = add(w, whole->gpu, &a->own.names.v[key[CLOCK_KERNEL]], s);
		r->calls = a->g[i].calls;
		r->total = a->g[i].total;
		r->sum = s == SOURCE_READ ? w->f.read[i] : w->f.counted[i];
		whole->calls += r->calls;
		whole->total += r->total;
	}
	free(of);
	return true;
}

/* GPUs first, then kernels by time. */
static int by_total(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	int c;

	if (!a->name != !b->name)
		return a->name ? 1 : -1;
	if (a->name && a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->name && (c = tm_name_cmp(a->name, b->name)) != 0)
		return c;
	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return (int)a->source - (int)b->source;
}

/* ---- cells ---- */

/* The clock of a row, in ten-thousandths of a MHz; 0 = not known. */
static uint64_t clock_of(const struct row *r)
{
	return r->source == SOURCE_READ && r->sum.n < CLOCK_FEWEST ? 0 : tm_clock_of(&r->sum);
}

static const char *why_none(const struct row *r)
{
	const struct clock_gpu *g = r->gpu;

	if (r->source == SOURCE_READ)
		return r->sum.n < CLOCK_FEWEST ? "too few samples"
		                               : "other kernels run between samples";
	if (!g->divide && g->brief < g->counts)
		return !g->max ? "largest clock unknown" : "XCCs unknown, or wrong counts";
	return r->total < (tm_u128)r->calls * CLOCK_LONG ? "shorter than 100 us"
	                                                 : "above the largest clock";
}

/* Clock and what follows from it. */
static void put_clock(const struct row *r, struct tm_cell *c)
{
	const struct clock_gpu *g = r->gpu;
	uint64_t most = g->max * 10000, clock = clock_of(r);
	const char *note = NULL;

	/* Of readings it has the sum of those that count. */
	c[COL_SAMPLES] = tm_cell_u64(r->source == SOURCE_READ && clock ? (uint64_t)r->sum.den
	                                                               : r->sum.n);
	if (!clock) {
		note = why_none(r);
	} else {
		c[COL_CLOCK] = tm_cell_ratio(0, clock, 10000);
		/* A little above the largest is measuring error. */
		if (g->max)
			c[COL_SLOWDOWN] = tm_cell_pct(clock < most ? most - clock : 0, most);
		if (g->seen)
			note = "MAX is the largest reading";
		else if (r->source == SOURCE_COUNTED && g->divide > 1)
			note = "sum of XCCs divided";
	}
	if (g->max && !(g->seen && r->source == SOURCE_COUNTED))
		c[COL_MAX] = tm_cell_u64(g->max);
	if (note)
		c[COL_NOTE] = tm_cell_text(note, strlen(note));
}

static bool put_row(const struct row *r, struct tm_table *t)
{
	static const char *const source[SOURCES] = { "sclk", "grbm" };
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_RANK] = tm_cell_u64(r->gpu->rank);
	c[COL_AGENT] = tm_work_agent_cell(t, r->gpu->has_agent, r->gpu->agent);
	c[COL_NAME] = r->name ? tm_cell_text(r->name->text, r->name->len)
	                      : tm_cell_text(all_kernels, sizeof all_kernels - 1);
	c[COL_DISPATCHES] = tm_cell_u64(r->calls);
	c[COL_SOURCE] = tm_cell_text(source[r->source], strlen(source[r->source]));
	c[COL_TOTAL] = r->total >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)r->total);
	put_clock(r, c);
	t->pinned += !r->name;
	return !t->failed;
}

/* ---- what there is to say ---- */

static void tell(const struct answer *w, struct tm_report *rep)
{
	uint64_t counts = 0, brief = 0, above = 0, unmatched = 0, seen = 0, read = 0, few = 0;

	for (size_t i = 0; i < w->n; i++) {
		read += w->row[i].name && w->row[i].source == SOURCE_READ;
		few += w->row[i].name && w->row[i].source == SOURCE_READ && !clock_of(&w->row[i]);
	}

	for (size_t i = 0; i < w->f.n; i++) {
		const struct clock_gpu *g = &w->f.gpu[i];

		counts += g->counts;
		brief += g->brief;
		above += g->above;
		seen += g->seen && g->readings;
		unmatched += g->launched && !g->readings;
	}
	if (few)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " kernels have no clock: it takes three readings in a row while a "
		              "kernel runs alone and no other starts",
		              few, read);
	if (unmatched && w->f.a->nreading)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " GPU%s no sensor of that number in the trace", unmatched,
		              unmatched == 1 ? " has" : "s have");
	if (seen)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "largest clock unknown: using the largest reading (set it with --max-mhz)");
	if (brief)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " counted dispatches are shorter than 100 us "
		              "and do not count: the counter runs longer than the kernel",
		              brief, counts);
	if (above)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " of %" PRIu64
		              " counted dispatches would be more than 5 %% "
		              "above the largest clock and do not count",
		              above, counts);
	if (counts)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "grbm is the clock while counters are collected: kernels run one at a "
		        "time then, and the GPU may clock higher");
	tm_report_untimed(rep, w->f.a->untimed);
	tm_report_stats(rep, w->f.a->stats);
}

/* There is no clock at all. */
static void explain_nothing(const struct answer *w, struct tm_report *rep)
{
	const struct clock *a = w->f.a;
	const char *why = "no clock in the input: collect GRBM_GUI_ACTIVE (rocprofv3 --pmc), or "
	                  "trace with rocmProfileData, or with a rocprof-sys that samples the "
	                  "clock; kstats clock --drift needs only durations";

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (a->outside && !a->ops.n)
		why = "no kernel starts in the window";
	else if (a->nreading && !a->ops.n)
		why = "the input has clock readings, but no kernels with start and end";
	else if (a->nreading && !w->n)
		why = "clock readings and kernels are of different GPUs: their numbers differ";
	else if (a->nreading)
		why = "fewer than three clock readings during a kernel of the same GPU: sample "
		      "more often, or trace for longer";
	else if (a->ncount)
		why = "no counted dispatch yields a clock: it takes 100 us, and the largest clock "
		      "and XCCs of the GPU (agent_info.csv of the run, or --max-mhz and --xccs)";
	tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: %s", why);
}

enum tm_status tm_clock_fill(struct clock *a, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep)
{
	struct answer w = { .row = NULL };
	enum tm_status st = TM_ST_END;

	tm_table_init_list(t, tm_clock_columns);
	if (!tm_clock_find(&w.f, a, o, rep) || !gather(&w))
		st = TM_ST_FATAL;
	if (st != TM_ST_FATAL && w.n)
		qsort(w.row, w.n, sizeof *w.row, by_total);
	for (size_t i = 0; st == TM_ST_END && i < w.n; i++)
		st = clock_of(&w.row[i]) ? TM_ST_OK : TM_ST_END;
	if (st == TM_ST_END)
		explain_nothing(&w, rep);
	for (size_t i = 0; st == TM_ST_OK && i < w.n; i++)
		if (!put_row(&w.row[i], t))
			st = TM_ST_FATAL;
	if (st == TM_ST_OK)
		tell(&w, rep);
	free(w.row);
	tm_clock_found_fini(&w.f);
	return st;
}
