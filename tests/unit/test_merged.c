/* SPDX-License-Identifier: MIT
 * Many lists in the order of their starts, against a plain sort. */
#include "agg/merged.h"

#include "test.h"

TEST(by_hand)
{
	/* List 0: 1..9 a; 1: none; 2: 1..5 b, 1..5 c, 7..8 a; 3: 1..5 c, 2..3 a.  The longest of
	 * those that start at 1 first.  Then, by number, both of list 2; by order, the c of list 3,
	 * which is above the b that is next in list 2. */
	static const uint32_t order[] = { 0, 1, 2 };
	static const size_t plain[] = { 0, 2, 2, 3, 3, 2 }, ordered[] = { 0, 3, 2, 2, 3, 2 };
	struct tm_intervals v[3] = { 0 };
	const struct tm_intervals *list[] = { &v[0], NULL, &v[1], &v[2] };
	struct tm_merged m;

	CHECK(tm_intervals_add(&v[0], 1, 9, 0, 0) && tm_intervals_add(&v[1], 1, 5, 0, 1) &&
	      tm_intervals_add(&v[1], 1, 5, 0, 2) && tm_intervals_add(&v[1], 7, 8, 0, 0) &&
	      tm_intervals_add(&v[2], 1, 5, 0, 2) && tm_intervals_add(&v[2], 2, 3, 0, 0));
	for (int k = 0; k < 2; k++) {
		CHECK(tm_merged_init(&m, list, 4, k ? order : NULL));
		for (size_t i = 0; i < 6; i++, tm_merged_step(&m)) {
			CHECK(tm_merged_at(&m));
			CHECK_U64(tm_merged_at(&m)->number, (k ? ordered : plain)[i]);
		}
		CHECK(!tm_merged_at(&m));
		tm_merged_fini(&m);
	}
	for (int k = 0; k < 3; k++)
		tm_intervals_fini(&v[k]);
}

TEST(random_lists)
{
	enum { LISTS = 100 };
	uint64_t x = 9;

	for (unsigned round = 0; round < 50; round++) {
		struct tm_intervals v[LISTS] = { 0 };
		const struct tm_intervals *list[LISTS];
		uint64_t now = 0, sum = 0, n = 0;
		struct tm_merged m;

		for (size_t k = 0; k < LISTS; k++)
			list[k] = &v[k];
		for (unsigned i = 0; i < 20 * round; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			now += x >> 61;
			sum += now * 3 + i;
			CHECK(tm_intervals_add(&v[(x >> 33) % LISTS], now, now + (x >> 50) % 9, 0,
			                       i));
		}
		now = 0;
		CHECK(tm_merged_init(&m, list, LISTS, NULL));
		for (; tm_merged_at(&m); tm_merged_step(&m)) {
			uint64_t start = tm_interval_start(tm_merged_at(&m)->list,
			                                   tm_merged_at(&m)->i);

			CHECK(start >= now);
			now = start;
			sum -= start * 3 +
			       tm_interval_name(tm_merged_at(&m)->list, tm_merged_at(&m)->i);
			n++;
		}
		CHECK_U64(sum, 0);
		CHECK_U64(n, 20 * round);
		tm_merged_fini(&m);
		for (size_t k = 0; k < LISTS; k++)
			tm_intervals_fini(&v[k]);
	}
}

TEST_MAIN(T(by_hand), T(random_lists))
