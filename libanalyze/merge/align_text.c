/* SPDX-License-Identifier: MIT
 * What was done about the clocks, in words. */
#include "merge/align.h"

#include <inttypes.h>

static void tell_realtime(const struct align_done *a, struct buf *b)
{
	buf_str(b, "clocks aligned by CLOCK_REALTIME");
	if (a->has_read)
		buf_fmt(b, " (read to %" PRIu64 " ns)", a->read_ns);
	if (a->has_other)
		buf_fmt(b, "; residual at most %" PRIu64 " ns by the collectives", a->other_ns);
	else
		buf_str(b,
		        "; residual unknown: nothing here shows how accurately the hosts keep it");
}

/* "50.13" for a rate, in ppm without sign. */
static void put_ppm(struct buf *b, int64_t rate)
{
	u128 size = rate < 0 ? -(u128)rate : (u128)rate;
	uint64_t hundredths = (uint64_t)((size * 100000000 + ((u128)1 << (CLOCK_RATE_BITS - 1))) >>
	                                 CLOCK_RATE_BITS);

	buf_fmt(b, "%" PRIu64 ".%02u", hundredths / 100, (unsigned)(hundredths % 100));
}

static void tell_collectives(const struct align_done *a, struct buf *b)
{
	buf_fmt(b,
	        "clocks aligned by %" PRIu64 " collectives of each rank%s; ends differ by %" PRIu64
	        " ns (median), residual at most %" PRIu64 " ns",
	        a->collectives,
	        a->by_order ? ", matched by order because not all name their communicator" : "",
	        a->middle_ns, a->residual_ns);
	if (a->has_other)
		buf_fmt(b, "; CLOCK_REALTIME would be %" PRIu64 " ns off", a->other_ns);
	if (!a->rate)
		return;
	buf_str(b, "\nclocks drift by up to ");
	put_ppm(b, a->rate);
	buf_fmt(b, " ppm (rank %" PRIu64 "): corrected", a->rate_rank);
	if (a->parts)
		buf_str(b, "; residual in each eighth of the run, in ns:");
	for (size_t i = 0; i < a->parts; i++)
		buf_fmt(b, " %" PRIu64, a->part_ns[i]);
}

bool align_text(const struct align_done *a, struct buf *b)
{
	switch (a->how) {
	case ALIGN_SHARED:
		buf_str(b, "all ranks share one clock: nothing to align");
		break;
	case ALIGN_REALTIME:
		tell_realtime(a, b);
		break;
	case ALIGN_COLLECTIVES:
		tell_collectives(a, b);
		break;
	default:
		buf_fmt(b, "clocks not aligned, times of different ranks may not be comparable: %s",
		        a->why.text);
	}
	return !b->failed;
}
