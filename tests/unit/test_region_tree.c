/* SPDX-License-Identifier: MIT
 * Which ranges hold an instant, and which lie inside which. */
#include "metric/region_tree.h"

#include "test.h"

static const uint32_t order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };

static struct region_tree tree_of(uint64_t (*range)[3], size_t n)
{
	struct intervals s = { 0 };
	struct region_tree t;

	for (size_t i = 0; i < n; i++)
		CHECK(intervals_add(&s, range[i][0], range[i][1], 0, (uint32_t)range[i][2]));
	intervals_sort(&s, order);
	CHECK(region_tree_init(&t, &s));
	intervals_fini(&s);
	return t;
}

/* The names at an instant, innermost first, as decimal digits; 0 = none. */
static uint64_t names_at(struct region_tree *t, uint64_t at)
{
	struct region_walk w = region_walk(t, at);
	struct region *r;
	uint64_t text = 0;

	while ((r = region_next(&w)))
		text = text * 10 + r->name;
	return text;
}

static uint32_t depth_of(const struct region_tree *t, uint32_t name)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].name == name)
			return t->v[i].depth;
	return 99;
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
	struct region_tree t = tree_of(v, 5);

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
	region_tree_fini(&t);
}

TEST(overlapping)
{
	/* 1 ------          0..60
	 * 2    -------     30..100: neither holds the other
	 * 3     -          40..50, inside both
	 * 4        -       80..90, inside 2 */
	static uint64_t v[][3] = { { 0, 60, 1 }, { 30, 100, 2 }, { 40, 50, 3 }, { 80, 90, 4 } };
	struct region_tree t = tree_of(v, 4);

	CHECK_U64(depth_of(&t, 1), 0);
	CHECK_U64(depth_of(&t, 2), 0);
	CHECK_U64(depth_of(&t, 3), 1);
	CHECK_U64(depth_of(&t, 4), 1);
	CHECK_U64(names_at(&t, 45), 321);
	CHECK_U64(names_at(&t, 55), 21);
	CHECK_U64(names_at(&t, 70), 2);
	CHECK_U64(names_at(&t, 85), 42);
	region_tree_fini(&t);
}

/* Against a look at every range, on random ones. */
TEST(random_ranges)
{
	uint64_t seed = 7;

	for (int round = 0; round < 300; round++) {
		uint64_t v[9][3];
		struct region_tree t;

		for (uint64_t i = 0; i < 9; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			v[i][0] = seed >> 33 & 31;
			v[i][1] = v[i][0] + (seed >> 40 & 15);
			v[i][2] = i + 1;
		}
		t = tree_of(v, 9);
		for (uint64_t at = 0; at < 50; at++) {
			unsigned want = 0, got = 0;
			struct region_walk w = region_walk(&t, at);
			const struct region *r;

			for (int i = 0; i < 9; i++)
				if (v[i][0] <= at && at < v[i][1])
					want |= 1u << v[i][2];
			while ((r = region_next(&w)))
				got |= 1u << r->name;
			CHECK_U64(got, want);
		}
		CHECK(!t.deep);
		region_tree_fini(&t);
	}
}

/* A crafted staircase of ranges that are all open: looked at so far and no further. */
TEST(too_many_open)
{
	struct intervals s = { 0 };
	struct region_tree t;
	struct region_walk w;
	unsigned n = 0;

	for (uint64_t i = 0; i < 20000; i++)
		CHECK(intervals_add(&s, i, i + 20000, 0, 1));
	intervals_sort(&s, order);
	CHECK(region_tree_init(&t, &s));
	w = region_walk(&t, 19999);
	while (region_next(&w))
		n++;
	CHECK_U64(n, REGION_OPEN);
	CHECK(t.deep);
	intervals_fini(&s);
	region_tree_fini(&t);
}

TEST_MAIN(T(nested), T(overlapping), T(random_ranges), T(too_many_open))
