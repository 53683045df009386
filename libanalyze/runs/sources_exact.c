/* SPDX-License-Identifier: MIT
 * Two formats with the same kernels to the nanosecond are of one run wherever they lie: directories
 * of their own, an archive and what is beside it.  Two of one format are what they are. */
#include "runs/sources_parts.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = TM_DOMAIN_KERNEL };

/* Whose kernels began and ended in the same nanoseconds: sums of hashes tell. */
struct exact {
	uint64_t kernels, times;
	size_t unit;
	const struct tm_source *s;
};

static int by_exact(const void *pa, const void *pb)
{
	const struct exact *a = pa, *b = pb;

	if (a->kernels != b->kernels)
		return a->kernels > b->kernels ? 1 : -1;
	if (a->times != b->times)
		return a->times > b->times ? 1 : -1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

/* The kernels of a unit, none of them lost or without a time; false: it has no such. */
static bool exact_of(const struct sources_of *o, size_t unit, struct exact *e)
{
	const struct tm_source *s = tm_sources_best(o, unit, (enum tm_trace_part)KERNEL);

	if (!s || s->lossy || s->part[KERNEL].timed != s->part[KERNEL].rows)
		return false;
	*e = (struct exact) { .kernels = s->part[KERNEL].rows, .unit = unit, .s = s };
	for (size_t i = 0; i < s->nagents; i++)
		e->times += s->agent[i].time_sum;
	return true;
}

/* Is b the only one of n of its format that a may be of one run with? */
static bool only_one(struct sources_of *o, const struct exact *v, size_t n, const struct exact *a,
                     const struct exact *b)
{
	for (size_t i = 0; i < n; i++)
		if (&v[i] != b && !strcmp(v[i].s->format, b->s->format) &&
		    tm_sources_run_of(o, v[i].unit) != tm_sources_run_of(o, b->unit) &&
		    tm_sources_joinable(o, a->unit, v[i].unit))
			return false;
	return true;
}

/* n with the same kernels in the same nanoseconds. */
static bool link_same(struct sources_of *o, const struct exact *v, size_t n)
{
	bool alike;

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			const size_t a = tm_sources_run_of(o, v[i].unit),
			             b = tm_sources_run_of(o, v[k].unit);

			if (a == b || !tm_sources_joinable(o, a, b) ||
			    !only_one(o, v, n, &v[i], &v[k]) || !only_one(o, v, n, &v[k], &v[i]))
				continue;
			if (!tm_sources_named_alike(o, v[i].s, v[k].s, &alike))
				return false;
			if (alike)
				tm_sources_join(o, a, b);
		}
	return true;
}

bool tm_sources_link_exact(struct sources_of *o)
{
	struct exact *v = malloc((o->nunits + 1) * sizeof *v);
	bool ok = v != NULL;
	size_t n = 0;

	for (size_t i = 0; v && i < o->nunits; i++)
		n += exact_of(o, i, &v[n]);
	if (v && n)
		qsort(v, n, sizeof *v, by_exact);
	for (size_t i = 0, end; ok && i < n; i = end) {
		for (end = i + 1;
		     end < n && v[end].kernels == v[i].kernels && v[end].times == v[i].times;)
			end++;
		ok = link_same(o, v + i, end - i);
	}
	free(v);
	return ok;
}
