/* SPDX-License-Identifier: MIT */
#include "agg/nth.h"

#include "test.h"

static uint64_t seed = 1;

static uint64_t next(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

static int cmp(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Any of any numbers, small and huge, often the same: beside sorting them. */
TEST(beside_sorting)
{
	enum { MOST = 300 };
	static struct tm_nth s;
	uint64_t v[MOST];

	for (int round = 0; round < 500; round++) {
		unsigned shift = (unsigned)next(60);
		size_t n = 1 + next(MOST), at = next(n);
		uint64_t below = 0, equal = 0, kinds = 1 + next(1000);

		for (size_t i = 0; i < n; i++)
			v[i] = next(9) ? next(kinds) << shift : UINT64_MAX - next(3);
		qsort(v, n, sizeof *v, cmp);
		tm_nth_init(&s, at + 1, v[n - 1]);
		while (tm_nth_again(&s)) {
			for (size_t i = 0; i < n; i++)
				tm_nth_add(&s, v[i]);
			tm_nth_settle(&s);
		}
		for (size_t i = 0; i < n; i++) {
			below += v[i] < v[at];
			equal += v[i] == v[at];
		}
		CHECK_U64(s.value, v[at]);
		CHECK_U64(s.below, below);
		CHECK_U64(s.equal, equal);
	}
	tm_nth_init(&s, 0, 7);
	CHECK(!tm_nth_again(&s));
	CHECK_U64(s.value, 0);
}

TEST_MAIN(T(beside_sorting))
