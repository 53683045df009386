/* SPDX-License-Identifier: MIT */
#include "diff/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_on_words[] = { "steps", "window", "kernel", NULL };
const char *const verdict_words[] = { [VERDICT_INCONCLUSIVE] = "inconclusive",
	                              [VERDICT_REGRESSION] = "regression",
	                              [VERDICT_IMPROVEMENT] = "improvement",
	                              [VERDICT_NEUTRAL] = "neutral" };

/* What is measured less often than this by hand is no sample. */
#define DEVIATIONS       3
#define MAD_TO_DEVIATION 1.4826 /* of a normal distribution */

/* ---- what decides ---- */

/* Do the repeats of both sides hold the same work?  A sequence may be found twice as long on one
 * side: then most kernels run twice as often in a step. */
static bool same_unit(const struct pairs *k)
{
	double same = 0, all = 0;
	uint64_t units[SIDES] = { 0 };

	for (size_t r = 0; r < k->nruns; r++)
		units[pair_side_of(k, r)] += k->runs[r].sum[BUDGET_STEPS].units;
	for (size_t i = 0; i < k->n; i++) {
		const struct pair_side *a = &k->v[i].side[SIDE_A], *b = &k->v[i].side[SIDE_B];
		double ratio, weight = (double)(a->ns[BUDGET_STEPS] + b->ns[BUDGET_STEPS]);

		if (!a->calls[BUDGET_STEPS] || !b->calls[BUDGET_STEPS])
			continue;
		ratio = (double)b->calls[BUDGET_STEPS] / (double)units[SIDE_B] /
		        ((double)a->calls[BUDGET_STEPS] / (double)units[SIDE_A]);
		all += weight;
		same += ratio > 0.75 && ratio < 1.5 ? weight : 0;
	}
	return same >= all / 2;
}

/* Can steps decide?  Otherwise why not, in *why. */
static bool have_steps(const struct pairs *k, const struct digest **whose, const char **why)
{
	enum digest_steps how = k->runs[0].steps;

	for (size_t r = 0; r < k->nruns; r++) {
		*whose = &k->runs[r];
		*why = "it has no steps";
		if (!k->runs[r].nsteps)
			return false;
		/* Of a few that were asked for by name there is at least their mean. */
		*why = "it has too few steps to test";
		if (k->nruns == 2 && k->runs[r].nsteps < SIG_SERIES_LEAST && k->o->on == ON_AUTO)
			return false;
		*why = "its steps are found in another way than those of the first run";
		if (k->runs[r].steps != how)
			return false;
	}
	*whose = NULL;
	*why = "the steps of the sides are of different length, counted in kernels";
	return how == STEPS_MARKER || same_unit(k);
}

static enum status choose(struct decision *d, const struct pairs *k, struct report *rep)
{
	const struct digest *whose, *statistics = NULL;
	const char *why;
	bool steps = have_steps(k, &whose, &why);

	for (size_t r = 0; r < k->nruns; r++)
		if (k->runs[r].statistics)
			statistics = &k->runs[r];
	d->on = k->o->on;
	if (d->on == ON_AUTO)
		d->on = statistics ? ON_KERNEL : steps ? ON_STEPS : ON_WINDOW;
	if (d->on == ON_STEPS && !steps) {
		report_add(rep, SEV_ERROR, whose ? whose->path : NULL, 0,
		           "--on steps cannot decide: %s", why);
		return ST_END;
	}
	if (d->on == ON_WINDOW && statistics) {
		report_add(rep, SEV_ERROR, statistics->path, 0,
		           "--on window cannot decide: statistics do not record when kernels ran");
		return ST_END;
	}
	if (k->o->on == ON_AUTO && d->on == ON_KERNEL)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "statistics files hold no times of steps or of the run: judged kernel "
		           "by kernel, by means and deviations (Welch's t)");
	if (k->o->on == ON_AUTO && d->on == ON_WINDOW && (k->runs[0].nsteps || !whose))
		report_add(rep, SEV_NOTE, whose ? whose->path : NULL, 0, "steps do not decide: %s",
		           why);
	d->of = d->on == ON_STEPS ? BUDGET_STEPS : BUDGET_WINDOW;
	return ST_OK;
}

/* ---- its values ---- */

/* False when a time fits nowhere: differences have a sign. */
static bool sum_up(struct decision *d, const struct pairs *k)
{
	bool fits = true;

	for (size_t r = 0; r < k->nruns; r++) {
		const struct digest *run = &k->runs[r];
		size_t s = pair_side_of(k, r);

		d->sum[s] += d->on == ON_KERNEL ? 0 : run->sum[d->of].window;
		d->units[s] += d->on == ON_KERNEL ? 1 : run->sum[d->of].units;
	}
	if (d->on == ON_KERNEL)
		memcpy(d->sum, k->total, sizeof d->sum);
	for (int s = 0; s < SIDES; s++) {
		u128 ns = d->units[s] ? (d->sum[s] + d->units[s] / 2) / d->units[s] : 0;

		fits &= ns <= INT64_MAX;
		d->ns[s] = (uint64_t)ns;
	}
	d->change = d->sum[SIDE_A]
	                    ? (double)d->sum[SIDE_B] / (double)d->units[SIDE_B] /
	                                      ((double)d->sum[SIDE_A] / (double)d->units[SIDE_A]) -
	                              1
	                    : 0;
	d->floor = diff_floor(k->o, (double)(d->ns[0] < d->ns[1] ? d->ns[0] : d->ns[1]));
	return fits;
}

/* The mean of each run of a side. */
static size_t run_values(const struct decision *d, const struct pairs *k, size_t side, double *v)
{
	size_t n = 0;

	for (size_t r = 0; r < k->nruns; r++)
		if (pair_side_of(k, r) == side && k->runs[r].sum[d->of].units)
			v[n++] = (double)k->runs[r].sum[d->of].window /
			         (double)k->runs[r].sum[d->of].units;
	return n;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

/* Median of the distances from the median; v is overwritten. */
static double mad_of(double *v, size_t n)
{
	double median = median_of(v, n);

	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - median);
	return median_of(v, n);
}

/* Values that are too few to test: as far apart as three deviations of both, where one has a
 * deviation; a side measured once is taken to be as noisy as the other. */
static bool is_far(const struct decision *d, double *x, double *y)
{
	double dx = d->n[0] > 1 ? mad_of(x, d->n[0]) : 0, dy = d->n[1] > 1 ? mad_of(y, d->n[1]) : 0;

	dx = d->n[0] > 1 ? dx : dy;
	dy = d->n[1] > 1 ? dy : dx;
	return fabs((double)decision_delta(d)) >
	       DEVIATIONS * MAD_TO_DEVIATION * sqrt(dx * dx + dy * dy);
}

static double size_of_change(const struct decision *d)
{
	return d->change < 0 ? 1 / (1 + d->change) - 1 : d->change;
}

static enum verdict judge(struct decision *d, const struct diff_opts *o, double *x, double *y)
{
	double size = size_of_change(d);
	enum verdict way = d->change > 0 ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;

	if (!(size > d->floor))
		return VERDICT_NEUTRAL;
	if (d->test.test != SIG_NONE)
		return d->test.found && d->test.sign == (d->change > 0 ? -1 : 1)
		               ? way
		               : VERDICT_INCONCLUSIVE;
	d->few = true;
	return size > d->floor * (o->floor < 0 ? SIG_ONCE : 1) && is_far(d, x, y)
	               ? way
	               : VERDICT_INCONCLUSIVE;
}

static bool by_time(struct decision *d, const struct pairs *k)
{
	bool several = k->nruns > 2, series = !several && d->on == ON_STEPS;
	size_t most[SIDES] = { several ? k->na : 1, several ? k->nruns - k->na : 1 };
	double *v[SIDES] = { NULL, NULL };
	bool ok = true;

	for (int s = 0; ok && s < SIDES; s++) {
		most[s] = series ? k->runs[s].nsteps : most[s];
		v[s] = malloc((most[s] + 1) * sizeof *v[s]);
		ok = v[s] != NULL;
		if (ok && series)
			memcpy(v[s], k->runs[s].step, most[s] * sizeof *v[s]);
		d->n[s] = !ok ? 0 : series ? most[s] : run_values(d, k, (size_t)s, v[s]);
	}
	ok = ok && sig_compare(v[0], d->n[0], v[1], d->n[1], SIG_MEANS | (series ? SIG_SERIES : 0u),
	                       k->o->alpha, &d->test);
	if (ok)
		d->verdict = judge(d, k->o, v[0], v[1]);
	d->excess = d->change;
	free(v[0]);
	free(v[1]);
	return ok;
}

/* ---- kernel by kernel ---- */

/* What is sure of a kernel's difference: that of the calls, which are counted, and that of their
 * durations where it is beyond noise. */
static double established(const struct pair *p)
{
	struct effects e = effects_of(p);

	return (double)e.calls + (p->significant ? (double)e.mean : 0);
}

static void count_kernel(struct decision *d, const struct pair *p)
{
	d->tested += p->test.test != SIG_NONE;
	d->added += !p->side[SIDE_A].runs;
	d->removed += !p->side[SIDE_B].runs;
	d->slower += p->significant && p->change > 0;
	d->faster += p->significant && p->change < 0;
	if (p->significant && p->change > d->excess)
		d->excess = p->change;
}

static void by_kernel(struct decision *d, const struct pairs *k)
{
	double sum = 0, calls = 0, most = 0, total = (double)d->sum[SIDE_A];

	for (size_t i = 0; i < k->n; i++) {
		const struct pair *p = &k->v[i];
		double effect = established(p);

		count_kernel(d, p);
		sum += effect;
		calls += (double)effects_of(p).calls;
		if (fabs(effect) > most) {
			d->most = p;
			most = fabs(effect);
		}
	}
	if (total > 0 && sum / total > d->excess)
		d->excess = sum / total;
	if (d->slower || d->faster || fabs(calls) > d->floor * total)
		d->verdict = sum > 0 ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
	else
		d->verdict = d->tested ? VERDICT_NEUTRAL : VERDICT_INCONCLUSIVE;
	if (d->most && d->most->significant) {
		d->test = d->most->test;
		memcpy(d->n, d->most->n, sizeof d->n);
	}
}

enum status decide(struct decision *d, const struct pairs *kernels, struct report *rep)
{
	enum status st;

	*d = (struct decision) { .test.p = 1 };
	st = choose(d, kernels, rep);
	if (st != ST_OK)
		return st;
	if (!sum_up(d, kernels)) {
		report_add(rep, SEV_ERROR, NULL, 0,
		           "the times of a side add up to more than 292 years");
		return ST_END;
	}
	if (d->on != ON_KERNEL)
		return by_time(d, kernels) ? ST_OK : ST_FATAL;
	by_kernel(d, kernels);
	return ST_OK;
}
