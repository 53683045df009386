/* SPDX-License-Identifier: MIT */
#include "metric/call_index.h"

bool call_index_init(struct call_index *c, struct work *w, size_t from, size_t n)
{
	*c = (struct call_index) { 0 };
	for (size_t i = from; i < from + n; i++)
		for (int a = 0; a < WORK_APIS; a++) {
			struct intervals *s = &w->thread[i].call[a];

			for (size_t k = 0; k < s->n; k++) {
				uint64_t at = s->v[k].start, corr = interval_tag(s, k);

				if (corr && !intervals_add(&c->v, at, at + i, corr, 0))
					return false;
			}
			intervals_fini(s);
		}
	return intervals_sort_by_tag(&c->v, NULL);
}

/* The first place at or behind lo whose id is at least `corr`: v.n if there is none.  Steps that double
 * from the last place found, then halves. */
static size_t seek(const struct call_index *c, uint64_t corr)
{
	size_t lo = 0, hi = c->v.n, step = 1;

	if (c->hint < c->v.n && interval_tag(&c->v, c->hint) < corr) {
		for (lo = c->hint + 1; lo < hi && hi - lo > step; step *= 2) {
			if (interval_tag(&c->v, lo + step) >= corr) {
				hi = lo + step;
				break;
			}
			lo += step;
		}
	} else if (c->hint < c->v.n) {
		for (hi = c->hint; hi > step; step *= 2) {
			if (interval_tag(&c->v, hi - step) < corr) {
				lo = hi - step;
				break;
			}
			hi -= step;
		}
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_tag(&c->v, mid) < corr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool call_index_find(struct call_index *c, uint64_t corr, uint64_t start, size_t *thread,
                     uint64_t *at)
{
	size_t i, n = c->v.n;

	if (!corr || !n)
		return false;
	i = seek(c, corr);
	if (i == n || interval_tag(&c->v, i) != corr)
		return false;
	c->hint = i;
	/* By halves as well: a crafted trace has one id only. */
	for (size_t lo = i, hi = n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_tag(&c->v, mid) == corr && c->v.v[mid].start <= start) {
			i = mid;
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	*thread = (size_t)interval_dur(&c->v, i);
	*at = c->v.v[i].start;
	return true;
}

void call_index_fini(struct call_index *c)
{
	intervals_fini(&c->v);
	*c = (struct call_index) { 0 };
}
