/* SPDX-License-Identifier: MIT
 * Sums, means and deviations: by hand, in any order, past 64 bits; and the deviations the profiler
 * prints wrong, put right or given up but never believed. */
#include "agg/moments.h"

#include "test.h"

#include <math.h>
#include <unistd.h>

static uint64_t rng = 0x9fb21c651e98df25u;

static uint64_t next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static bool near(double got, double want, double relative)
{
	if (fabs(got - want) <= relative * fabs(want))
		return true;
	fprintf(stderr, "%.17g, not %.17g\n", got, want);
	return false;
}

TEST(by_hand)
{
	/* 2 4 4 5 10: sum 25, mean 5, squares 9+1+1+0+25 = 36, 36/4 = 9, deviation 3. */
	static const uint64_t v[] = { 2, 4, 4, 5, 10 };
	struct tm_moments m = { 0 };
	double sd = 0;

	CHECK(!tm_moments_stddev(&m, &sd) && !tm_moments_extremes(&m));
	tm_moments_add(&m, v[0]);
	CHECK(!tm_moments_stddev(&m, &sd) && tm_moments_extremes(&m));
	for (int i = 1; i < 5; i++)
		tm_moments_add(&m, v[i]);
	CHECK_U64(m.n, 5);
	CHECK(m.sum == 25);
	CHECK(tm_moments_extremes(&m));
	CHECK_U64(m.min, 2);
	CHECK_U64(m.max, 10);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, 3, 1e-15));
	CHECK_U64(m.sealed, 0);
}

/* Equal values have no deviation, however large they are. */
TEST(no_deviation)
{
	static const uint64_t v[] = { 0,         1, 1000000, UINT64_C(1) << 33, UINT64_C(1) << 53,
		                      UINT64_MAX };

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct tm_moments m = { 0 };
		double sd = 1;

		for (int k = 0; k < 1000; k++)
			tm_moments_add(&m, v[i]);
		CHECK(tm_moments_stddev(&m, &sd) && sd <= 0);
	}
}

TEST(past_64_and_128_bits)
{
	struct tm_moments m = { 0 }, all = { 0 };
	double sd;

	/* 2^33 and 2^33 + 2: mean 2^33 + 1, deviation sqrt(2). */
	tm_moments_add(&m, UINT64_C(1) << 33);
	tm_moments_add(&m, (UINT64_C(1) << 33) + 2);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, sqrt(2), 1e-15));
	/* Half 2^64 - 1 and half 2^64 - 3, 1000 in all: every square is about 2^128.  Around the
	 * mean every value is 1 off: sqrt(1000 / 999). */
	m = (struct tm_moments) { 0 };
	for (int i = 0; i < 1000; i++)
		tm_moments_add(&m, UINT64_MAX - (i & 1 ? 0 : 2));
	CHECK(m.squares_hi > 0);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, sqrt(1000.0 / 999), 1e-15));
	/* The same in a thousand pieces of a thousand. */
	for (int i = 0; i < 1000; i++)
		tm_moments_merge(&all, &m);
	CHECK_U64(all.n, 1000000);
	CHECK(all.sum == (tm_u128)(UINT64_MAX - 1) * 1000000);
	CHECK(tm_moments_stddev(&all, &sd) && near(sd, sqrt(1000000.0 / 999999), 1e-15));
	/* 0 and 2^64 - 1 by turns. */
	m = (struct tm_moments) { 0 };
	for (int i = 0; i < 1000; i++)
		tm_moments_add(&m, i & 1 ? UINT64_MAX : 0);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, 0x1p63 * sqrt(1000.0 / 999), 1e-15));
}

static uint64_t bits(double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	return u;
}

static struct tm_stat_row row_of(const uint64_t *v, size_t n)
{
	struct tm_stat_row r = { .has_extremes = true, .has_stddev = true, .min_ns = UINT64_MAX };
	struct tm_moments m = { 0 };
	char text[64];

	for (size_t i = 0; i < n; i++) {
		tm_moments_add(&m, v[i]);
		r.total_ns += v[i];
		r.calls++;
		r.min_ns = v[i] < r.min_ns ? v[i] : r.min_ns;
		r.max_ns = v[i] > r.max_ns ? v[i] : r.max_ns;
	}
	if (tm_moments_stddev(&m, &r.stddev_ns)) {
		snprintf(text, sizeof text, "%.6f", r.stddev_ns);
		r.stddev_ns = strtod(text, NULL);
	}
	return r;
}

/* The same values and rows in other orders and other pieces: the same bits. */
TEST(any_order_any_pieces)
{
	for (int trial = 0; trial < 200; trial++) {
		enum { PARTS = 12 };
		struct tm_moments part[PARTS] = { { 0 } }, want = { 0 };
		double sd, other;
		bool known;

		for (int p = 0; p < PARTS; p++) {
			uint64_t v[50];
			size_t n = next() % 50;

			for (size_t i = 0; i < n; i++)
				v[i] = next() >> (20 + next() % 40);
			if (trial & 1 && next() & 1) {
				struct tm_stat_row r = row_of(v, n);

				tm_moments_add_stat(&part[p], &r);
				continue;
			}
			for (size_t i = 0; i < n; i++)
				tm_moments_add(&part[p], v[i]);
		}
		for (int p = 0; p < PARTS; p++)
			tm_moments_merge(&want, &part[p]);
		known = tm_moments_stddev(&want, &sd);
		for (int round = 0; round < 5; round++) {
			struct tm_moments total = { 0 }, half[2] = { { 0 } };

			for (int i = PARTS - 1; i > 0; i--) {
				int j = (int)(next() % (uint64_t)(i + 1));
				struct tm_moments t = part[i];

				part[i] = part[j];
				part[j] = t;
			}
			for (int p = 0; p < PARTS; p++)
				tm_moments_merge(round & 1 ? &half[p & 1] : &total, &part[p]);
			tm_moments_merge(&total, &half[1]);
			tm_moments_merge(&total, &half[0]);
			CHECK(total.n == want.n && total.sum == want.sum &&
			      total.sealed == want.sealed);
			if (want.n)
				CHECK(total.min == want.min && total.max == want.max);
			CHECK(tm_moments_stddev(&total, &other) == known);
			if (known)
				CHECK_U64(bits(other), bits(sd));
		}
	}
}

/* ---- rows of statistics files ---- */

TEST(pooled_by_hand)
{
	/* 1 3: n 2, total 4, deviation sqrt(2).  5 5 8: n 3, total 18, deviation sqrt(3).
	 * All five: mean 22/5, squares 1+9+25+25+64 = 124, 124 - 484/5 = 27.2, 27.2/4 = 6.8. */
	struct tm_stat_row a = { .calls = 2,
		                 .total_ns = 4,
		                 .min_ns = 1,
		                 .max_ns = 3,
		                 .stddev_ns = 1.414214,
		                 .has_extremes = true,
		                 .has_stddev = true };
	struct tm_stat_row b = { .calls = 3,
		                 .total_ns = 18,
		                 .min_ns = 5,
		                 .max_ns = 8,
		                 .stddev_ns = 1.732051,
		                 .has_extremes = true,
		                 .has_stddev = true };
	struct tm_stat_row none = { .calls = 0, .total_ns = 5 };
	struct tm_moments m = { 0 };
	double sd;

	CHECK(tm_stat_row_repair(&a) == TM_STDDEV_AS_IS &&
	      tm_stat_row_repair(&b) == TM_STDDEV_AS_IS);
	tm_moments_add_stat(&m, &a);
	tm_moments_add_stat(&m, &none);
	tm_moments_add_stat(&m, &b);
	CHECK_U64(m.n, 5);
	CHECK_U64(m.sealed, 5);
	CHECK(m.sum == 22);
	CHECK(tm_moments_extremes(&m) && m.min == 1 && m.max == 8);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, sqrt(6.8), 1e-6));
	/* Single values beside them: 9, and the deviation of 1 3 5 5 8 9 is sqrt((205 - 31^2/6) /
	 * 5). */
	tm_moments_add(&m, 9);
	CHECK(tm_moments_stddev(&m, &sd) && near(sd, sqrt((205 - 961.0 / 6) / 5), 1e-6));
	CHECK(m.max == 9);
}

TEST(what_rows_do_not_tell)
{
	struct tm_stat_row plain = { .calls = 10, .total_ns = 100 };
	struct tm_stat_row single = {
		.calls = 1, .total_ns = 7, .min_ns = 7, .max_ns = 7, .has_extremes = true
	};
	struct tm_moments m = { 0 };
	double sd;

	/* One call has no deviation to tell. */
	CHECK(tm_stat_row_repair(&single) == TM_STDDEV_ABSENT);
	tm_moments_add_stat(&m, &single);
	tm_moments_add_stat(&m, &single);
	CHECK(tm_moments_extremes(&m) && tm_moments_stddev(&m, &sd) && sd <= 0);
	/* rocprof v1 tells neither extremes nor deviation: then nobody knows the whole's. */
	CHECK(tm_stat_row_repair(&plain) == TM_STDDEV_ABSENT);
	tm_moments_add_stat(&m, &plain);
	CHECK_U64(m.n, 12);
	CHECK(m.sum == 114);
	CHECK(!tm_moments_extremes(&m) && !tm_moments_stddev(&m, &sd));
}

/* A deviation of identical values, however printed, is not below zero in the end. */
TEST(rounded_rows)
{
	for (int i = 0; i < 5000; i++) {
		uint64_t v[40];
		size_t n = 2 + next() % 39, k = 1 + next() % (n - 1);
		struct tm_stat_row a, b;
		struct tm_moments m = { 0 }, exact = { 0 };
		double got = 0, want = 0;

		for (size_t j = 0; j < n; j++) {
			v[j] = i % 3 ? 1000 + next() % 1000 : 123456;
			tm_moments_add(&exact, v[j]);
		}
		a = row_of(v, k);
		b = row_of(v + k, n - k);
		tm_moments_add_stat(&m, &a);
		tm_moments_add_stat(&m, &b);
		CHECK(tm_moments_stddev(&m, &got) && tm_moments_stddev(&exact, &want));
		CHECK(fabs(got - want) <= 1e-3 && got >= 0);
	}
}

/* Numbers no profiler prints: no trap, no sum that runs over. */
TEST(hostile_rows)
{
	static const double sds[] = { 0, 1e-300, 1, 1e18, 1e30, 1e150, 1e308, -1 };
	static const uint64_t numbers[] = {
		0, 1, 2, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX / 2, UINT64_MAX
	};
	struct tm_moments m = { 0 };
	double sd;

	alarm(30); /* a loop over multiples of 2^64 has been tried here once */
	for (size_t s = 0; s < 8; s++)
		for (size_t c = 0; c < 7; c++)
			for (size_t t = 0; t < 7; t++)
				for (size_t e = 0; e < 49; e++) {
					struct tm_stat_row r = { .calls = numbers[c],
						                 .total_ns = numbers[t],
						                 .min_ns = numbers[e / 7],
						                 .max_ns = numbers[e % 7],
						                 .stddev_ns = sds[s],
						                 .has_extremes = e != 5,
						                 .has_stddev = true };
					enum tm_stddev_state st = tm_stat_row_repair(&r);

					CHECK(st == TM_STDDEV_ABSENT || st == TM_STDDEV_AS_IS ||
					      st == TM_STDDEV_REPAIRED);
					CHECK(!r.has_stddev || isfinite(r.stddev_ns));
					if (r.calls > 1)
						CHECK(r.has_stddev == (st != TM_STDDEV_ABSENT));
					tm_moments_add_stat(&m, &r);
				}
	alarm(0);
	if (tm_moments_stddev(&m, &sd))
		CHECK(sd >= 0);
}

/* ---- the wrapped square ---- */

/* What the profiler prints: sums in 64 bits, the square of the total too. */
static double printed(const uint64_t *v, size_t n, struct tm_stat_row *r)
{
	uint64_t q = 0, t = 0;
	double dev;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		q += v[i] * v[i];
		t += v[i];
	}
	*r = row_of(v, n);
	dev = (double)q - (double)(t * t) / (double)n;
	snprintf(text, sizeof text, "%.6f", sqrt(fabs(dev / (double)(n - 1))));
	return strtod(text, NULL);
}

/* The same where the difference and the quotient are 64-bit integers as well. */
static double printed_whole(const uint64_t *v, size_t n, struct tm_stat_row *r)
{
	uint64_t q = 0, t = 0;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		q += v[i] * v[i];
		t += v[i];
	}
	*r = row_of(v, n);
	snprintf(text, sizeof text, "%.6f", sqrt((double)(q - t * t / n) / (double)(n - 1)));
	return strtod(text, NULL);
}

TEST(repair_by_hand)
{
	/* 10000 calls of 1 ms: T = 1e10, T^2 mod 2^64 = 7766279631452241920, and the profiler
	 * prints sqrt((1e16 - 776627963145224.192) / 9999) = 960431.906295. */
	struct tm_stat_row r = { .calls = 10000,
		                 .total_ns = UINT64_C(10000000000),
		                 .min_ns = 1000000,
		                 .max_ns = 1000000,
		                 .stddev_ns = 960431.906295,
		                 .has_extremes = true,
		                 .has_stddev = true };

	CHECK(tm_stat_row_repair(&r) == TM_STDDEV_REPAIRED && r.has_stddev && r.stddev_ns <= 0);
	/* Without extremes nothing bounds the answer. */
	r = (struct tm_stat_row) { .calls = 10000,
		                   .total_ns = UINT64_C(10000000000),
		                   .has_stddev = true,
		                   .stddev_ns = 960431.906295 };
	CHECK(tm_stat_row_repair(&r) == TM_STDDEV_ABSENT && !r.has_stddev);
	/* Just below 2^32: as printed, whatever it is. */
	r = (struct tm_stat_row) { .calls = 2,
		                   .total_ns = UINT32_MAX,
		                   .min_ns = 1,
		                   .max_ns = UINT32_MAX - 1,
		                   .has_stddev = true,
		                   .has_extremes = true,
		                   .stddev_ns = 12.5 };
	CHECK(tm_stat_row_repair(&r) == TM_STDDEV_AS_IS && r.has_stddev &&
	      near(r.stddev_ns, 12.5, 0));
}

/* Populations whose total passes 2^32, some far, some so that the sum of squares wraps as well. */
TEST(repaired_or_given_up)
{
	uint64_t *v = malloc(20000 * sizeof *v);
	unsigned repaired[2] = { 0 }, trials[2] = { 0 };

	for (int trial = 0; trial < 3000; trial++) {
		size_t n = 2 + next() % (trial % 10 ? 400 : 20000);
		unsigned magnitude = 18 + (unsigned)(next() % 28); /* bits of a typical value */
		uint64_t typical = (UINT64_C(1) << magnitude) + next() % (UINT64_C(1) << magnitude);
		uint64_t spread = 1 + (typical >> next() % 20);
		int shape = (int)(next() % 4);
		bool squares_wrap;
		double want;

		for (size_t i = 0; i < n; i++) {
			v[i] = typical + next() % spread;
			if (shape == 1 && next() % 50 == 0)
				v[i] *= 1 + next() % 20; /* a long tail */
			if (shape == 2)
				v[i] = typical;
			if (shape == 3 && next() & 1)
				v[i] = typical / (2 + next() % 100);
		}
		for (int way = 0; way < 2; way++) {
			struct tm_stat_row r, true_row;
			enum tm_stddev_state st;
			struct tm_moments m = { 0 };
			double sd = way ? printed_whole(v, n, &r) : printed(v, n, &r);

			true_row = r;
			for (size_t i = 0; i < n; i++)
				tm_moments_add(&m, v[i]);
			squares_wrap = m.squares >> 64;
			CHECK(tm_moments_stddev(&m, &want));
			r.stddev_ns = sd;
			st = tm_stat_row_repair(&r);
			CHECK(r.calls == true_row.calls && r.total_ns == true_row.total_ns);
			if (r.total_ns >> 32 == 0) {
				CHECK(st == TM_STDDEV_AS_IS && near(r.stddev_ns, sd, 0));
				continue;
			}
			CHECK(st != TM_STDDEV_AS_IS);
			CHECK(r.has_stddev == (st == TM_STDDEV_REPAIRED));
			trials[squares_wrap]++;
			if (st != TM_STDDEV_REPAIRED)
				continue;
			repaired[squares_wrap]++;
			/* tm_stat_row_repair stands after a sum of squares that is 10000 times
			 * what rounding leaves open: half of that for its root. */
			if (fabs(r.stddev_ns - want) > 5e-5 * want && r.max_ns != r.min_ns) {
				test_bad++;
				fprintf(stderr,
				        "trial %d way %d: n %zu total %" PRIu64 " min %" PRIu64
				        " max %" PRIu64 " printed %f: %f, not %f\n",
				        trial, way, n, r.total_ns, r.min_ns, r.max_ns, sd,
				        r.stddev_ns, want);
			}
			if (r.max_ns == r.min_ns)
				CHECK(r.stddev_ns <= 0);
		}
	}
	/* Giving up everything would be right, too, but of no use. */
	CHECK(repaired[0] > trials[0] / 4);
	fprintf(stderr, "# repaired %u of %u, with wrapped squares %u of %u\n", repaired[0],
	        trials[0], repaired[1], trials[1]);
	free(v);
}

/* A real row: the decode kernel of patcarter883/rdna4-vllm, whose trace is not known, so only that
 * it is repaired to what the formula says. */
TEST(repair_of_a_real_row)
{
	struct tm_stat_row r = { .calls = 42320,
		                 .total_ns = UINT64_C(4829545961),
		                 .min_ns = 1,
		                 .max_ns = 3000000,
		                 .stddev_ns = 111836.753931,
		                 .has_extremes = true,
		                 .has_stddev = true };

	CHECK(tm_stat_row_repair(&r) == TM_STDDEV_REPAIRED);
	CHECK(near(r.stddev_ns, 46983.2, 1e-5));
}

TEST_MAIN(T(by_hand), T(no_deviation), T(past_64_and_128_bits), T(any_order_any_pieces),
          T(pooled_by_hand), T(what_rows_do_not_tell), T(rounded_rows), T(hostile_rows),
          T(repair_by_hand), T(repaired_or_given_up), T(repair_of_a_real_row))
