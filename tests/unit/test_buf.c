/* SPDX-License-Identifier: MIT
 * Arrays that grow. */
#include "base/buf.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool all_zero(const uint16_t *v, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (v[i])
			return false;
	return true;
}

/* What is new is 0 up to the end of the memory; what was written stays. */
TEST(zeroed)
{
	uint16_t *v = NULL;
	size_t cap = 0;

	for (size_t want = 1; want < 5000; want += want / 3 + 1) {
		const size_t had = cap;

		CHECK(tm_grow_zeroed(&v, &cap, want, sizeof *v) && cap >= want);
		CHECK(all_zero(v, had, cap));
		for (size_t i = 0; i < cap; i++) {
			CHECK_U64(v[i], i < had ? 7 : 0);
			v[i] = 7;
		}
	}
	CHECK(!tm_grow_zeroed(&v, &cap, SIZE_MAX, sizeof *v));
	CHECK_U64(v[0], 7);
	free(v);
}

/* What is not known is 0, also where it was once. */
TEST(known)
{
	size_t n = 0, cap = 0;
	uint16_t *v = NULL;

	CHECK(tm_grow_known(&v, &n, &cap, 0, sizeof *v) && !v && !n);
	for (size_t want = 1; want < 5000; want += want / 3 + 1) {
		const size_t had = n;

		CHECK(tm_grow_known(&v, &n, &cap, want, sizeof *v) && n == want && cap >= n);
		CHECK(all_zero(v, had, n));
		for (size_t i = 0; i < n; i++) {
			CHECK_U64(v[i], i < had ? 7 : 0);
			v[i] = 7;
		}
		CHECK(tm_grow_known(&v, &n, &cap, want - 1, sizeof *v) && n == want);
	}
	CHECK(!tm_grow_known(&v, &n, &cap, SIZE_MAX, sizeof *v));
	n = 0;
	CHECK(tm_grow_known(&v, &n, &cap, 100, sizeof *v) && n == 100);
	CHECK(all_zero(v, 0, 100) && v[100] == 7);
	free(v);
}

TEST_MAIN(T(zeroed), T(known))
