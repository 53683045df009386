/* SPDX-License-Identifier: MIT */
#include "agg/tagged.h"

static inline bool is_before(const struct tm_intervals *s, size_t i, uint64_t tag, uint64_t at)
{
	uint64_t one = tm_interval_tag(s, i);

	return one < tag || (one == tag && tm_interval_start(s, i) <= at);
}

enum { FEW = 64, NEAR = 64 };

/* Entries below lo are before, those from hi on are not. */
static size_t between(const struct tm_intervals *s, size_t lo, size_t hi, uint64_t tag, uint64_t at)
{
	TM_BISECT(lo, hi, mid, is_before(s, mid, tag, at));
	return lo;
}

/* In steps that double from `from` on. */
static size_t near(const struct tm_intervals *s, size_t from, uint64_t tag, uint64_t at)
{
	size_t lo = from, hi, step = 1;

	if (lo < s->n && is_before(s, lo, tag, at)) {
		for (hi = lo + 1; hi < s->n && is_before(s, hi, tag, at); step *= 2) {
			lo = hi;
			hi = s->n - hi > step ? hi + step : s->n;
		}
		lo++;
	} else {
		for (hi = lo; lo && !is_before(s, lo - 1, tag, at); step *= 2) {
			hi = lo - 1;
			lo = hi > step ? hi - step : 0;
		}
	}
	return between(s, lo, hi, tag, at);
}

/* Where that tag may be, if tags are as far apart everywhere: ids count up. */
static size_t guess(const struct tm_intervals *s, uint64_t tag)
{
	uint64_t first, last;

	if (s->n < FEW)
		return s->n / 2;
	first = tm_interval_tag(s, 0);
	last = tm_interval_tag(s, s->n - 1);
	if (tag <= first || tag >= last)
		return tag <= first ? 0 : s->n - 1;
	return (size_t)((double)(tag - first) / (double)(last - first) * (double)(s->n - 1));
}

size_t tm_tagged_before(const struct tm_intervals *s, size_t from, uint64_t tag, uint64_t at)
{
	const size_t last = from < s->n ? from : s->n;
	const uint64_t there = last < s->n ? tm_interval_tag(s, last) : tag,
	               far = there > tag ? there - tag : tag - there;

	return near(s, far > NEAR ? guess(s, tag) : last, tag, at);
}
