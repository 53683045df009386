/* SPDX-License-Identifier: MIT
 * Times in words: four digits, also where rounding adds one. */
#include "work/work_time.h"

#include "test.h"

TEST(words)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.000 us" },
		{ 9128012, "9.128 ms" },
		{ 9999499, "9.999 ms" },
		{ 9999500, "10.00 ms" },
		{ 99994999, "99.99 ms" },
		{ 99995000, "100.0 ms" },
		{ 999949, "999.9 us" },
		{ 999950, "1.000 ms" },
		{ 999950000, "1.000 s" },
		{ 59994999999, "59.99 s" },
		{ 59995000000, "1.000 min" },
		{ 3599699999999, "59.99 min" },
		{ 3599700000000, "1.000 h" },
		{ 123456789012345, "34.29 h" },
		{ UINT64_MAX, "5124096 h" },
	};

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		struct tm_buf b = { 0 };

		tm_work_put_ns(&b, times[i].ns);
		CHECK_STR(b.p, times[i].text);
		tm_buf_fini(&b);
	}
}

TEST_MAIN(T(words))
