/* SPDX-License-Identifier: MIT
 * Two sets of measurements of GPU libraries, problem by problem: what became faster, what slower,
 * and how much of the time that is.  Problems are joined by what they ask for, not by how somebody
 * spelt it, nor by whose library answered. */
#include "libperf/lib_compare_sample.h"
#include "libperf/lib_take.h"
#include "read/library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tm_column columns[] = {
	{ .name = "problem",
	  .title = "PROBLEM",
	  .about = "problem measured",
	  .unit = TM_UNIT_TEXT,
	  .elastic = true },
	{ .name = "library",
	  .title = "LIBRARY",
	  .about = "library measured; \"a/b\" if the sides differ",
	  .unit = TM_UNIT_TEXT,
	  .spare = 2 },
	{ .name = "op",
	  .title = "OP",
	  .about = "gemm, conv_fwd, ...",
	  .unit = TM_UNIT_TEXT,
	  .spare = 1 },
	{ .name = "types",
	  .title = "TYPES",
	  .about = "types of a, b, c, d and of the computation",
	  .unit = TM_UNIT_TEXT,
	  .spare = 3 },
	{ .name = "status",
	  .title = "STATUS",
	  .about = "faster, slower, same, added, removed or incomparable",
	  .unit = TM_UNIT_TEXT },
	{ .name = "calls", .title = "CALLS", .about = "number of calls", .unit = TM_UNIT_COUNT },
	{ .name = "base_us",
	  .title = "BASE us",
	  .about = "microseconds per call in BASE, median of repeats",
	  .unit = TM_UNIT_RATIO },
	{ .name = "new_us", .title = "NEW us", .about = "the same in NEW", .unit = TM_UNIT_RATIO },
	{ .name = "speedup",
	  .title = "SPEEDUP",
	  .about = "old time / new time; for rates, new / old",
	  .unit = TM_UNIT_RATIO },
	{ .name = "saved_us",
	  .title = "SAVED us",
	  .about = "calls * (base_us - new_us); one call if the number is unknown",
	  .unit = TM_UNIT_RATIO },
	{ .name = "significant",
	  .title = "SIG",
	  .about = "yes, or ~ if it may be noise",
	  .unit = TM_UNIT_TEXT },
	{ .name = "base_config",
	  .title = "BASE CONFIG",
	  .about = "how BASE solves it",
	  .unit = TM_UNIT_TEXT,
	  .machine = true },
	{ .name = "new_config",
	  .title = "NEW CONFIG",
	  .about = "how NEW solves it",
	  .unit = TM_UNIT_TEXT,
	  .machine = true },
	{ .name = "note",
	  .title = "NOTE",
	  .about = "repeats, their noise, and other remarks",
	  .unit = TM_UNIT_TEXT,
	  .spare = 4 },
	{ 0 },
};

enum {
	C_PROBLEM,
	C_LIBRARY,
	C_OP,
	C_TYPES,
	C_STATUS,
	C_CALLS,
	C_BASE_US,
	C_NEW_US,
	C_SPEEDUP,
	C_SAVED_US,
	C_SIGNIFICANT,
	C_BASE_CONFIG,
	C_NEW_CONFIG,
	C_NOTE,
};

struct acc {
	struct tm_lib_samples all;
	struct tm_lib_calls trace;
	bool has_weights;
	uint64_t *calls; /* of each of rows.texts, as a key; with has_weights */
};

/* What one library measured of a problem: samples [from, to) of each side. */
struct tm_pair {
	bool has[2];
	size_t from[2], to[2];
	struct tm_lib_estimate e[2];
	bool counts; /* it is this one that stands for the problem in the totals */
};

struct totals {
	size_t both, faster, slower, same, other, added, removed, failed;
	double log_speedup, us[2];
	size_t ratios, times;
	bool weighed, called; /* calls are known; there are any */
	double worst;
	const struct tm_lib_sample *worst_of;
	struct tm_lib_differences differ;
};

static bool compare_init(void *acc, const void *o)
{
	((struct acc *)acc)->all.o = o;
	return true;
}

/* ---- reading ---- */

static enum tm_status compare_take(void *acc, struct tm_source *s, size_t side,
                                   struct tm_report *rep, struct tm_diag *d)
{
	struct acc *a = acc;

	enum tm_status st;

	if (side != TM_LIB_WEIGHTS)
		return tm_lib_rows_take(&a->all.rows, s, side, a->all.o->metric, rep, d);
	st = tm_lib_calls_take(&a->trace, s, NULL, rep, d);
	a->has_weights |= st == TM_ST_OK || st == TM_ST_WARN;
	return st;
}

/* ---- may they be compared? ---- */

static bool same_rows(const struct tm_lib_rows *rows, const struct tm_lib_row *x,
                      const struct tm_lib_row *y)
{
	return x->line == y->line && x->n == y->n &&
	       !memcmp(rows->v + x->from, rows->v + y->from, x->n * sizeof *rows->v);
}

/* The file whose rows begin at x, in the file whose rows begin at y? */
static bool same_file(const struct tm_lib_rows *rows, size_t x, size_t y)
{
	size_t file[2] = { rows->row[x].file, rows->row[y].file };

	for (;; x++, y++) {
		bool in_x = x < rows->n && rows->row[x].file == file[0],
		     in_y = y < rows->n && rows->row[y].file == file[1];

		if (!in_x || !in_y)
			return in_x == in_y;
		if (!same_rows(rows, &rows->row[x], &rows->row[y]))
			return false;
	}
}

bool tm_lib_rows_twice(const struct tm_lib_rows *rows, struct tm_report *rep)
{
	for (size_t x = 0; x < rows->n; x++) {
		if (rows->row[x].side != TM_LIB_BASE ||
		    (x && rows->row[x - 1].file == rows->row[x].file))
			continue;
		for (size_t y = 0; y < rows->n; y++) {
			if (rows->row[y].side != TM_LIB_NEW ||
			    (y && rows->row[y - 1].file == rows->row[y].file) ||
			    !same_file(rows, x, y))
				continue;
			tm_report_add(
			        rep, TM_SEV_ERROR, rows->texts.v[rows->row[y].source].text, 0,
			        "same measurements as %s: a file cannot be compared with itself",
			        rows->texts.v[rows->row[x].source].text);
			return true;
		}
	}
	return false;
}

/* Both sides there, and not the same? */
static bool comparable(const struct tm_lib_samples *all, struct tm_report *rep)
{
	static const char *const sides[] = { "BASE", "NEW" };
	bool good = true;

	for (size_t side = TM_LIB_BASE; side <= TM_LIB_NEW; side++) {
		size_t n = 0;

		for (size_t i = 0; i < all->n; i++)
			n += all->v[i].side == side;
		if (!n)
			tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no measurement in %s",
			              sides[side]);
		good &= n > 0;
	}
	return good && !tm_lib_rows_twice(&all->rows, rep);
}

/* Calls of each key: a problem may stand in the trace in many words. */
static bool sum_weights(struct acc *a, struct tm_report *rep)
{
	uint32_t others = tm_lib_calls_others(&a->trace, rep);
	size_t cap = 0, n = 0;

	for (int kind = 0; kind < TM_CALL_KINDS; kind++) {
		const struct tm_call_set *set = &a->trace.set[kind];

		/* Told of twice, looked for and not made, or no call of its own. */
		if (others & 1u << kind || kind == TM_CALL_MIOPEN_FIND || kind == TM_CALL_TENSILE ||
		    kind == TM_CALL_RCCL)
			continue;
		for (uint32_t i = 0; i < set->texts.n; i++) {
			const struct tm_name *text = &set->texts.v[i];
			uint32_t key;

			if (!tm_lib_samples_key(&a->all, tm_call_words[kind],
			                        strlen(tm_call_words[kind]), text->text, text->len,
			                        &key))
				return false;
			if (key == TM_NAME_NONE)
				continue;
			if (!tm_grow_array(&a->calls, &cap, key + 1u, sizeof *a->calls))
				return false;
			for (; n <= key; n++)
				a->calls[n] = 0;
			if (__builtin_add_overflow(a->calls[key], set->calls[i], &a->calls[key]))
				a->calls[key] = UINT64_MAX;
		}
	}
	if (!tm_grow_array(&a->calls, &cap, a->all.rows.texts.n + 1u, sizeof *a->calls))
		return false;
	for (; n < a->all.rows.texts.n; n++)
		a->calls[n] = 0;
	return true;
}

/* ---- a problem ---- */

/* Calls of the problem; false when nobody says. */
static bool calls_of(const struct acc *a, const struct tm_pair *p, uint64_t *calls)
{
	bool known = false;

	*calls = 0;
	if (a->has_weights) {
		*calls = a->calls[a->all.v[p->from[p->has[0] ? 0 : 1]].key];
		return true;
	}
	for (size_t side = 0; side < 2; side++)
		for (size_t i = p->from[side]; p->has[side] && i < p->to[side]; i++)
			if (a->all.v[i].has_calls) {
				known = true;
				if (a->all.v[i].calls > *calls)
					*calls = a->all.v[i].calls;
			}
	return known;
}

/* Where the next clause of a note goes. */
static struct tm_buf *clause(struct tm_buf *b)
{
	if (b->n)
		tm_buf_str(b, "; ");
	return b;
}

/* Two solutions that are told in the same way, and are not one? */
static bool changed(const char *x, const char *y)
{
	static const char index[] = "solution_index=";
	size_t n = sizeof index - 1;

	return *x && *y && strcmp(x, y) != 0 && !strncmp(x, index, n) == !strncmp(y, index, n) &&
	       strncmp(x, "result=", 7) != 0 && strncmp(y, "result=", 7) != 0;
}

/* What the test of a pair found. */
static void put_test(const struct tm_significance *s, const struct tm_lib_estimate *e,
                     struct tm_buf *b)
{
	if (s->test == TM_SIG_NONE)
		return;
	tm_buf_fmt(clause(b), "p=%.3g", s->p);
	if (s->test == TM_SIG_WELCH || s->test == TM_SIG_WELCH_BATCHES)
		tm_buf_str(b, " by means");
	if (s->effective[0] < (double)e[0].n)
		tm_buf_fmt(clause(b), "repeats are %scorrelated: effective n=%.1f and %.1f",
		           s->shown ? "" : "perhaps ", s->effective[0], s->effective[1]);
}

/* What else there is to know of a pair. */
static void put_note(const struct acc *a, const struct tm_pair *p,
                     const struct tm_significance *test, struct tm_buf *b)
{
	static const char *const sides[] = { "base", "new" };
	const struct tm_lib_sample *x = p->e[0].of, *y = p->e[1].of;

	tm_buf_clear(b);
	for (size_t side = 0; side < 2; side++) {
		const struct tm_lib_estimate *e = &p->e[side];

		if (!p->has[side])
			continue;
		if (e->n > 1)
			tm_buf_fmt(clause(b), "%s n=%zu mad=%.2f%%", sides[side], e->n,
			           100 * e->mad / e->cost);
		if (e->choices > 1)
			tm_buf_fmt(clause(b), "%s best of %zu solutions", sides[side], e->choices);
		if (e->mixed)
			tm_buf_fmt(clause(b), "%s repeats not measured the same way", sides[side]);
		if (e->noisy)
			tm_buf_fmt(clause(b), "%s noisy", sides[side]);
	}
	if (!p->has[0] || !p->has[1]) {
		const struct tm_lib_sample *s = p->has[0] ? x : y;

		if (!s->has_us)
			tm_buf_fmt(clause(b), "%s %.6g", a->all.rows.names.v[s->measure].text,
			           s->value);
		return;
	}
	put_test(test, p->e, b);
	if (changed(tm_lib_text(&a->all, x->choice), tm_lib_text(&a->all, y->choice)))
		tm_buf_str(clause(b), "solution changed");
	if (!tm_lib_same_measure(x, y))
		tm_buf_fmt(clause(b), "%s against %s", a->all.rows.names.v[x->measure].text,
		           a->all.rows.names.v[y->measure].text);
	else if (!x->has_us)
		tm_buf_fmt(clause(b), "%s %.6g against %s%s%.6g",
		           a->all.rows.names.v[x->measure].text, x->value,
		           x->measure == y->measure ? "" : a->all.rows.names.v[y->measure].text,
		           x->measure == y->measure ? "" : " ", y->value);
}

static struct tm_cell text_cell(const struct acc *a, uint32_t id)
{
	const char *s = tm_lib_text(&a->all, id);

	return *s ? tm_cell_text(s, strlen(s)) : tm_cell_none();
}

/* The pair that stands for its problem. */
static void count_pair(const struct acc *a, const struct tm_pair *p, bool apart, struct totals *sum)
{
	const struct tm_lib_estimate *x = &p->e[0], *y = &p->e[1];
	double speedup = x->cost / y->cost, weight;
	uint64_t calls;
	bool known;

	sum->both++;
	if (!tm_lib_same_measure(x->of, y->of)) {
		sum->other++;
		return;
	}
	known = calls_of(a, p, &calls);
	weight = known ? (double)calls : 1;
	sum->weighed |= known;
	sum->called |= known && calls;
	sum->log_speedup += log(speedup);
	sum->ratios++;
	if (x->of->has_us && y->of->has_us) {
		sum->us[0] += weight * x->cost;
		sum->us[1] += weight * y->cost;
		sum->times++;
	}
	sum->same += !apart;
	sum->faster += apart && speedup > 1;
	sum->slower += apart && speedup <= 1;
}

/* Times, speedup and status of a problem that both sides measured. */
static const char *judge(const struct acc *a, const struct tm_pair *p, bool apart,
                         struct tm_cell *cell, struct totals *sum)
{
	const struct tm_lib_estimate *x = &p->e[0], *y = &p->e[1];
	double speedup = x->cost / y->cost, weight;
	uint64_t calls;

	if (p->counts)
		count_pair(a, p, apart, sum);
	tm_lib_differences_add(&sum->differ, x->of, y->of);
	if (!tm_lib_same_measure(x->of, y->of)) {
		cell[C_SIGNIFICANT] = tm_cell_text("~", 1);
		return "incomparable";
	}
	weight = calls_of(a, p, &calls) ? (double)calls : 1;
	cell[C_SPEEDUP] = tm_cell_real4(speedup);
	cell[C_SIGNIFICANT] = apart ? tm_cell_text("yes", 3) : tm_cell_text("~", 1);
	if (x->of->has_us && y->of->has_us)
		cell[C_SAVED_US] = tm_cell_real4(weight * (x->cost - y->cost));
	if (!apart)
		return "same";
	if (speedup > 1)
		return "faster";
	if (a->all.o->fail_over != UINT64_MAX && weight > 0 &&
	    tm_sig_above(1 / speedup - 1, (double)a->all.o->fail_over / 1e6)) {
		sum->failed++;
		if (1 / speedup > sum->worst) {
			sum->worst = 1 / speedup;
			sum->worst_of = y->of;
		}
	}
	return "slower";
}

static bool put_pair(struct acc *a, const struct tm_pair *p, struct tm_table *t, struct totals *sum)
{
	struct tm_cell *cell = tm_table_row(t);
	const struct tm_lib_sample *any = p->e[p->has[0] ? 0 : 1].of;
	struct tm_lib_verdict v = { 0 };
	struct tm_buf text = { 0 };
	const char *status;
	uint64_t calls;
	bool ok;

	if (!cell || (p->has[0] && p->has[1] && tm_lib_same_measure(p->e[0].of, p->e[1].of) &&
	              !tm_lib_judge(&a->all, &p->e[0], &p->e[1], &v)))
		return false;
	cell[C_PROBLEM] = text_cell(a, any->problem);
	cell[C_OP] = text_cell(a, any->op);
	cell[C_TYPES] = text_cell(a, any->types);
	cell[C_LIBRARY] = text_cell(a, any->library);
	if (p->has[0] && p->has[1] && p->e[0].of->library != p->e[1].of->library) {
		tm_buf_fmt(&text, "%s/%s", tm_lib_text(&a->all, p->e[0].of->library),
		           tm_lib_text(&a->all, p->e[1].of->library));
		cell[C_LIBRARY] = text.p ? tm_table_own(t, text.p, text.n) : tm_cell_none();
	}
	if (calls_of(a, p, &calls))
		cell[C_CALLS] = tm_cell_u64(calls);
	for (size_t side = 0; side < 2; side++) {
		const struct tm_lib_estimate *e = &p->e[side];

		if (!p->has[side])
			continue;
		if (e->of->has_us)
			cell[side ? C_NEW_US : C_BASE_US] = tm_cell_real4(e->cost);
		cell[side ? C_NEW_CONFIG : C_BASE_CONFIG] = text_cell(a, e->of->config);
	}
	sum->added += p->counts && !p->has[0];
	sum->removed += p->counts && !p->has[1];
	status = !p->has[0] ? "added" : !p->has[1] ? "removed" : judge(a, p, v.apart, cell, sum);
	cell[C_STATUS] = tm_cell_text(status, strlen(status));
	put_note(a, p, &v.test, &text);
	if (text.n)
		cell[C_NOTE] = tm_table_own(t, text.p, text.n);
	ok = !text.failed && !t->failed;
	tm_buf_fini(&text);
	return ok;
}

/* ---- all problems ---- */

/* The pairs of the problem whose samples begin at `from`: one for each library, sides together. */
static bool pairs_of(struct tm_lib_samples *all, size_t from, struct tm_pair **pair, size_t *cap,
                     size_t *n, size_t *end)
{
	const struct tm_lib_sample *v = all->v;
	uint32_t key = v[from].key, library = TM_NAME_NONE;
	size_t i = from, next;

	*n = 0;
	for (; i < all->n && v[i].key == key; i = next) {
		size_t side = v[i].side;
		struct tm_pair *p;

		for (next = i + 1; next < all->n && v[next].key == key && v[next].side == side &&
		                   v[next].library == v[i].library;)
			next++;
		if (!*n || library != v[i].library) {
			if (!tm_grow_array(pair, cap, *n + 1, sizeof **pair))
				return false;
			(*pair)[(*n)++] = (struct tm_pair) { 0 };
			library = v[i].library;
		}
		p = &(*pair)[*n - 1];
		p->has[side] = true;
		p->from[side] = i;
		p->to[side] = next;
		p->e[side] = tm_lib_estimate_of(all, i, next);
	}
	*end = i;
	return true;
}

/* Where no library was measured on both sides, the best of each side are compared. */
static void join_libraries(struct tm_pair *pair, size_t *n)
{
	size_t best[2] = { SIZE_MAX, SIZE_MAX };

	for (size_t i = 0; i < *n; i++) {
		size_t side = pair[i].has[0] ? 0 : 1;

		if (pair[i].has[0] && pair[i].has[1])
			return;
		if (best[side] == SIZE_MAX || pair[i].e[side].cost < pair[best[side]].e[side].cost)
			best[side] = i;
	}
	if (best[0] == SIZE_MAX || best[1] == SIZE_MAX)
		return;
	pair[best[0]].has[1] = true;
	pair[best[0]].from[1] = pair[best[1]].from[1];
	pair[best[0]].to[1] = pair[best[1]].to[1];
	pair[best[0]].e[1] = pair[best[1]].e[1];
	--*n;
	memmove(pair + best[1], pair + best[1] + 1, (*n - best[1]) * sizeof *pair);
}

/* What a pair can say of its problem: nothing, that it was measured, rates, times. */
static int worth_of(const struct tm_pair *p)
{
	const struct tm_lib_sample *x = p->e[0].of, *y = p->e[1].of;

	if (!p->has[0] || !p->has[1])
		return 0;
	return !tm_lib_same_measure(x, y) ? 1 : x->has_us && y->has_us ? 3 : 2;
}

/* A problem counts once, whoever solves it: of several libraries the fastest of BASE stands for it,
 * as in 'tracediff --per problem'. */
static void choose(struct tm_pair *pair, size_t n)
{
	struct tm_pair *best = pair;

	for (size_t i = 1; i < n; i++) {
		int is = worth_of(&pair[i]), was = worth_of(best);

		if (is > was || (is && is == was && pair[i].e[0].cost < best->e[0].cost))
			best = &pair[i];
	}
	best->counts = true;
}

static bool put_pairs(struct acc *a, struct tm_table *t, struct totals *sum)
{
	struct tm_pair *pair = NULL;
	size_t cap = 0, n, end;
	bool ok = true;

	for (size_t i = 0; ok && i < a->all.n; i = end) {
		size_t failed = sum->failed;

		ok = pairs_of(&a->all, i, &pair, &cap, &n, &end);
		if (!ok)
			break;
		join_libraries(pair, &n);
		choose(pair, n);
		for (size_t k = 0; ok && k < n; k++)
			ok = put_pair(a, &pair[k], t, sum);
		if (sum->failed > failed)
			sum->failed = failed + 1;
	}
	free(pair);
	return ok;
}

/* ---- what it comes to ---- */

/* What all of it comes to: by the times where there are any, weighted by calls where these are
 * known, else by the geometric mean.  A change counts beyond the floor, and where a problem changed
 * significantly to the same side. */
static const char *total_verdict(const struct acc *a, const struct totals *sum, double *speedup)
{
	double floor = a->all.o->threshold != UINT64_MAX ? (double)a->all.o->threshold / 1e6
	                                                 : TM_SIG_FLOOR_PCT / 100.0;

	*speedup = sum->times && sum->us[1] > 0 ? sum->us[0] / sum->us[1]
	           : sum->ratios                ? exp(sum->log_speedup / (double)sum->ratios)
	                                        : 0;
	/* Of nothing that is called nothing became faster. */
	if (sum->weighed && !sum->called)
		*speedup = 0;
	if (sum->failed)
		return "regression";
	if (!(*speedup > 0))
		return "inconclusive";
	if (tm_sig_above(1 / *speedup - 1, floor))
		return sum->slower ? "regression" : "inconclusive";
	if (tm_sig_above(*speedup - 1, floor))
		return sum->faster ? "improvement" : "inconclusive";
	return "neutral";
}

static bool put_total(const struct acc *a, const struct totals *sum, struct tm_table *t)
{
	struct tm_cell *cell = tm_table_row(t);
	struct tm_buf text = { 0 };
	double speedup;
	const char *verdict = total_verdict(a, sum, &speedup);
	bool ok;

	if (!cell)
		return false;
	cell[C_PROBLEM] = tm_cell_text("(total)", 7);
	cell[C_STATUS] = tm_cell_text(verdict, strlen(verdict));
	if (sum->times) {
		cell[C_BASE_US] = tm_cell_real4(sum->us[0]);
		cell[C_NEW_US] = tm_cell_real4(sum->us[1]);
		cell[C_SAVED_US] = tm_cell_real4(sum->us[0] - sum->us[1]);
	}
	if (speedup > 0)
		cell[C_SPEEDUP] = tm_cell_real4(speedup);
	tm_buf_fmt(&text, "%zu faster, %zu slower, %zu same; %s", sum->faster, sum->slower,
	           sum->same,
	           !sum->times    ? "geometric mean"
	           : sum->weighed ? "weighted by calls"
	                          : "one call each");
	cell[C_NOTE] = text.p ? tm_table_own(t, text.p, text.n) : tm_cell_none();
	ok = !text.failed && !t->failed;
	tm_buf_fini(&text);
	return ok;
}

static bool is_slower(const struct tm_table *t, size_t row)
{
	const struct tm_cell *c = &t->cells[row * t->ncols + C_STATUS];

	return c->len == 6 && !memcmp(c->v.s, "slower", 6);
}

/* The last row, which is the total, first, then what became slower, the most time lost first; the
 * others as they are. */
static bool pin(struct tm_table *t)
{
	size_t width = t->ncols * sizeof *t->cells, n = 0;
	char *to = malloc(t->nrows * width + 1);
	const char *from = (const char *)t->cells;

	if (!to)
		return false;
	memcpy(to, from + (t->nrows - 1) * width, width);
	n++;
	for (size_t i = t->nrows - 1; i-- > 0;)
		if (is_slower(t, i))
			memcpy(to + n++ * width, from + i * width, width);
	t->pinned = n;
	for (size_t i = 0; i + 1 < t->nrows; i++)
		if (!is_slower(t, i))
			memcpy(to + n++ * width, from + i * width, width);
	memcpy(t->cells, to, t->nrows * width);
	free(to);
	return true;
}

static void tell_totals(const struct acc *a, const struct totals *sum, struct tm_report *rep)
{
	if (sum->ratios)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "geometric mean of the speedup: %.4f",
		              exp(sum->log_speedup / (double)sum->ratios));
	if (sum->times && sum->us[1] > 0)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%s: %.4f us, then %.4f us, speedup %.4f",
		              sum->weighed ? "total weighted by calls" : "total of one call each",
		              sum->us[0], sum->us[1], sum->us[0] / sum->us[1]);
	tm_report_add(
	        rep, TM_SEV_NOTE, NULL, 0,
	        "%zu problem%s on both sides: %zu faster, %zu slower, %zu same; %zu added, %zu "
	        "removed",
	        sum->both, sum->both == 1 ? "" : "s", sum->faster, sum->slower, sum->same,
	        sum->added, sum->removed);
	if (sum->other)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "%zu measured in different units: not compared", sum->other);
	if (sum->failed)
		tm_report_add(rep, TM_SEV_NO, NULL, 0,
		              "%zu problem%s slower by more than %.6g %%; worst: %s %s, %.2f %%",
		              sum->failed, sum->failed == 1 ? "" : "s",
		              (double)a->all.o->fail_over / 1e4,
		              tm_lib_text(&a->all, sum->worst_of->op),
		              tm_lib_text(&a->all, sum->worst_of->problem), 100 * (sum->worst - 1));
}

static enum tm_status compare_fill(void *acc, struct tm_table *t, struct tm_report *rep)
{
	static const size_t by[] = { C_SAVED_US, C_SPEEDUP, C_PROBLEM, C_OP, C_TYPES, C_LIBRARY };
	struct acc *a = acc;
	struct totals sum = { 0 };

	tm_table_init_list(t, columns);
	if (!tm_lib_samples_make(&a->all, rep) || (a->has_weights && !sum_weights(a, rep)))
		return TM_ST_FATAL;
	if (a->has_weights && a->all.o->key) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--trace has no columns for --key: use one of the two");
		return TM_ST_END;
	}
	if (!comparable(&a->all, rep))
		return TM_ST_END;
	tm_lib_samples_sort(&a->all, false);
	if (!put_pairs(a, t, &sum) || !tm_table_sort(t, by, sizeof by / sizeof *by) ||
	    (sum.both && (!put_total(a, &sum, t) || !pin(t))))
		return TM_ST_FATAL;
	if (a->has_weights)
		tm_lib_calls_tell(&a->trace, false, rep);
	if (a->has_weights && sum.both && !sum.called) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--trace: calls none of the problems on both sides: no weights");
		return TM_ST_END;
	}
	tm_lib_measures_tell(&a->all, rep);
	tm_lib_differences_tell(&sum.differ, &a->all, true, rep);
	tell_totals(a, &sum, rep);
	if (!sum.both) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no problem is on both sides: nothing to compare");
		return TM_ST_END;
	}
	return TM_ST_OK;
}

static void compare_fini(void *acc)
{
	struct acc *a = acc;

	tm_lib_samples_fini(&a->all);
	tm_lib_calls_fini(&a->trace);
	free(a->calls);
}

const struct tm_question tm_lib_compare = {
	.name = "compare",
	.about = "compare two sets of measurements, problem by problem",
	.columns = columns,
	.tables = true,
	.size = sizeof(struct acc),
	.init = compare_init,
	.take = compare_take,
	.fill = compare_fill,
	.fini = compare_fini,
};
