/* SPDX-License-Identifier: MIT */
#include "agg/intervals.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

enum { RADIX_BITS = 8, RADIX = 1 << RADIX_BITS, FEW = 32 };

/* ---- lists ---- */

static bool pack(struct intervals *s, uint64_t v, uint32_t *out)
{
	*out = (uint32_t)v;
	if (v <= INTERVAL_DIRECT)
		return true;
	if (s->nwide > INTERVAL_DIRECT ||
	    !grow_array(&s->wide, &s->wide_cap, s->nwide + 1, sizeof *s->wide))
		return false;
	*out = (uint32_t)s->nwide | ((uint32_t)INTERVAL_DIRECT + 1);
	s->wide[s->nwide++] = v;
	return true;
}

bool intervals_add(struct intervals *s, uint64_t start, uint64_t end, uint64_t tag, uint32_t name)
{
	struct interval one = { .start = start };

	if (!grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v) ||
	    (s->named && !grow_array(&s->name, &s->name_cap, s->n + 1, sizeof *s->name)) ||
	    !pack(s, end - start, &one.dur) || !pack(s, tag, &one.tag))
		return false;
	if (s->named)
		s->name[s->n] = name;
	s->v[s->n++] = one;
	s->sorted = false;
	return true;
}

static uint32_t moved(uint32_t packed, size_t by)
{
	return packed <= INTERVAL_DIRECT ? packed : packed + (uint32_t)by;
}

bool intervals_merge(struct intervals *into, const struct intervals *from, const uint32_t *map)
{
	size_t n = into->n, by = into->nwide;

	if (!from->n)
		return true;
	if (by + from->nwide > (size_t)INTERVAL_DIRECT + 1 ||
	    !grow_array(&into->v, &into->cap, n + from->n, sizeof *into->v) ||
	    (into->named &&
	     !grow_array(&into->name, &into->name_cap, n + from->n, sizeof *into->name)) ||
	    (from->nwide &&
	     !grow_array(&into->wide, &into->wide_cap, by + from->nwide, sizeof *into->wide)))
		return false;
	for (size_t i = 0; i < from->n; i++) {
		into->v[n + i] = from->v[i];
		into->v[n + i].dur = moved(from->v[i].dur, by);
		into->v[n + i].tag = moved(from->v[i].tag, by);
		if (into->named)
			into->name[n + i] = map ? map[from->name[i]] : from->name[i];
	}
	if (from->nwide)
		memcpy(into->wide + by, from->wide, from->nwide * sizeof *from->wide);
	into->nwide += from->nwide;
	into->n += from->n;
	into->sorted = false;
	return true;
}

bool intervals_move(struct intervals *into, struct intervals *from, const uint32_t *map)
{
	if (into->n || into->named != from->named) {
		bool named = from->named, ok = intervals_merge(into, from, map);

		intervals_fini(from);
		from->named = named;
		return ok;
	}
	intervals_fini(into);
	*into = *from;
	*from = (struct intervals) { .named = into->named };
	for (size_t i = 0; map && into->named && i < into->n; i++)
		into->name[i] = map[into->name[i]];
	into->sorted &= !into->named || !map;
	return true;
}

/* To n elements; the array stays as it is where that cannot be. */
static void *trimmed(void *v, size_t *cap, size_t n, size_t size)
{
	void *less = n && n < *cap ? realloc(v, n * size) : NULL;

	if (less)
		*cap = n;
	return less ? less : v;
}

void intervals_trim(struct intervals *s)
{
	s->v = trimmed(s->v, &s->cap, s->n, sizeof *s->v);
	s->name = trimmed(s->name, &s->name_cap, s->n, sizeof *s->name);
}

void intervals_fini(struct intervals *s)
{
	free(s->v);
	free(s->name);
	free(s->wide);
	*s = (struct intervals) { 0 };
}

/* ---- order ---- */

/* What the list is sorted by first: starts, or tags. */
static uint64_t key_of(const struct intervals *s, size_t i, bool by_tag)
{
	return by_tag ? interval_tag(s, i) : s->v[i].start;
}

static int cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare(const struct intervals *s, size_t a, size_t b, bool by_tag,
                   const uint32_t *order)
{
	int c = cmp(key_of(s, a, by_tag), key_of(s, b, by_tag));

	if (!c)
		c = cmp(s->v[a].start, s->v[b].start);
	if (!c)
		c = cmp(interval_dur(s, a), interval_dur(s, b));
	if (!c)
		c = cmp(interval_tag(s, a), interval_tag(s, b));
	if (!c && s->named)
		c = order ? cmp(order[s->name[a]], order[s->name[b]]) : cmp(s->name[a], s->name[b]);
	return c;
}

static void swap(struct intervals *s, size_t a, size_t b)
{
	struct interval v = s->v[a];

	s->v[a] = s->v[b];
	s->v[b] = v;
	if (s->named) {
		uint32_t name = s->name[a];

		s->name[a] = s->name[b];
		s->name[b] = name;
	}
}

static void sift(struct intervals *s, size_t from, size_t i, size_t n, bool by_tag,
                 const uint32_t *order)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && compare(s, from + child, from + child + 1, by_tag, order) < 0)
			child++;
		if (compare(s, from + i, from + child, by_tag, order) >= 0)
			return;
		swap(s, from + i, from + child);
	}
}

/* v[from .. from + n) by the whole order: a handful that the first key does not tell apart, or, in a
 * crafted trace, all of them. */
static void sort_run(struct intervals *s, size_t from, size_t n, bool by_tag, const uint32_t *order)
{
	if (n <= FEW) {
		for (size_t i = from + 1; i < from + n; i++)
			for (size_t k = i; k > from && compare(s, k - 1, k, by_tag, order) > 0; k--)
				swap(s, k - 1, k);
		return;
	}
	for (size_t i = n / 2; i-- > 0;)
		sift(s, from, i, n, by_tag, order);
	for (size_t i = n; i-- > 1;) {
		swap(s, from, from + i);
		sift(s, from, 0, i, by_tag, order);
	}
}

/* Where the entries of each digit stand: [at, end), of which those before `at` are in their place. */
struct stretch {
	size_t at, end;
};

/* Put v[from .. from + n) in order of 8 bits of the key, in place: traces come almost in order, so
 * most entries stay where they are. */
static void sort_digit(struct intervals *s, size_t from, size_t n, unsigned shift, bool by_tag,
                       struct stretch of[RADIX])
{
	static const uint64_t mask = RADIX - 1;
	size_t sum = from;

	for (size_t d = 0; d < RADIX; d++)
		of[d].end = 0;
	for (size_t i = from; i < from + n; i++)
		of[key_of(s, i, by_tag) >> shift & mask].end++;
	for (size_t d = 0; d < RADIX; d++) {
		of[d].at = sum;
		of[d].end = sum += of[d].end;
	}
	for (size_t d = 0; d < RADIX; d++) {
		while (of[d].at < of[d].end) {
			size_t to = key_of(s, of[d].at, by_tag) >> shift & mask;

			if (to != d)
				swap(s, of[d].at, of[to].at);
			of[to].at++;
		}
	}
}

/* Each level settles the 8 highest bits in which the keys differ, so there are few. */
static void sort(struct intervals *s, size_t from, size_t n, bool by_tag, const uint32_t *order)
{
	struct stretch of[RADIX];
	uint64_t first, before, differing = 0;
	bool ascending = true;
	unsigned bits;

	if (n <= FEW) {
		sort_run(s, from, n, by_tag, order);
		return;
	}
	first = before = key_of(s, from, by_tag);
	for (size_t i = from; i < from + n; i++) {
		uint64_t key = key_of(s, i, by_tag);

		differing |= key ^ first;
		ascending &= key >= before;
		before = key;
	}
	if (ascending) {
		for (size_t i = from, k; i < from + n; i = k) {
			for (k = i + 1;
			     k < from + n && key_of(s, k, by_tag) == key_of(s, i, by_tag);)
				k++;
			if (k - i > 1)
				sort_run(s, i, k - i, by_tag, order);
		}
		return;
	}
	bits = 64 - (unsigned)__builtin_clzll(differing);
	sort_digit(s, from, n, bits > RADIX_BITS ? bits - RADIX_BITS : 0, by_tag, of);
	for (size_t d = 0; d < RADIX; d++) {
		size_t begin = d ? of[d - 1].end : from;

		if (of[d].end - begin > 1)
			sort(s, begin, of[d].end - begin, by_tag, order);
	}
}

void intervals_sort(struct intervals *s, const uint32_t *order)
{
	if (!s->sorted)
		sort(s, 0, s->n, false, order);
	s->sorted = true;
}

void intervals_sort_by_tag(struct intervals *s, const uint32_t *order)
{
	s->sorted = false;
	sort(s, 0, s->n, true, order);
}

/* ---- unions ---- */

void pieces_init(struct pieces *p, struct extent window)
{
	*p = (struct pieces) { .window = window };
}

bool pieces_add(struct pieces *p, const struct intervals *list)
{
	if (p->n == PIECE_LISTS)
		return false;
	p->list[p->n++] = list;
	return true;
}

/* The list whose next interval inside the window starts first; p->n at the end. */
static unsigned earliest(struct pieces *p)
{
	unsigned best = p->n;
	uint64_t start = 0;

	for (unsigned k = 0; p->window.lo < p->window.hi && k < p->n; k++) {
		const struct intervals *s = p->list[k];

		/* Those that end before the window, or hold no time at all, cover nothing. */
		while (p->at[k] < s->n &&
		       (interval_end(s, p->at[k]) <= p->window.lo || !s->v[p->at[k]].dur))
			p->at[k]++;
		if (p->at[k] == s->n || s->v[p->at[k]].start >= p->window.hi)
			continue;
		if (best == p->n || s->v[p->at[k]].start < start) {
			best = k;
			start = s->v[p->at[k]].start;
		}
	}
	return best;
}

bool pieces_next(struct pieces *p, struct extent *out)
{
	unsigned k = earliest(p);

	if (k == p->n)
		return false;
	p->opener_list = k;
	p->opener = p->at[k];
	out->lo = p->list[k]->v[p->at[k]].start;
	out->hi = out->lo;
	for (; k < p->n && p->list[k]->v[p->at[k]].start <= out->hi; k = earliest(p)) {
		uint64_t end = interval_end(p->list[k], p->at[k]);

		if (end > out->hi) {
			out->hi = end;
			p->closer_list = k;
			p->closer = p->at[k];
		}
		p->at[k]++;
	}
	if (out->lo < p->window.lo)
		out->lo = p->window.lo;
	if (out->hi > p->window.hi)
		out->hi = p->window.hi;
	return true;
}

uint64_t pieces_length(struct pieces p)
{
	struct extent e;
	uint64_t sum = 0;

	while (pieces_next(&p, &e))
		sum += e.hi - e.lo;
	return sum;
}

void pieces_by_mask(struct pieces *p, unsigned n, uint64_t *out)
{
	struct extent e[PIECE_SETS];
	bool more[PIECE_SETS];
	uint64_t now = p[0].window.lo, end = p[0].window.hi;

	memset(out, 0, ((size_t)1 << n) * sizeof *out);
	for (unsigned k = 0; k < n; k++)
		more[k] = pieces_next(&p[k], &e[k]);
	while (now < end) {
		unsigned mask = 0;
		uint64_t next = end;

		for (unsigned k = 0; k < n; k++) {
			if (more[k] && e[k].hi <= now)
				more[k] = pieces_next(&p[k], &e[k]);
			if (!more[k])
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

/* A heap of the ends of what is running, the earliest first. */
struct running {
	uint64_t *end;
	size_t n, cap;
};

static bool running_push(struct running *r, uint64_t end)
{
	size_t i = r->n;

	if (!grow_array(&r->end, &r->cap, r->n + 1, sizeof *r->end))
		return false;
	for (r->n++; i && r->end[(i - 1) / 2] > end; i = (i - 1) / 2)
		r->end[i] = r->end[(i - 1) / 2];
	r->end[i] = end;
	return true;
}

static void running_pop(struct running *r)
{
	uint64_t last = r->end[--r->n];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < r->n; i = child) {
		if (child + 1 < r->n && r->end[child + 1] < r->end[child])
			child++;
		if (r->end[child] >= last)
			break;
		r->end[i] = r->end[child];
	}
	r->end[i] = last;
}

bool pieces_concurrency(const struct pieces *all, struct concurrency *out)
{
	struct pieces p = *all;
	struct running r = { 0 };
	bool ok = true;
	unsigned k;

	*out = (struct concurrency) { 0 };
	while (ok && (k = earliest(&p)) < p.n) {
		const struct intervals *s = p.list[k];
		uint64_t lo = s->v[p.at[k]].start, hi = interval_end(s, p.at[k]);

		p.at[k]++;
		lo = lo < p.window.lo ? p.window.lo : lo;
		hi = hi > p.window.hi ? p.window.hi : hi;
		out->total += hi - lo;
		while (r.n && r.end[0] <= lo)
			running_pop(&r);
		ok = running_push(&r, hi);
		out->max = r.n > out->max ? r.n : out->max;
	}
	free(r.end);
	return ok;
}
