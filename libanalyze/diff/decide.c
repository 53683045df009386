/* SPDX-License-Identifier: MIT */
#include "diff/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tm_diff_on_words[] = { "steps", "window", "kernel", NULL };
const char *const tm_verdict_words[] = { [TM_VERDICT_INCONCLUSIVE] = "inconclusive",
	                                 [TM_VERDICT_REGRESSION] = "regression",
	                                 [TM_VERDICT_IMPROVEMENT] = "improvement",
	                                 [TM_VERDICT_NEUTRAL] = "neutral" };

/* What is measured less often than this by hand is no sample. */
#define DEVIATIONS       3
#define MAD_TO_DEVIATION 1.4826 /* of a normal distribution */

/* ---- what decides ---- */

#define MORE_OFTEN 1.5 /* a kernel in a step of the same program */

/* How often a kernel runs in a step of the run where that is most, over that of the run where it is
 * least, of all that run it. */
static double spread_of(const struct tm_pairs *k, const struct tm_pair *p)
{
	double least = INFINITY, most = 0;

	for (size_t m = p->first, next; m != SIZE_MAX; m = next) {
		const struct tm_digest *run = &k->runs[k->member[m].run];
		uint64_t calls = 0;
		double often;

		/* Members are in the order of their runs. */
		for (next = m; next != SIZE_MAX && k->member[next].run == k->member[m].run;
		     next = k->member[next].next)
			calls += run->v[k->member[next].at].use.calls[TM_BUDGET_STEPS];
		if (!calls)
			continue;
		often = (double)calls / (double)run->sum[TM_BUDGET_STEPS].units;
		least = fmin(least, often);
		most = fmax(most, often);
	}
	return most / least;
}

/* Do the repeats of all runs hold the same work?  A sequence may be found twice as long in one:
 * then most kernels run twice as often in a step. */
static bool same_unit(const struct tm_pairs *k)
{
	double same = 0, all = 0;

	for (size_t i = 0; i < k->n; i++) {
		const struct tm_pair_side *a = &k->v[i].side[TM_SIDE_A],
		                          *b = &k->v[i].side[TM_SIDE_B];
		double weight = (double)(a->ns[TM_BUDGET_STEPS] + b->ns[TM_BUDGET_STEPS]);

		if (!a->calls[TM_BUDGET_STEPS] || !b->calls[TM_BUDGET_STEPS])
			continue;
		all += weight;
		same += spread_of(k, &k->v[i]) < MORE_OFTEN ? weight : 0;
	}
	return same >= all / 2;
}

/* Can steps decide?  Otherwise why not, in *why. */
static bool have_steps(const struct tm_pairs *k, const struct tm_digest **whose, const char **why)
{
	enum tm_digest_steps how = k->runs[0].steps;

	for (size_t r = 0; r < k->nruns; r++) {
		*whose = &k->runs[r];
		*why = "it has no steps";
		if (!k->runs[r].nsteps)
			return false;
		/* Of a few that were asked for by name there is at least their mean. */
		*why = "it has too few steps to test";
		if (k->runs[r].nsteps < TM_SIG_SERIES_LEAST && k->o->on == TM_ON_AUTO)
			return false;
		*why = "its steps are found differently than those of the first run";
		if (k->runs[r].steps != how)
			return false;
		*why = "its steps cover more or fewer ranks than in the first run";
		if (k->runs[r].step_ranks != k->runs[0].step_ranks)
			return false;
	}
	*whose = NULL;
	*why = "the steps of the runs differ in length, counted in kernels";
	return how == TM_STEPS_MARKER || same_unit(k);
}

static enum tm_status choose(struct tm_decision *d, const struct tm_pairs *k, struct tm_report *rep)
{
	const struct tm_digest *whose, *statistics = NULL;
	const char *why;
	bool steps = have_steps(k, &whose, &why);

	for (size_t r = 0; r < k->nruns; r++)
		if (k->runs[r].statistics)
			statistics = &k->runs[r];
	d->on = k->o->on;
	if (d->on == TM_ON_AUTO)
		d->on = statistics ? TM_ON_KERNEL : steps ? TM_ON_STEPS : TM_ON_WINDOW;
	if (d->on == TM_ON_STEPS && !steps) {
		tm_report_add(rep, TM_SEV_ERROR, whose ? whose->path : NULL, 0,
		              "--on steps cannot decide: %s", why);
		return TM_ST_END;
	}
	if (d->on == TM_ON_WINDOW && statistics) {
		tm_report_add(
		        rep, TM_SEV_ERROR, statistics->path, 0,
		        "--on window cannot decide: statistics do not record when kernels ran");
		return TM_ST_END;
	}
	if (k->o->on == TM_ON_AUTO && d->on == TM_ON_KERNEL)
		tm_report_add(
		        rep, TM_SEV_NOTE, NULL, 0,
		        "statistics and totals have no times of steps or of the run: judged per "
		        "kernel, by means and deviations (Welch's t)");
	if (k->o->on == TM_ON_AUTO && d->on == TM_ON_WINDOW && (k->runs[0].nsteps || !whose))
		tm_report_add(rep, TM_SEV_NOTE, whose ? whose->path : NULL, 0,
		              "steps do not decide: %s", why);
	if (k->o->skips && d->on != TM_ON_STEPS)
		tm_report_add(rep, TM_SEV_WARN, NULL, 0,
		              "--skip has no effect: steps do not decide");
	d->of = d->on == TM_ON_STEPS ? TM_BUDGET_STEPS : TM_BUDGET_WINDOW;
	return TM_ST_OK;
}

/* ---- its values ---- */

/* False when a time fits nowhere: differences have a sign. */
static bool sum_up(struct tm_decision *d, const struct tm_pairs *k)
{
	bool fits = true;

	for (size_t r = 0; r < k->nruns; r++) {
		const struct tm_digest *run = &k->runs[r];
		size_t s = tm_pair_side_of(k, r);

		d->sum[s] += d->on == TM_ON_KERNEL ? 0 : run->sum[d->of].window;
		d->units[s] += d->on == TM_ON_KERNEL ? 1 : run->sum[d->of].units;
	}
	if (d->on == TM_ON_KERNEL)
		memcpy(d->sum, k->total, sizeof d->sum);
	for (int s = 0; s < TM_SIDES; s++) {
		tm_u128 ns = d->units[s] ? (d->sum[s] + d->units[s] / 2) / d->units[s] : 0;

		fits &= ns <= INT64_MAX;
		d->ns[s] = (uint64_t)ns;
	}
	d->change = d->sum[TM_SIDE_A] ? (double)d->sum[TM_SIDE_B] / (double)d->units[TM_SIDE_B] /
	                                                ((double)d->sum[TM_SIDE_A] /
	                                                 (double)d->units[TM_SIDE_A]) -
	                                        1
	                              : 0;
	d->floor = tm_diff_floor(k->o, (double)(d->ns[0] < d->ns[1] ? d->ns[0] : d->ns[1]));
	return fits;
}

/* The mean of each run of a side. */
static size_t run_values(const struct tm_decision *d, const struct tm_pairs *k, size_t side,
                         double *v)
{
	size_t n = 0;

	for (size_t r = 0; r < k->nruns; r++)
		if (tm_pair_side_of(k, r) == side && k->runs[r].sum[d->of].units)
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
static bool is_far(const struct tm_decision *d, double *x, double *y)
{
	double dx = d->n[0] > 1 ? mad_of(x, d->n[0]) : 0, dy = d->n[1] > 1 ? mad_of(y, d->n[1]) : 0;

	dx = d->n[0] > 1 ? dx : dy;
	dy = d->n[1] > 1 ? dy : dx;
	return fabs((double)tm_decision_delta(d)) >
	       DEVIATIONS * MAD_TO_DEVIATION * sqrt(dx * dx + dy * dy);
}

/* A few steps that follow each other are close to each other in noise, too, and far from those of
 * another run.  Runs do not follow each other like that. */
#define STEPS_APART 10

/* Values of which too few are independent to be told from noise, at least so many of each side: the
 * sides are more than so many times as far apart as the values of either. */
static bool is_apart(const struct tm_decision *d, const double *x, const double *y, size_t fewest)
{
	double least[TM_SIDES], most[TM_SIDES], widest = 0;

	for (int s = 0; s < TM_SIDES; s++) {
		const double *v = s == TM_SIDE_A ? x : y;

		if (d->n[s] < fewest)
			return false;
		least[s] = most[s] = v[0];
		for (size_t i = 1; i < d->n[s]; i++) {
			least[s] = fmin(least[s], v[i]);
			most[s] = fmax(most[s], v[i]);
		}
		widest = fmax(widest, most[s] - least[s]);
	}
	return fmax(least[TM_SIDE_B] - most[TM_SIDE_A], least[TM_SIDE_A] - most[TM_SIDE_B]) >
	       DEVIATIONS * widest;
}

static enum tm_verdict judge(struct tm_decision *d, const struct tm_diff_opts *o, double *x,
                             double *y, bool series)
{
	const double size = tm_decision_size(d);
	const bool large = tm_sig_above(size, d->floor * (o->floor < 0 ? TM_SIG_ONCE : 1));
	enum tm_verdict way = d->change > 0 ? TM_VERDICT_REGRESSION : TM_VERDICT_IMPROVEMENT;

	if (!tm_sig_above(size, d->floor))
		return TM_VERDICT_NEUTRAL;
	if (d->test.test == TM_SIG_NONE) {
		d->few = true;
		return large && is_far(d, x, y) ? way : TM_VERDICT_INCONCLUSIVE;
	}
	if (d->test.found && d->test.sign == (d->change > 0 ? -1 : 1))
		return way;
	d->apart = large && is_apart(d, x, y, series ? STEPS_APART : TM_SIG_SERIES_LEAST);
	return d->apart ? way : TM_VERDICT_INCONCLUSIVE;
}

/* A run of B counts as `length` runs as long as A. */
static bool by_time(struct tm_decision *d, const struct tm_pairs *k, double length)
{
	bool several = k->nruns > 2, series = !several && d->on == TM_ON_STEPS;
	size_t most[TM_SIDES] = { several ? k->na : 1, several ? k->nruns - k->na : 1 };
	double *v[TM_SIDES] = { NULL, NULL };
	bool ok = true;

	for (int s = 0; ok && s < TM_SIDES; s++) {
		most[s] = series ? k->runs[s].nsteps : most[s];
		v[s] = malloc((most[s] + 1) * sizeof *v[s]);
		ok = v[s] != NULL;
		if (ok && series)
			memcpy(v[s], k->runs[s].step, most[s] * sizeof *v[s]);
		d->n[s] = !ok ? 0 : series ? most[s] : run_values(d, k, (size_t)s, v[s]);
	}
	for (size_t i = 0; ok && i < d->n[TM_SIDE_B]; i++)
		v[TM_SIDE_B][i] /= length;
	ok = ok &&
	     tm_sig_compare(v[0], d->n[0], v[1], d->n[1],
	                    TM_SIG_MEANS | (series ? TM_SIG_SERIES : 0u), k->o->alpha, 1, &d->test);
	if (ok)
		d->verdict = judge(d, k->o, v[0], v[1], series);
	d->excess = d->change;
	free(v[0]);
	free(v[1]);
	return ok;
}

/* What the window of B would be if it was as long a run as A. */
static struct tm_decision scaled(const struct tm_decision *d, const struct tm_pairs *k,
                                 double length)
{
	struct tm_decision s = *d;
	double ns = (double)d->ns[TM_SIDE_B] / length;

	s.ns[TM_SIDE_B] = ns < 0x1p63 ? (uint64_t)(ns + 0.5) : INT64_MAX;
	s.change = (1 + d->change) / length - 1;
	s.floor = tm_diff_floor(k->o, fmin((double)s.ns[TM_SIDE_A], ns));
	return s;
}

/* Whoever asks for the window says that both runs do the same work. */
static bool by_window(struct tm_decision *d, const struct tm_pairs *k)
{
	if (k->o->same_work)
		return by_time(d, k, 1);
	if (!tm_length_find(&d->length, k, d->units, d->floor) || !by_time(d, k, 1))
		return false;
	for (size_t i = 0; i < TM_LENGTHS && d->length.times[i] > 0; i++) {
		struct tm_decision s = scaled(d, k, d->length.times[i]);

		if (!by_time(&s, k, d->length.times[i]))
			return false;
		d->excess = fmin(d->excess, s.excess);
		if (s.verdict != d->verdict)
			d->verdict = TM_VERDICT_INCONCLUSIVE;
	}
	return true;
}

/* ---- kernel by kernel ---- */

/* How much longer the longer time is, as a share of the shorter. */
static double size_of(double a, double b)
{
	double low = a < b ? a : b;

	return low > 0 ? fabs(b - a) / low : a != b ? INFINITY : 0;
}

/* What is sure of a kernel's difference: the calls are counted; their durations are known to differ
 * where the test says so, and say more only where their mean went the way that the test found, for
 * a single outlier may turn it. */
struct sure {
	double calls, all;
	bool mean;
	bool kept;    /* more or fewer calls do not take that back */
	double share; /* ... but for this, the change of a typical call at most */
};

static struct sure sure_of(const struct tm_decision *d, const struct tm_pair *p,
                           const uint64_t runs[TM_SIDES])
{
	const struct tm_moments *a = &p->side[TM_SIDE_A].m, *b = &p->side[TM_SIDE_B].m;
	struct tm_effects e = tm_effects_of(p, runs);
	double delta = (double)(e.calls + e.mean), was, is;
	const bool slower = p->change > 0;
	struct sure s = { .calls = delta, .all = delta, .kept = true, .share = fabs(p->change) };

	if (!a->n || !b->n)
		return s;
	was = (double)a->sum / (double)a->n;
	is = (double)b->sum / (double)b->n;
	/* At the shorter mean, so that B against A says what A against B does. */
	s.calls = ((double)b->n / (double)runs[TM_SIDE_B] -
	           (double)a->n / (double)runs[TM_SIDE_A]) *
	          fmin(was, is);
	s.mean = p->significant && (slower ? is > was : is < was);
	s.all = s.mean ? delta : s.calls;
	if (slower ? s.calls >= 0 : s.calls <= 0)
		return s;
	/* Half as many calls that take twice as long each are the same work in larger pieces. */
	s.share = fmin(s.share, size_of((double)a->sum / (double)runs[TM_SIDE_A],
	                                (double)b->sum / (double)runs[TM_SIDE_B]));
	s.kept = (slower ? delta > 0 : delta < 0) && tm_sig_above(s.share, d->floor);
	return s;
}

static void count_kernel(struct tm_decision *d, const struct tm_pair *p)
{
	d->tested += p->test.test != TM_SIG_NONE;
	d->added += !p->side[TM_SIDE_A].runs;
	d->removed += !p->side[TM_SIDE_B].runs;
	d->slower += p->significant && p->change > 0;
	d->faster += p->significant && p->change < 0;
}

/* All kernels of a run together, or what of them a call of one kernel stands for. */
struct together {
	double ns[TM_SIDES];
	double sum, calls; /* of the difference: what is sure, and because of their number */
	bool shown[2];     /* is a kernel surely slower, surely faster? */
	double longer;     /* by what share is a slower one, at most? */
};

static struct together add_up(const struct tm_decision *d, const struct tm_pairs *k,
                              const uint64_t units[TM_SIDES])
{
	struct together t = { 0 };

	for (size_t i = 0; i < k->n; i++) {
		const struct tm_pair *p = &k->v[i];
		struct sure s = sure_of(d, p, units);

		t.shown[p->change < 0] |= s.mean && s.kept;
		if (p->significant && p->change > 0 && s.kept && isfinite(s.share))
			t.longer = fmax(t.longer, s.share);
		t.sum += s.all;
		t.calls += s.calls;
	}
	for (int s = 0; s < TM_SIDES; s++)
		t.ns[s] = (double)d->sum[s] / (double)units[s];
	return t;
}

static enum tm_verdict judge_kernels(const struct tm_decision *d, const struct together *t)
{
	double total = t->ns[TM_SIDE_B] - t->ns[TM_SIDE_A],
	       low = fmin(t->ns[TM_SIDE_A], t->ns[TM_SIDE_B]);
	bool large = tm_sig_above(size_of(t->ns[TM_SIDE_A], t->ns[TM_SIDE_B]), d->floor);
	bool by_calls = large && t->calls * t->sum > 0 &&
	                tm_sig_above(fabs(t->calls) / low, d->floor);

	if (t->sum * total > 0 && (t->shown[t->sum < 0] || by_calls))
		return t->sum > 0 ? TM_VERDICT_REGRESSION : TM_VERDICT_IMPROVEMENT;
	return large || d->slower || d->faster || !d->tested ? TM_VERDICT_INCONCLUSIVE
	                                                     : TM_VERDICT_NEUTRAL;
}

/* By what share all kernels together are surely slower. */
static double excess_of(const struct together *t)
{
	double a = t->ns[TM_SIDE_A];

	return a > 0 ? fmin(t->sum, t->ns[TM_SIDE_B] - a) / a : 0;
}

static bool by_kernel(struct tm_decision *d, const struct tm_pairs *k)
{
	struct together t = add_up(d, k, d->units);
	double most = 0;

	for (size_t i = 0; i < k->n; i++) {
		double all = fabs(sure_of(d, &k->v[i], d->units).all);

		count_kernel(d, &k->v[i]);
		d->most = all > most ? &k->v[i] : d->most;
		most = fmax(most, all);
	}
	d->verdict = judge_kernels(d, &t);
	d->together = excess_of(&t);
	d->excess = t.longer;
	if (!tm_length_find(&d->length, k, d->units, d->floor))
		return false;
	for (size_t i = 0; i < TM_LENGTHS && d->length.times[i] > 0; i++) {
		const struct tm_pair_side *side = d->length.pair[i]->side;

		/* As long as A, what would it be?  Nobody knows how long it is. */
		t = add_up(d, k, (const uint64_t[]) { side[TM_SIDE_A].m.n, side[TM_SIDE_B].m.n });
		d->together = fmin(d->together, excess_of(&t));
		d->excess = fmin(d->excess, t.longer);
		if (judge_kernels(d, &t) != d->verdict)
			d->verdict = TM_VERDICT_INCONCLUSIVE;
	}
	d->excess = fmax(d->excess, d->together);
	if (d->most && d->most->significant) {
		d->test = d->most->test;
		memcpy(d->n, d->most->n, sizeof d->n);
	}
	return true;
}

enum tm_status tm_decide(struct tm_decision *d, const struct tm_pairs *kernels,
                         struct tm_report *rep)
{
	enum tm_status st;

	*d = (struct tm_decision) { .test.p = 1 };
	st = choose(d, kernels, rep);
	if (st != TM_ST_OK)
		return st;
	if (!sum_up(d, kernels)) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "the times of a side add up to more than 292 years");
		return TM_ST_END;
	}
	return (d->on == TM_ON_KERNEL   ? by_kernel(d, kernels)
	        : d->on == TM_ON_WINDOW ? by_window(d, kernels)
	                                : by_time(d, kernels, 1))
	               ? TM_ST_OK
	               : TM_ST_FATAL;
}
