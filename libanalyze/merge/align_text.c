/* SPDX-License-Identifier: MIT
 * What was done about the clocks, in words. */
#include "merge/align.h"

#include <inttypes.h>

static void tell_realtime(const struct tm_align_done *a, struct tm_buf *b)
{
	tm_buf_str(b, "clocks aligned by CLOCK_REALTIME");
	if (a->has_read)
		tm_buf_fmt(b, " (read to %" PRIu64 " ns)", a->read_ns);
	if (a->has_other)
		tm_buf_fmt(b, "; residual at most %" PRIu64 " ns by the collectives", a->other_ns);
	else
		tm_buf_str(b, "; residual unknown: the input does not show how accurately the "
		              "hosts keep it");
}

/* "50.13" for a rate, in ppm without sign. */
static void put_ppm(struct tm_buf *b, int64_t rate)
{
	tm_u128 size = rate < 0 ? -(tm_u128)rate : (tm_u128)rate;
	uint64_t hundredths = (uint64_t)((size * 100000000 +
	                                  ((tm_u128)1 << (TM_CLOCK_RATE_BITS - 1))) >>
	                                 TM_CLOCK_RATE_BITS);

	tm_buf_fmt(b, "%" PRIu64 ".%02u", hundredths / 100, (unsigned)(hundredths % 100));
}

static void tell_collectives(const struct tm_align_done *a, struct tm_buf *b)
{
	tm_buf_fmt(b,
	           "clocks aligned by %" PRIu64
	           " collectives of each rank%s; ends differ by %" PRIu64
	           " ns (median), residual at most %" PRIu64 " ns",
	           a->collectives,
	           a->by_order ? ", matched by order because not all name their communicator" : "",
	           a->middle_ns, a->residual_ns);
	if (a->has_other)
		tm_buf_fmt(b, "; CLOCK_REALTIME would be %" PRIu64 " ns off", a->other_ns);
	if (!a->rate)
		return;
	tm_buf_str(b, "\nclocks drift by up to ");
	put_ppm(b, a->rate);
	tm_buf_fmt(b, " ppm (rank %" PRIu64 "): corrected", a->rate_rank);
	if (a->parts)
		tm_buf_str(b, "; residual in each eighth of the run, in ns:");
	for (size_t i = 0; i < a->parts; i++)
		tm_buf_fmt(b, " %" PRIu64, a->part_ns[i]);
}

bool tm_align_text(const struct tm_align_done *a, struct tm_buf *b)
{
	switch (a->how) {
	case TM_ALIGN_SHARED:
		tm_buf_str(b, "all ranks share one clock: nothing to align");
		break;
	case TM_ALIGN_REALTIME:
		tell_realtime(a, b);
		break;
	case TM_ALIGN_COLLECTIVES:
		tell_collectives(a, b);
		break;
	default:
		tm_buf_fmt(b,
		           "clocks not aligned, times of different ranks may not be comparable: %s",
		           a->why.text);
	}
	return !b->failed;
}
