/* SPDX-License-Identifier: MIT
 * What other questions say of a kernel, what the input does not say, and what follows from it. */
#include "metric/inside/kernel_page.h"
#include "metric/list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct tm_cell word(const char *s)
{
	return tm_cell_text(s, strlen(s));
}

/* ---- their tables ---- */

/* Pass on what is wrong with the figures, each once; what the other question would tell besides is
 * not of this page. */
static void tell_doubts(struct tm_report *to, const struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		bool said = from->v[i].severity != TM_SEV_WARN;

		for (size_t k = 0; !said && k < to->n; k++)
			said = !strcmp(to->v[k].text, from->v[i].text);
		if (!said)
			tm_report_add(to, TM_SEV_WARN, from->v[i].where, from->v[i].line, "%s",
			              from->v[i].text);
	}
}

bool tm_kernel_ask(struct kernel_page *p)
{
	for (int i = 0; i < PARTS; i++) {
		struct kernel_ask *a = &p->a->ask[i];
		struct tm_report rep = { 0 };
		enum tm_status st = a->m->fill(a->acc, &a->o, &p->part[i], &rep);
		bool lost = rep.lost || p->part[i].failed;

		tell_doubts(p->rep, &rep);
		if (st == TM_ST_END) {
			tm_table_fini(&p->part[i]);
			p->part[i] = (struct tm_table) { 0 };
		}
		tm_report_fini(&rep);
		if (st == TM_ST_FATAL || lost)
			return false;
	}
	return true;
}

/* The cell of a row; absent where the table has no such column. */
static struct tm_cell cell(const struct tm_table *t, size_t row, const char *column)
{
	size_t c = tm_table_find(t, column);

	return c < t->ncols ? t->cells[row * t->ncols + c] : tm_cell_none();
}

static uint64_t number(struct tm_cell c)
{
	return c.type == TM_CELL_U64 ? c.v.u : 0;
}

static bool is_text(struct tm_cell c, const char *text)
{
	return c.type == TM_CELL_TEXT && c.len == strlen(text) && !memcmp(c.v.s, text, c.len);
}

/* Append a cell of text. */
static void put_text(struct tm_buf *b, struct tm_cell c)
{
	if (c.type == TM_CELL_TEXT)
		tm_buf_add(b, c.v.s, c.len);
}

/* What p->text says is the note of a row; people read it after what the row is about. */
static void put_note(struct kernel_page *p, struct tm_cell *c)
{
	struct tm_buf note = p->text;

	p->text = (struct tm_buf) { 0 };
	c[KERNEL_NOTE] = tm_table_own(p->t, note.p ? note.p : "", note.n);
	if (p->people) {
		put_text(&p->text, c[KERNEL_METRIC]);
		tm_buf_fmt(&p->text, "%s%.*s", p->text.n ? ": " : "", (int)note.n,
		           note.p ? note.p : "");
		c[KERNEL_METRIC] = tm_table_take(p->t, &p->text);
	}
	p->t->failed |= note.failed;
	tm_buf_fini(&note);
}

/* ---- where it was launched ---- */

/* Rows of a table that has dispatches and time by the place of the launch. */
static bool put_launched(struct kernel_page *p, enum kernel_part part, const char *section,
                         const char *calls, const char *time)
{
	const struct tm_table *t = &p->part[part];
	struct kernel_parts s = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < t->nrows; i++) {
		struct tm_cell place = cell(t, i, section);
		uint64_t n = number(cell(t, i, calls));

		if (!n)
			continue;
		p->launched[part == PART_REGIONS] |= !is_text(place, "(unattributed)");
		tm_buf_clear(&p->text);
		put_text(&p->text, place);
		ok = tm_kernel_add(&s, &p->text, 1, 0, n, number(cell(t, i, time)));
	}
	tm_buf_clear(&p->text);
	ok = ok && (!p->launched[part == PART_REGIONS] || tm_kernel_put(p, &s, section));
	tm_kernel_parts_fini(&s);
	return ok;
}

bool tm_kernel_launched(struct kernel_page *p)
{
	return put_launched(p, PART_OPS, "op", "kernels", "self_ns") &&
	       put_launched(p, PART_REGIONS, "region", "calls", "total_ns");
}

/* ---- registers, grid, clock ---- */

static bool put_occupancy(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_OCCUPANCY];
	size_t shown = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell pct = cell(t, i, "occupancy_pct"), note = cell(t, i, "note"), *c;

		if (pct.type == TM_CELL_NONE || (p->people && ++shown > KERNEL_FEW))
			continue;
		if (p->names > 1) {
			put_text(&p->text, cell(t, i, "name"));
			tm_buf_str(&p->text, ": ");
		}
		put_text(&p->text, cell(t, i, "shape"));
		c = tm_kernel_row(p, "occupancy", tm_table_take(p->t, &p->text));
		if (!c)
			return false;
		if (p->people)
			c[KERNEL_PCT] = pct; /* it has a bar there */
		else
			tm_kernel_value(c, pct, TM_UNIT_PCT, "pct");
		c[KERNEL_CALLS] = cell(t, i, "calls");
		tm_buf_str(&p->text, "limit ");
		put_text(&p->text, cell(t, i, "limiter"));
		if (note.type == TM_CELL_TEXT) {
			tm_buf_str(&p->text, "; ");
			put_text(&p->text, note);
		}
		put_note(p, c);
	}
	return true;
}

/* Is a row of the clocks of this kernel, and has it one? */
static bool has_clock(const struct kernel_page *p, size_t i)
{
	const struct tm_table *t = &p->part[PART_CLOCK];
	struct tm_cell name = cell(t, i, "name");

	/* Those of GPUs come first. */
	return i >= t->pinned && cell(t, i, "clock_mhz").type != TM_CELL_NONE &&
	       name.type == TM_CELL_TEXT && tm_kernel_matches(p->a, name.v.s);
}

static bool put_clock(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_CLOCK];

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell *c;

		if (!has_clock(p, i))
			continue;
		tm_buf_fmt(&p->text, "rank %" PRIu64 " agent ", number(cell(t, i, "rank")));
		put_text(&p->text, cell(t, i, "agent"));
		c = tm_kernel_row(p, "clock", tm_table_take(p->t, &p->text));
		if (!c)
			return false;
		tm_kernel_value(c, cell(t, i, "clock_mhz"), TM_UNIT_COUNT, "mhz");
		c[KERNEL_CALLS] = cell(t, i, "dispatches");
		tm_buf_fmt(&p->text, "of %" PRIu64 " MHz, ", number(cell(t, i, "max_mhz")));
		put_text(&p->text, cell(t, i, "source"));
		put_note(p, c);
	}
	return true;
}

/* ---- counters and samples ---- */

/* What follows from counters; people see counters themselves only where nothing does. */
static bool put_counters(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_COUNTERS];
	size_t derived = 0, raw = 0;

	for (size_t i = 0; i < t->nrows; i++)
		derived += number(cell(t, i, "derived")) != 0;
	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell mean = cell(t, i, "mean"), unit = cell(t, i, "unit"), *c;

		if (mean.type == TM_CELL_NONE || (p->people && !number(cell(t, i, "derived")) &&
		                                  (derived || ++raw > KERNEL_FEW)))
			continue;
		if (p->names > 1) {
			put_text(&p->text, cell(t, i, "name"));
			tm_buf_str(&p->text, ": ");
		}
		put_text(&p->text, cell(t, i, "counter"));
		c = tm_kernel_row(p, "counters", tm_table_take(p->t, &p->text));
		if (!c)
			return false;
		put_text(&p->text, unit);
		tm_kernel_value(c, mean, TM_UNIT_COUNT, "");
		c[KERNEL_UNIT] = tm_table_take(p->t, &p->text);
		c[KERNEL_CALLS] = cell(t, i, "dispatches");
		put_text(&p->text, cell(t, i, "note"));
		if (p->text.n)
			put_note(p, c);
	}
	return true;
}

/* Is a row of the samples of this kernel? */
static bool has_samples(const struct kernel_page *p, size_t i)
{
	const struct tm_table *t = &p->part[PART_SAMPLES];
	struct tm_cell name = cell(t, i, "name");

	return number(cell(t, i, "samples")) && name.type == TM_CELL_TEXT &&
	       tm_kernel_matches(p->a, name.v.s);
}

static bool put_samples(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_SAMPLES];
	size_t shown = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell source = cell(t, i, "source"), stall = cell(t, i, "top_stall"), *c;

		if (!has_samples(p, i) || (p->people && ++shown > KERNEL_FEW))
			continue;
		put_text(&p->text, cell(t, i, "instruction"));
		if (source.type == TM_CELL_TEXT) {
			tm_buf_str(&p->text, ", ");
			put_text(&p->text, source);
		}
		c = tm_kernel_row(p, "samples", tm_table_take(p->t, &p->text));
		if (!c)
			return false;
		tm_kernel_value(c, cell(t, i, "samples"), TM_UNIT_COUNT, "count");
		c[KERNEL_PCT] = cell(t, i, "pct");
		put_text(&p->text, stall);
		if (p->text.n)
			put_note(p, c);
	}
	return true;
}

/* ---- work ---- */

/* Is the work of a row known, and of this kernel? */
static bool has_work(const struct kernel_page *p, size_t i)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];
	struct tm_cell name = cell(t, i, "name");

	return (cell(t, i, "tflops").type != TM_CELL_NONE ||
	        cell(t, i, "gb_per_s").type != TM_CELL_NONE) &&
	       name.type == TM_CELL_TEXT && tm_kernel_matches(p->a, name.v.s);
}

/* What was computed, or where the figures are from. */
static void put_problem(struct kernel_page *p, size_t i)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];

	if (cell(t, i, "op").type != TM_CELL_TEXT) {
		put_text(&p->text, cell(t, i, "source"));
		return;
	}
	put_text(&p->text, cell(t, i, "op"));
	tm_buf_chr(&p->text, ' ');
	put_text(&p->text, cell(t, i, "problem"));
}

/* Operations a second; where they are not known, bytes. */
static void put_rate(struct kernel_page *p, size_t i, struct tm_cell *c)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];
	const bool ops = cell(t, i, "tflops").type != TM_CELL_NONE;
	const struct tm_cell rate = cell(t, i, ops ? "tflops" : "gb_per_s");
	const char *unit = ops ? "TFLOP/s" : "GB/s";

	if (p->people)
		tm_buf_fmt(&p->text, "%" PRIu64 ".%" PRIu64 " %s", (rate.v.u + 500) / 10000,
		           (rate.v.u + 500) / 1000 % 10, unit);
	else
		tm_kernel_value(c, rate, TM_UNIT_RATIO, unit);
}

/* Append "35.00 % of bf16 matrix in theory, ...", nothing where no peak is known. */
static void put_shares(struct kernel_page *p, size_t i)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];
	struct tm_cell pct = cell(t, i, "peak_pct"), published = cell(t, i, "published_pct"),
	               memory = cell(t, i, "memory_pct");
	const struct tm_cell *c[] = { &pct, &published, &memory };
	static const char *const of[] = { " in theory", " of the published maximum",
		                          " of memory bandwidth" };

	for (size_t k = 0; k < 3; k++) {
		if (c[k]->type != TM_CELL_FIXED)
			continue;
		tm_buf_str(&p->text, p->text.n ? ", " : "");
		tm_buf_fmt(&p->text, "%" PRIu64 ".%02" PRIu64 " %%", (c[k]->v.u + 50) / 10000,
		           (c[k]->v.u + 50) / 100 % 100);
		if (!k) {
			tm_buf_str(&p->text, " of ");
			put_text(&p->text, cell(t, i, "peak"));
		}
		tm_buf_str(&p->text, of[k]);
	}
}

static bool put_work(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];
	size_t shown = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell note = cell(t, i, "note"), *c;

		if (!has_work(p, i) || (p->people && ++shown > KERNEL_FEW))
			continue;
		put_problem(p, i);
		c = tm_kernel_row(p, "roofline", tm_table_take(p->t, &p->text));
		if (!c)
			return false;
		put_rate(p, i, c);
		c[KERNEL_CALLS] = cell(t, i, "calls");
		c[KERNEL_PCT] = cell(t, i, "peak_pct");
		put_shares(p, i);
		if (note.type == TM_CELL_TEXT) {
			tm_buf_str(&p->text, p->text.n ? "; " : "");
			put_text(&p->text, note);
		}
		put_note(p, c);
	}
	return true;
}

bool tm_kernel_inside(struct kernel_page *p)
{
	return put_occupancy(p) && put_clock(p) && put_counters(p) && put_samples(p) && put_work(p);
}

/* ---- what is missing ---- */

static bool any(const struct kernel_page *p, const char *section)
{
	for (size_t i = 0; i < p->t->nrows; i++)
		if (is_text(p->t->cells[i * p->t->ncols + KERNEL_SECTION], section))
			return true;
	return false;
}

/* People are told after the rows. */
static void say_missing(struct kernel_page *p, const char *what, const char *how)
{
	if (!p->t->nbelow)
		tm_table_say_below(p->t, word("not in the input, and how to record it:"));
	tm_buf_fmt(&p->text, "  %-13s  %s", what, how);
	tm_table_say_below(p->t, tm_table_take(p->t, &p->text));
}

bool tm_kernel_missing(struct kernel_page *p)
{
	const struct {
		bool there;
		const char *what, *how;
	} line[] = {
		{ any(p, "histogram"), "durations", "rocprofv3 --kernel-trace" },
		{ any(p, "time"), "neighbors", "rocprofv3 --kernel-trace" },
		{ p->launched[0] || p->launched[1], "launched from",
		  "torch.profiler, or roctx and rocprofv3 --marker-trace --hip-trace" },
		{ any(p, "occupancy"), "occupancy", "rocprofv3 --kernel-trace, agent_info.csv" },
		{ any(p, "clock"), "clock", "rocprofv3 --pmc GRBM_GUI_ACTIVE" },
		{ any(p, "counters"), "counters", "rocprofv3 --pmc NAMES" },
		{ any(p, "samples"), "samples",
		  "rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic "
		  "--pc-sampling-unit cycles --pc-sampling-interval 1048576" },
		{ any(p, "roofline"), "roofline",
		  "torch.profiler with record_shapes=True (matrix kernels), or rocprofv3 --pmc "
		  "FETCH_SIZE, and rocprofv3 --pmc WRITE_SIZE" },
	};

	for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
		struct tm_cell *c;

		/* People have the times above the rows. */
		if (line[i].there || (i == 1 && p->around.dispatches))
			continue;
		if (p->people) {
			say_missing(p, line[i].what, line[i].how);
			continue;
		}
		c = tm_kernel_row(p, "missing", word(line[i].what));
		if (!c)
			return false;
		tm_buf_str(&p->text, line[i].how);
		put_note(p, c);
	}
	return true;
}

/* ---- the answer ---- */

/* What p->text says is one of the answers; people are told all of them first instead. */
static bool answer(struct kernel_page *p)
{
	struct tm_cell text = tm_table_take(p->t, &p->text);
	bool ok = p->people || tm_kernel_row(p, "answer", text);

	if (p->t->headline.type == TM_CELL_TEXT) {
		put_text(&p->text, p->t->headline);
		tm_buf_str(&p->text, "; ");
		put_text(&p->text, text);
		text = tm_table_take(p->t, &p->text);
	}
	p->t->headline = text;
	return ok;
}

/* The part of a note that ends so, as "106 of 108 CUs empty"; false = there is none. */
static bool part_of_note(struct tm_cell note, const char *end, const char **from, size_t *n)
{
	size_t len = strlen(end), begin = 0;

	for (size_t i = 0; note.type == TM_CELL_TEXT && i <= note.len; i++) {
		if (i < note.len && note.v.s[i] != ';')
			continue;
		if (i - begin > len && !memcmp(note.v.s + i - len, end, len)) {
			*from = note.v.s + begin;
			*n = i - begin;
			return true;
		}
		begin = i + 2;
	}
	return false;
}

/* "106 of 108 CUs empty": is it so many that it limits the kernel, whatever its workgroups do?
 * With half of them at least half of the GPU is lost; below, other causes can cost more. */
static bool is_empty(const char *note, size_t n, uint64_t *pct)
{
	enum { EMPTY_PCT = 50 };
	const char *of = memmem(note, n, " of ", 4);
	const char *end = of ? memchr(of + 4, ' ', (size_t)(note + n - of - 4)) : NULL;
	uint64_t empty, all;

	if (!end || !tm_num_u64(note, (size_t)(of - note), &empty) ||
	    !tm_num_u64(of + 4, (size_t)(end - of - 4), &all) || !all)
		return false;
	*pct = (uint64_t)((tm_u128)empty * 100 / all);
	return *pct >= EMPTY_PCT;
}

/* Of the shape with most time that has figures: an empty GPU, then what limits occupancy. */
static bool answer_occupancy(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_OCCUPANCY];
	const char *empty;
	struct tm_cell pct;
	uint64_t share;
	size_t i = 0, n;

	while (i < t->nrows && cell(t, i, "occupancy_pct").type == TM_CELL_NONE)
		i++;
	if (i == t->nrows)
		return true;
	pct = cell(t, i, "occupancy_pct");
	if (part_of_note(cell(t, i, "note"), "empty", &empty, &n) && is_empty(empty, n, &share)) {
		tm_buf_fmt(&p->text, "%.*s (%" PRIu64 " %%): too few workgroups for the GPU",
		           (int)n, empty, share);
		if (!answer(p))
			return false;
	}
	if (pct.v.u > 500000 || is_text(cell(t, i, "limiter"), "slots"))
		return true;
	tm_buf_str(&p->text, "limited by ");
	put_text(&p->text, cell(t, i, "limiter"));
	tm_buf_fmt(&p->text, ": %" PRIu64 " %% occupancy", (pct.v.u + 5000) / 10000);
	if (cell(t, i, "vgprs_to_free").type == TM_CELL_U64)
		tm_buf_fmt(&p->text, "; %" PRIu64 " VGPRs fewer: one more workgroup",
		           number(cell(t, i, "vgprs_to_free")));
	return answer(p);
}

/* Many short launches, each after a longer pause. */
static bool answer_gaps(struct kernel_page *p)
{
	uint64_t n = 0, median;
	tm_u128 gap = 0;

	for (size_t i = 0; i < p->around.n; i++)
		if (!p->around.beside[i].after) {
			n += p->around.beside[i].n;
			gap += p->around.beside[i].gap;
		}
	if (n < 20 || !p->q.n || p->sum.sealed)
		return true;
	median = tm_quantile_at(&p->q, 500, p->sum.min, p->sum.max);
	if (median >= 10000 || gap / n <= median)
		return true;
	tm_buf_fmt(&p->text,
	           "short: median %" PRIu64 " ns after a gap of %" PRIu64
	           " ns: fuse it, or use HIP graphs",
	           median, (uint64_t)(gap / n));
	return answer(p);
}

static bool answer_spread(struct kernel_page *p)
{
	uint64_t median, p99;

	if (p->q.n < 100 || p->sum.sealed)
		return true;
	median = tm_quantile_at(&p->q, 500, p->sum.min, p->sum.max);
	p99 = tm_quantile_at(&p->q, 990, p->sum.min, p->sum.max);
	if (!median || p99 / 3 < median)
		return true;
	tm_buf_fmt(&p->text, "durations vary: p99 is %" PRIu64 " times the median: see by shape",
	           p99 / median);
	return answer(p);
}

/* The slowest clock of it. */
static bool answer_clock(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_CLOCK];
	struct tm_cell worst = tm_cell_none();

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell pct = has_clock(p, i) ? cell(t, i, "slowdown_pct") : tm_cell_none();

		if (pct.type == TM_CELL_FIXED &&
		    (worst.type == TM_CELL_NONE || pct.v.u > worst.v.u))
			worst = pct;
	}
	if (worst.type == TM_CELL_NONE || worst.v.u < 100000)
		return true;
	tm_buf_fmt(&p->text, "its clock is %" PRIu64 " %% below the largest", worst.v.u / 10000);
	return answer(p);
}

/* Does it take longer at the end of the run? */
static bool answer_drift(struct kernel_page *p)
{
	struct kernel_around *f = &p->around;
	int first = 0, last = KERNEL_TIMES - 1;
	uint64_t a, b;

	while (first < last && f->calls[first] < 5)
		first++;
	while (last > first && f->calls[last] < 5)
		last--;
	if (first == last)
		return true;
	a = tm_quantile_at(&f->q[first], 500, f->least, f->most);
	b = tm_quantile_at(&f->q[last], 500, f->least, f->most);
	if (!a || b <= a || (b - a) < a / 10 + 1)
		return true;
	tm_buf_fmt(&p->text,
	           "%" PRIu64
	           " %% longer at the end of the run than at its beginning: kstats clock "
	           "--drift",
	           (uint64_t)((tm_u128)(b - a) * 100 / a));
	return answer(p);
}

/* How far from the roof the problem is that takes most time, where that is half of the kernel's. */
static bool answer_work(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_ROOFLINE];
	size_t i = 0;

	while (i < t->nrows && !has_work(p, i))
		i++;
	if (i == t->nrows || cell(t, i, "peak_pct").type != TM_CELL_FIXED ||
	    (tm_u128)number(cell(t, i, "total_ns")) * 2 < p->sum.sum)
		return true;
	put_shares(p, i);
	return answer(p);
}

/* Where most of its samples are. */
static bool answer_samples(struct kernel_page *p)
{
	const struct tm_table *t = &p->part[PART_SAMPLES];
	struct tm_cell pct, stall;
	size_t i = 0;

	while (i < t->nrows && !has_samples(p, i))
		i++;
	pct = i < t->nrows ? cell(t, i, "pct") : tm_cell_none();
	if (pct.type != TM_CELL_FIXED || pct.v.u < 300000)
		return true;
	tm_buf_fmt(&p->text, "%" PRIu64 " %% of its samples are at ", pct.v.u / 10000);
	put_text(&p->text, cell(t, i, "instruction"));
	stall = cell(t, i, "top_stall");
	if (stall.type == TM_CELL_TEXT) {
		tm_buf_str(&p->text, ": ");
		put_text(&p->text, stall);
	}
	return answer(p);
}

/* Do all of them communicate, or wait?  Then how long they take depends on others.  1, 0, or -1
 * when out of memory. */
static int waits(const struct kernel_page *p)
{
	const struct layer *l = &p->a->top.layer[0];

	for (uint32_t i = 0; i < l->keys.n; i++) {
		uint32_t name = (uint32_t)l->keys.key[(size_t)i * TOP_WORDS + TOP_NAME];
		const char *class_name = tm_classes_of(p->o->classes, p->a->top.names.v[name].text,
		                                       NULL);
		enum tm_work_kind kind;

		if (!class_name)
			return -1;
		kind = tm_work_kind_of(class_name);
		if (kind != TM_WORK_COMM && kind != TM_WORK_SPIN)
			return 0;
	}
	return 1;
}

bool tm_kernel_answer(struct kernel_page *p)
{
	int others = waits(p);

	if (others) {
		tm_buf_str(&p->text, "it waits for others: kstats collectives");
		return others > 0 && answer(p);
	}
	if (!answer_occupancy(p) || !answer_work(p) || !answer_samples(p) || !answer_clock(p) ||
	    !answer_gaps(p) || !answer_drift(p) || !answer_spread(p))
		return false;
	if (p->t->headline.type == TM_CELL_TEXT)
		return true;
	tm_buf_str(&p->text, any(p, "occupancy")
	                             ? "occupancy, clock and launches do not limit it, where known"
	                             : "the input does not show what limits it");
	return answer(p);
}
