/* SPDX-License-Identifier: MIT
 * Sorting in place, beside qsort_r. */
#include "base/sort.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200, WIDEST = 150 };

/* *arg: the size. */
static int by_bytes(const void *a, const void *b, void *arg)
{
	const size_t *size = arg;

	return memcmp(a, b, *size);
}

/* Of any size, also of more than is swapped at once; already in order, backwards, all the same. */
TEST(beside_qsort)
{
	static const size_t sizes[] = { 1, 4, 12, 64, 65, WIDEST };
	static unsigned char a[MOST * WIDEST], b[MOST * WIDEST];
	uint64_t x = 7;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		for (size_t n = 0; n < MOST; n += 1 + n / 4) {
			size_t size = sizes[k];

			for (size_t i = 0; i < n * size; i++) {
				x = x * 6364136223846793005u + 1442695040888963407u;
				a[i] = (unsigned char)(x >> 60);
			}
			for (int again = 0; again < 2; again++) {
				memcpy(b, a, n * size);
				if (n)
					qsort_r(b, n, size, by_bytes, &size);
				tm_sort_in_place(a, n, size, by_bytes, &size);
				CHECK(!memcmp(a, b, n * size));
			}
			/* Backwards. */
			for (size_t i = 0; i < n; i++)
				memcpy(a + i * size, b + (n - 1 - i) * size, size);
			tm_sort_in_place(a, n, size, by_bytes, &size);
			CHECK(!memcmp(a, b, n * size));
		}
	}
}

/* The first that is not below each number, of all, a part and none. */
TEST(bisect)
{
	static const int v[] = { 2, 4, 4, 4, 9 };
	static const uint32_t first[] = { 0, 0, 0, 1, 1, 4, 4, 4, 4, 4, 5 };

	for (int key = 0; key <= 10; key++) {
		uint32_t lo = 0, hi = 5, from = 2, to = 4, none = 3, end = 3;

		TM_BISECT(lo, hi, mid, v[mid] < key);
		CHECK(lo == first[key] && hi == lo);
		TM_BISECT(from, to, mid, v[mid] < key);
		CHECK(from == (first[key] < 2 ? 2 : first[key] > 4 ? 4 : first[key]));
		TM_BISECT(none, end, mid, v[mid] < key);
		CHECK(none == 3 && end == 3);
	}
}

TEST_MAIN(T(beside_qsort), T(bisect))
