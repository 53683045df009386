/* SPDX-License-Identifier: MIT
 * The page of `kernel`: its rows, section by section, and the answer at the end. */
#include "metric/inside/kernel_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tm_column tm_kernel_columns[] = {
	[KERNEL_SECTION] = { .name = "section",
	                     .title = "SECTION",
	                     .unit = TM_UNIT_TEXT,
	                     .about = "part of the page" },
	[KERNEL_METRIC] = { .name = "metric",
	                    .title = "METRIC",
	                    .unit = TM_UNIT_TEXT,
	                    .elastic = true,
	                    .about = "what is measured, or of which item" },
	[KERNEL_VALUE] = { .name = "value",
	                   .title = "VALUE",
	                   .unit = TM_UNIT_COUNT,
	                   .about = "value, in the unit of the row" },
	[KERNEL_UNIT] = { .name = "unit",
	                  .title = "UNIT",
	                  .unit = TM_UNIT_TEXT,
	                  .machine = true,
	                  .about = "ns, count, pct, mhz or text" },
	[KERNEL_NOTE] = { .name = "note",
	                  .title = "NOTE",
	                  .unit = TM_UNIT_TEXT,
	                  .machine = true,
	                  .about = "what it depends on, or how to record it; in text after the "
	                           "metric" },
	[KERNEL_CALLS] = { .name = "calls",
	                   .title = "CALLS",
	                   .unit = TM_UNIT_COUNT,
	                   .about = "dispatches in the value" },
	[KERNEL_PCT] = { .name = "pct",
	                 .title = "SHARE",
	                 .unit = TM_UNIT_PCT,
	                 .bar = true,
	                 .about = "share of the kernel's time; histogram and gaps: of its calls; "
	                          "total: of all kernels" },
	[KERNEL_COLUMNS] = { .name = NULL },
};

/* ---- rows ---- */

static struct tm_cell word(const char *s)
{
	return tm_cell_text(s, strlen(s));
}

struct tm_cell *tm_kernel_row(struct kernel_page *p, const char *section, struct tm_cell metric)
{
	struct tm_cell *c = tm_table_row(p->t);

	if (!c)
		return NULL;
	c[KERNEL_SECTION] = word(section);
	c[KERNEL_METRIC] = metric;
	return c;
}

void tm_kernel_value(struct tm_cell *c, struct tm_cell value, enum tm_unit unit, const char *word_)
{
	c[KERNEL_VALUE] = tm_cell_in(value, unit);
	c[KERNEL_UNIT] = word(word_);
}

static struct tm_cell ns(tm_u128 v)
{
	return v >> 64 ? tm_cell_none() : tm_cell_u64((uint64_t)v);
}

/* What a number is called: people read its unit beside it. */
static struct tm_cell called(const struct kernel_page *p, const char *metric)
{
	static const char *const people[][2] = {
		{ "total_ns", "time of all" },   { "avg_ns", "average" },
		{ "min_ns", "shortest" },        { "max_ns", "longest" },
		{ "p50_ns", "median" },          { "p90_ns", "90th percentile" },
		{ "p99_ns", "99th percentile" }, { "stddev_ns", "standard deviation" },
	};

	for (size_t i = 0; p->people && i < sizeof people / sizeof *people; i++)
		if (!strcmp(metric, people[i][0]))
			return word(people[i][1]);
	return word(metric);
}

static bool put_count(struct kernel_page *p, const char *section, const char *metric, uint64_t n)
{
	struct tm_cell *c = tm_kernel_row(p, section, word(metric));

	if (c)
		tm_kernel_value(c, tm_cell_u64(n), TM_UNIT_COUNT, "count");
	return c != NULL;
}

static bool put_ns(struct kernel_page *p, const char *section, const char *metric, struct tm_cell v)
{
	struct tm_cell *c = tm_kernel_row(p, section, called(p, metric));

	if (c)
		tm_kernel_value(c, v, TM_UNIT_NS, "ns");
	return c != NULL;
}

/* ---- all of it, and by what tells dispatches apart ---- */

bool tm_kernel_add(struct kernel_parts *s, const struct tm_buf *text, uint64_t has, uint64_t number,
                   uint64_t calls, tm_u128 total)
{
	uint32_t n = s->names.n,
	         i = text->failed ? TM_NAME_NONE
	                          : tm_names_add(&s->names, text->p ? text->p : "", text->n);

	if (i == TM_NAME_NONE || !tm_grow_array(&s->v, &s->cap, s->names.n, sizeof *s->v))
		return false;
	if (i == n)
		s->v[i] = (struct kernel_sum) { .text = s->names.v[i].text,
			                        .len = s->names.v[i].len,
			                        .has = has,
			                        .number = number };
	s->v[i].calls += calls;
	s->v[i].total += total;
	return true;
}

static int by_time(const void *pa, const void *pb)
{
	const struct kernel_sum *a = pa, *b = pb;
	struct tm_name x = { .text = a->text, .len = (uint32_t)a->len },
	               y = { .text = b->text, .len = (uint32_t)b->len };

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->has != b->has)
		return a->has ? -1 : 1;
	return a->number != b->number ? tm_u64_cmp(a->number, b->number) : tm_name_cmp(&x, &y);
}

bool tm_kernel_put(struct kernel_page *p, struct kernel_parts *s, const char *section)
{
	size_t n = s->names.n, shown = p->people && n > KERNEL_FEW + 1 ? KERNEL_FEW : n;
	struct kernel_sum rest = { .calls = 0 };
	char text[48];
	bool ok = true;

	if (n)
		qsort(s->v, n, sizeof *s->v, by_time);
	for (size_t i = shown; i < n; i++) {
		rest.calls += s->v[i].calls;
		rest.total += s->v[i].total;
	}
	for (size_t i = 0; ok && i < shown + (shown < n); i++) {
		const struct kernel_sum *v = i < shown ? &s->v[i] : &rest;
		struct tm_cell *c;

		if (i == shown) {
			rest.len = (size_t)snprintf(text, sizeof text, "%zu more", n - shown);
			rest.text = text;
		}
		c = tm_kernel_row(p, section, tm_table_own(p->t, v->text, v->len));
		ok = c != NULL;
		if (!ok)
			break;
		tm_kernel_value(c, ns(v->total), TM_UNIT_NS, "ns");
		c[KERNEL_CALLS] = tm_cell_u64(v->calls);
		c[KERNEL_PCT] = tm_cell_pct(v->total, p->sum.sum);
	}
	return ok;
}

void tm_kernel_parts_fini(struct kernel_parts *s)
{
	tm_names_fini(&s->names);
	free(s->v);
}

/* What a group is in a section. */
enum by { BY_NAME, BY_RANK, BY_AGENT, BY_STREAM, BY_SHAPE, BYS };

static const struct {
	const char *section;
	enum top_word word;
} by[BYS] = {
	[BY_NAME] = { "kernel", TOP_NAME },  [BY_RANK] = { "rank", TOP_RANK },
	[BY_AGENT] = { "agent", TOP_AGENT }, [BY_STREAM] = { "stream", TOP_STREAM },
	[BY_SHAPE] = { "shape", TOP_WG_X },
};

static void shape_of(const uint64_t *key, uint64_t word_[SHAPE_WORDS])
{
	memset(word_, 0, SHAPE_WORDS * sizeof *word_);
	for (int i = 0; i < 3; i++) {
		word_[SHAPE_WG_X + i] = key[TOP_WG_X + i];
		word_[SHAPE_GRID_X + i] = key[TOP_GRID_X + i];
		word_[SHAPE_HAS] |= (key[TOP_HAS] >> (TOP_WG_X + i) & 1) << (SHAPE_WG_X + i) |
		                    (key[TOP_HAS] >> (TOP_GRID_X + i) & 1) << (SHAPE_GRID_X + i);
	}
}

static void put_text(const struct tm_top *t, const uint64_t *key, enum by what, struct tm_buf *b)
{
	const struct tm_name *nm = &t->names.v[(uint32_t)key[TOP_NAME]];
	uint64_t shape[SHAPE_WORDS];
	char agent[16];

	tm_buf_clear(b);
	if (what == BY_NAME) {
		tm_buf_add(b, nm->text, nm->len);
	} else if (what == BY_SHAPE) {
		shape_of(key, shape);
		tm_shape_put(b, shape);
	} else if (key[TOP_HAS] & TM_MASK_BIT(by[what].word)) {
		if (what == BY_AGENT)
			tm_buf_str(b, tm_agent_text(key[TOP_AGENT], agent));
		else
			tm_buf_fmt(b, "%" PRIu64, key[by[what].word]);
	}
	if (!b->n)
		tm_buf_str(b, what == BY_NAME ? "" : "unknown");
}

static bool put_by(struct kernel_page *p, enum by what)
{
	const struct layer *l = &p->a->top.layer[0];
	struct kernel_parts s = { 0 };
	struct tm_buf text = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < l->keys.n; i++) {
		const uint64_t *key = l->keys.key + (size_t)i * TOP_WORDS;
		enum top_word w = by[what].word;
		bool has = w == TOP_NAME || key[TOP_HAS] & TM_MASK_BIT(w);

		put_text(&p->a->top, key, what, &text);
		ok = tm_kernel_add(&s, &text, has, w == TOP_NAME ? 0 : key[w], l->g[i].m.n,
		                   l->g[i].m.sum);
	}
	tm_buf_fini(&text);
	if (what == BY_NAME)
		p->names = s.names.n;
	ok = ok && tm_kernel_put(p, &s, by[what].section);
	tm_kernel_parts_fini(&s);
	return ok;
}

/* ---- distribution ---- */

static bool add_up(struct kernel_page *p)
{
	const struct layer *l = &p->a->top.layer[0];

	for (uint32_t i = 0; i < l->keys.n; i++) {
		tm_moments_merge(&p->sum, &l->g[i].m);
		if (!tm_quantile_merge(&p->q, &l->g[i].q))
			return false;
	}
	return true;
}

static bool put_quantiles(struct kernel_page *p)
{
	static const struct {
		const char *name;
		unsigned permille;
	} q[] = { { "p50_ns", 500 }, { "p90_ns", 900 }, { "p99_ns", 990 } };
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof q / sizeof *q; i++)
		ok = put_ns(
		        p, "durations", q[i].name,
		        tm_cell_u64(tm_quantile_at(&p->q, q[i].permille, p->sum.min, p->sum.max)));
	return ok;
}

static bool put_totals(struct kernel_page *p)
{
	const struct tm_moments *m = &p->sum;
	struct tm_cell *c;
	double sd;

	if (!put_count(p, "total", "calls", m->n))
		return false;
	c = tm_kernel_row(p, "total", called(p, "total_ns"));
	if (!c)
		return false;
	tm_kernel_value(c, ns(m->sum), TM_UNIT_NS, "ns");
	c[KERNEL_CALLS] = tm_cell_u64(m->n);
	if (p->around.all >= m->sum)
		c[KERNEL_PCT] = tm_cell_pct(m->sum, p->around.all);
	if (!put_ns(p, "durations", "avg_ns",
	            tm_cell_ratio((uint64_t)(m->sum >> 64), (uint64_t)m->sum, m->n)))
		return false;
	if (tm_moments_extremes(m) && (!put_ns(p, "durations", "min_ns", tm_cell_u64(m->min)) ||
	                               !put_ns(p, "durations", "max_ns", tm_cell_u64(m->max))))
		return false;
	if (p->q.n && !m->sealed && !put_quantiles(p))
		return false;
	return !tm_moments_stddev(m, &sd) || put_ns(p, "durations", "stddev_ns", tm_cell_real4(sd));
}

/* Durations from..to; UINT64_MAX = and more. */
static struct tm_cell bin_text(struct kernel_page *p, uint64_t from, uint64_t to)
{
	struct tm_buf b = { 0 };
	struct tm_cell c;

	if (!p->people) {
		tm_buf_fmt(&b, "%" PRIu64, from);
		if (to != UINT64_MAX)
			tm_buf_fmt(&b, "..%" PRIu64, to);
		tm_buf_str(&b, to == UINT64_MAX ? " ns and more" : " ns");
	} else {
		tm_work_put_ns(&b, from);
		tm_buf_str(&b, to == UINT64_MAX ? " and more" : " .. ");
		if (to != UINT64_MAX)
			tm_work_put_ns(&b, to);
	}
	c = tm_table_own(p->t, b.p ? b.p : "", b.n);
	p->t->failed |= b.failed;
	tm_buf_fini(&b);
	return c;
}

/* People see the bins that hold any. */
static bool put_histogram(struct kernel_page *p)
{
	struct tm_table h = { 0 };
	bool ok;

	if (!p->q.n || p->sum.sealed)
		return true;
	tm_table_init_list(&h, tm_top_hist_columns);
	ok = tm_top_hist_of(&p->q, &h);
	for (size_t i = 0; ok && i < h.nrows; i++) {
		const struct tm_cell *from = &h.cells[i * h.ncols];
		struct tm_cell *c;

		if (p->people && !from[2].v.u)
			continue;
		c = tm_kernel_row(p, "histogram", bin_text(p, from[0].v.u, from[1].v.u));
		ok = c != NULL;
		if (!ok)
			break;
		tm_kernel_value(c, from[2], TM_UNIT_COUNT, "count");
		c[KERNEL_CALLS] = from[2];
		c[KERNEL_PCT] = from[3];
	}
	tm_table_fini(&h);
	return ok;
}

/* ---- over the run ---- */

static bool put_times(struct kernel_page *p)
{
	struct kernel_around *f = &p->around;
	uint64_t median[KERNEL_TIMES] = { 0 };
	bool ok = true;

	if (!f->dispatches)
		return true;
	for (int i = 0; ok && i < KERNEL_TIMES; i++) {
		char text[24];
		struct tm_cell *c;

		if (f->calls[i])
			median[i] = tm_quantile_at(&f->q[i], 500, f->least, f->most);
		if (p->people)
			continue;
		snprintf(text, sizeof text, "%d..%d %%", i * 10, i * 10 + 10);
		c = tm_kernel_row(p, "time", tm_table_own(p->t, text, strlen(text)));
		ok = c != NULL;
		if (!ok)
			break;
		tm_kernel_value(c, f->calls[i] ? tm_cell_u64(median[i]) : tm_cell_none(),
		                TM_UNIT_NS, "ns");
		c[KERNEL_CALLS] = tm_cell_u64(f->calls[i]);
		c[KERNEL_NOTE] = word("median of kernels started in that part of the run");
	}
	if (!p->people || !ok)
		return ok;
	p->t->apart = true;
	return tm_table_series(p->t, f->calls, KERNEL_TIMES, "calls", "by tenth of the run") &&
	       tm_table_series(p->t, median, KERNEL_TIMES, "median",
	                       "duration by tenth of the run");
}

/* ---- before and after ---- */

static int by_count(const void *pa, const void *pb, void *arg)
{
	const struct kernel_beside *a = pa, *b = pb;
	const struct tm_names *names = arg;

	if (a->after != b->after)
		return a->after ? 1 : -1;
	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return tm_name_cmp(&names->v[a->name], &names->v[b->name]);
}

static bool put_beside(struct kernel_page *p, bool after)
{
	const struct kernel_around *f = &p->around;
	const struct tm_names *names = &p->a->work.names;
	const char *section = after ? "gap after" : "gap before";
	size_t shown = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct kernel_beside *b = &f->beside[i];
		struct tm_cell *c;

		if (b->after != after)
			continue;
		if (p->people && ++shown > KERNEL_FEW)
			return true;
		c = tm_kernel_row(p, section,
		                  tm_cell_text(names->v[b->name].text, names->v[b->name].len));
		if (!c)
			return false;
		tm_kernel_value(c, tm_cell_ratio((uint64_t)(b->gap >> 64), (uint64_t)b->gap, b->n),
		                TM_UNIT_NS, "ns");
		c[KERNEL_CALLS] = tm_cell_u64(b->n);
		c[KERNEL_PCT] = tm_cell_pct(b->n, f->dispatches);
		c[KERNEL_NOTE] = word("mean");
	}
	return true;
}

/* ---- all of it ---- */

static void explain_nothing(const struct kernel_page *p, struct tm_report *rep)
{
	const struct kernel_own *own = p->o->own;
	const struct kernel *a = p->a;
	const bool special = own->regex && strpbrk(own->regex, "(*");
	const char *why = a->top.outside                  ? "no such kernel starts in the window"
	                  : a->top.seen[TM_DOMAIN_KERNEL] ? "such kernels have no start and end"
	                  : a->work.seen[TM_DOMAIN_KERNEL] || a->work.stats || a->work.counters
	                          ? special ? "no kernel name matches this regular expression, in "
	                                      "which \\( and \\* stand for ( and *; kstats top "
	                                      "lists the names"
	                                    : "no kernel of that name; kstats top lists them"
	                  : p->o->selected
	                          ? "no kernels among the selected events"
	                          : "no kernels in the input: rocprofv3 --kernel-trace -- PROGRAM "
	                            "records them";

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR)
			return; /* said already */
	if (!own->regex)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: kernel needs a regular expression");
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "nothing to show: '%.200s': %s",
		              own->regex, why);
}

static bool put_page(struct kernel_page *p)
{
	bool ok = put_by(p, BY_NAME) && put_totals(p) && put_histogram(p) && put_times(p);

	for (int i = BY_RANK; ok && i < BYS; i++)
		ok = put_by(p, (enum by)i);
	if (ok && p->around.n)
		qsort_r(p->around.beside, p->around.n, sizeof *p->around.beside, by_count,
		        &p->a->work.names);
	return ok && tm_kernel_launched(p) && put_beside(p, false) && put_beside(p, true) &&
	       tm_kernel_inside(p) && tm_kernel_missing(p) && tm_kernel_answer(p);
}

enum tm_status tm_kernel_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                              struct tm_report *rep)
{
	struct kernel_page p = { .a = acc, .o = o, .t = t, .rep = rep, .people = o->width != 0 };
	const struct kernel_own *own = o->own;
	enum tm_status st = TM_ST_FATAL;
	tm_u128 whole;

	tm_table_init_list(t, tm_kernel_columns);
	if (tm_top_fold(&p.a->top, &whole, rep) && add_up(&p) && tm_kernel_around(&p.around, p.a)) {
		if (!p.sum.n || !own->regex) {
			explain_nothing(&p, rep);
			st = TM_ST_END;
		} else if (tm_kernel_ask(&p) && put_page(&p) && !t->failed && !p.a->oom) {
			st = TM_ST_OK;
		}
	}
	for (int i = 0; i < PARTS; i++)
		tm_table_fini(&p.part[i]);
	tm_quantile_fini(&p.q);
	tm_kernel_around_fini(&p.around);
	tm_buf_fini(&p.text);
	return st;
}
