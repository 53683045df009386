/* SPDX-License-Identifier: MIT
 * What samples say together: medians, their noise, and in what they were not measured the same way.
 */
#include "libperf/lib_compare_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAD_TO_DEVIATION 1.4826 /* of a normal distribution */
#define DEVIATIONS       3

static struct tm_name name_of(const struct tm_lib_samples *a, uint32_t id)
{
	return id == TM_NAME_NONE ? (struct tm_name) { .text = "" } : a->rows.texts.v[id];
}

bool tm_lib_same_measure(const struct tm_lib_sample *x, const struct tm_lib_sample *y)
{
	if (x->has_us || y->has_us)
		return x->has_us && y->has_us;
	return x->kind == y->kind && (x->kind == TM_MEASURE_BYTES || x->measure == y->measure);
}

void tm_lib_differences_add(struct tm_lib_differences *sum, const struct tm_lib_sample *x,
                            const struct tm_lib_sample *y)
{
	sum->n++;
	for (size_t i = 0; tm_lib_settings[i].name; i++)
		if (x->setting[i] != TM_NAME_NONE && y->setting[i] != TM_NAME_NONE &&
		    x->setting[i] != y->setting[i] && !sum->differ[i]++) {
			sum->first[i][0] = x->setting[i];
			sum->first[i][1] = y->setting[i];
		}
	sum->units += x->kind == TM_MEASURE_BYTES && y->kind == TM_MEASURE_BYTES &&
	              x->measure != y->measure;
}

void tm_lib_differences_tell(const struct tm_lib_differences *sum, const struct tm_lib_samples *a,
                             bool machines, struct tm_report *rep)
{
	for (size_t i = 0; tm_lib_settings[i].name; i++)
		if (sum->differ[i] && (machines || !tm_lib_settings[i].machine))
			tm_report_add(
			        rep, TM_SEV_NOTE, NULL, 0,
			        "%s differs in %zu of %zu problems (%s against %s): not measured "
			        "%s",
			        tm_lib_settings[i].name, sum->differ[i], sum->n,
			        tm_lib_text(a, sum->first[i][0]), tm_lib_text(a, sum->first[i][1]),
			        tm_lib_settings[i].machine ? "on the same system" : "the same way");
	if (sum->units)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "GB/s of hipBLASLt are 2^30 bytes, others 1e9: compared as 1e9");
}

void tm_lib_measures_tell(const struct tm_lib_samples *a, struct tm_report *rep)
{
	static const char *const better[] = { [TM_MEASURE_TIME] = " (time; lower is better)",
		                              [TM_MEASURE_FLOPS] = " (rate; higher is better)",
		                              [TM_MEASURE_BYTES] = " (rate; higher is better)",
		                              [TM_MEASURE_OTHER] = "" };
	bool *seen = calloc(a->rows.names.n + 1u, sizeof *seen);
	struct tm_buf text = { 0 };

	for (size_t i = 0; seen && i < a->n; i++) {
		const struct tm_lib_sample *s = &a->v[i];

		if (seen[s->measure])
			continue;
		seen[s->measure] = true;
		tm_buf_fmt(&text, "%s%s%s", text.n ? ", " : "", a->rows.names.v[s->measure].text,
		           better[s->kind]);
	}
	if (text.p)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "metric: column %s", text.p);
	rep->lost |= text.failed || !seen;
	tm_buf_fini(&text);
	free(seen);
}

static int cmp_id(const struct tm_lib_samples *a, uint32_t x, uint32_t y)
{
	struct tm_name p = name_of(a, x), q = name_of(a, y);

	return x == y ? 0 : tm_name_cmp(&p, &q);
}

struct sort_by {
	const struct tm_lib_samples *a;
	bool by_file;
};

static int by_group(const void *px, const void *py, void *arg)
{
	const struct tm_lib_sample *x = px, *y = py;
	const struct sort_by *by = arg;
	int c = cmp_id(by->a, x->key, y->key);

	if (!c)
		c = cmp_id(by->a, x->library, y->library);
	if (!c)
		c = (x->side > y->side) - (x->side < y->side);
	if (!c && by->by_file)
		c = cmp_id(by->a, x->source, y->source);
	if (!c && by->by_file)
		c = cmp_id(by->a, x->choice, y->choice);
	if (!c)
		c = cmp_id(by->a, x->source, y->source);
	return c ? c : (x->line > y->line) - (x->line < y->line);
}

void tm_lib_samples_sort(struct tm_lib_samples *a, bool by_file)
{
	struct sort_by by = { .a = a, .by_file = by_file };

	if (a->n)
		qsort_r(a->v, a->n, sizeof *a->v, by_group, &by);
}

static int by_cost(const void *px, const void *py, void *arg)
{
	const struct tm_lib_sample *x = px, *y = py;
	int c = cmp_id(arg, x->choice, y->choice);

	if (c)
		return c;
	if (x->cost != y->cost)
		return (x->cost > y->cost) - (x->cost < y->cost);
	c = cmp_id(arg, x->source, y->source);
	return c ? c : (x->line > y->line) - (x->line < y->line);
}

/* Median of the distances of v[0..n), which is sorted by cost, from their median: they grow
 * outwards. */
static double mad_of(const struct tm_lib_sample *v, size_t n, double median)
{
	double last = 0, d = 0;

	for (size_t i = 0, below = n / 2, above = n / 2; i <= n / 2; i++) {
		double b = below ? fabs(v[below - 1].cost - median) : INFINITY,
		       u = above < n ? fabs(v[above].cost - median) : INFINITY;

		last = d;
		if (b < u) {
			d = b;
			below--;
		} else {
			d = u;
			above++;
		}
	}
	return n % 2 ? d : (last + d) / 2;
}

/* v[from..to) of one choice, sorted by cost. */
static struct tm_lib_estimate estimate(const struct tm_lib_sample *v, size_t n)
{
	struct tm_lib_estimate e = { .of = &v[(n - 1) / 2], .v = v, .n = n, .choices = 1 };

	e.cost = n % 2 ? v[n / 2].cost : (v[n / 2 - 1].cost + v[n / 2].cost) / 2;
	e.mad = n > 1 ? mad_of(v, n, e.cost) : 0;
	for (size_t i = 0; i < n; i++) {
		e.noisy |= v[i].noisy;
		e.mixed |= memcmp(v[i].setting, v[0].setting, sizeof v[i].setting) != 0;
	}
	return e;
}

struct tm_lib_estimate tm_lib_estimate_of(struct tm_lib_samples *a, size_t from, size_t to)
{
	struct tm_lib_estimate best = { 0 };
	size_t keep = from, choices = 0;

	/* Where the client told the winner, the others need not be looked at. */
	for (size_t i = from; i < to; i++)
		if (a->v[i].winner) {
			struct tm_lib_sample s = a->v[keep];

			a->v[keep++] = a->v[i];
			a->v[i] = s;
		}
	if (keep > from)
		to = keep;
	/* They stand in the order of their files and lines. */
	if (a->v[from].cumulative) {
		a->v[from] = a->v[to - 1];
		to = from + 1;
	}
	qsort_r(a->v + from, to - from, sizeof *a->v, by_cost, a);
	for (size_t i = from, end; i < to; i = end) {
		struct tm_lib_estimate e;

		for (end = i + 1; end < to && a->v[end].choice == a->v[i].choice; end++)
			;
		e = estimate(a->v + i, end - i);
		choices++;
		if (!best.n || e.cost < best.cost)
			best = e;
	}
	best.choices = choices;
	return best;
}

/* Can the side show how noisy it is?  Not when measured once, or always the same. */
static bool shows_noise(const struct tm_lib_estimate *e)
{
	return e->n > 1 && e->v[0].cost < e->v[e->n - 1].cost;
}

/* How far apart two of them must be, as a ratio - 1, to be more than noise by size alone. */
static double least_ratio(const struct tm_lib_samples *a, const struct tm_lib_estimate *x,
                          const struct tm_lib_estimate *y)
{
	double low = x->cost < y->cost ? x->cost : y->cost, percent = TM_SIG_FLOOR_PCT;

	if (a->o->threshold != UINT64_MAX)
		return (double)a->o->threshold / 1e6;
	if (x->of->has_us && y->of->has_us && low * 1000 < TM_SIG_SHORT_NS)
		percent = TM_SIG_FLOOR_SHORT_PCT;
	if (x->n == 1 || y->n == 1 || !(shows_noise(x) || shows_noise(y)))
		percent *= TM_SIG_ONCE;
	return percent / 100;
}

static int by_place(const void *px, const void *py, void *arg)
{
	const struct tm_lib_sample *x = *(const struct tm_lib_sample *const *)px,
	                           *y = *(const struct tm_lib_sample *const *)py;
	int c = cmp_id(arg, x->source, y->source);

	return c ? c : (x->line > y->line) - (x->line < y->line);
}

/* Costs in the order in which they were measured, as far as that is known; NULL when out of memory.
 */
static double *costs_of(const struct tm_lib_samples *a, const struct tm_lib_estimate *e)
{
	const struct tm_lib_sample **v = calloc(e->n + 1, sizeof *v);
	double *cost = calloc(e->n + 1, sizeof *cost);

	for (size_t i = 0; v && i < e->n; i++)
		v[i] = &e->v[i];
	if (v && cost) {
		qsort_r(v, e->n, sizeof *v, by_place, (void *)(uintptr_t)a);
		for (size_t i = 0; i < e->n; i++)
			cost[i] = v[i]->cost;
	} else {
		free(cost);
		cost = NULL;
	}
	free(v);
	return cost;
}

/* Of sides of which one was measured once: it is taken to be as noisy as the other. */
static bool is_far(const struct tm_lib_estimate *x, const struct tm_lib_estimate *y)
{
	double mad = x->n > 1 ? x->mad : y->mad;

	return fabs(x->cost - y->cost) > DEVIATIONS * MAD_TO_DEVIATION * sqrt(2) * mad;
}

/* Did one follow the other, at least of some?  Files are runs of their own. */
static bool in_a_row(const struct tm_lib_estimate *e)
{
	for (size_t i = 1; i < e->n; i++)
		if (e->v[i].source == e->v[0].source)
			return true;
	return false;
}

/* Fewer repeats cannot tell dependence from chance: taken for dependent, most of five against five
 * would be no finding, however far apart. */
static unsigned how_of(const struct tm_lib_estimate *x, const struct tm_lib_estimate *y)
{
	bool many = x->n >= TM_SIG_BATCHES && y->n >= TM_SIG_BATCHES;

	return TM_SIG_MEANS | (many && (in_a_row(x) || in_a_row(y)) ? TM_SIG_SERIES : 0u);
}

bool tm_lib_judge(const struct tm_lib_samples *a, const struct tm_lib_estimate *x,
                  const struct tm_lib_estimate *y, struct tm_lib_verdict *out)
{
	double low = x->cost < y->cost ? x->cost : y->cost, high = x->cost + y->cost - low;
	bool large = tm_sig_above(high / low - 1, least_ratio(a, x, y)), ok = true;
	double *cx, *cy, alpha = a->o->alpha > 0 ? a->o->alpha : TM_SIG_ALPHA;

	*out = (struct tm_lib_verdict) { .test.p = 1 };
	if (x->n == 1 || y->n == 1) {
		out->apart = large && is_far(x, y);
	} else if (!shows_noise(x) && !shows_noise(y)) {
		out->apart = large;
	} else {
		cx = costs_of(a, x);
		cy = costs_of(a, y);
		ok = cx && cy &&
		     tm_sig_compare(cx, x->n, cy, y->n, how_of(x, y), alpha, a->o->tests,
		                    &out->test);
		out->apart = ok && large && out->test.found &&
		             out->test.sign == (x->cost > y->cost ? 1 : -1);
		free(cx);
		free(cy);
	}
	out->apart &= !x->noisy && !y->noisy;
	return ok;
}
