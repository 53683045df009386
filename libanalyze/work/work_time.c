/* SPDX-License-Identifier: MIT */
#include "work/work_time.h"

#include <inttypes.h>

void tm_work_put_ns(struct tm_buf *b, uint64_t ns)
{
	static const char *const unit[] = { " ns", " us", " ms", " s" };
	uint64_t one = 1, scale = 1, more;
	int u = 0, places = 3;

	for (; u < 3 && ns / one >= 1000; u++)
		one *= 1000;
	for (uint64_t whole = ns / one; places && whole >= 10; whole /= 10)
		places--;
	places = u ? places : 0;
	for (int i = 0; i < places; i++)
		scale *= 10;
	more = (uint64_t)(((tm_u128)ns * scale + one / 2) / one);
	tm_buf_u64(b, more / scale);
	if (places)
		tm_buf_fmt(b, ".%0*" PRIu64, places, more % scale);
	tm_buf_str(b, unit[u]);
}
