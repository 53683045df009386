/* SPDX-License-Identifier: MIT */
#include "work/causes.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { STRIDE = 32 }; /* what is looked up in advance is so for every STRIDE-th entry */

/* What there is to know of STRIDE entries, or of several times so many. */
struct summary {
	size_t longest;  /* see longer(); SIZE_MAX = of none */
	uint64_t latest; /* end */
};

/* Calls of a thread by start: n entries of a list. */
struct stretch {
	const struct tm_intervals *s; /* there from `first` on */
	size_t first, n;
	size_t *reach; /* reach[i]: which of the first i * STRIDE ends last, the first of equals */
	struct summary
	        *tree; /* in an array: the root is [1], leaves from `leaves` on, a power of 2 */
	size_t leaves;
	size_t last; /* private: where a search for a gap ended */
	/* Once a gap is asked for that holds many: what each of nnames names has of the first k
	 * blocks, in sums[k * nnames + i].  Of calls one after the other: see tm_causes_parts. */
	uint32_t *names;
	size_t nnames, names_cap, block;
	uint64_t *sums;
};

/* Waits that end in order of time make stretches of blocked time; the next wait is one more stretch
 * on top of them, or becomes one with those it reaches back into.  What was below stays as it was,
 * so that the stretches of the first n waits can be asked for, for any n: the topmost ends with
 * wait n - 1, whose tag says of how many waits the one below it is the topmost, 0 = there is none.
 *
 * Usually it also begins with that wait.  Where it begins before, and once in so many stretches
 * anyway, a note says more, and the tag that there is one. */
struct note {
	uint32_t n;      /* waits */
	uint32_t before; /* the next note further down, 0 = none */
	uint32_t far;    /* one still further down, or 0 */
	uint32_t depth;  /* how many notes there are on the way down */
	uint64_t lo;     /* where the topmost stretch begins */
	uint64_t sum;    /* all stretches together */
	uint64_t inside; /* what of that lies in causes.inside */
};

#define NOTED (UINT32_C(1) << 31)

/* In the index, of the other calls, of the waits. */
enum { INDEXED, OTHERS, WAITS, STRETCHES };

struct tm_thread_past {
	bool ready;
	struct tm_intervals *ends; /* its waits by end: [start, end) as [end, end + its length) */
	size_t last;               /* where a search among them ended */
	struct note *note;         /* in order of n; the first is none */
	size_t notes, cap;
	struct stretch calls[STRETCHES];
	/* The calls one after the other: see tm_causes_parts.  Mostly they are so already, and
	 * `outer`, which takes as much memory as they do, is not needed. */
	bool laid, apart; /* it is known which; they are */
	struct tm_intervals outer;
	struct stretch row; /* all of `outer` */
};

bool tm_causes_init(struct tm_causes *c, struct tm_work *w, struct tm_calls *calls, uint64_t rank)
{
	*c = (struct tm_causes) { .w = w,
		                  .calls = calls,
		                  .api = tm_work_api_of(w, rank),
		                  .from = calls->from,
		                  .to = calls->to };
	c->past = calloc(c->to - c->from + 1, sizeof *c->past);
	return c->past != NULL;
}

static void drop_stretch(struct stretch *p)
{
	free(p->reach);
	free(p->tree);
	free(p->names);
	free(p->sums);
}

void tm_causes_fini(struct tm_causes *c)
{
	for (size_t i = 0; c->past && i < c->to - c->from; i++) {
		free(c->past[i].note);
		tm_intervals_fini(&c->past[i].outer);
		drop_stretch(&c->past[i].row);
		for (int k = 0; k < STRETCHES; k++)
			drop_stretch(&c->past[i].calls[k]);
	}
	free(c->past);
	free(c->local);
	*c = (struct tm_causes) { 0 };
}

/* ---- waits ---- */

static uint64_t wait_end(const struct tm_thread_past *p, size_t i)
{
	return tm_interval_start(p->ends, i);
}

static uint64_t wait_start(const struct tm_thread_past *p, size_t i)
{
	return tm_interval_start(p->ends, i) - tm_interval_dur(p->ends, i);
}

/* The note of the first n waits, which there is. */
static const struct note *note_of(const struct tm_thread_past *p, uint32_t n)
{
	size_t lo = 1, hi = p->notes - 1;

	TM_BISECT(lo, hi, mid, p->note[mid].n < n);
	return &p->note[lo];
}

static bool is_noted(const struct tm_thread_past *p, uint32_t n)
{
	return (uint32_t)tm_interval_tag(p->ends, n - 1) & NOTED;
}

/* Of how many waits the stretch below the topmost of the first n is. */
static uint32_t below(const struct tm_thread_past *p, uint32_t n)
{
	return (uint32_t)tm_interval_tag(p->ends, n - 1) & ~NOTED;
}

/* Where the topmost stretch of the first n waits begins. */
static uint64_t top_start(const struct tm_thread_past *p, uint32_t n)
{
	return is_noted(p, n) ? note_of(p, n)->lo : wait_start(p, n - 1);
}

/* What is known of the first n waits goes into a note. */
static bool add_note(struct tm_thread_past *p, uint32_t n, uint32_t under, struct note one)
{
	const struct note *v;

	if (!tm_grow_array(&p->note, &p->cap, p->notes + 1, sizeof *p->note))
		return false;
	one.n = n;
	v = p->note;
	while (under && !is_noted(p, under))
		under = below(p, under);
	one.before = under ? (uint32_t)(note_of(p, under) - v) : 0;
	one.depth = v[one.before].depth + 1;
	/* Two jumps of one length make one of twice that, and a step: any depth is a few jumps
	 * away. */
	one.far = v[one.before].far;
	one.far = v[one.before].depth - v[one.far].depth ==
	                          v[one.far].depth - v[v[one.far].far].depth
	                  ? v[one.far].far
	                  : one.before;
	p->note[p->notes++] = one;
	return true;
}

/* How much of [lo, hi) lies in the stretches asked for, 0 where none are; all of it for NULL. */
static uint64_t measure(const struct tm_stretches *in, uint64_t lo, uint64_t hi)
{
	return !in ? hi - lo : in->n ? tm_stretches_inside(in, lo, hi) : 0;
}

static const struct tm_stretches no_stretches;

/* All waits on top of each other. */
static bool pile_up(struct tm_thread_past *p, const struct tm_stretches *in)
{
	struct note all = { 0 };
	uint64_t depth = 0;

	in = in ? in : &no_stretches;
	for (uint32_t n = 1; n <= p->ends->n; n++) {
		uint64_t start = wait_start(p, n - 1), end;
		uint32_t under = n - 1;
		bool noted;

		all.lo = start;
		for (; under && wait_end(p, under - 1) > all.lo; under = below(p, under)) {
			uint64_t begin = top_start(p, under);

			end = wait_end(p, under - 1);
			all.sum -= end - begin;
			all.inside -= measure(in, begin, end);
			depth--;
			all.lo = begin < all.lo ? begin : all.lo;
		}
		end = wait_end(p, n - 1);
		all.sum += end - all.lo;
		all.inside += measure(in, all.lo, end);
		noted = ++depth % STRIDE == 0 || all.lo != start;
		if (noted && !add_note(p, n, under, all))
			return false;
		tm_interval_set_tag(p->ends, n - 1, under | (noted ? NOTED : 0));
	}
	return true;
}

static bool order_waits(struct tm_thread_past *p, struct tm_intervals *waits,
                        const struct tm_stretches *in)
{
	if (waits->n >= NOTED || !tm_intervals_turn(waits, false))
		return false;
	tm_intervals_sort(waits, NULL);
	p->ends = waits;
	if (!tm_grow_array(&p->note, &p->cap, 1, sizeof *p->note))
		return false;
	p->note[0] = (struct note) { 0 };
	p->notes = 1;
	return p->ready = pile_up(p, in);
}

/* How many waits end at or before t.  Mostly gaps are asked for one after the other. */
static size_t ended_by(struct tm_thread_past *p, uint64_t t)
{
	size_t lo = p->last;

	if (lo && wait_end(p, lo - 1) > t)
		lo = 0;
	TM_GALLOP(lo, p->ends->n, mid, wait_end(p, mid) <= t);
	return p->last = lo;
}

/* Does the topmost stretch of a note, if it is one, end after t? */
static bool is_behind(const struct tm_thread_past *p, uint32_t note, uint64_t t)
{
	return note && wait_end(p, p->note[note].n - 1) > t;
}

/* Time from t on inside the first n waits; of that what lies in `in`, unless it is NULL. */
static uint64_t blocked_from(const struct tm_thread_past *p, size_t n, uint64_t t,
                             const struct tm_stretches *in)
{
	const struct note *v = p->note;
	uint32_t at = (uint32_t)n;
	uint64_t sum = 0;

	while (at && wait_end(p, at - 1) > t) {
		uint64_t lo = top_start(p, at);

		if (is_noted(p, at)) {
			const struct note *from = note_of(p, at), *to = from;

			while (is_behind(p, to->before, t))
				to = &v[is_behind(p, to->far, t) ? to->far : to->before];
			sum += in ? from->inside - to->inside : from->sum - to->sum;
			at = to->n;
			lo = to->lo;
		}
		sum += measure(in, lo > t ? lo : t, wait_end(p, at - 1));
		at = below(p, at);
	}
	return sum;
}

/* Time of [e, m) inside waits that end at or before a0; m = a0, or before it where the operation
 * began before its call (on a clock that is a little off). */
static uint64_t waited(struct tm_thread_past *p, uint64_t e, uint64_t m, uint64_t a0,
                       const struct tm_stretches *in)
{
	size_t n = ended_by(p, a0);

	if (!n || wait_end(p, n - 1) <= e)
		return 0;
	return blocked_from(p, n, e, in) - blocked_from(p, n, m, in);
}

static uint64_t clamp(uint64_t t, struct tm_extent g)
{
	return t < g.lo ? g.lo : t > g.hi ? g.hi : t;
}

static bool split(struct tm_causes *c, struct tm_extent gap, struct tm_extent call, size_t thread,
                  const struct tm_stretches *in, uint64_t out[TM_CAUSES])
{
	struct tm_thread_past *p = &c->past[thread - c->from];
	uint64_t begun = clamp(call.lo, gap), done = clamp(call.hi, gap);

	if (!p->ready && !order_waits(p, &c->w->thread[thread].wait[c->api], c->inside))
		return false;
	out[TM_CAUSE_SYNC] = waited(p, gap.lo, begun, call.lo, in);
	out[TM_CAUSE_HOST] = measure(in, gap.lo, begun) - out[TM_CAUSE_SYNC];
	out[TM_CAUSE_LAUNCH] = measure(in, begun, done);
	out[TM_CAUSE_DEVICE] = measure(in, done, gap.hi);
	out[TM_CAUSE_UNKNOWN] = 0;
	return true;
}

bool tm_causes_split(struct tm_causes *c, struct tm_extent gap, struct tm_extent call,
                     size_t thread, uint64_t out[TM_CAUSES])
{
	return split(c, gap, call, thread, NULL, out);
}

bool tm_causes_split_inside(struct tm_causes *c, struct tm_extent gap, struct tm_extent call,
                            size_t thread, uint64_t out[TM_CAUSES])
{
	return split(c, gap, call, thread, c->inside ? c->inside : &no_stretches, out);
}

/* ---- calls ---- */

/* Where the i-th is in the list. */
static size_t place(const struct stretch *p, size_t i)
{
	return p->first + i;
}

static size_t later_end(const struct tm_intervals *s, size_t best, size_t i)
{
	return tm_interval_end(s, i) > tm_interval_end(s, best) ? i : best;
}

/* Of two calls: the one that takes longer, of equals the one that ends last, then the first. */
static size_t longer(const struct stretch *p, size_t a, size_t b)
{
	uint64_t tm_la, lb;

	if (a == SIZE_MAX || b == SIZE_MAX)
		return a == SIZE_MAX ? b : a;
	tm_la = tm_interval_dur(p->s, a);
	lb = tm_interval_dur(p->s, b);
	if (tm_la == lb) {
		tm_la = tm_interval_end(p->s, a);
		lb = tm_interval_end(p->s, b);
	}
	return tm_la > lb || (tm_la == lb && a < b) ? a : b;
}

/* Room for the tree, of which nothing is known yet, and for `reach`. */
static bool plant(struct stretch *p)
{
	size_t blocks = p->n / STRIDE + 1;

	for (p->leaves = 1; p->leaves < blocks;)
		p->leaves *= 2;
	p->reach = malloc(blocks * sizeof *p->reach);
	p->tree = malloc(2 * p->leaves * sizeof *p->tree);
	if (!p->reach || !p->tree)
		return false;
	for (size_t i = 0; i < 2 * p->leaves; i++)
		p->tree[i] = (struct summary) { SIZE_MAX, 0 };
	return true;
}

/* The calls [from, to), a STRIDE or what is left of one, as a leaf.  *last: which of all before
 * ends last, and when. */
static void see_leaf(struct stretch *p, size_t from, size_t to, size_t *last, uint64_t *last_end)
{
	struct summary leaf = { SIZE_MAX, 0 };
	uint64_t most = 0, most_end = 0;

	for (size_t i = from; i < to; i++) {
		const size_t at = place(p, i);
		const uint64_t dur = tm_interval_dur(p->s, at),
		               end = tm_interval_start(p->s, at) + dur;

		if (end > *last_end) {
			*last = at;
			*last_end = end;
		}
		/* As longer(). */
		if (leaf.longest == SIZE_MAX || dur > most ||
		    (dur == most && (end > most_end || (end == most_end && at < leaf.longest)))) {
			leaf.longest = at;
			most = dur;
			most_end = end;
		}
		leaf.latest = end > leaf.latest ? end : leaf.latest;
	}
	p->tree[p->leaves + from / STRIDE] = leaf;
}

/* Fill in `reach` and the tree.  False when out of memory. */
static bool survey(struct stretch *p)
{
	size_t last = place(p, 0);
	uint64_t last_end;

	if (!plant(p))
		return false;
	last_end = p->n ? tm_interval_end(p->s, last) : 0;
	for (size_t i = 0; i < p->n; i += STRIDE) {
		p->reach[i / STRIDE] = last;
		see_leaf(p, i, i + STRIDE < p->n ? i + STRIDE : p->n, &last, &last_end);
	}
	if (p->n % STRIDE == 0)
		p->reach[p->n / STRIDE] = last;
	for (size_t i = p->leaves; i-- > 1;) {
		const struct summary *t = &p->tree[2 * i];

		p->tree[i].longest = longer(p, t[0].longest, t[1].longest);
		p->tree[i].latest = t[0].latest > t[1].latest ? t[0].latest : t[1].latest;
	}
	return true;
}

/* From who launched what to who did what. */
static bool turn_to_calls(struct tm_causes *c)
{
	size_t first = 0;

	if (!c->calls->whole)
		tm_calls_by_thread(c->calls);
	for (size_t i = 0; i < c->to - c->from; i++) {
		struct tm_work_thread *t = &c->w->thread[c->from + i];
		struct tm_thread_past *p = &c->past[i];

		if (p->ready && !tm_intervals_turn(p->ends, true))
			return false;
		free(p->note);
		p->note = NULL;
		for (size_t k = 0; p->ready && k < p->ends->n; k++)
			tm_interval_set_tag(p->ends, k, 0);
		p->calls[INDEXED] = (struct stretch) { .s = &c->calls->v };
		p->calls[OTHERS] = (struct stretch) { .s = &t->call[c->api],
			                              .n = t->call[c->api].n };
		p->calls[WAITS] = (struct stretch) { .s = &t->wait[c->api],
			                             .n = t->wait[c->api].n };
		tm_intervals_sort(&t->call[c->api], c->w->order);
		tm_intervals_sort(&t->wait[c->api], c->w->order);
	}
	for (size_t i = 0; i < c->calls->v.n && !c->calls->whole; i++)
		c->past[tm_calls_thread(c->calls, i) - c->from].calls[INDEXED].n++;
	for (size_t i = 0; i < c->to - c->from; i++) {
		struct stretch *p = &c->past[i].calls[INDEXED];

		p->first = first;
		first += p->n;
	}
	return c->by_thread = true;
}

/* How many start at or before t. */
static size_t started_by(const struct stretch *p, uint64_t t)
{
	size_t lo = 0, hi = p->n;

	TM_BISECT(lo, hi, mid, tm_interval_start(p->s, place(p, mid)) <= t);
	return lo;
}

/* Which of the first n ends last. */
static size_t last_end(const struct stretch *p, size_t n)
{
	size_t best = p->reach[n / STRIDE];

	for (size_t i = n / STRIDE * STRIDE; i < n; i++)
		best = later_end(p->s, best, place(p, i));
	return best;
}

/* The first from i on that ends at or after t, or n. */
static size_t ends_after(const struct stretch *p, size_t i, uint64_t t)
{
	size_t at;

	for (; i < p->n && i % STRIDE; i++)
		if (tm_interval_end(p->s, place(p, i)) >= t)
			return i;
	if (i >= p->n)
		return p->n;
	/* Up and to the right until there is one below, then down to the first. */
	for (at = p->leaves + i / STRIDE; p->tree[at].latest < t; at++) {
		while (at & 1 && at > 1)
			at /= 2;
		if (at == 1)
			return p->n;
	}
	while (at < p->leaves) {
		at *= 2;
		at += p->tree[at].latest < t;
	}
	for (i = (at - p->leaves) * STRIDE; tm_interval_end(p->s, place(p, i)) < t;)
		i++;
	return i;
}

/* The longest of [from, to), in the list; SIZE_MAX of none. */
static size_t longest_of(const struct stretch *p, size_t from, size_t to)
{
	size_t best = SIZE_MAX, lo, hi;

	for (; from < to && from % STRIDE; from++)
		best = longer(p, best, place(p, from));
	for (; from < to && to % STRIDE; to--)
		best = longer(p, best, place(p, to - 1));
	lo = p->leaves + from / STRIDE;
	hi = p->leaves + to / STRIDE;
	for (; from < to && lo < hi; lo /= 2, hi /= 2) {
		if (lo & 1)
			best = longer(p, best, p->tree[lo++].longest);
		if (hi & 1)
			best = longer(p, best, p->tree[--hi].longest);
	}
	return best;
}

/* Of those that start when call k does, and end not before it, the first of those that end last. */
static size_t last_of_start(const struct stretch *p, size_t k)
{
	size_t hi = started_by(p, tm_interval_start(p->s, place(p, k))) - 1;
	uint64_t end = tm_interval_end(p->s, place(p, hi));

	TM_BISECT(k, hi, mid, tm_interval_end(p->s, place(p, mid)) < end);
	return k;
}

/* The call that is the answer so far. */
struct found {
	uint64_t covers, start, end;
	uint32_t name;
};

static uint32_t name_in(const struct tm_causes *c, const struct stretch *p, size_t i)
{
	return p->s == &c->calls->v ? tm_calls_name(c->calls, i) : tm_interval_name(p->s, i);
}

/* At most so many calls with the same times are compared. */
enum { ALIKE = 64 };

/* The first name in order among calls with the times of call i; they follow it in the list. */
static uint32_t name_at(const struct tm_causes *c, const struct stretch *p, size_t i)
{
	const uint64_t start = tm_interval_start(p->s, i), dur = tm_interval_dur(p->s, i);
	const size_t left = p->first + p->n - i;
	uint32_t best = name_in(c, p, i);

	for (size_t k = 1; c->w->order && k < left && k < ALIKE; k++) {
		uint32_t name;

		if (tm_interval_start(p->s, i + k) != start || tm_interval_dur(p->s, i + k) != dur)
			break;
		name = name_in(c, p, i + k);
		best = c->w->order[name] < c->w->order[best] ? name : best;
	}
	return best;
}

static void consider(const struct tm_causes *c, struct found *best, struct tm_extent gap,
                     const struct stretch *p, size_t i)
{
	const struct found one = { .start = tm_interval_start(p->s, i),
		                   .end = tm_interval_end(p->s, i),
		                   .covers = clamp(tm_interval_end(p->s, i), gap) -
		                             clamp(tm_interval_start(p->s, i), gap),
		                   .name = name_at(c, p, i) };
	int by = (one.covers > best->covers) - (one.covers < best->covers);

	if (!by)
		by = (one.end > best->end) - (one.end < best->end);
	if (!by)
		by = (one.start < best->start) - (one.start > best->start);
	if (!by && one.covers && c->w->order)
		by = c->w->order[one.name] < c->w->order[best->name];
	if (by > 0)
		*best = one;
}

/* Of calls that begin at or before the gap the one that ends last covers most of it.  Of those that
 * begin inside, the first that does not end inside covers more than all that begin later, and
 * before it the longest covers most. */
static bool consider_all(const struct tm_causes *c, struct found *best, struct tm_extent gap,
                         struct stretch *p)
{
	size_t i = started_by(p, gap.lo), k, within;

	if (!p->reach && !survey(p))
		return false;
	if (i && tm_interval_end(p->s, last_end(p, i)) > gap.lo)
		consider(c, best, gap, p, last_end(p, i));
	k = ends_after(p, i, gap.hi);
	within = longest_of(p, i, k);
	if (within != SIZE_MAX)
		consider(c, best, gap, p, within);
	if (k < p->n && tm_interval_start(p->s, place(p, k)) < gap.hi)
		consider(c, best, gap, p, place(p, last_of_start(p, k)));
	return true;
}

bool tm_causes_call(struct tm_causes *c, struct tm_extent gap, size_t thread, bool *any,
                    uint32_t *name)
{
	struct tm_thread_past *past = &c->past[thread - c->from];
	struct found best = { 0 };

	if (!c->by_thread && !turn_to_calls(c))
		return false;
	for (int k = 0; k < STRETCHES; k++)
		if (!consider_all(c, &best, gap, &past->calls[k]))
			return false;
	*any = best.covers != 0;
	*name = best.name;
	return true;
}

/* ---- each moment of one call ---- */

/* Where the next calls of a stretch start. */
static bool next_start(const struct stretch *p, size_t at, uint64_t *start)
{
	if (at == p->n)
		return false;
	*start = tm_interval_start(p->s, place(p, at));
	return true;
}

/* The longest call of those from *at on that start at that time, also of other stretches; *at moves
 * after them. */
static void take_start(const struct tm_causes *c, const struct stretch *p, uint64_t start,
                       size_t *at, struct found *best)
{
	const uint32_t *order = c->w->order;
	uint64_t there;

	for (; next_start(p, *at, &there) && there == start; ++*at) {
		const size_t i = place(p, *at);
		const uint64_t end = tm_interval_end(p->s, i);
		const uint32_t name = name_in(c, p, i);

		if (end > best->end ||
		    (end == best->end && best->covers && order && order[name] < order[best->name]))
			*best = (struct found) {
				.covers = end - start, .start = start, .end = end, .name = name
			};
	}
}

/* Calls of a stretch from *at on, as long as they start before `until` and each when all before it
 * have ended, at *edge; false at one that does not. */
static bool run_on(const struct stretch *p, size_t *at, uint64_t until, uint64_t *edge)
{
	uint64_t end = *edge;

	for (; *at < p->n; ++*at) {
		const size_t i = place(p, *at);
		const uint64_t start = tm_interval_start(p->s, i);

		if (start >= until)
			break;
		if (start < end)
			return false;
		end = start + tm_interval_dur(p->s, i);
	}
	*edge = end;
	return true;
}

/* Does each call of the thread begin when all before it have ended? */
static bool are_apart(const struct tm_thread_past *p)
{
	size_t at[STRETCHES] = { 0 };
	uint64_t edge = 0;

	for (;;) {
		uint64_t first = UINT64_MAX, other = UINT64_MAX, start;
		int now = 0;

		for (int k = 0; k < STRETCHES; k++) {
			if (!next_start(&p->calls[k], at[k], &start))
				continue;
			if (start < first) {
				other = first;
				first = start;
				now = k;
			} else if (start < other) {
				other = start;
			}
		}
		if (first == UINT64_MAX)
			return true;
		/* Of two that start together one is of no length, or they are not apart. */
		if (!run_on(&p->calls[now], &at[now], other > first ? other : first + 1, &edge))
			return false;
	}
}

/* Fill in `outer`.  A call that has begun is left when it ends: what begins before is inside it. */
static bool lay_out(const struct tm_causes *c, struct tm_thread_past *p)
{
	size_t at[STRETCHES] = { 0 };
	uint64_t edge = 0;

	for (;;) {
		struct found best = { 0 };
		uint64_t start = UINT64_MAX, one;
		bool any = false;

		for (int k = 0; k < STRETCHES; k++)
			if (next_start(&p->calls[k], at[k], &one) && (!any || one < start)) {
				start = one;
				any = true;
			}
		if (!any)
			break;
		for (int k = 0; k < STRETCHES; k++)
			take_start(c, &p->calls[k], start, &at[k], &best);
		start = start > edge ? start : edge;
		if (best.end <= start)
			continue;
		if (!tm_intervals_add(&p->outer, start, best.end, 0, best.name))
			return false;
		edge = best.end;
	}
	p->row = (struct stretch) { .s = &p->outer, .n = p->outer.n };
	return true;
}

static bool tell_apart(const struct tm_causes *c, struct tm_thread_past *p)
{
	p->apart = are_apart(p);
	return p->laid = p->apart || lay_out(c, p);
}

static bool add_part(struct tm_call_parts *out, uint32_t name, uint64_t ns)
{
	if (!ns)
		return true;
	if (!out->place[name]) {
		if (!tm_grow_array(&out->v, &out->cap, out->n + 1, sizeof *out->v))
			return false;
		out->v[out->n++] = (struct tm_call_part) { .name = name };
		out->place[name] = (uint32_t)out->n;
	}
	out->v[out->place[name] - 1].ns += ns;
	return true;
}

/* The names of the calls, each with its number among them, + 1, in c->local. */
static bool number_names(struct tm_causes *c, struct stretch *p)
{
	if (!c->local)
		c->local = calloc((size_t)c->w->names.n + 1, sizeof *c->local);
	for (size_t i = 0; c->local && i < p->n; i++) {
		const uint32_t name = name_in(c, p, place(p, i));

		if (c->local[name])
			continue;
		if (!tm_grow_array(&p->names, &p->names_cap, p->nnames + 1, sizeof *p->names))
			return false;
		p->names[p->nnames++] = name;
		c->local[name] = (uint32_t)p->nnames;
	}
	return c->local != NULL;
}

/* Blocks are as long as there are names, so that the sums take no more than the calls do. */
enum { BLOCK = 64 };

static bool add_up(struct tm_causes *c, struct stretch *p)
{
	size_t blocks;

	if (!number_names(c, p))
		return false;
	p->block = p->nnames > BLOCK ? p->nnames : BLOCK;
	blocks = p->n / p->block;
	p->sums = calloc((blocks + 1) * p->nnames + 1, sizeof *p->sums);
	if (!p->sums)
		return false;
	for (size_t i = 0; i < blocks * p->block; i++) {
		uint64_t *next = p->sums + (i / p->block + 1) * p->nnames;
		const size_t at = place(p, i);

		if (i % p->block == 0)
			memcpy(next, next - p->nnames, p->nnames * sizeof *next);
		next[c->local[name_in(c, p, at)] - 1] += tm_interval_dur(p->s, at);
	}
	for (size_t i = 0; i < p->nnames; i++)
		c->local[p->names[i]] = 0;
	return true;
}

/* What calls [from, to) have of the gap, one by one. */
static bool add_each(const struct tm_causes *c, const struct stretch *p, size_t from, size_t to,
                     struct tm_extent gap, struct tm_call_parts *out)
{
	for (size_t i = from; i < to; i++) {
		const size_t at = place(p, i);

		if (!add_part(out, name_in(c, p, at),
		              clamp(tm_interval_end(p->s, at), gap) -
		                      clamp(tm_interval_start(p->s, at), gap)))
			return false;
	}
	return true;
}

/* The same of what lies in the gap altogether: the blocks [from, to). */
static bool add_blocks(const struct stretch *p, size_t from, size_t to, struct tm_call_parts *out)
{
	for (size_t i = 0; i < p->nnames; i++)
		if (!add_part(out, p->names[i],
		              p->sums[to * p->nnames + i] - p->sums[from * p->nnames + i]))
			return false;
	return true;
}

/* The first call that ends after that time.  Mostly gaps are asked for one after the other. */
static size_t first_ending(struct stretch *p, uint64_t time)
{
	size_t lo = p->last;

	if (lo && tm_interval_end(p->s, place(p, lo - 1)) > time)
		lo = 0;
	TM_GALLOP(lo, p->n, mid, tm_interval_end(p->s, place(p, mid)) <= time);
	return p->last = lo;
}

/* The first call from that one on that begins at that time or later; few are before. */
static size_t first_beginning(const struct stretch *p, size_t lo, uint64_t time)
{
	TM_GALLOP(lo, p->n, mid, tm_interval_start(p->s, place(p, mid)) < time);
	return lo;
}

/* What calls one after the other have of the gap. */
static bool add_parts(struct tm_causes *c, struct stretch *p, struct tm_extent gap,
                      struct tm_call_parts *out)
{
	const size_t from = first_ending(p, gap.lo), to = first_beginning(p, from, gap.hi);
	size_t first, last;

	if (to - from <= 4 * BLOCK)
		return add_each(c, p, from, to, gap, out);
	if (!p->sums && !add_up(c, p))
		return false;
	/* The first and the last may reach out of the gap. */
	first = from / p->block + 1;
	last = (to - 1) / p->block;
	if (first >= last)
		return add_each(c, p, from, to, gap, out);
	return add_each(c, p, from, first * p->block, gap, out) &&
	       add_blocks(p, first, last, out) && add_each(c, p, last * p->block, to, gap, out);
}

bool tm_causes_parts(struct tm_causes *c, struct tm_extent gap, size_t thread,
                     struct tm_call_parts *out)
{
	struct tm_thread_past *p = &c->past[thread - c->from];

	if (!out->place)
		out->place = calloc((size_t)c->w->names.n + 1, sizeof *out->place);
	if (!out->place || (!c->by_thread && !turn_to_calls(c)) || (!p->laid && !tell_apart(c, p)))
		return false;
	for (size_t i = 0; i < out->n; i++)
		out->place[out->v[i].name] = 0;
	out->n = 0;
	if (!p->apart)
		return add_parts(c, &p->row, gap, out);
	for (int k = 0; k < STRETCHES; k++)
		if (!add_parts(c, &p->calls[k], gap, out))
			return false;
	return true;
}

void tm_call_parts_fini(struct tm_call_parts *p)
{
	free(p->v);
	free(p->place);
	*p = (struct tm_call_parts) { 0 };
}
