/* SPDX-License-Identifier: MIT
 * Lines between clocks: known answers, and lines that are not to be found. */
#include "tests/unit/test.h"

#include "agg/end_match.h"

static struct tm_fit_pair pair[5000];
static struct tm_line_fit fit;

/* n ends of clock a, `step` apart; on clock b they are `ahead` later and drift by `ppm`. */
static void fill(size_t n, uint64_t step, uint64_t ahead, int64_t ppm)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t t = step * i;

		pair[i].a_end = 1000000000000 + t;
		pair[i].b_end = pair[i].a_end + ahead + (uint64_t)((int64_t)t * ppm / 1000000);
		pair[i].a_start = pair[i].a_end - 500;
		pair[i].b_start = pair[i].b_end - 500;
	}
}

/* A number from 0 to below n, the same on every machine. */
static uint64_t chance(uint64_t n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static uint64_t far_of(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

TEST(exact)
{
	fill(100, 1000000, 7, 0);
	CHECK(tm_line_fit(&fit, pair, 100, TM_CLOCK_RATE_MOST, 1));
	CHECK_U64(fit.line.offset_ns, 7);
	CHECK(fit.line.rate == 0 && fit.spread_ns == 0 && fit.used == 100);
	CHECK_U64(tm_clock_line_at(&fit.line, 123), 130);
	fill(1000, 100000000, -(uint64_t)3600000000000, -40);
	CHECK(tm_line_fit(&fit, pair, 1000, TM_CLOCK_RATE_MOST, 1));
	/* -40 ppm of 2^44, give or take what a nanosecond in 50 seconds is. */
	CHECK(far_of((uint64_t)fit.line.rate, (uint64_t)-703687442) < 1000);
	for (size_t i = 0; i < 1000; i += 111)
		CHECK(far_of(tm_clock_line_at(&fit.line, pair[i].a_end), pair[i].b_end) <= 1);
	CHECK(tm_line_fit_error(&fit, pair[0].a_end) <= 8);
	CHECK_U64(fit.parts, TM_FIT_PARTS);
	CHECK_U64(fit.part[3].pairs, 125);
}

/* A third of the ends are anything: what the others say counts. */
TEST(outliers)
{
	fill(300, 200000000, 5000000000, 50);
	for (size_t i = 0; i < 300; i += 3)
		pair[i].b_end += chance(50000000);
	CHECK(tm_line_fit(&fit, pair, 300, TM_CLOCK_RATE_MOST, 1));
	for (size_t i = 1; i < 300; i += 3)
		CHECK(far_of(tm_clock_line_at(&fit.line, pair[i].a_end), pair[i].b_end) <= 3);
	CHECK_U64(fit.used, 200);
}

/* What is said may be left is not less than what is, at either end and in between. */
TEST(error_is_enough)
{
	unsigned bad = 0;

	for (unsigned k = 0; k < 400; k++) {
		size_t n = 8 + chance(200);
		int64_t ppm = (int64_t)chance(400) - 200;
		struct tm_clock_line truth;

		fill(n, 1000000 + chance(100000000), 123456789, ppm);
		truth = (struct tm_clock_line) {
			pair[0].a_end, 123456789,
			(int64_t)((tm_i128)ppm * ((tm_i128)1 << TM_CLOCK_RATE_BITS) / 1000000)
		};
		for (size_t i = 0; i < n; i++)
			pair[i].b_end += chance(2000) + chance(2000) - 2000;
		CHECK(tm_line_fit(&fit, pair, n, TM_CLOCK_RATE_MOST / 5 * 2, 1));
		for (unsigned j = 0; j <= 4; j++) {
			uint64_t t = pair[0].a_end + (pair[n - 1].a_end - pair[0].a_end) / 4 * j;

			if (far_of(tm_clock_line_at(&fit.line, t), tm_clock_line_at(&truth, t)) >
			    tm_line_fit_error(&fit, t)) {
				bad++;
				break;
			}
		}
		CHECK(n < 30 || tm_line_fit_error(&fit, pair[0].a_end) < 5000);
	}
	CHECK(bad <= 8);
}

/* Sums of a dozen numbers: nearly normal, of a deviation of about `ns`. */
static uint64_t jitter(uint64_t ns)
{
	uint64_t sum = 0;

	for (int i = 0; i < 12; i++)
		sum += chance(ns + 1);
	return sum;
}

/* Jobs of `ranks` clocks that see n ends and do not drift: on how many of them is a drift found? */
static unsigned jobs_with_drift(unsigned jobs, uint64_t ranks, size_t n)
{
	unsigned found = 0;

	for (unsigned k = 0; k < jobs; k++) {
		bool any = false;

		for (uint64_t r = 0; r < ranks; r++) {
			fill(n, 1000000, 123456789, 0);
			for (size_t i = 0; i < n; i++)
				pair[i].b_end += jitter(400);
			CHECK(tm_line_fit(&fit, pair, n, TM_CLOCK_RATE_MOST / 5 * 2, ranks));
			any |= fit.line.rate != 0;
		}
		found += any;
	}
	return found;
}

/* Noise makes no drift, in one job of a hundred at most, however few pairs and many ranks. */
TEST(no_drift)
{
	for (size_t n = 5; n <= 12; n++)
		CHECK(jobs_with_drift(200, 64, n) <= 2);
	CHECK(jobs_with_drift(200, 64, 40) <= 2);
	CHECK(jobs_with_drift(20, 999, 8) <= 1);
	CHECK(jobs_with_drift(2000, 1, 7) <= 20);
}

/* What is clear is found as ever: 50 ppm in two minutes by 8 ends, in 10 ms by a hundred. */
TEST(drift)
{
	unsigned found = 0;

	for (unsigned k = 0; k < 500; k++) {
		size_t n = k & 1 ? 8 : 100;

		fill(n, k & 1 ? 15000000000 : 100000, 123456789, 50);
		for (size_t i = 0; i < n; i++)
			pair[i].b_end += jitter(k & 1 ? 400 : 40);
		CHECK(tm_line_fit(&fit, pair, n, TM_CLOCK_RATE_MOST / 5 * 2, 999));
		found += fit.line.rate != 0;
	}
	CHECK_U64(found, 500);
	/* A line that is only looked along may drift sooner. */
	fill(6, 1000000, 123456789, 50);
	for (size_t i = 0; i < 6; i++)
		pair[i].b_end += i & 1 ? 20 : 0;
	CHECK(tm_line_fit(&fit, pair, 6, TM_CLOCK_RATE_MOST / 5 * 2, 999));
	CHECK(fit.line.rate == 0);
	CHECK(tm_line_fit(&fit, pair, 6, TM_CLOCK_RATE_MOST / 5 * 2, 0));
	CHECK(fit.line.rate != 0);
}

/* Few, far apart, at the ends of time: no line, but no harm. */
TEST(odd)
{
	fill(5, 0, 77, 0);
	CHECK(tm_line_fit(&fit, pair, 5, TM_CLOCK_RATE_MOST, 1));
	CHECK_U64(fit.line.offset_ns, 77);
	for (size_t i = 0; i < 9; i++)
		pair[i] = (struct tm_fit_pair) { 0, i * (UINT64_MAX / 9), 0, UINT64_MAX - i };
	CHECK(tm_line_fit(&fit, pair, 9, TM_CLOCK_RATE_MOST, 1));
	CHECK(tm_line_fit_error(&fit, 0) > 0);
	fill(2, 10, 3, 0);
	CHECK(tm_line_fit(&fit, pair, 2, TM_CLOCK_RATE_MOST, 1));
	CHECK_U64(fit.line.offset_ns, 3);
}

TEST(lines)
{
	const struct tm_clock_line l = { 1000000, 5000, INT64_C(1) << 30 },
	                           m = { 77, -(uint64_t)300, -(INT64_C(1) << 29) };
	const struct tm_clock_line back = tm_clock_line_back(&l), both = tm_clock_line_then(&l, &m);

	for (uint64_t t = 1000; t < 100000000000; t += 9876543211) {
		uint64_t there = tm_clock_line_at(&l, t);

		CHECK(far_of(tm_clock_line_at(&back, there), t) <= 2);
		CHECK(far_of(tm_clock_line_at(&both, t), tm_clock_line_at(&m, there)) <= 2);
	}
}

/* ---- matching ---- */

static struct tm_end_op a[2000], b[2000];
static struct tm_end_match match;
static struct tm_end_pairs pairs;

/* n collectives that end together on both clocks, at uneven distances; each begins when it does. */
static void together(size_t n)
{
	uint64_t t = 1000000000;

	for (size_t i = 0; i < n; i++) {
		t += 300000 + chance(900000);
		a[i] = (struct tm_end_op) { t - 20000 - chance(100000), t + chance(300),
			                    UINT64_MAX };
		b[i] = (struct tm_end_op) { t - 20000 - chance(100000), t + chance(300),
			                    UINT64_MAX };
		b[i].start += 99000000000 + t / 20000;
		b[i].end += 99000000000 + t / 20000;
	}
}

static size_t without(struct tm_end_op *v, size_t n, size_t every)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (i % every != every / 2)
			v[k++] = v[i];
	return k;
}

static bool is_found(void)
{
	uint64_t t = a[35].end;

	return far_of(tm_clock_line_at(&match.fit.line, t), t + 99000000000 + t / 20000) < 200;
}

static enum tm_status run(size_t n, size_t m)
{
	pairs.n = 0;
	return tm_end_match(&match, a, n, b, m, (struct tm_end_rule) { TM_END_FEWEST, 1 }, &pairs);
}

TEST(matching)
{
	size_t n, m;

	together(300);
	CHECK(run(300, 300) == TM_ST_OK && is_found() && !match.loose);
	CHECK_U64(match.matched, 300);
	CHECK_U64(match.together, 300);
	/* Some are missing on either side. */
	n = without(a, 300, 17);
	m = without(b, 300, 41);
	CHECK(run(n, m) == TM_ST_OK && is_found());
	CHECK(match.matched >= 270);
	/* As many on both, but not the same ones: the first of a, the last of b. */
	together(300);
	memmove(a, a + 1, 299 * sizeof *a);
	CHECK(run(299, 299) == TM_ST_OK && is_found());
	/* Of b only the end. */
	together(300);
	memmove(b, b + 200, 100 * sizeof *b);
	CHECK(run(300, 100) == TM_ST_OK && is_found());
	CHECK_U64(match.matched, 100);
}

TEST(matching_by_number)
{
	together(40);
	for (size_t i = 0; i < 40; i++)
		a[i].seq = b[i].seq = i;
	memmove(b, b + 30, 10 * sizeof *b);
	CHECK(run(40, 10) == TM_ST_OK && is_found());
	CHECK_U64(match.matched, 10);
}

/* Ends that are evenly spaced look alike wherever one begins; and those of others are not alike. */
TEST(no_match)
{
	for (size_t i = 0; i < 50; i++)
		a[i] = b[i] = (struct tm_end_op) { i * 1000000, i * 1000000 + 9000, UINT64_MAX };
	CHECK(run(50, 49) == TM_ST_SKIP);
	CHECK(run(50, 50) == TM_ST_OK && match.fit.line.offset_ns == 0);
	CHECK(run(7, 7) == TM_ST_SKIP);
	CHECK(run(0, 0) == TM_ST_SKIP);
	together(300);
	for (size_t i = 0; i < 250; i++)
		b[i].start = b[i].end = b[i ? i - 1 : 0].end + 1000 + chance(1500000);
	CHECK(run(300, 250) == TM_ST_SKIP);
	CHECK(run(250, 250) == TM_ST_OK && match.loose);
	free(pairs.v);
}

TEST_MAIN(T(exact), T(outliers), T(error_is_enough), T(no_drift), T(drift), T(odd), T(lines),
          T(matching), T(matching_by_number), T(no_match))
