/* SPDX-License-Identifier: MIT
 * Walks over unions of lists, and how many intervals hold an instant (agg/intervals.h). */
#include "agg/intervals.h"

#include <stdlib.h>
#include <string.h>

/* ---- unions ---- */

void tm_pieces_init(struct tm_pieces *p, struct tm_extent window)
{
	/* Most walks are over few lists: what is after n is never read. */
	p->n = p->nleft = p->now = 0;
	p->other = 0;
	p->next[0].lo = UINT64_MAX;
	p->same = 0;
	p->window = window;
	p->opener_list = p->closer_list = 0;
	p->opener = p->closer = 0;
}

static inline struct tm_extent extent_of(const struct tm_intervals *s, size_t i)
{
	const struct tm_interval *v = tm_interval_at(s, i);
	struct tm_extent e;

	if (v->page < TM_INTERVAL_PAGES) {
		e.lo = s->page[v->page].start | v->start;
		e.hi = e.lo + v->dur;
	} else {
		e.lo = s->wide[v->start].start;
		e.hi = e.lo + s->wide[v->start].dur;
	}
	return e;
}

/* From at[k] on to the next of list k that covers anything inside the window. */
static void look_ahead(struct tm_pieces *p, unsigned k)
{
	const struct tm_intervals *s = p->list[k];
	size_t i = p->at[k];
	struct tm_extent e = { UINT64_MAX, UINT64_MAX };

	for (; i < s->n && p->window.lo < p->window.hi; i++) {
		e = extent_of(s, i);
		if (e.hi > p->window.lo && e.hi > e.lo)
			break;
		e.lo = UINT64_MAX;
	}
	p->at[k] = i;
	p->next[k].lo = e.lo < p->window.hi ? e.lo : UINT64_MAX;
	p->next[k].hi = e.hi;
}

_Static_assert(TM_PIECE_LISTS <= UINT8_MAX + 1, "the number of a list fits tm_pieces.left");

bool tm_pieces_add_from(struct tm_pieces *p, const struct tm_intervals *list, size_t from)
{
	if (p->n == TM_PIECE_LISTS)
		return false;
	p->list[p->n] = list;
	p->at[p->n] = from;
	p->other = 0;
	look_ahead(p, p->n);
	if (p->next[p->n].lo != UINT64_MAX)
		p->left[p->nleft++] = (uint8_t)p->n;
	p->n++;
	return true;
}

bool tm_pieces_add(struct tm_pieces *p, const struct tm_intervals *list)
{
	return tm_pieces_add_from(p, list, 0);
}

/* The next intervals of lists a < b start together: is that of b first all the same? */
static bool second_first(const struct tm_pieces *p, unsigned a, unsigned b)
{
	if (a / p->same != b / p->same)
		return false;
	if (p->next[a].hi != p->next[b].hi)
		return p->next[b].hi < p->next[a].hi;
	return tm_interval_tag(p->list[b], p->at[b]) < tm_interval_tag(p->list[a], p->at[a]);
}

/* List k is at its end: it is not looked at any more. */
static void leave(struct tm_pieces *p, unsigned k)
{
	unsigned to = 0;

	for (unsigned i = 0; i < p->nleft; i++)
		if (p->left[i] != k)
			p->left[to++] = p->left[i];
	p->nleft = to;
}

/* From at[k] on, where list k has been. */
static void go_on(struct tm_pieces *p, unsigned k)
{
	look_ahead(p, k);
	if (p->next[k].lo == UINT64_MAX)
		leave(p, k);
}

/* The list whose next interval inside the window starts first; p->n at the end. */
static inline unsigned earliest(const struct tm_pieces *p)
{
	unsigned best = p->nleft ? p->left[0] : p->n;

	for (unsigned i = 1; i < p->nleft; i++) {
		unsigned k = p->left[i];

		if (p->next[k].lo < p->next[best].lo ||
		    (p->same > 1 && p->next[k].lo == p->next[best].lo && second_first(p, best, k)))
			best = k;
	}
	return best;
}

/* The list whose next interval starts first; p->n at the end.  Lists are compared only when the
 * last answer may have changed. */
static inline unsigned first(struct tm_pieces *p)
{
	unsigned best = p->now;

	if (p->next[best].lo < p->other)
		return best;
	best = earliest(p);
	p->now = best < p->n ? best : 0;
	p->other = best < p->n ? UINT64_MAX : 0;
	for (unsigned i = 0; p->nleft > 1 && i < p->nleft; i++)
		if (p->left[i] != best && p->next[p->left[i]].lo < p->other)
			p->other = p->next[p->left[i]].lo;
	return best;
}

static inline bool covers(const struct tm_pieces *p, struct tm_extent e)
{
	return e.hi > e.lo && e.hi > p->window.lo && e.lo < p->window.hi;
}

/* To the next of list k. */
static inline void step(struct tm_pieces *p, unsigned k)
{
	const struct tm_intervals *s = p->list[k];
	const size_t i = ++p->at[k];

	if (i < s->n) {
		p->next[k] = extent_of(s, i);
		if (covers(p, p->next[k]))
			return;
	}
	go_on(p, k);
}

/* List k as far as it goes on with *out before another list begins, one interval of it at least. */
static inline void run_on(struct tm_pieces *p, unsigned k, uint64_t other, struct tm_extent *out)
{
	const struct tm_intervals *s = p->list[k];
	struct tm_extent e = p->next[k];
	size_t i = p->at[k];
	bool some;

	do {
		if (e.hi > out->hi) {
			out->hi = e.hi;
			p->closer_list = k;
			p->closer = i;
		}
		some = ++i < s->n;
		if (some)
			e = extent_of(s, i);
		/* What covers nothing, or nothing inside the window, is for look_ahead. */
		some = some && covers(p, e);
	} while (some && e.lo <= out->hi && e.lo < other);
	p->at[k] = i;
	p->next[k] = e;
	if (!some)
		go_on(p, k);
}

/* Is one list left, of which each interval is a piece? */
static inline bool all_apart(const struct tm_pieces *p)
{
	const struct tm_intervals *s = p->nleft == 1 ? p->list[p->left[0]] : NULL;

	return s && s->sorted && s->apart;
}

/* Then the list stays, and at[] alone says how far it is gone through. */
static inline bool next_apart(struct tm_pieces *p, struct tm_extent *out)
{
	const unsigned k = p->left[0];
	const size_t i = p->at[k];
	struct tm_extent e;

	if (i == p->list[k]->n)
		return false;
	e = extent_of(p->list[k], i);
	if (e.lo >= p->window.hi)
		return false;
	p->at[k] = i + 1;
	p->opener_list = p->closer_list = k;
	p->opener = p->closer = i;
	out->lo = e.lo < p->window.lo ? p->window.lo : e.lo;
	out->hi = e.hi > p->window.hi ? p->window.hi : e.hi;
	return true;
}

bool tm_pieces_next(struct tm_pieces *p, struct tm_extent *out)
{
	unsigned k;

	if (all_apart(p))
		return next_apart(p, out);
	k = first(p);
	if (k == p->n)
		return false;
	p->opener_list = k;
	p->opener = p->at[k];
	out->lo = p->next[k].lo;
	out->hi = out->lo;
	do {
		run_on(p, k, p->other, out);
		k = first(p);
	} while (k < p->n && p->next[k].lo <= out->hi);
	if (out->lo < p->window.lo)
		out->lo = p->window.lo;
	if (out->hi > p->window.hi)
		out->hi = p->window.hi;
	return true;
}

/* Those of a block are adjacent, and nearly all have the same page. */
void tm_intervals_extents(const struct tm_intervals *s, size_t from, struct tm_extent *out,
                          size_t n)
{
	size_t i = 0;

	while (i < n) {
		const struct tm_interval *v = tm_interval_at(s, from + i);
		const size_t room = TM_INTERVAL_BLOCK - (from + i) % TM_INTERVAL_BLOCK;
		const size_t most = n - i < room ? n - i : room;
		const unsigned page = v->page;
		size_t k = 0;

		if (page == TM_INTERVAL_PAGES) {
			out[i] = extent_of(s, from + i);
			i++;
			continue;
		}
		for (const uint64_t high = s->page[page].start; k < most && v[k].page == page;
		     k++) {
			out[i + k].lo = high | v[k].start;
			out[i + k].hi = out[i + k].lo + v[k].dur;
		}
		i += k;
	}
}

/* tm_pieces_some where next_apart is right. */
static size_t some_apart(struct tm_pieces *p, struct tm_extent *out, size_t n)
{
	const struct tm_intervals *s = p->list[p->left[0]];
	const struct tm_extent window = p->window;
	const size_t from = p->at[p->left[0]];

	n = n < s->n - from ? n : s->n - from;
	if (!n)
		return 0;
	tm_intervals_extents(s, from, out, n);
	/* All but the first and the last of them are inside the window. */
	while (n && out[n - 1].lo >= window.hi)
		n--;
	if (n && out[0].lo < window.lo)
		out[0].lo = window.lo;
	if (n && out[n - 1].hi > window.hi)
		out[n - 1].hi = window.hi;
	p->at[p->left[0]] = from + n;
	return n;
}

size_t tm_pieces_some(struct tm_pieces *p, struct tm_extent *out, size_t n)
{
	size_t i = 0;

	if (all_apart(p))
		return some_apart(p, out, n);
	while (i < n && tm_pieces_next(p, &out[i]))
		i++;
	return i;
}

enum { SOME = 64 }; /* pieces at a time */

bool tm_pieces_pass(struct tm_pieces *p, uint64_t least, uint64_t *edge,
                    struct tm_pieces_passed *passed)
{
	struct tm_extent e[SOME];
	struct tm_pieces_passed sum = *passed;
	uint64_t end = *edge;
	size_t from, n, i;
	bool any = false;
	unsigned k;

	if (!all_apart(p))
		return false;
	k = p->left[0];
	do {
		from = p->at[k];
		n = some_apart(p, e, SOME);
		for (i = 0; i < n && (e[i].lo <= end || e[i].lo - end <= least); i++) {
			const uint64_t gap = e[i].lo > end ? e[i].lo - end : 0;

			sum.gaps += gap != 0;
			sum.ns += gap;
			end = e[i].hi;
		}
		any |= i > 0;
	} while (n && i == n);
	p->at[k] = from + i;
	if (!any)
		return false;
	p->closer_list = k;
	p->closer = from + i - 1;
	*edge = end;
	*passed = sum;
	return true;
}

/* Is the length of a whole list asked for, or of all but the first few? */
static bool is_known(const struct tm_pieces *p)
{
	const struct tm_intervals *s = all_apart(p) ? p->list[p->left[0]] : NULL;

	return s && s->n && s->length_n == s->n && p->at[p->left[0]] <= SOME &&
	       p->window.lo <= tm_interval_start(s, 0) &&
	       tm_interval_end(s, s->n - 1) <= p->window.hi;
}

/* How long the pieces are that are left, all together. */
static uint64_t length_left(struct tm_pieces *p)
{
	struct tm_extent e[SOME];
	uint64_t sum = 0;

	if (is_known(p)) {
		const unsigned k = p->left[0];
		const struct tm_intervals *s = p->list[k];

		sum = s->length;
		for (size_t i = 0; i < p->at[k]; i++)
			sum -= tm_interval_dur(s, i);
		p->at[k] = s->n;
		return sum;
	}
	for (size_t n; (n = tm_pieces_some(p, e, SOME));)
		for (size_t i = 0; i < n; i++)
			sum += e[i].hi - e[i].lo;
	return sum;
}

uint64_t tm_pieces_length(struct tm_pieces p)
{
	return length_left(&p);
}

void tm_pieces_by_mask(struct tm_pieces *p, unsigned n, uint64_t *out)
{
	struct tm_extent e[TM_PIECE_SETS];
	unsigned more = 0; /* the walks that are not at their end, as a mask */
	uint64_t now = p[0].window.lo, end = p[0].window.hi;

	memset(out, 0, ((size_t)1 << n) * sizeof *out);
	for (unsigned k = 0; k < n; k++)
		more |= (unsigned)tm_pieces_next(&p[k], &e[k]) << k;
	while (now < end) {
		unsigned mask = 0;
		uint64_t next = end;

		for (unsigned k = 0; k < n; k++)
			if (more >> k & 1 && e[k].hi <= now && !tm_pieces_next(&p[k], &e[k]))
				more &= ~(1u << k);
		if (!(more & (more - 1))) {
			unsigned k = more ? (unsigned)__builtin_ctz(more) : 0;
			uint64_t one = 0;

			/* Pieces of one walk are left, the first of them e[k]. */
			if (more)
				one = e[k].hi - (e[k].lo > now ? e[k].lo : now) +
				      length_left(&p[k]);
			out[more] += one;
			out[0] += end - now - one;
			return;
		}
		for (unsigned k = 0; k < n; k++) {
			if (!(more >> k & 1))
				continue;
			if (e[k].lo <= now)
				mask |= 1u << k;
			if (e[k].lo > now && e[k].lo < next)
				next = e[k].lo;
			if (e[k].lo <= now && e[k].hi < next)
				next = e[k].hi;
		}
		out[mask] += next - now;
		now = next;
	}
}

/* ---- how many at a time ---- */

/* One slot for each interval that ran at the same time, holding when it becomes free: a heap, the
 * earliest on top.  An interval takes any free slot, and adds one only when none is free, so their
 * number is the largest concurrency. */
struct running {
	uint64_t *end;
	size_t n, cap;
};

static bool take_new(struct running *r, uint64_t end)
{
	size_t i = r->n;

	if (!tm_grow_array(&r->end, &r->cap, r->n + 1, sizeof *r->end))
		return false;
	for (r->n++; i && r->end[(i - 1) / 2] > end; i = (i - 1) / 2)
		r->end[i] = r->end[(i - 1) / 2];
	r->end[i] = end;
	return true;
}

static void take_first(struct running *r, uint64_t end)
{
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < r->n; i = child) {
		if (child + 1 < r->n && r->end[child + 1] < r->end[child])
			child++;
		if (r->end[child] >= end)
			break;
		r->end[i] = r->end[child];
	}
	r->end[i] = end;
}

bool tm_pieces_concurrency(const struct tm_pieces *all, struct tm_concurrency *out)
{
	struct tm_pieces p = *all;
	struct running r = { 0 };
	bool ok = true;
	unsigned k;

	*out = (struct tm_concurrency) { 0 };
	if (all_apart(&p)) {
		*out = (struct tm_concurrency) { tm_pieces_length(p), 1 };
		return true;
	}
	while (ok && (k = first(&p)) < p.n) {
		uint64_t lo = p.next[k].lo, hi = p.next[k].hi;

		step(&p, k);
		lo = lo < p.window.lo ? p.window.lo : lo;
		hi = hi > p.window.hi ? p.window.hi : hi;
		out->total += hi - lo;
		if (r.n && r.end[0] <= lo)
			take_first(&r, hi);
		else
			ok = take_new(&r, hi);
	}
	out->max = r.n;
	free(r.end);
	return ok;
}
