/* SPDX-License-Identifier: MIT */
#include "metric/causes.h"

#include <stdlib.h>

enum { STRIDE = 64 }; /* what is looked up in advance is so for every 64th entry */

struct thread_past {
	bool ready;
	struct intervals *ends; /* its waits by end: [start, end) as [end, end + its length) */
	/* The earliest start of each stretch of STRIDE of them, as a tree in an array: leaves from
	 * `leaves` on. */
	uint64_t *earliest;
	size_t leaves;
	size_t first, n; /* its calls in the index, by start */
	size_t *reach;   /* reach[i]: which of the first i * STRIDE ends last, the first of equals */
};

bool causes_init(struct causes *c, struct work *w, struct calls *calls, uint64_t rank)
{
	*c = (struct causes) { .w = w,
		               .calls = calls,
		               .api = work_api_of(w, rank),
		               .from = calls->from,
		               .to = calls->to };
	c->past = calloc(c->to - c->from + 1, sizeof *c->past);
	return c->past != NULL;
}

void causes_fini(struct causes *c)
{
	for (size_t i = 0; c->past && i < c->to - c->from; i++) {
		free(c->past[i].earliest);
		free(c->past[i].reach);
	}
	free(c->past);
	*c = (struct causes) { 0 };
}

/* ---- waits ---- */

static uint64_t wait_end(const struct thread_past *p, size_t i)
{
	return interval_start(p->ends, i);
}

static uint64_t wait_start(const struct thread_past *p, size_t i)
{
	return interval_start(p->ends, i) - interval_dur(p->ends, i);
}

static bool order_waits(struct thread_past *p, struct intervals *waits)
{
	if (!intervals_turn(waits, false))
		return false;
	intervals_sort(waits, NULL);
	p->ends = waits;
	p->ready = true;
	return true;
}

/* How many waits end at or before t. */
static size_t ended_by(const struct thread_past *p, uint64_t t)
{
	size_t lo = 0, hi = p->ends->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (wait_end(p, mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint64_t least_of(const struct thread_past *p, size_t from, size_t to, uint64_t least)
{
	for (; from < to; from++)
		if (wait_start(p, from) < least)
			least = wait_start(p, from);
	return least;
}

static bool plant(struct thread_past *p)
{
	size_t n = p->ends->n / STRIDE;

	p->leaves = n;
	p->earliest = malloc((2 * n + 1) * sizeof *p->earliest);
	if (!p->earliest)
		return false;
	for (size_t i = 0; i < n; i++)
		p->earliest[n + i] = least_of(p, i * STRIDE, (i + 1) * STRIDE, UINT64_MAX);
	for (size_t i = n; i-- > 1;) {
		uint64_t a = p->earliest[2 * i], b = p->earliest[2 * i + 1];

		p->earliest[i] = a < b ? a : b;
	}
	return true;
}

/* The earliest start of the waits [from, to), to > from. */
static bool earliest_start(struct thread_past *p, size_t from, size_t to, uint64_t *out)
{
	size_t lo = (from + STRIDE - 1) / STRIDE, hi = to / STRIDE;

	if (lo >= hi) {
		*out = least_of(p, from, to, UINT64_MAX);
		return true;
	}
	if (!p->earliest && !plant(p))
		return false;
	*out = least_of(p, from, lo * STRIDE, UINT64_MAX);
	*out = least_of(p, hi * STRIDE, to, *out);
	for (lo += p->leaves, hi += p->leaves; lo < hi; lo /= 2, hi /= 2) {
		if (lo & 1 && p->earliest[lo++] < *out)
			*out = p->earliest[lo - 1];
		if (hi & 1 && p->earliest[--hi] < *out)
			*out = p->earliest[hi];
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

static size_t later_end(const struct intervals *s, size_t best, size_t i)
{
	return interval_end(s, i) > interval_end(s, best) ? i : best;
}

static bool find_reach(struct thread_past *p, const struct intervals *s)
{
	size_t best = p->first;

	p->reach = malloc((p->n / STRIDE + 1) * sizeof *p->reach);
	for (size_t i = 0; p->reach && i < p->n; i++) {
		if (i % STRIDE == 0)
			p->reach[i / STRIDE] = best;
		best = later_end(s, best, p->first + i);
	}
	if (p->reach && p->n % STRIDE == 0)
		p->reach[p->n / STRIDE] = best;
	return p->reach != NULL;
}

/* The waits go back to where calls_by_thread finds them. */
static bool turn_to_calls(struct causes *c)
{
	for (size_t i = 0; i < c->to - c->from; i++)
		if (c->past[i].ready && !intervals_turn(c->past[i].ends, true))
			return false;
	if (!calls_by_thread(c->calls))
		return false;
	for (size_t i = 0; i < c->calls->v.n; i++) {
		struct thread_past *p = &c->past[calls_thread(c->calls, i) - c->from];

		p->first = p->n ? p->first : i;
		p->n++;
	}
	return c->by_thread = true;
}

/* How many calls of the thread start at or before t. */
static size_t started_by(const struct thread_past *p, const struct intervals *s, uint64_t t)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(s, p->first + mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Which of the first n calls of the thread ends last. */
static size_t last_end(const struct thread_past *p, const struct intervals *s, size_t n)
{
	size_t best = p->reach[n / STRIDE];

	for (size_t i = n / STRIDE * STRIDE; i < n; i++)
		best = later_end(s, best, p->first + i);
	return best;
}

/* Of calls that begin at or before the gap the one that ends last covers most of it; of the others
 * each is looked at, for gaps of a track do not overlap. */
bool causes_call(struct causes *c, struct extent gap, size_t thread, bool *any, uint32_t *name)
{
	struct thread_past *p = &c->past[thread - c->from];
	const struct intervals *s = &c->calls->v;
	size_t k, best = SIZE_MAX;
	uint64_t most = 0;

	*any = false;
	if ((!c->by_thread && !turn_to_calls(c)) || (!p->reach && !find_reach(p, s)))
		return false;
	k = started_by(p, s, gap.lo);
	if (k && interval_end(s, last_end(p, s, k)) > gap.lo) {
		best = last_end(p, s, k);
		most = clamp(interval_end(s, best), gap) - gap.lo;
	}
	for (k += p->first; k < p->first + p->n && interval_start(s, k) < gap.hi; k++) {
		uint64_t end = interval_end(s, k), covers = clamp(end, gap) - interval_start(s, k);

		if (covers > most || (covers && covers == most && end > interval_end(s, best))) {
			best = k;
			most = covers;
		}
	}
	if (best != SIZE_MAX) {
		*any = true;
		*name = calls_name(c->calls, best);
	}
	return true;
}
