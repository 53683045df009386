/* SPDX-License-Identifier: MIT
 * Which ranges hold an instant, and which lie inside which. */
#include "work/region_open.h"

#include "test.h"

static const uint32_t order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };

static struct tm_intervals ranges_of(uint64_t (*range)[3], size_t n)
{
	struct tm_intervals s = { 0 };

	for (size_t i = 0; i < n; i++)
		CHECK(tm_intervals_add(&s, range[i][0], range[i][1], 0, (uint32_t)range[i][2]));
	tm_intervals_sort(&s, order);
	CHECK(tm_regions_link(&s));
	return s;
}

/* Innermost first, as decimal digits; 0 = none. */
static uint64_t digits_of(const struct tm_regions_open *open)
{
	uint64_t text = 0;

	for (size_t i = 0; i < open->n; i++)
		text = text * 10 + open->name[i];
	return text;
}

static uint64_t names_at(const struct tm_intervals *s, uint64_t at)
{
	struct tm_regions_open open = { 0 };

	tm_regions_at(s, at, &open);
	CHECK(!open.deep);
	return digits_of(&open);
}

static uint32_t depth_of(const struct tm_intervals *s, uint32_t name)
{
	uint32_t i = 0, depth = 0;
	bool deep = false;

	while (i < s->n && tm_interval_name(s, i) != name)
		i++;
	while ((i = tm_region_around(s, i, &deep)) != TM_REGION_NONE)
		depth++;
	CHECK(!deep);
	return depth;
}

TEST(nested)
{
	/* 1 ------------------   0..100
	 * 2 -------               0..40, begins with 1 and is shorter: inside
	 * 3   --                 10..20
	 * 4    .                 15, a mark
	 * 5       ----           40..60, where 2 ends */
	static uint64_t v[][3] = {
		{ 40, 60, 5 }, { 0, 40, 2 }, { 0, 100, 1 }, { 15, 15, 4 }, { 10, 20, 3 }
	};
	struct tm_intervals t = ranges_of(v, 5);

	CHECK_U64(depth_of(&t, 1), 0);
	CHECK_U64(depth_of(&t, 2), 1);
	CHECK_U64(depth_of(&t, 3), 2);
	CHECK_U64(depth_of(&t, 4), 3);
	CHECK_U64(depth_of(&t, 5), 1);
	CHECK_U64(names_at(&t, 0), 21);
	CHECK_U64(names_at(&t, 10), 321);
	CHECK_U64(names_at(&t, 15), 321);
	CHECK_U64(names_at(&t, 20), 21);
	CHECK_U64(names_at(&t, 39), 21);
	CHECK_U64(names_at(&t, 40), 51);
	CHECK_U64(names_at(&t, 99), 1);
	CHECK_U64(names_at(&t, 100), 0);
	tm_intervals_fini(&t);
}

TEST(overlapping)
{
	/* 1 ------          0..60
	 * 2    -------     30..100: neither holds the other
	 * 3     -          40..50, inside both
	 * 4        -       80..90, inside 2 */
	static uint64_t v[][3] = { { 0, 60, 1 }, { 30, 100, 2 }, { 40, 50, 3 }, { 80, 90, 4 } };
	struct tm_intervals t = ranges_of(v, 4);

	CHECK_U64(depth_of(&t, 1), 0);
	CHECK_U64(depth_of(&t, 2), 0);
	CHECK_U64(depth_of(&t, 3), 1);
	CHECK_U64(depth_of(&t, 4), 1);
	CHECK_U64(names_at(&t, 45), 321);
	CHECK_U64(names_at(&t, 55), 21);
	CHECK_U64(names_at(&t, 70), 2);
	CHECK_U64(names_at(&t, 85), 42);
	tm_intervals_fini(&t);
}

/* Random ranges in three lists: each list and all together, against a look at every range. */
TEST(random_ranges)
{
	enum { N = 9, LISTS = 3 };
	uint64_t seed = 7;

	for (int round = 0; round < 300; round++) {
		uint64_t v[N][3];
		struct tm_intervals list[LISTS];
		const struct tm_intervals *all[] = { &list[0], NULL, &list[1], &list[2] };
		struct tm_regions_open open = { 0 };
		struct tm_region_sweep sweep;

		for (uint64_t i = 0; i < N; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			v[i][0] = seed >> 33 & 31;
			v[i][1] = v[i][0] + (seed >> 40 & 15);
			v[i][2] = i + 1;
		}
		for (int k = 0; k < LISTS; k++)
			list[k] = ranges_of(v + k * N / LISTS, N / LISTS);
		CHECK(tm_region_sweep_init(&sweep, all, 4, order));
		for (uint64_t at = 0; at < 50; at++) {
			unsigned want = 0, got[LISTS] = { 0 }, any = 0;
			uint64_t before = UINT64_MAX;

			for (int i = 0; i < N; i++)
				if (v[i][0] <= at && at < v[i][1])
					want |= 1u << v[i][2];
			for (int k = 0; k < LISTS; k++) {
				tm_regions_at(&list[k], at, &open);
				for (size_t i = 0; i < open.n; i++)
					got[k] |= 1u << open.name[i];
			}
			CHECK_U64(got[0] | got[1] | got[2], want);
			if (round % 2 && at % 5)
				continue; /* instants may be far from each other */
			CHECK(tm_region_sweep_at(&sweep, at, &open));
			for (size_t i = 0; i < open.n; i++) {
				const uint64_t *range = v[open.name[i] - 1];

				any |= 1u << open.name[i];
				CHECK(range[0] <= before); /* the last begun first */
				before = range[0];
			}
			CHECK_U64(any, want);
			CHECK_U64((uint64_t)__builtin_popcount(want), open.n);
		}
		CHECK(!open.deep);
		tm_region_sweep_fini(&sweep);
		for (int k = 0; k < LISTS; k++)
			tm_intervals_fini(&list[k]);
	}
}

TEST(together)
{
	/* Of two lists, in a and b: 1 a 0..100, 2 b 0..50 (shorter: inside), 3 a 10..20, 4 b 10..20
	 * (equal: the higher in order is outside), 5 b 15..15 never open. */
	static uint64_t a[][3] = { { 0, 100, 1 }, { 10, 20, 3 } };
	static uint64_t b[][3] = { { 0, 50, 2 }, { 10, 20, 4 }, { 15, 15, 5 } };
	struct tm_intervals one = ranges_of(a, 2), two = ranges_of(b, 3);
	struct tm_region_sweep sweep;
	struct tm_regions_open open = { 0 };
	static const uint64_t want[][2] = { { 0, 21 },  { 9, 21 }, { 15, 3421 },
		                            { 20, 21 }, { 60, 1 }, { 100, 0 } };

	CHECK(tm_region_sweep_init(&sweep, (const struct tm_intervals *[]) { &two, &one }, 2,
	                           order));
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		CHECK(tm_region_sweep_at(&sweep, want[i][0], &open));
		CHECK_U64(digits_of(&open), want[i][1]);
	}
	tm_region_sweep_fini(&sweep);
	tm_intervals_fini(&one);
	tm_intervals_fini(&two);
}

/* A crafted staircase of ranges that are all open: looked at so far and no further. */
TEST(too_many_open)
{
	struct tm_intervals s = { 0 };
	struct tm_regions_open open = { 0 };
	struct tm_region_sweep sweep;

	for (uint64_t i = 0; i < 20000; i++)
		CHECK(tm_intervals_add(&s, i, i + 20000, 0, 1));
	tm_intervals_sort(&s, order);
	CHECK(tm_regions_link(&s));
	tm_regions_at(&s, TM_REGION_OPEN - 1, &open);
	CHECK_U64(open.n, TM_REGION_OPEN);
	CHECK(!open.deep);
	tm_regions_at(&s, 19999, &open);
	CHECK_U64(open.n, TM_REGION_OPEN);
	CHECK(open.deep);
	open.deep = false;
	CHECK(tm_region_sweep_init(&sweep, (const struct tm_intervals *[]) { &s }, 1, order));
	CHECK(tm_region_sweep_at(&sweep, 19999, &open));
	CHECK_U64(open.n, TM_REGION_OPEN);
	CHECK(open.deep);
	tm_region_sweep_fini(&sweep);
	tm_intervals_fini(&s);
}

TEST_MAIN(T(nested), T(overlapping), T(random_ranges), T(together), T(too_many_open))
