/* SPDX-License-Identifier: MIT */
#include "agg/change_points.h"

#include "test.h"

#include <math.h>

static uint64_t seed = 3;

static double uniform(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* 60 values around 100, by 2 % or, heavy, now and then by much more; from `at` on `factor` times
 * that. */
static void draw(double *v, bool heavy, size_t at, double factor)
{
	for (size_t i = 0; i < 60; i++) {
		double noise = heavy ? normal() / sqrt(uniform()) : 2 * normal();

		v[i] = (100 + noise) * (i >= at ? factor : 1);
	}
}

/* A step from 10 to 12 at the seventh of twelve: one of two arrangements of C(12, 6) = 924 is as
 * good at its place. */
TEST(a_step)
{
	static const double v[] = { 10, 10.1, 10.2, 10.3, 10.4, 10.5,
		                    12, 12.1, 12.2, 12.3, 12.4, 12.5 };
	struct tm_change_point out[12];
	size_t found;

	CHECK(tm_change_points(v, 12, 0.01, 0.03, out, &found));
	CHECK_U64(found, 1);
	CHECK(out[0].at == 6 && out[0].from == 0 && out[0].to == 12 && out[0].p <= 0.01);
	CHECK(out[0].before == 10.25 && out[0].after == 12.25);
	/* A floor of 20 % is not passed by 19.5. */
	CHECK(tm_change_points(v, 12, 0.01, 0.2, out, &found));
	CHECK_U64(found, 0);
	CHECK(tm_change_points(v, 5, 0.01, 0.03, out, &found));
	CHECK_U64(found, 0);
	CHECK(tm_change_points(v, 0, 0.01, 0.03, out, &found));
	CHECK_U64(found, 0);
}

/* Three of six: of the 20 orders two are as good, so no usual level finds it; it is the likeliest
 * all the same, unless the floor is above it.  Of five there is no place to cut. */
TEST(too_few_to_be_found)
{
	static const double v[] = { 10, 10.1, 10.2, 12, 12.1, 12.2 };
	struct tm_change_point out[6];
	size_t found;
	bool any;

	CHECK(tm_change_points(v, 6, 0.005, 0.03, out, &found));
	CHECK_U64(found, 0);
	CHECK(tm_change_likeliest(v, 6, 0.005, 0.03, out, &any) && any);
	CHECK(out[0].at == 3 && out[0].before == 10.1 && out[0].after == 12.1);
	CHECK(out[0].p > 0.05 && out[0].p < 0.2);
	CHECK(tm_change_likeliest(v, 6, 0.005, 0.2, out, &any) && !any);
	CHECK(tm_change_likeliest(v, 5, 0.005, 0.03, out, &any) && !any);
	CHECK(tm_change_likeliest(v, 0, 0.005, 0.03, out, &any) && !any);
}

/* Ranks of values that rise all along cut in the middle; the level is another from the tenth on.
 * Levels are of where the change is told to be. */
TEST(levels_of_its_place)
{
	static const double v[] = { 10.0, 10.1, 10.2, 10.3, 10.4, 10.5,
		                    10.6, 10.7, 10.8, 20.0, 20.1, 20.2 };
	struct tm_change_point out[12];
	size_t found;

	CHECK(tm_change_points(v, 12, 0.05, 0.03, out, &found));
	CHECK_U64(found, 1);
	CHECK(out[0].at == 9 && out[0].from == 0 && out[0].to == 12);
	CHECK(out[0].before == 10.4 && out[0].after == 20.1);
}

TEST(constant)
{
	double v[30];
	struct tm_change_point out[30];
	size_t found;

	for (size_t i = 0; i < 30; i++)
		v[i] = 7;
	CHECK(tm_change_points(v, 30, 0.01, 0.03, out, &found));
	CHECK_U64(found, 0);
}

/* Up and down again: two changes, in order. */
TEST(two)
{
	double v[60];
	struct tm_change_point out[60];
	size_t found;

	draw(v, false, 20, 1.2);
	for (size_t i = 40; i < 60; i++)
		v[i] /= 1.2;
	CHECK(tm_change_points(v, 60, 0.005, 0.03, out, &found));
	CHECK_U64(found, 2);
	CHECK(out[0].at == 20 && out[1].at == 40);
	CHECK(out[0].after > out[0].before && out[1].after < out[1].before);
}

/* 8 % at the 41st of 60 is found there, or one beside it, in 95 of 100; in 150 series of 60 without
 * a change, 9,000 runs, there are at most 4 false ones, without any floor: one in 1,000 runs would
 * be 9. */
TEST(planted)
{
	double v[60];
	struct tm_change_point out[60];
	size_t found, right[2] = { 0 }, alarms = 0;

	for (int i = 0; i < 100; i++) {
		draw(v, i % 2, 40, 1.08);
		CHECK(tm_change_points(v, 60, 0.005, 0.03, out, &found));
		for (size_t k = 0; k < found; k++)
			if (out[k].at >= 39 && out[k].at <= 41) {
				right[i % 2]++;
				break;
			}
	}
	CHECK(right[0] + right[1] >= 95);
	for (int i = 0; i < 150; i++) {
		draw(v, i % 2, 60, 1);
		CHECK(tm_change_points(v, 60, 0.005, 0, out, &found));
		alarms += found;
	}
	CHECK(alarms <= 4);
	if (test_bad)
		fprintf(stderr, "%zu and %zu of 50 right, %zu false alarms in 9000 runs\n",
		        right[0], right[1], alarms);
}

TEST_MAIN(T(a_step), T(too_few_to_be_found), T(levels_of_its_place), T(constant), T(two),
          T(planted))
