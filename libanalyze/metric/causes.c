/* SPDX-License-Identifier: MIT */
#include "metric/causes.h"

#include <stdlib.h>

struct thread_past {
	bool ready, reaches;
	/* Its waits by end: every wait [start, end) as the interval [end, end + its length). */
	struct intervals ends;
	/* The earliest start of each stretch of them, as a tree in an array: leaves from ends.n on. */
	uint64_t *earliest;
	uint32_t *reach; /* reach[i]: which of the calls 0 .. i ends last, the first of equals */
};

bool causes_init(struct causes *c, const struct work *w, const struct calls *calls, uint64_t rank)
{
	*c = (struct causes) {
		.w = w, .api = work_api_of(w, rank), .from = calls->from, .to = calls->to
	};
	c->past = calloc(c->to - c->from + 1, sizeof *c->past);
	return c->past != NULL;
}

void causes_fini(struct causes *c)
{
	for (size_t i = 0; c->past && i < c->to - c->from; i++) {
		intervals_fini(&c->past[i].ends);
		free(c->past[i].earliest);
		free(c->past[i].reach);
	}
	free(c->past);
	*c = (struct causes) { 0 };
}

/* ---- waits ---- */

static uint64_t wait_end(const struct thread_past *p, size_t i)
{
	return p->ends.v[i].start;
}

static uint64_t wait_start(const struct thread_past *p, size_t i)
{
	return p->ends.v[i].start - interval_dur(&p->ends, i);
}

static bool order_waits(struct thread_past *p, const struct intervals *waits)
{
	for (size_t i = 0; i < waits->n; i++) {
		uint64_t end = interval_end(waits, i), dur = interval_dur(waits, i);

		/* The sum may pass 64 bits; only the difference is kept. */
		if (!intervals_add(&p->ends, end, end + dur, 0, 0))
			return false;
	}
	intervals_sort(&p->ends, NULL);
	p->ready = true;
	return true;
}

/* How many waits end at or before t. */
static size_t ended_by(const struct thread_past *p, uint64_t t)
{
	size_t lo = 0, hi = p->ends.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (wait_end(p, mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The earliest start of the waits [from, to), to > from. */
static bool earliest_start(struct thread_past *p, size_t from, size_t to, uint64_t *out)
{
	size_t n = p->ends.n;

	if (!p->earliest) {
		p->earliest = malloc(2 * n * sizeof *p->earliest);
		if (!p->earliest)
			return false;
		for (size_t i = 0; i < n; i++)
			p->earliest[n + i] = wait_start(p, i);
		for (size_t i = n - 1; i; i--) {
			uint64_t a = p->earliest[2 * i], b = p->earliest[2 * i + 1];

			p->earliest[i] = a < b ? a : b;
		}
	}
	*out = UINT64_MAX;
	for (from += n, to += n; from < to; from /= 2, to /= 2) {
		if (from & 1 && p->earliest[from++] < *out)
			*out = p->earliest[from - 1];
		if (to & 1 && p->earliest[--to] < *out)
			*out = p->earliest[to];
	}
	return true;
}

/* Time of [e, m) inside waits that end at or before a0; m = a0, or before it where the operation
 * began before its call (on a clock that is a little off). */
static bool waited(struct thread_past *p, uint64_t e, uint64_t m, uint64_t a0, uint64_t *out)
{
	size_t i = ended_by(p, a0), late = m < a0 ? ended_by(p, m) : i;
	uint64_t low = m; /* of what ends later, all from here on is counted */

	*out = 0;
	if (late < i) {
		uint64_t start;

		if (!earliest_start(p, late, i, &start))
			return false;
		low = start < e ? e : start < m ? start : m;
		*out = m - low;
	}
	for (i = late; i-- && wait_end(p, i) > e && low > e;) {
		uint64_t lo = wait_start(p, i), hi = wait_end(p, i);

		lo = lo < e ? e : lo;
		hi = hi > low ? low : hi;
		if (lo >= hi)
			continue;
		*out += hi - lo;
		low = lo;
	}
	return true;
}

static uint64_t clamp(uint64_t t, struct extent g)
{
	return t < g.lo ? g.lo : t > g.hi ? g.hi : t;
}

bool causes_split(struct causes *c, struct extent gap, struct extent call, size_t thread,
                  uint64_t out[CAUSES])
{
	struct thread_past *p = &c->past[thread - c->from];
	uint64_t begun = clamp(call.lo, gap), done = clamp(call.hi, gap);

	if (!p->ready && !order_waits(p, &c->w->thread[thread].wait[c->api]))
		return false;
	if (!waited(p, gap.lo, begun, call.lo, &out[CAUSE_SYNC]))
		return false;
	out[CAUSE_HOST] = begun - gap.lo - out[CAUSE_SYNC];
	out[CAUSE_LAUNCH] = done - begun;
	out[CAUSE_DEVICE] = gap.hi - done;
	out[CAUSE_UNKNOWN] = 0;
	return true;
}

/* ---- calls ---- */

static bool find_reach(struct thread_past *p, const struct intervals *calls)
{
	size_t best = 0;

	p->reaches = true;
	if (calls->n > UINT32_MAX)
		return false;
	p->reach = malloc((calls->n + 1) * sizeof *p->reach);
	for (size_t i = 0; p->reach && i < calls->n; i++) {
		if (interval_end(calls, i) > interval_end(calls, best))
			best = i;
		p->reach[i] = (uint32_t)best;
	}
	return p->reach != NULL;
}

/* How many calls start at or before t. */
static size_t started_by(const struct intervals *s, uint64_t t)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->v[mid].start <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of calls that begin at or before the gap the one that ends last covers most of it; of the others
 * each is looked at, for gaps of a track do not overlap. */
bool causes_call(struct causes *c, struct extent gap, size_t thread, bool *any, uint32_t *name)
{
	struct thread_past *p = &c->past[thread - c->from];
	const struct intervals *s = &c->w->thread[thread].call[c->api];
	size_t k = started_by(s, gap.lo), best = s->n;
	uint64_t most = 0;

	*any = false;
	if (!p->reaches && !find_reach(p, s))
		return false;
	if (k && interval_end(s, p->reach[k - 1]) > gap.lo) {
		best = p->reach[k - 1];
		most = clamp(interval_end(s, best), gap) - gap.lo;
	}
	for (; k < s->n && s->v[k].start < gap.hi; k++) {
		uint64_t end = interval_end(s, k), covers = clamp(end, gap) - s->v[k].start;

		if (covers > most || (covers && covers == most && end > interval_end(s, best))) {
			best = k;
			most = covers;
		}
	}
	if (best < s->n) {
		*any = true;
		*name = s->name[best];
	}
	return true;
}
