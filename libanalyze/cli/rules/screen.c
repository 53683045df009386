/* SPDX-License-Identifier: MIT
 * What the first screen says.  Every number is one of the summary or of a finding; nothing is
 * worked out here but how long a bar is. */
#include "cli/rules/screen.h"

#include "cli/operands/operands.h"
#include "cli/rules/screen_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SPARK_LEAST = 10,
	SPARK_BESIDE = 30,
	SPARK_MOST = 100,
	SENSOR_BESIDE = 30,
	KERNELS_TEXT = 8, /* that are shown if -n does not say how many */
	KERNELS_ELSE = 10
};

const struct screen_part tm_screen_parts[] = {
	{ "timeline.compute_pct", "compute", "gemm" },
	{ "timeline.exposed_comm_pct", "comm", "comm" },
	{ "timeline.exposed_copy_pct", "copy", "copy" },
	{ "timeline.move_pct", "move", "layout" },
	{ "timeline.wait_pct", "wait", "sync" },
	{ "timeline.idle_pct", "idle", NULL },
	{ NULL, NULL, NULL },
};

const struct screen_part tm_screen_causes[] = {
	{ "gaps.launch_pct", "launch", "quant" },   { "gaps.sync_pct", "sync", "sync" },
	{ "gaps.host_pct", "host", "embedding" },   { "gaps.device_pct", "device", "conv" },
	{ "gaps.unknown_pct", "unknown", "other" }, { NULL, NULL, NULL },
};

/* ---- cells of the summary ---- */

static bool is(struct tm_cell c, const char *word)
{
	return c.type == TM_CELL_TEXT && c.len == strlen(word) && !memcmp(c.v.s, word, c.len);
}

struct tm_cell tm_screen_cell(const struct screen *s, const char *metric, size_t col)
{
	for (size_t r = 0; r < s->sum->nrows; r++) {
		const struct tm_cell *row = s->sum->cells + r * s->sum->ncols;

		if (is(row[s->metric], metric))
			return row[col];
	}
	return tm_cell_none();
}

bool tm_screen_some(const struct screen *s, const char *metric)
{
	struct tm_cell c = tm_screen_cell(s, metric, s->value);

	return c.type == TM_CELL_FIXED && c.v.u >= 500;
}

void tm_screen_put_pct(struct tm_buf *b, struct tm_cell c)
{
	uint64_t tenths = c.type == TM_CELL_FIXED ? (c.v.u + 500) / 1000 : 0;

	if (c.type == TM_CELL_FIXED)
		tm_buf_fmt(b, "%" PRIu64 ".%u %%", tenths / 10, (unsigned)(tenths % 10));
	else
		tm_buf_str(b, "unknown");
}

void tm_screen_put_text(const struct screen *s, struct tm_buf *b, struct tm_cell c)
{
	if (c.type == TM_CELL_TEXT)
		tm_render_visible(b, c.v.s, c.len, s->ctx.utf8);
}

static bool count_of(const struct screen *s, const char *metric, uint64_t *n)
{
	struct tm_cell c = tm_screen_cell(s, metric, s->value);

	*n = c.type == TM_CELL_U64 ? c.v.u : 0;
	return c.type == TM_CELL_U64;
}

/* ---- sentences ---- */

static void put_count(const struct screen *s, struct tm_buf *b, const char *between,
                      const char *metric, const char *one, const char *many)
{
	uint64_t n;

	if (count_of(s, metric, &n))
		tm_buf_fmt(b, "%s%" PRIu64 " %s", b->n ? between : "", n, n == 1 ? one : many);
}

void tm_screen_put_head(const struct screen *s, struct tm_buf *b, const char *between)
{
	struct tm_cell gpu;
	uint64_t ns, inputs, ranks;

	tm_screen_put_text(s, b, tm_screen_cell(s, "producer", s->name));
	put_count(s, b, between, "ranks", "rank", "ranks");
	/* That one rank is on one host goes without saying. */
	if (count_of(s, "ranks", &ranks) && ranks > 1)
		put_count(s, b, between, "hosts", "host", "hosts");
	put_count(s, b, between, "agents", "GPU", "GPUs");
	gpu = tm_screen_cell(s, "gpu", s->name);
	if (gpu.type == TM_CELL_TEXT) {
		tm_buf_str(b, " (");
		tm_screen_put_text(s, b, gpu);
		tm_buf_chr(b, ')');
	}
	if (count_of(s, "timeline.window_ns", &ns)) {
		tm_buf_fmt(b, "%sGPU window ", b->n ? between : "");
		tm_work_put_ns(b, ns);
	}
	if (count_of(s, "kernels.calls", &ns))
		put_count(s, b, between, "kernels.calls", "kernel", "kernels");
	if (count_of(s, "inputs", &inputs) && inputs > 1)
		put_count(s, b, between, "inputs", "input", "inputs");
}

/* How much of the kernel time that percentages of statistics files imply is in no row. */
static struct tm_cell missing(const struct screen *s)
{
	tm_u128 there = 0;

	for (size_t r = 0; s->top && s->top->share.of && r < s->top->nrows; r++)
		there += s->top->share.of[r];
	if (!there || there >= s->top->share.whole)
		return tm_cell_none();
	return tm_cell_pct(s->top->share.whole - there, s->top->share.whole);
}

bool tm_screen_put_losses(const struct screen *s, struct tm_buf *b)
{
	const struct tm_cell gone = missing(s);
	uint64_t n;

	if (!count_of(s, "records.lost", &n))
		tm_buf_str(b, "records lost");
	else if (n)
		put_count(s, b, "", "records.lost", "record lost", "records lost");
	else
		tm_screen_put_text(s, b, tm_screen_cell(s, "records.lost", s->name));
	if (count_of(s, "kernels.lost", &n) && n)
		tm_buf_fmt(b, "%s%" PRIu64 " kernel%s lost", b->n ? ", " : "", n,
		           n == 1 ? "" : "s");
	if (count_of(s, "rows.skipped", &n) && n)
		tm_buf_fmt(b, "%s%" PRIu64 " row%s skipped", b->n ? ", " : "", n,
		           n == 1 ? "" : "s");
	if (gone.type == TM_CELL_FIXED) {
		tm_buf_str(b, b->n ? ", " : "");
		tm_screen_put_pct(b, gone);
		tm_buf_str(b, " of kernel time in no row");
	}
	if (b->n)
		return true;
	tm_buf_str(b, "nothing lost");
	return false;
}

/* What became of the targets.  Undecided: the value is known, but not on which side of the target
 * it would be without what the input leaves open. */
struct verdicts {
	size_t all, met, missed, undecided;
};

/* "1 of 10 missed, 2 met, 7 without data: WHICH", where the last two are not what is left. */
static void put_counts(struct tm_buf *b, const struct verdicts *n, const char *which)
{
	const size_t none = n->all - n->met - n->missed - n->undecided;

	tm_buf_fmt(b, "%zu of %zu %s", n->missed ? n->missed : n->met, n->all,
	           n->missed ? "missed" : "met");
	if (n->missed && n->met && n->met + n->missed < n->all)
		tm_buf_fmt(b, ", %zu met", n->met);
	if (n->undecided)
		tm_buf_fmt(b, ", %zu undecided", n->undecided);
	if (none)
		tm_buf_fmt(b, ", %zu without data", none);
	if (n->missed)
		tm_buf_fmt(b, ": %s", which);
}

/* A target that is missed: "timeline.idle_pct 42.9 % (< 10 %)". */
static void put_missed(const struct screen *s, struct tm_buf *b, const struct tm_cell *row)
{
	tm_buf_str(b, b->n ? ", " : "");
	tm_buf_add(b, row[s->metric].v.s, row[s->metric].len);
	tm_buf_chr(b, ' ');
	tm_screen_put_pct(b, row[s->value]);
	tm_buf_str(b, " (");
	tm_buf_add(b, row[s->target].v.s, row[s->target].len);
	/* Where products are large that much of them is good news: --preset prefill. */
	tm_buf_str(b, is(row[s->metric], "gemm.kernel_pct") ? " in decode)" : ")");
}

void tm_screen_put_verdict(const struct screen *s, struct tm_buf *b)
{
	struct verdicts v = { 0 };
	struct tm_buf what = { 0 };
	uint64_t n;

	for (size_t r = 0; r < s->sum->nrows; r++) {
		const struct tm_cell *row = s->sum->cells + r * s->sum->ncols;
		const bool decided = row[s->verdict].type == TM_CELL_TEXT;

		if (row[s->target].type != TM_CELL_TEXT)
			continue;
		v.all++;
		v.met += is(row[s->verdict], "met");
		v.undecided += !decided && row[s->value].type != TM_CELL_NONE;
		if (!is(row[s->verdict], "missed"))
			continue;
		v.missed++;
		put_missed(s, &what, row);
	}
	if (s->doubt)
		tm_buf_fmt(b, "no verdicts: records are %s",
		           count_of(s, "records.lost", &n) && !n &&
		                           !(count_of(s, "kernels.lost", &n) && n)
		                   ? "incomplete"
		                   : "lost");
	else if (v.met == v.all)
		tm_buf_fmt(b, "all %zu met", v.all);
	else
		put_counts(b, &v, what.p);
	b->failed |= what.failed;
	tm_buf_fini(&what);
}

void tm_screen_put_none(const struct screen *s, struct tm_buf *b)
{
	const size_t asked = tm_findings_asked(s->j);

	/* Doubts are findings, too, and stand above. */
	tm_buf_str(b, s->n ? "no other findings" : "no findings");
	if (s->j->judged < asked)
		tm_buf_fmt(b, ": %zu of %zu rules could be checked", s->j->judged, asked);
	else
		tm_buf_fmt(b, " by %zu rules", s->j->judged);
}

void tm_screen_put_all(const struct screen *s, struct tm_buf *b)
{
	tm_buf_str(b, "kstats findings");
	tm_findings_options(b, s->j->c, "findings");
	tm_findings_operands(b, s->j->c);
}

bool tm_screen_put_calls(const struct screen *s, struct tm_buf *b)
{
	bool any = false;

	for (unsigned i = 1;; i++) {
		char pct[32], gaps[32];
		struct tm_cell share, name;
		uint64_t n;

		snprintf(pct, sizeof pct, "gaps.call.%u.idle_pct", i);
		snprintf(gaps, sizeof gaps, "gaps.call.%u.gaps", i);
		share = tm_screen_cell(s, pct, s->value);
		if (share.type != TM_CELL_FIXED || share.v.u < 10000 || !count_of(s, gaps, &n))
			return any;
		name = tm_screen_cell(s, pct, s->name);
		tm_buf_str(b, any ? ", " : "");
		tm_screen_put_pct(b, share);
		tm_buf_chr(b, ' ');
		tm_screen_put_text(s, b, name);
		tm_buf_fmt(b, " (%" PRIu64 "%s)", n, any ? "" : n == 1 ? " gap" : " gaps");
		any = true;
	}
}

static uint64_t chart_cell(const struct screen *s, size_t row, size_t col)
{
	return s->chart.cells[row * s->chart.ncols + col].v.u;
}

/* Bins of the first agent, which all have that share a clock. */
static size_t bins_of(const struct screen *s)
{
	size_t n = s->chart.nrows ? 1 : 0;

	while (n && n < s->chart.nrows &&
	       chart_cell(s, n, TM_CHART_FROM) == chart_cell(s, n - 1, TM_CHART_TO))
		n++;
	return n;
}

/* Columns of levels over time, with so many beside them: as many as there may be in a line of any
 * length. */
static size_t spark_room(const struct screen *s, size_t beside)
{
	const size_t width = s->ctx.width ? s->ctx.width : SIZE_MAX;
	const size_t room = width > SPARK_LEAST + beside ? width - beside : SPARK_LEAST;

	return room > SPARK_MOST ? SPARK_MOST : room;
}

bool tm_screen_put_spark(const struct screen *s, struct tm_buf *b, bool utf8)
{
	size_t bins = bins_of(s);

	if (!bins || s->chart.nrows % bins)
		return false;
	/* Each agent its own window: one line of all would mix times. */
	for (size_t r = 0; r < s->chart.nrows; r += bins)
		if (chart_cell(s, r, TM_CHART_FROM) != chart_cell(s, 0, TM_CHART_FROM))
			return false;
	for (size_t i = 0; i < bins; i++) {
		tm_u128 whole = 0, idle = 0;
		uint64_t n = s->chart.nrows / bins;
		unsigned level;

		for (size_t r = i; r < s->chart.nrows; r += bins) {
			whole += chart_cell(s, r, TM_CHART_TO) - chart_cell(s, r, TM_CHART_FROM);
			idle += chart_cell(s, r, TM_CHART_IDLE);
		}
		level = tm_level((uint64_t)((whole - idle) / n), (uint64_t)(whole / n));
		/* Where one of many agents is idle, or busy, for an instant, it shows. */
		if (idle && level == TM_LEVELS)
			level--;
		if (idle < whole && !level)
			level++;
		tm_put_level(b, level, utf8);
	}
	tm_buf_str(b, "  busy, each ");
	tm_work_put_ns(b, chart_cell(s, 0, TM_CHART_TO) - chart_cell(s, 0, TM_CHART_FROM));
	return true;
}

/* Does the label of a series, "0/GPU 0 power", end with that sensor? */
static bool is_of_sensor(const struct tm_series *v, const char *sensor)
{
	const size_t n = strlen(sensor);

	return v->label.len > n && v->label.v.s[v->label.len - n - 1] == ' ' &&
	       !memcmp(v->label.v.s + v->label.len - n, sensor, n);
}

/* "0/GPU 1" as "rank 0, GPU 1", and "0/1" as "rank 0, agent 1". */
static void put_device(struct tm_buf *b, const char *label, size_t n)
{
	size_t digits = 0;

	while (digits < n && label[digits] >= '0' && label[digits] <= '9')
		digits++;
	if (digits && digits < n && label[digits] == '/') {
		tm_buf_fmt(b, "rank %.*s, ", (int)digits, label);
		label += digits + 1;
		n -= digits + 1;
	}
	if (n && *label >= '0' && *label <= '9')
		tm_buf_str(b, "agent ");
	tm_buf_add(b, label, n);
}

bool tm_screen_put_sensor(const struct screen *s, struct tm_buf *b, enum tm_sensor sensor,
                          bool utf8)
{
	const struct ask_page *page = tm_screen_page(s->j, tm_metric_sensors.name);
	const struct tm_table *t = page ? &page->table[ASK_NOW].t : NULL;
	const struct tm_series *v = NULL;
	size_t room = spark_room(s, SPARK_BESIDE + SENSOR_BESIDE);
	uint64_t most = 0;

	for (size_t i = 0; t && !v && i < t->nseries; i++)
		v = is_of_sensor(&t->series[i], tm_sensor_word(sensor)) ? &t->series[i] : NULL;
	if (!v)
		return false;
	room = room > v->n ? v->n : room;
	for (size_t i = 0; i < v->n; i++)
		most = v->v[i] > most ? v->v[i] : most;
	for (size_t i = 0; i < room; i++)
		tm_put_level(b, tm_level(tm_series_peak(v->v, v->n, i, room), most), utf8);
	tm_buf_str(b, "  ");
	put_device(b, v->label.v.s, v->label.len - strlen(tm_sensor_word(sensor)) - 1);
	tm_buf_str(b, ": ");
	return tm_buf_add(b, v->about.v.s, v->about.len);
}

/* ---- kernels ---- */

bool tm_screen_kernels(const struct screen *s, uint64_t limit, struct tm_table *t, size_t *all)
{
	static const char *const names[] = {
		"pct", "total_ns", "calls", "avg_ns", "class", "name"
	};
	enum { COLUMNS = sizeof names / sizeof *names };
	const struct tm_column *columns[COLUMNS];
	size_t from[COLUMNS];

	*all = s->top->ncols ? s->top->nrows : 0;
	for (size_t i = 0; *all && i < COLUMNS; i++) {
		from[i] = tm_table_find(s->top, names[i]);
		columns[i] = s->top->columns[from[i]];
	}
	tm_table_init(t, columns, *all ? COLUMNS : 0);
	for (size_t r = 0; r < *all && (!limit || r < limit); r++) {
		struct tm_cell *c = tm_table_row(t);

		if (!c)
			return false;
		for (size_t i = 0; i < COLUMNS; i++)
			c[i] = s->top->cells[r * s->top->ncols + from[i]];
	}
	return !t->failed;
}

/* ---- for machines ---- */

static bool add_row(const struct screen *s, struct tm_table *t, size_t nth, const char *what,
                    struct tm_cell value, struct tm_buf *text)
{
	struct tm_cell *c = tm_table_row(t);
	size_t unit = tm_table_find(t, "unit");
	char metric[48];
	int n = snprintf(metric, sizeof metric, "finding.%zu.%s", nth, what);

	if (!c)
		return false;
	c[s->metric] = tm_table_own(t, metric, (size_t)n);
	c[unit] = text ? tm_cell_text("text", 4) : tm_cell_text("ns", 2);
	if (value.type != TM_CELL_NONE)
		c[s->value] = tm_cell_in(value, TM_UNIT_NS);
	if (text) {
		c[s->name] = tm_table_own(t, text->p ? text->p : "", text->n);
		t->failed |= text->failed;
		tm_buf_clear(text);
	}
	return !t->failed;
}

static bool add_finding(const struct screen *s, struct tm_table *t, size_t i)
{
	const struct found *f = &s->v[i];
	const struct tm_cell saves = f->saved ? tm_cell_u64(f->saves) : tm_cell_none();
	struct tm_buf b = { 0 };
	bool ok;

	tm_buf_str(&b, f->def->id);
	ok = add_row(s, t, i + 1, "id", tm_cell_none(), &b) &&
	     add_row(s, t, i + 1, "saves_ns", saves, NULL);
	tm_findings_title(&b, s->j, f);
	ok = ok && add_row(s, t, i + 1, "title", tm_cell_none(), &b);
	tm_findings_evidence(&b, f);
	ok = ok && add_row(s, t, i + 1, "evidence", tm_cell_none(), &b);
	tm_findings_command(&b, s->j, f->def->command);
	ok = ok && add_row(s, t, i + 1, "command", tm_cell_none(), &b);
	tm_buf_fini(&b);
	return ok;
}

/* The number of the kernel that a row of the summary is about, 0 = of none. */
static uint64_t kernel_of(const struct screen *s, const struct tm_cell *row)
{
	static const char before[] = "top.", after[] = ".kernel_pct";
	const size_t from = sizeof before - 1, to = sizeof after - 1;
	const struct tm_cell *c = &row[s->metric];
	uint64_t nth;

	if (c->type != TM_CELL_TEXT || c->len < from + to || memcmp(c->v.s, before, from) != 0 ||
	    !tm_num_u64(c->v.s + from, c->len - from - to, &nth))
		return 0;
	return nth;
}

/* More kernels than the summary has, up to `limit`, 0 = all. */
static bool add_kernels(const struct screen *s, struct tm_table *t, uint64_t from, uint64_t limit)
{
	const size_t unit = tm_table_find(t, "unit");

	for (size_t r = (size_t)from; r < s->top->nrows && (!limit || r < limit); r++) {
		const struct tm_cell *kernel = s->top->cells + r * s->top->ncols;
		struct tm_cell *c = tm_table_row(t);
		char metric[48];
		int n = snprintf(metric, sizeof metric, "top.%zu.kernel_pct", r + 1);

		if (!c)
			return false;
		c[s->metric] = tm_table_own(t, metric, (size_t)n);
		c[s->value] = kernel[tm_table_find(s->top, "pct")];
		c[unit] = tm_cell_text("pct", 3);
		c[s->name] = kernel[tm_table_find(s->top, "name")];
	}
	return !t->failed;
}

/* The rows of the summary with so many kernels, 0 = all, and those of the findings after them. */
static bool machine_rows(const struct screen *s, struct tm_table *t, uint64_t kernels)
{
	uint64_t last = 0;
	bool ok = true;

	tm_table_init(t, s->sum->columns, s->sum->ncols);
	for (size_t r = 0; ok && r < s->sum->nrows; r++) {
		const struct tm_cell *row = s->sum->cells + r * s->sum->ncols;
		const uint64_t nth = kernel_of(s, row);
		struct tm_cell *c;

		last = nth > last ? nth : last;
		if (kernels && nth > kernels)
			continue;
		c = tm_table_row(t);
		ok = c != NULL;
		if (!ok)
			break;
		memcpy(c, row, s->sum->ncols * sizeof *c);
	}
	ok = ok && (!last || add_kernels(s, t, last, kernels));
	for (size_t i = 0; ok && i < s->n; i++)
		ok = add_finding(s, t, i);
	return ok && !t->failed;
}

/* ---- all of it ---- */

/* The page of a metric with its usual view and no options; an empty table where none is asked. */
const struct ask_page *tm_screen_page(const struct finding_job *j, const char *word)
{
	for (size_t i = 0; i < j->pages.n; i++)
		if (!strcmp(j->pages.v[i]->word, word) && !j->pages.v[i]->options)
			return j->pages.v[i];
	return NULL;
}

/* Then the summary has no verdicts. */
static bool in_doubt(const struct screen *s)
{
	uint64_t n;

	return !count_of(s, "records.lost", &n) || n ||
	       tm_screen_cell(s, "records.lost", s->name).type == TM_CELL_TEXT ||
	       (count_of(s, "kernels.lost", &n) && n) || (count_of(s, "rows.skipped", &n) && n);
}

/* The busy time over time, in as many bins as the line has room for. */
static bool find_chart(struct screen *s)
{
	const struct ask_page *page = tm_screen_page(s->j, "timeline");
	void *own;
	bool ok;

	if (!page || !page->table[ASK_NOW].t.nrows)
		return true;
	own = tm_timeline_own(spark_room(s, SPARK_BESIDE));
	ok = own && tm_ask_again(&s->j->side, page, "chart", own, &s->chart);
	free(own);
	return ok;
}

bool tm_screen_find(struct screen *s)
{
	static const struct tm_table none;
	const struct ask_page *top = tm_screen_page(s->j, "top");
	const struct tm_table *t = &tm_findings_summary(s->j)->table[ASK_NOW].t;

	s->sum = t;
	s->top = top ? &top->table[ASK_NOW].t : &none;
	s->metric = tm_table_find(t, "metric");
	s->value = tm_table_find(t, "value");
	s->target = tm_table_find(t, "target");
	s->verdict = tm_table_find(t, "verdict");
	s->name = tm_table_find(t, "name");
	s->doubt = in_doubt(s);
	s->totals = s->j->side.totals != NULL;
	if (s->totals && t->nrows)
		tm_report_add(&s->j->rep, TM_SEV_NOTE, s->j->side.totals, 0,
		              s->j->events ? "contains totals only (tracemerge --stats-only): "
		                             "findings and charts over time are not shown"
		                           : "contains totals only (tracemerge --stats-only): "
		                             "charts over time are not shown");
	return s->j->events || tm_findings_all(s->j, &s->v, &s->n, &s->window);
}

/* Is it a page?  With -s and --columns the rows are wanted. */
static bool is_page(const struct show *show)
{
	return !show->mode->machine && !show->nsort && !show->ncolumns;
}

static uint64_t kernels_of(const struct show *show)
{
	if (!show->limit_usual)
		return show->limit;
	return is_page(show) && strcmp(show->mode->name, "md") != 0 ? KERNELS_TEXT : KERNELS_ELSE;
}

static int put_page(struct screen *s, uint64_t kernels)
{
	const struct show *show = &s->j->show;
	const bool md = !strcmp(show->mode->name, "md");
	struct tm_buf out = { 0 };
	bool ok;
	int told, put;

	tm_show_look(s->j->c, &s->ctx);
	s->out = &out;
	ok = find_chart(s) && (md ? tm_screen_md(s, kernels) : tm_screen_text(s, kernels));
	told = tm_tell(s->j->c, &s->j->rep);
	out.failed |= !ok;
	put = tm_put_output(s->j->c, &out);
	tm_buf_fini(&out);
	return told > put ? told : put;
}

static enum tm_status ready(struct finding_job *j, void *arg, struct tm_diag *d)
{
	const struct stats_own *own = arg;
	struct ask_page *page = tm_findings_summary(j);

	if (!tm_filters_fit(j->c, page->m->name, page->m->whole, page->m->instead, d))
		return TM_ST_SKIP;
	memcpy(page->own.own, own->own, page->m->own);
	j->side.only = page;
	if (is_page(&j->show) && !tm_ask_table(&j->pages, tm_metric_sensors.name, NULL, d))
		return TM_ST_FATAL;
	return TM_ST_OK;
}

/* Is an error that is no lack of rows among them? */
static bool is_refused(const struct tm_report *rep)
{
	static const char nothing[] = "nothing to show";

	for (size_t i = 0; i < rep->n; i++)
		if (rep->v[i].severity == TM_SEV_ERROR &&
		    strncmp(rep->v[i].text, nothing, sizeof nothing - 1) != 0)
			return true;
	return false;
}

static int answer(struct finding_job *j, void *arg)
{
	const uint64_t kernels = kernels_of(&j->show);
	struct screen s = { .j = j };
	struct tm_table rows = { 0 };
	enum tm_status st = TM_ST_FATAL;
	int status;
	bool ok = tm_screen_find(&s);

	(void)arg;
	/* Why there is no answer, and what may have had one, is all there is to say then.  Notes
	 * say it of files without rows. */
	if (ok && !s.sum->nrows && !j->c->say.verbose && is_refused(&j->side.rep))
		tm_report_severe(&j->rep, &j->side.rep, TM_SEV_SKIP);
	else
		tm_report_move(&j->rep, &j->side.rep);
	if (ok && s.sum->nrows && is_page(&j->show) && !j->rep.lost) {
		status = put_page(&s, kernels);
	} else {
		if (ok && !s.sum->nrows)
			tm_table_init_list(&rows, j->show.view);
		else if (ok)
			ok = machine_rows(&s, &rows, kernels);
		if (ok)
			st = s.sum->nrows ? TM_ST_OK : TM_ST_END;
		j->show.limit = 0; /* -n is of kernels */
		status = tm_answer(j->c, &j->show, "summary", st, &rows, &j->rep);
	}
	tm_table_fini(&s.chart);
	tm_findings_free(s.v);
	return status;
}

int tm_screen_run(struct common *c, const struct stats_own *own)
{
	static const struct finding_use use = { .ready = ready, .answer = answer };
	struct finding_job j = {
		.c = c,
		.show = { .view = tm_metric_find("summary")->views[0].columns, .whole = true },
	};

	return tm_findings_drive(&j, &use, (void *)(uintptr_t)own);
}
