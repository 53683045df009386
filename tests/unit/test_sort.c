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

TEST_MAIN(T(beside_qsort))
