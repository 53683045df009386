/* SPDX-License-Identifier: MIT */
#include "metric/causes.h"

#include <stdlib.h>

enum { STRIDE = 64 }; /* what is looked up in advance is so for every 64th entry */

/* Calls of a thread by start: n entries of a list. */
struct stretch {
	const struct intervals *s;
	size_t first, n;
	size_t *reach; /* reach[i]: which of the first i * STRIDE ends last, the first of equals */
};

/* In the index, of the other calls, of the waits. */
enum { INDEXED, OTHERS, WAITS, STRETCHES };

struct thread_past {
	bool ready;
	struct intervals *ends; /* its waits by end: [start, end) as [end, end + its length) */
	/* The earliest start of each stretch of STRIDE of them, as a tree in an array: leaves from
	 * `leaves` on. */
	uint64_t *earliest;
	size_t leaves;
	struct stretch calls[STRETCHES];
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
		for (int k = 0; k < STRETCHES; k++)
			free(c->past[i].calls[k].reach);
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

static bool find_reach(struct stretch *p)
{
	size_t best = p->first;

	p->reach = malloc((p->n / STRIDE + 1) * sizeof *p->reach);
	for (size_t i = 0; p->reach && i < p->n; i++) {
		if (i % STRIDE == 0)
			p->reach[i / STRIDE] = best;
		best = later_end(p->s, best, p->first + i);
	}
	if (p->reach && p->n % STRIDE == 0)
		p->reach[p->n / STRIDE] = best;
	return p->reach != NULL;
}

/* From who launched what to who did what. */
static bool turn_to_calls(struct causes *c)
{
	calls_by_thread(c->calls);
	for (size_t i = 0; i < c->to - c->from; i++) {
		struct work_thread *t = &c->w->thread[c->from + i];
		struct thread_past *p = &c->past[i];

		if (p->ready && !intervals_turn(p->ends, true))
			return false;
		p->calls[INDEXED].s = &c->calls->v;
		p->calls[OTHERS] = (struct stretch) { &t->call[c->api], 0, t->call[c->api].n,
			                              NULL };
		p->calls[WAITS] = (struct stretch) { &t->wait[c->api], 0, t->wait[c->api].n, NULL };
		intervals_sort(&t->call[c->api], c->w->order);
		intervals_sort(&t->wait[c->api], c->w->order);
	}
	for (size_t i = 0; i < c->calls->v.n; i++) {
		struct stretch *p = &c->past[calls_thread(c->calls, i) - c->from].calls[INDEXED];

		p->first = p->n ? p->first : i;
		p->n++;
	}
	return c->by_thread = true;
}

/* How many start at or before t. */
static size_t started_by(const struct stretch *p, uint64_t t)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(p->s, p->first + mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Which of the first n ends last. */
static size_t last_end(const struct stretch *p, size_t n)
{
	size_t best = p->reach[n / STRIDE];

	for (size_t i = n / STRIDE * STRIDE; i < n; i++)
		best = later_end(p->s, best, p->first + i);
	return best;
}

/* The call that is the answer so far. */
struct found {
	uint64_t covers, start, end, tag;
	uint32_t name;
};

static void consider(const struct causes *c, struct found *best, struct extent gap,
                     const struct stretch *p, size_t i)
{
	const struct found one = {
		.start = interval_start(p->s, i),
		.end = interval_end(p->s, i),
		.tag = interval_tag(p->s, i),
		.covers = clamp(interval_end(p->s, i), gap) - clamp(interval_start(p->s, i), gap),
		.name = p->s == &c->calls->v ? calls_name(c->calls, i) : interval_name(p->s, i)
	};
	int by = (one.covers > best->covers) - (one.covers < best->covers);

	if (!by)
		by = (one.end > best->end) - (one.end < best->end);
	if (!by)
		by = (one.start < best->start) - (one.start > best->start);
	if (!by)
		by = (one.tag < best->tag) - (one.tag > best->tag);
	if (!by && one.covers && c->w->order)
		by = c->w->order[one.name] < c->w->order[best->name];
	if (by > 0)
		*best = one;
}

/* Of calls that begin at or before the gap the one that ends last covers most of it; of the others
 * each is looked at, for gaps of a track do not overlap. */
bool causes_call(struct causes *c, struct extent gap, size_t thread, bool *any, uint32_t *name)
{
	struct thread_past *past = &c->past[thread - c->from];
	struct found best = { 0 };

	if (!c->by_thread && !turn_to_calls(c))
		return false;
	for (int k = 0; k < STRETCHES; k++) {
		struct stretch *p = &past->calls[k];
		size_t i = started_by(p, gap.lo);

		if (!p->reach && !find_reach(p))
			return false;
		if (i && interval_end(p->s, last_end(p, i)) > gap.lo)
			consider(c, &best, gap, p, last_end(p, i));
		for (; i < p->n && interval_start(p->s, p->first + i) < gap.hi; i++)
			consider(c, &best, gap, p, p->first + i);
	}
	*any = best.covers != 0;
	*name = best.name;
	return true;
}
