/* SPDX-License-Identifier: MIT */
#include "agg/significance.h"

#include "base/base.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- distributions ---- */

double tm_sig_normal(double z)
{
	double p = erfc(z / sqrt(2));

	return p < 1 ? p : 1;
}

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int i = 1; i < 100000; i++) {
		double m = i,
		       step[2] = { m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
			           -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) };
		double last = f;

		for (int k = 0; k < 2; k++) {
			d = 1 + step[k] * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + step[k] / c;
			c = fabs(c) < tiny ? tiny : c;
			f *= d * c;
		}
		if (fabs(f - last) <= 1e-15 * fabs(f))
			break;
	}
	return f;
}

/* The regularised incomplete beta function. */
static double beta_share(double x, double a, double b)
{
	int sign;
	double front;

	if (!(x > 0))
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) +
	            b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double tm_sig_student(double t, double df)
{
	/* Beyond, the two differ by less than 1e-8. */
	if (df > 1e7)
		return tm_sig_normal(fabs(t));
	if (!isfinite(t))
		return 0;
	return beta_share(df / (df + t * t), df / 2, 0.5);
}

/* ---- ranks ---- */

/* Twice the mean rank of each value among all of both samples, from 1: whole numbers. */
struct ranks {
	size_t n[2];
	double *rank[2]; /* in the order of the values; rank[0] is the block that was allocated */
	tm_u128 sum;     /* of the first sample's */
	tm_u128 ties;    /* sum of t^3 - t over runs of t equal values */
	double median[2];
};

/* A value as a number that sorts like it, and whose it is. */
struct item {
	uint64_t key;
	size_t at;
};

static uint64_t sort_key(double v)
{
	uint64_t bits;

	v = v == 0 ? 0 : v; /* no negative zero */
	memcpy(&bits, &v, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Sort by key, stable, byte by byte; bytes in which no key differs cost nothing.  v and w have n
 * items each; returns which of them holds the result. */
static struct item *sort_items(struct item *v, struct item *w, size_t n)
{
	size_t count[8][256] = { { 0 } };

	for (size_t i = 0; i < n; i++)
		for (int b = 0; b < 8; b++)
			count[b][v[i].key >> 8 * b & 255]++;
	for (int b = 0; b < 8; b++) {
		size_t *c = count[b], sum = 0;
		struct item *swap = v;

		if (n == 0 || c[v[0].key >> 8 * b & 255] == n)
			continue;
		for (int k = 0; k < 256; k++) {
			size_t here = c[k];

			c[k] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			w[c[v[i].key >> 8 * b & 255]++] = v[i];
		v = w;
		w = swap;
	}
	return v;
}

/* The middle ones of each sample, of all in order; v[side] is in the order of the items. */
static void find_medians(struct ranks *r, const struct item *s, const double *const v[2])
{
	size_t seen[2] = { 0, 0 };

	for (size_t i = 0; i < r->n[0] + r->n[1]; i++) {
		size_t side = s[i].at >= r->n[0], k = seen[side]++;
		double value = v[side][s[i].at - (side ? r->n[0] : 0)];

		if (k == (r->n[side] - 1) / 2)
			r->median[side] = value;
		if (k == r->n[side] / 2)
			r->median[side] += (value - r->median[side]) / 2;
	}
}

static bool ranks_make(struct ranks *r, const double *x, size_t n, const double *y, size_t m)
{
	size_t all = n + m;
	struct item *v = malloc((2 * all + 1) * sizeof *v), *s;

	*r = (struct ranks) { .n = { n, m } };
	r->rank[0] = malloc((all + 1) * sizeof *r->rank[0]);
	if (!v || !r->rank[0]) {
		free(v);
		free(r->rank[0]);
		return false;
	}
	r->rank[1] = r->rank[0] + n;
	for (size_t i = 0; i < all; i++)
		v[i] = (struct item) { sort_key(i < n ? x[i] : y[i - n]), i };
	s = sort_items(v, v + all, all);
	for (size_t i = 0, end; i < all; i = end) {
		tm_u128 t;

		for (end = i + 1; end < all && s[end].key == s[i].key;)
			end++;
		t = end - i;
		r->ties += t * t * t - t;
		for (size_t k = i; k < end; k++) {
			r->rank[0][s[k].at] = (double)(i + end + 1);
			r->sum += s[k].at < n ? i + end + 1 : 0;
		}
	}
	find_medians(r, s, (const double *const[]) { x, y });
	free(v);
	return true;
}

static void ranks_fini(struct ranks *r)
{
	free(r->rank[0]);
	*r = (struct ranks) { 0 };
}

/* ---- U ---- */

/* U as a whole number of halves, at its mean, and its deviation, in halves too. */
struct u_stat {
	double u, mean, deviation;
};

static struct u_stat u_of(const struct ranks *r)
{
	double n = (double)r->n[0], m = (double)r->n[1];
	tm_u128 all = (tm_u128)r->n[0] + r->n[1];
	/* n m / 12 (N + 1 - ties / (N (N - 1))), its difference exact. */
	tm_u128 left = all * all * all - all - r->ties;
	struct u_stat s = { .u = (double)(r->sum - (tm_u128)r->n[0] * (r->n[0] + (tm_u128)1)),
		            .mean = n * m };

	s.deviation = all > 1 ? 2 * sqrt(n * m / 12 * ((double)left / (double)(all * (all - 1))))
	                      : 0;
	return s;
}

static double z_of(const struct u_stat *s, double distance)
{
	return s->deviation > 0 ? (distance - 1) / s->deviation : 0;
}

/* Share of the arrangements of n and m values without ties, n <= m, whose U is at most u, a whole
 * number: coefficients of the Gaussian binomial, product of (1 - q^(m+i)) / (1 - q^i).  Negative
 * when out of memory. */
static double share_below(size_t n, size_t m, size_t u)
{
	double *c = calloc(u + 1, sizeof *c), sum = 0, all = 1;

	if (!c)
		return -1;
	c[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t k = u; k >= m + i; k--)
			c[k] -= c[k - m - i];
		for (size_t k = i; k <= u; k++)
			c[k] += c[k - i];
		all *= (double)(m + i) / (double)i;
	}
	for (size_t k = 0; k <= u; k++)
		sum += c[k];
	free(c);
	return sum / all;
}

static bool is_exact(const struct ranks *r)
{
	size_t least = r->n[r->n[1] < r->n[0]], most = r->n[r->n[1] >= r->n[0]];

	return r->ties == 0 && least <= TM_SIG_EXACT && most <= TM_SIG_EXACT_MOST;
}

/* p of a U that is so far from its mean (in halves).  Negative when out of memory. */
static double u_p(const struct ranks *r, const struct u_stat *s, double distance)
{
	size_t least = r->n[r->n[1] < r->n[0]], most = r->n[r->n[1] >= r->n[0]];
	double p;

	if (!is_exact(r))
		return tm_sig_normal(z_of(s, distance));
	p = 2 * share_below(least, most, (size_t)((s->mean - distance) / 2));
	return p < 1 ? p : 1;
}

/* U of the ranks.  False when out of memory. */
static bool u_test(const struct ranks *r, const struct u_stat *s, struct tm_significance *out)
{
	*out = (struct tm_significance) { .p = 1,
		                          .u = s->u / 2,
		                          .sign = (s->u > s->mean) - (s->u < s->mean),
		                          .effective = { (double)r->n[0], (double)r->n[1] },
		                          .median = { r->median[0], r->median[1] } };
	if (!r->n[0] || !r->n[1] || !(s->deviation > 0))
		return true;
	out->test = is_exact(r) ? TM_SIG_U_EXACT : TM_SIG_U_NORMAL;
	out->p = u_p(r, s, fabs(s->u - s->mean));
	return !(out->p < 0);
}

bool tm_sig_u(const double *x, size_t n, const double *y, size_t m, struct tm_significance *out)
{
	struct ranks r;
	struct u_stat s;
	bool ok;

	if (!ranks_make(&r, x, n, y, m))
		return false;
	s = u_of(&r);
	ok = u_test(&r, &s, out);
	ranks_fini(&r);
	return ok;
}

/* ---- means ---- */

struct tm_sig_moments tm_sig_moments_of(const double *v, size_t n)
{
	struct tm_sig_moments s = { .n = (double)n };
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	s.mean = n ? sum / s.n : 0;
	for (size_t i = 0; i < n; i++)
		s.variance += (v[i] - s.mean) * (v[i] - s.mean);
	s.variance = n > 1 ? s.variance / (s.n - 1) : 0;
	return s;
}

static double welch_df(struct tm_sig_moments x, struct tm_sig_moments y)
{
	double a = x.variance / x.n, b = y.variance / y.n;

	return (a + b) * (a + b) / (a * a / (x.n - 1) + b * b / (y.n - 1));
}

struct tm_significance tm_sig_welch(struct tm_sig_moments x, struct tm_sig_moments y)
{
	struct tm_significance out = { .p = 1, .effective = { x.n, y.n } };
	double a = x.variance / x.n, b = y.variance / y.n;

	if (!(x.n >= 2) || !(y.n >= 2) || !(a + b > 0) || !isfinite(a + b))
		return out;
	out.test = TM_SIG_WELCH;
	out.sign = (x.mean > y.mean) - (x.mean < y.mean);
	out.p = tm_sig_student((x.mean - y.mean) / sqrt(a + b), welch_df(x, y));
	return out;
}

/* ---- values that follow each other ---- */

/* What the order of the values tells, of both samples together. */
struct series {
	double inflation; /* variance of the difference of the means, over what it would be without
	                   * dependence; at least 1, infinite where nothing is known */
	double correlation;  /* with the value before, 0 to 1 */
	double values;       /* that it is known from */
	double effective[2]; /* so many independent values would know a mean as well */
	bool shown; /* chance makes values that do not depend on each other look so less than once
	             * in 1000 times */
	double p, best; /* of U, and of samples of which each value of one is above all of the
	                 * other; 0 where nothing is inflated */
};

/* n times the variance of the mean of n values of variance 1, of which two that are k apart have
 * the correlation r^k: from 1, without correlation, to n. */
static double variance_of_mean(double n, double r)
{
	return (1 + r) / (1 - r) - 2 * r * (1 - pow(r, n)) / (n * (1 - r) * (1 - r));
}

/* Of both samples, or of those that vary. */
struct lags {
	double samples, n, df;
	double squares; /* distances from the mean of the own sample */
	double product; /* those of neighbors, over the variance of the sample */
};

static void add_lags(struct lags *l, const double *v, size_t n)
{
	struct tm_sig_moments all = tm_sig_moments_of(v, n);
	double product = 0;

	if (!(all.variance > 0))
		return;
	for (size_t i = 1; i < n; i++)
		product += (v[i] - all.mean) * (v[i - 1] - all.mean);
	l->samples++;
	l->n += all.n;
	l->df += all.n - 1;
	l->squares += all.variance * (all.n - 1);
	l->product += product / all.variance;
}

/* Around a mean that is estimated, n values look less correlated than they are, by (1 + 4 r) / n
 * (Marriott and Pope 1954). */
static double correlation_of(const struct lags *l)
{
	double bias = l->samples / l->n;
	double r = (l->product / l->df + bias) / fmax(1 - 4 * bias, 0.5);

	return r < 0 ? 0 : r < 1 ? r : 1;
}

/* The samples have n[] values; `variance` is what that of these is over what it would be without
 * dependence. */
static struct series series_at(const struct lags *l, const double n[2], double variance)
{
	const double z = 3.0902; /* of a normal distribution, one side */
	struct series s = { .inflation = INFINITY, .values = l->n, .effective = { 1, 1 } };
	double r = correlation_of(l), all = n[0] + n[1], of[2];

	s.correlation = r;
	s.shown = l->product > z * sqrt(l->n);
	if (r > 1 - 1e-6)
		return s;
	for (int i = 0; i < 2; i++) {
		of[i] = variance_of_mean(n[i], r);
		s.effective[i] = n[i] / (variance * of[i]);
	}
	/* Where neighbors are alike, a sample varies less than what it was drawn from. */
	s.inflation = variance * (of[0] / n[0] + of[1] / n[1]) / (1 / n[0] + 1 / n[1]) * (all - 2) /
	              (all - (of[0] + of[1]));
	return s;
}

/* p of U for values that depend on each other. */
static double dependent_p(const struct u_stat *s, const struct series *of, double distance)
{
	double r = of->correlation;

	if (!(s->deviation > 0) || !(distance > 1) || !isfinite(of->inflation))
		return 1;
	/* (1 + r) / (1 - r), most of the inflation, is known from so many degrees of freedom. */
	return tm_sig_student(z_of(s, distance) / sqrt(of->inflation),
	                      of->values * (1 - r * r) / 2);
}

static void halve(double *v, size_t *n)
{
	*n /= 2;
	for (size_t i = 0; i < *n; i++)
		v[i] = (v[2 * i] + v[2 * i + 1]) / 2;
}

/* The same of the means of `size` consecutive values, n[] of each sample.  `one` is the variance of
 * single ones, 0 where these are they.  False where none vary. */
static bool series_of_means(const struct ranks *r, const size_t n[2], double size, double *one,
                            const struct u_stat *u, struct series *out)
{
	struct lags l = { 0 };
	double parts[2] = { (double)r->n[0] / size, (double)r->n[1] / size };

	add_lags(&l, r->rank[0], n[0]);
	add_lags(&l, r->rank[1], n[1]);
	if (!(l.df > 0))
		return false;
	*one = *one > 0 ? *one : l.squares / l.df;
	*out = series_at(&l, parts, size * (l.squares / l.df) / *one);
	for (int i = 0; i < 2 && isfinite(out->inflation); i++)
		out->effective[i] = fmin(out->effective[i] * size, (double)r->n[i]);
	if (out->inflation > 1) {
		out->p = dependent_p(u, out, fabs(u->u - u->mean));
		out->best = dependent_p(u, out, u->mean);
	}
	return true;
}

/* Of single values, and of the means of 2, 4, 8 ... consecutive ones, which show what is slow
 * beside fast noise: those that make p the largest.  Overwrites the ranks. */
static struct series series_of(struct ranks *r, const struct u_stat *u)
{
	struct series worst = { .inflation = 1 }, s;
	size_t n[2] = { r->n[0], r->n[1] };
	double one = 0;
	bool shown = false;

	for (double size = 1; series_of_means(r, n, size, &one, u, &s); size *= 2) {
		shown |= s.shown;
		if (size < 2 || s.p > worst.p)
			worst = s;
		if (n[0] < 2 * TM_SIG_BATCHES || n[1] < 2 * TM_SIG_BATCHES)
			break;
		halve(r->rank[0], &n[0]);
		halve(r->rank[1], &n[1]);
	}
	worst.inflation = fmax(worst.inflation, 1);
	worst.shown = shown;
	return worst;
}

/* ---- the test ---- */

/* p of a t of values that depend on each other.  The correlation may be larger than it looks, the
 * more the larger it looks.  With these degrees of freedom simulated values are rarely found to
 * differ. */
static double series_p(double t, double df, const struct series *of)
{
	double left = 1 - of->correlation * of->correlation;

	return tm_sig_student(t, fmin(df, of->values * pow(left, 4) / 4));
}

/* What independent values, as many as these are worth, would have come from. */
static struct tm_sig_moments worth(struct tm_sig_moments m, double effective)
{
	m.variance *= (m.n - 1) / m.n * effective / (effective - 1);
	m.n = effective;
	return m;
}

/* Welch's t. */
static void by_means(const double *x, size_t n, const double *y, size_t m, const struct series *of,
                     struct tm_significance *out)
{
	struct tm_sig_moments a = tm_sig_moments_of(x, n), b = tm_sig_moments_of(y, m);
	struct tm_significance t = tm_sig_welch(a, b);

	out->test = t.test;
	out->p = t.p;
	out->sign = t.sign;
	if (!of || t.test != TM_SIG_WELCH)
		return;
	out->test = TM_SIG_WELCH_BATCHES;
	out->p = 1;
	if (!(of->effective[0] > 1) || !(of->effective[1] > 1))
		return;
	a = worth(a, of->effective[0]);
	b = worth(b, of->effective[1]);
	out->p = series_p((a.mean - b.mean) / sqrt(a.variance / a.n + b.variance / b.n),
	                  welch_df(a, b), of);
}

/* Student's t of the ranks, which follows from U, where it is surer: it does where an outlier turns
 * the means. */
static void by_rank_means(const struct u_stat *s, size_t n, size_t m, const struct series *of,
                          struct tm_significance *out)
{
	double all = (double)n + (double)m, z = z_of(s, fabs(s->u - s->mean));
	double left = all - 1 - z * z, p = 1;

	if (z > 0 && isfinite(of->inflation))
		p = left > 0 ? series_p(z * sqrt((all - 2) / left / of->inflation), all - 2, of)
		             : 0;
	if (p >= out->p)
		return;
	out->test = TM_SIG_U_BATCHES;
	out->p = p;
	out->sign = (s->u > s->mean) - (s->u < s->mean);
}

/* p of the two most extreme of all arrangements of n and m values. */
static double least_p(size_t n, size_t m)
{
	size_t least = n < m ? n : m, most = n < m ? m : n;
	double all = 1;

	for (size_t i = 1; i <= least && all < 1e300; i++)
		all *= (double)(most + i) / (double)i;
	return 2 / all;
}

/* Are means compared?  `best`: the least p that ranks can have.  Of a few values that depend on
 * each other always: their order shows too little. */
static bool takes_means(size_t n, size_t m, unsigned how, bool dependent, double best, double alpha)
{
	bool few = dependent && (n < TM_SIG_BATCHES || m < TM_SIG_BATCHES);

	if (!(how & TM_SIG_MEANS) && !(dependent && least_p(n, m) <= alpha))
		return false;
	return few || best > alpha;
}

/* U for as many values as there are, now for as many as they are worth. */
static double as_series(const struct series *of, double best, struct tm_significance *out)
{
	if (!(of->inflation > 1))
		return best;
	out->test = TM_SIG_U_BATCHES;
	out->p = fmax(out->p, of->p);
	out->shown = of->shown;
	memcpy(out->effective, of->effective, sizeof out->effective);
	return fmax(best, of->best);
}

bool tm_sig_compare(const double *x, size_t n, const double *y, size_t m, unsigned how,
                    double alpha, size_t tests, struct tm_significance *out)
{
	const double level = alpha / (double)(tests ? tests : 1);
	size_t least = how == (TM_SIG_SERIES | TM_SIG_MEANS) ? TM_SIG_SERIES_LEAST : 2;
	double best = least_p(n, m), by_ranks;
	struct ranks r;
	struct u_stat s;
	struct series of;
	bool ok, dependent;

	*out = (struct tm_significance) { .p = 1, .effective = { (double)n, (double)m } };
	if (n < least || m < least)
		return true;
	if (!ranks_make(&r, x, n, y, m))
		return false;
	s = u_of(&r);
	ok = u_test(&r, &s, out);
	of = series_of(&r, &s);
	ranks_fini(&r);
	if (!ok || out->test == TM_SIG_NONE)
		return ok;
	if (tests > 1 && out->test == TM_SIG_U_NORMAL)
		best = fmax(best, tm_sig_normal(z_of(&s, s.mean)));
	dependent = of.values > 0 && (how & TM_SIG_SERIES || of.shown);
	by_ranks = best <= level ? out->p : 0;
	if (dependent)
		best = as_series(&of, best, out);
	if (takes_means(n, m, how, dependent, best, level)) {
		by_means(x, n, y, m, dependent ? &of : NULL, out);
		if (dependent)
			by_rank_means(&s, n, m, &of, out);
		out->p = fmax(out->p, by_ranks);
		best = 0;
	}
	out->found = out->test != TM_SIG_NONE && best <= alpha && out->p <= alpha;
	return true;
}

/* ---- many tests ---- */

struct ordered {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

bool tm_sig_adjust(double *p, size_t n)
{
	struct ordered *v = calloc(n + 1, sizeof *v);
	double least = 1;
	size_t tests = 0;

	if (!v)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			v[tests++] = (struct ordered) { p[i], i };
	qsort(v, tests, sizeof *v, by_p);
	for (size_t i = tests; i-- > 0;) {
		double q = v[i].p * (double)tests / (double)(i + 1);

		least = q < least ? q : least;
		p[v[i].at] = least;
	}
	free(v);
	return true;
}
