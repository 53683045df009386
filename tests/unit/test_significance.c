/* SPDX-License-Identifier: MIT */
#include "agg/significance.h"

#include "test.h"

#include <math.h>

/* Numbers with blanks between them; how many. */
static size_t numbers(const char *text, double *v, size_t cap)
{
	size_t n = 0;
	char *end;

	for (double x = strtod(text, &end); end != text && n < cap; x = strtod(text, &end)) {
		v[n++] = x;
		text = end;
	}
	return n;
}

static void near(double got, double want, const char *what)
{
	if (fabs(got - want) <= 1e-9 + 1e-9 * fabs(want))
		return;
	test_bad++;
	fprintf(stderr, "%s: %.15g, not %.15g\n", what, got, want);
}

/* Every line of the table is what SciPy says, to 1e-9. */
TEST(as_scipy)
{
	enum { MOST = 1000 };
	static double v[2][MOST];
	const char *root = getenv("ROOT");
	char path[4096], *line = NULL;
	size_t cap = 0, lines = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/tests/unit/significance_scipy.tsv", root ? root : ".");
	f = fopen(path, "r");
	CHECK(f != NULL);
	while (f && getline(&line, &cap, f) > 0) {
		char *rest = line, *field[5];
		double a, p;

		if (*line == '#')
			continue;
		for (size_t i = 0; i < 5; i++)
			field[i] = strsep(&rest, "\t");
		lines++;
		a = strtod(field[1], NULL);
		p = strtod(field[4], NULL);
		if (*field[0] == 't') {
			near(tm_sig_student(a, strtod(field[2], NULL)), p, "t");
			continue;
		}
		if (*field[0] == 'z') {
			near(tm_sig_normal(a), p, "z");
			continue;
		}
		size_t n = numbers(field[1], v[0], MOST), m = numbers(field[2], v[1], MOST);

		if (*field[0] == 'U') {
			struct tm_significance s;

			CHECK(tm_sig_u(v[0], n, v[1], m, &s));
			near(s.u, strtod(field[3], NULL), "U");
			near(s.p, p, "p of U");
			CHECK(s.test == TM_SIG_U_NORMAL || (n < m ? n : m) <= TM_SIG_EXACT);
		} else {
			struct tm_significance s = tm_sig_welch(tm_sig_moments_of(v[0], n),
			                                        tm_sig_moments_of(v[1], m));

			CHECK(s.test == TM_SIG_WELCH);
			near(s.p, p, "p of Welch's t");
		}
	}
	CHECK(lines > 300);
	free(line);
	if (f)
		fclose(f);
}

/* All C(6, 3) = 20 arrangements of 1 .. 6: U of the extreme one is 0 or 9, p = 2/20; of 3 against 3
 * U cannot reach 0.005, so the means are compared. */
TEST(small)
{
	static const double x[] = { 1, 2, 3 }, y[] = { 4, 5, 6 }, z[] = { 104, 105, 106 };
	struct tm_significance s;

	CHECK(tm_sig_u(x, 3, y, 3, &s));
	CHECK(s.test == TM_SIG_U_EXACT && s.u == 0 && s.sign == -1);
	CHECK(s.median[0] == 2 && s.median[1] == 5);
	near(s.p, 0.1, "3 against 3");
	CHECK(tm_sig_u(y, 3, x, 3, &s));
	CHECK(s.median[0] == 5 && s.median[1] == 2);
	CHECK(s.u == 9 && s.sign == 1);
	near(s.p, 0.1, "3 against 3");
	CHECK(tm_sig_u(x, 2, y, 1, &s));
	CHECK(s.median[0] == 1.5 && s.median[1] == 4);
	CHECK(tm_sig_compare(x, 3, z, 3, TM_SIG_MEANS, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_WELCH && s.p < 1e-6 && s.sign == -1 && s.u == 0);
	CHECK(!tm_sig_compare(x, 3, y, 3, 0, TM_SIG_ALPHA, 1, &s) ||
	      (s.test == TM_SIG_U_EXACT && !s.found));
	CHECK(tm_sig_compare(x, 3, y, 3, TM_SIG_MEANS, 0.1, 1, &s));
	CHECK(s.test == TM_SIG_U_EXACT && s.found);
	near(s.p, 0.1, "3 against 3");
}

/* U of 6 against 6 has a p of 2 / C(12, 6) = 2 / 924 at least: enough for one test, not for ten;
 * the normal approximation of 9 against 9 of 4.1e-4: enough for ten, but not for twenty. */
TEST(tests)
{
	static const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
	                    y[] = { 21, 22, 23, 24, 25, 26, 27, 28, 29 };
	struct tm_significance s;

	CHECK(tm_sig_compare(x, 6, y, 6, TM_SIG_MEANS, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_U_EXACT && s.found);
	near(s.p, 2 / 924.0, "6 against 6");
	CHECK(tm_sig_compare(x, 6, y, 6, TM_SIG_MEANS, TM_SIG_ALPHA, 10, &s));
	CHECK(s.test == TM_SIG_WELCH && s.found && s.p < TM_SIG_ALPHA / 10);
	CHECK(tm_sig_compare(x, 9, y, 9, TM_SIG_MEANS, TM_SIG_ALPHA, 10, &s));
	CHECK(s.test == TM_SIG_U_NORMAL && s.found);
	CHECK(tm_sig_compare(x, 9, y, 9, TM_SIG_MEANS, TM_SIG_ALPHA, 20, &s));
	CHECK(s.test == TM_SIG_WELCH && s.found && s.p < TM_SIG_ALPHA / 20);
}

/* What cannot be tested is nothing. */
TEST(nothing)
{
	static const double x[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
	struct tm_significance s;

	CHECK(tm_sig_compare(x, 0, x, 0, TM_SIG_MEANS, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_NONE && s.p == 1);
	CHECK(tm_sig_compare(x, 1, x, 10, TM_SIG_MEANS, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_NONE && s.p == 1);
	CHECK(tm_sig_compare(x, 10, x, 10, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_NONE && s.p == 1 && s.sign == 0);
	CHECK(tm_sig_compare(x, 3, x, 4, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_NONE && s.p == 1);
	CHECK(tm_sig_u(x, 0, x, 3, &s));
	CHECK(s.test == TM_SIG_NONE && s.p == 1);
}

/* Many values are worth what their order says: in a saw as many, sorted one. */
TEST(series)
{
	double x[100], y[100];
	struct tm_significance s;

	/* Two saws, one of them higher: neighbors are as different as any. */
	for (int i = 0; i < 100; i++) {
		x[i] = (i * 37) % 100;
		y[i] = (i * 37) % 100 + 30.5;
	}
	CHECK(tm_sig_compare(x, 100, y, 100, TM_SIG_MEANS, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_U_NORMAL && s.p < 1e-9 && s.effective[0] == 100);
	CHECK(tm_sig_compare(x, 100, y, 100, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &s));
	CHECK(s.found && s.p < 1e-4 && !s.shown && s.effective[1] > 90);
	for (int i = 0; i < 100; i++) {
		x[i] = i;
		y[i] = i + 30.5;
	}
	CHECK(tm_sig_compare(x, 100, y, 100, 0, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_WELCH_BATCHES && s.shown && !s.found);
	near(s.p, 1, "sorted");
	near(s.effective[0], 1, "effective n of sorted values");
}

/* 24 values of 0 and 1, each twice in a row, and the same 2 higher.  Around the mean 1/2 the
 * squares are 24/4, the products of 23 neighbors (12 + 5 - 6)/4: in a pair, between equal pairs,
 * between others.  So the correlation is 11/24, with the bias of two samples of 48 values (11/24 +
 * 1/24) / (1 - 4/24) = 0.6, which is less than what chance makes once in 1000 times.  The variance
 * of the mean is (1.6/0.4 - 1.2 (1 - 0.6^24) / (24 * 0.16)) / 24 of that of a value: they are worth
 * 24/3.687501 = 6.5085.  z = 287.5 / sqrt(24 * 24 / 12 * (49 - 4 * 1716 / (48 * 47))) = 6.12124,
 * f = 3.687501 * 46 / (48 - 2 * 3.687501) = 4.175395, t = 2.99565 with 48 * 0.64 / 2 = 15.36
 * degrees of freedom: p = 0.0089 (significance.py), although each of one is above all of the other.
 * At a lower level the means decide: t = 2 / sqrt(4.175395 * 2 * 6/23 / 24) = 6.6386 with 48 *
 * 0.64^4 / 4 = 2.0133 degrees of freedom. */
TEST(pairs)
{
	static const int level[] = { 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0 };
	double x[24], y[24];
	struct tm_significance s;

	for (int i = 0; i < 24; i++) {
		x[i] = level[i / 2];
		y[i] = x[i] + 2;
	}
	CHECK(tm_sig_compare(x, 24, y, 24, TM_SIG_SERIES, 0.01, 1, &s));
	CHECK(s.test == TM_SIG_U_BATCHES && !s.shown && s.found && s.sign == -1);
	near(s.p, 0.00886520751, "p");
	near(s.effective[0], 6.50847196, "effective n");
	CHECK(tm_sig_compare(x, 24, y, 24, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &s));
	CHECK(s.test == TM_SIG_WELCH_BATCHES && !s.found && s.sign == -1);
	near(s.p, 0.02158041057, "p by means");
}

/* Benjamini and Hochberg's own example (1995), of 15 tests: the first four count at 0.05, as
 * 0.0095 * 15 / 4 = 0.035625 and 0.0201 * 15 / 5 = 0.0603. */
TEST(many)
{
	double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
		       0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double q[] = { 0.04, NAN, 0.01, 0.03 };

	CHECK(tm_sig_adjust(p, 15));
	near(p[0], 0.0015, "first");
	near(p[3], 0.035625, "fourth");
	near(p[4], 0.0603, "fifth");
	near(p[14], 1, "last");
	for (int i = 1; i < 15; i++)
		CHECK(p[i] >= p[i - 1]);
	CHECK(tm_sig_adjust(q, 4));
	near(q[2], 0.03, "least");
	near(q[3], 0.04, "middle");
	near(q[0], 0.04, "most");
	CHECK(isnan(q[1]));
	CHECK(tm_sig_adjust(q, 0));
}

static uint64_t seed = 1;

static double uniform(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* Of a shape, `n` values around 100: how often in 1000 pairs is p at most TM_SIG_ALPHA? */
enum shape { NORMAL, HEAVY, SKEWED, FOLLOWING, DRIFTING, SHAPES };

static void draw(enum shape shape, double *v, size_t n)
{
	double last = normal() / sqrt(0.75);

	for (size_t i = 0; i < n; i++) {
		double g = normal();

		last = 0.5 * last + g;
		v[i] = shape == HEAVY       ? 100 + 2 * g / sqrt(uniform())
		       : shape == SKEWED    ? 90 + 10 * exp(g)
		       : shape == FOLLOWING ? 100 + 3 * last
		       : shape == DRIFTING  ? 100 + 3 * g + 8 * (double)i / (double)n
		                            : 100 + 3 * g;
	}
}

static unsigned found(enum shape shape, size_t n, unsigned how, double factor)
{
	static double x[1000], y[1000];
	unsigned sum = 0;

	for (int i = 0; i < 1000; i++) {
		struct tm_significance s;

		draw(shape, x, n);
		draw(shape, y, n);
		for (size_t k = 0; k < n; k++)
			y[k] *= factor;
		CHECK(tm_sig_compare(x, n, y, n, how, TM_SIG_ALPHA, 1, &s));
		sum += s.found;
	}
	return sum;
}

/* Of 1000 pairs of one distribution at most 10 differ, whatever their size; of steps that resemble
 * those before them, too. */
TEST(no_false_alarms)
{
	static const size_t sizes[] = { 2, 3, 5, 8, 13, 30, 100 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (enum shape shape = NORMAL; shape < SHAPES; shape++)
			for (unsigned how = shape == FOLLOWING ? TM_SIG_SERIES : 0;
			     how <= TM_SIG_SERIES; how++) {
				unsigned n = found(shape, sizes[i], how | TM_SIG_MEANS, 1);

				if (n > 10)
					fprintf(stderr, "shape %d, n %zu, how %u: %u\n", (int)shape,
					        sizes[i], how, n);
				CHECK(n <= 10);
			}
}

/* n values of variance 1, of which each has the correlation r with the one before. */
static void draw_correlated(double *v, size_t n, double r)
{
	double last = normal();

	for (size_t i = 0; i < n; i++) {
		v[i] = last;
		last = r * last + sqrt(1 - r * r) * normal();
	}
}

/* Calls that depend on each other: of 1000 pairs without a difference so many are found at most.
 * Exchanged samples are found in the same way. */
TEST(dependent)
{
	static const struct {
		double r;
		size_t n, m;
		unsigned most;
	} rows[] = {
		{ 0.3, 8, 8, 10 },     { 0.3, 20, 20, 10 },    { 0.3, 100, 100, 10 },
		{ 0.5, 8, 8, 12 },     { 0.5, 20, 20, 12 },    { 0.5, 40, 40, 10 },
		{ 0.8, 20, 20, 15 },   { 0.8, 60, 60, 10 },    { 0.9, 20, 20, 25 },
		{ 0.9, 60, 60, 10 },   { 0.9, 200, 200, 10 },  { 0.98, 20, 20, 40 },
		{ 0.98, 60, 60, 10 },  { 0.98, 200, 200, 10 }, { 0.5, 4, 200, 10 },
		{ 0.5, 30, 1000, 10 }, { 0.9, 30, 1000, 10 },
	};
	static double x[1000], y[1000];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = rows[i].n, m = rows[i].m;
		unsigned sum = 0;

		for (int pair = 0; pair < 1000; pair++) {
			struct tm_significance s, turned;

			draw_correlated(x, n, rows[i].r);
			draw_correlated(y, m, rows[i].r);
			CHECK(tm_sig_compare(x, n, y, m, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &s));
			CHECK(tm_sig_compare(y, m, x, n, TM_SIG_SERIES, TM_SIG_ALPHA, 1, &turned));
			CHECK(turned.p == s.p && turned.sign == -s.sign);
			sum += s.found;
		}
		if (sum > rows[i].most)
			fprintf(stderr, "r %g, n %zu, m %zu: %u\n", rows[i].r, n, m, sum);
		CHECK(sum <= rows[i].most);
	}
}

/* A shift of 5 % with noise of 3 %: found the surer the more there is to see, always at 30. */
TEST(power)
{
	static const size_t sizes[] = { 3, 6, 10, 30 };
	unsigned last = 0;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		unsigned n = found(NORMAL, sizes[i], TM_SIG_MEANS, 1.05);

		CHECK(n > last);
		last = n;
	}
	CHECK(last >= 990);
	CHECK(found(HEAVY, 30, TM_SIG_MEANS, 1.05) >= 950);
	CHECK(found(NORMAL, 40, TM_SIG_SERIES, 1.05) >= 950);
	CHECK(found(FOLLOWING, 100, TM_SIG_SERIES, 1.05) >= 900);
}

TEST_MAIN(T(as_scipy), T(small), T(tests), T(nothing), T(series), T(pairs), T(many),
          T(no_false_alarms), T(dependent), T(power))
