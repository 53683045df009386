/* SPDX-License-Identifier: MIT */
#include "work/work_time.h"

#include <inttypes.h>

/* v * 10^places / one, rounded. */
static uint64_t rounded(uint64_t v, uint64_t one, int places)
{
	tm_u128 scaled = v;

	for (int i = 0; i < places; i++)
		scaled *= 10;
	return (uint64_t)((scaled + one / 2) / one);
}

enum { DIGITS = 4, MOST = 10000 }; /* 10^DIGITS */

void tm_work_put_ns(struct tm_buf *b, uint64_t ns)
{
	static const char *const unit[] = { " ns", " us", " ms", " s" };
	uint64_t one = 1, scale = 1;
	int u = 0, places = DIGITS - 1;

	/* 999.96 us are 1.000 ms. */
	for (; u < 3 && rounded(ns, one, u ? 1 : 0) >= (u ? MOST : 1000); u++)
		one *= 1000;
	/* And 9.9996 are 10.00. */
	while (places && rounded(ns, one, places) >= MOST)
		places--;
	places = u ? places : 0;
	for (int i = 0; i < places; i++)
		scale *= 10;
	tm_buf_u64(b, rounded(ns, one, places) / scale);
	if (places)
		tm_buf_fmt(b, ".%0*" PRIu64, places, rounded(ns, one, places) % scale);
	tm_buf_str(b, unit[u]);
}
