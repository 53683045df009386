/* SPDX-License-Identifier: MIT */
#include "agg/intervals.h"

#include "agg/blocks.h"
#include "agg/intervals_parts.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_LOW = 32, FIRST = 16 };

/* ---- lists ---- */

/* Are its blocks whole ones (agg/blocks.h)?  Else it is one that grows. */
static bool is_whole(const struct tm_intervals *s)
{
	return s->cap >= TM_INTERVAL_BLOCK;
}

/* v[0 .. n), a block that grows, as a whole one; NULL when out of memory, and then v is there yet.
 */
static struct tm_interval *make_whole(struct tm_interval *v, size_t n)
{
	struct tm_interval *block = tm_block_new();

	if (!block)
		return NULL;
	if (n)
		memcpy(block, v, n * sizeof *v);
	free(v);
	return block;
}

/* Room for more: the first block grows until it is whole, the others begin so. */
static bool enlarge(struct tm_intervals *s)
{
	bool more = !s->cap || is_whole(s);
	size_t want = !s->cap ? FIRST : more ? TM_INTERVAL_BLOCK : 2 * s->cap;
	struct tm_interval *v;

	if (!tm_grow_array(&s->block, &s->block_cap, s->blocks + 1, sizeof(struct tm_interval *)))
		return false;
	if (want < TM_INTERVAL_BLOCK)
		v = realloc(more ? NULL : s->block[0], want * sizeof *v);
	else
		v = more ? tm_block_new() : make_whole(s->block[0], s->n);
	if (!v)
		return false;
	s->block[more ? s->blocks : 0] = v;
	s->blocks += more;
	s->cap = (s->blocks - 1) * TM_INTERVAL_BLOCK + want;
	return true;
}

/* ---- lending ---- */

void tm_intervals_lend(struct tm_intervals *to, const struct tm_intervals *from)
{
	*to = *from;
	to->lent = true;
	to->cap = to->n; /* what is added next makes it a list of its own */
}

/* n bytes of their own; NULL when out of memory. */
static void *copied(const void *v, size_t n)
{
	void *own = malloc(n ? n : 1);

	if (own && n)
		memcpy(own, v, n);
	return own;
}

static bool copy_blocks(struct tm_intervals *s, const struct tm_intervals *from)
{
	size_t blocks = (from->n + TM_INTERVAL_BLOCK - 1) >> TM_INTERVAL_SHIFT,
	       room = TM_INTERVAL_BLOCK; /* as enlarge makes it */

	s->block = calloc(blocks + 1, sizeof(struct tm_interval *));
	s->block_cap = s->block ? blocks + 1 : 0;
	while (blocks == 1 && room / 2 >= from->n && room > FIRST)
		room /= 2;
	for (size_t b = 0; s->block && b < blocks; b++) {
		size_t n = from->n - b * TM_INTERVAL_BLOCK;

		s->block[b] = room < TM_INTERVAL_BLOCK ? malloc(room * sizeof **s->block)
		                                       : tm_block_new();
		if (!s->block[b])
			return false;
		memcpy(s->block[b], from->block[b], (n < room ? n : room) * sizeof **s->block);
		s->blocks++;
		s->cap += room;
	}
	return s->block != NULL;
}

bool tm_intervals_own(struct tm_intervals *s)
{
	const struct tm_intervals from = *s;

	if (!s->lent)
		return true;
	*s = (struct tm_intervals) { .n = from.n,
		                     .sorted = from.sorted,
		                     .apart = from.apart,
		                     .length = from.length,
		                     .length_n = from.length_n,
		                     .pages = from.pages,
		                     .at_page = from.at_page,
		                     .page_cap = from.pages,
		                     .nwide = from.nwide,
		                     .wide_cap = from.nwide };
	s->page = copied(from.page, from.pages * sizeof *s->page);
	s->wide = copied(from.wide, from.nwide * sizeof *s->wide);
	if (s->page && s->wide && copy_blocks(s, &from))
		return true;
	tm_intervals_fini(s);
	return false;
}

static bool make_room(struct tm_intervals *s)
{
	return s->n < s->cap || (tm_intervals_own(s) && (s->n < s->cap || enlarge(s)));
}

/* The page with these high bits, made if new; TM_INTERVAL_PAGES when there is no room for one, more
 * when out of memory. */
static uint32_t page_of(struct tm_intervals *s, uint64_t start, uint64_t tag)
{
	const struct tm_interval_page want = { start >> TM_INTERVAL_LOW << TM_INTERVAL_LOW,
		                               tag >> TAG_LOW << TAG_LOW };
	uint32_t i = s->at_page;

	if (i < s->pages && s->page[i].start == want.start && s->page[i].tag == want.tag)
		return i;
	for (i = 0; i < s->pages; i++)
		if (s->page[i].start == want.start && s->page[i].tag == want.tag)
			return s->at_page = i;
	if (i == TM_INTERVAL_PAGES)
		return i;
	if (!tm_grow_array(&s->page, &s->page_cap, s->pages + 1, sizeof *s->page))
		return TM_INTERVAL_PAGES + 1;
	s->page[s->pages++] = want;
	return s->at_page = i;
}

/* As 16 bytes of *s. */
static bool pack(struct tm_intervals *s, const struct tm_interval_wide *w, struct tm_interval *out)
{
	uint32_t page = TM_INTERVAL_PAGES;

	if (w->dur <= UINT32_MAX && w->name < TM_INTERVAL_NAMES)
		page = page_of(s, w->start, w->tag);
	if (page < TM_INTERVAL_PAGES) {
		*out = (struct tm_interval) { .page = page & TM_INTERVAL_PAGES,
			                      .start = w->start &
			                               ((UINT64_C(1) << TM_INTERVAL_LOW) - 1),
			                      .name = w->name & (TM_INTERVAL_NAMES - 1),
			                      .dur = (uint32_t)w->dur,
			                      .tag = (uint32_t)w->tag };
		return true;
	}
	if (page > TM_INTERVAL_PAGES ||
	    !tm_grow_array(&s->wide, &s->wide_cap, s->nwide + 1, sizeof *s->wide))
		return false;
	*out = (struct tm_interval) {
		.page = TM_INTERVAL_PAGES,
		.start = s->nwide & ((UINT64_C(1) << TM_INTERVAL_LOW) - 1),
	};
	s->wide[s->nwide++] = *w;
	return true;
}

/* Does it fit the page of the one before it, as almost all do? */
static bool fits_page(const struct tm_intervals *s, uint64_t start, uint64_t dur, uint64_t tag,
                      uint32_t name)
{
	const struct tm_interval_page *p;

	if (s->n >= s->cap || s->at_page >= s->pages || dur >> 32 || name >= TM_INTERVAL_NAMES)
		return false;
	p = s->page + s->at_page;
	return !((p->start ^ start) >> TM_INTERVAL_LOW) && !((p->tag ^ tag) >> TAG_LOW);
}

bool tm_intervals_add(struct tm_intervals *s, uint64_t start, uint64_t end, uint64_t tag,
                      uint32_t name)
{
	const struct tm_interval_wide one = { start, end - start, tag, name };

	if (fits_page(s, start, one.dur, tag, name))
		*tm_interval_entry(s, s->n) = (struct tm_interval) {
			.page = s->at_page & TM_INTERVAL_PAGES,
			.start = start & ((UINT64_C(1) << TM_INTERVAL_LOW) - 1),
			.name = name & (TM_INTERVAL_NAMES - 1),
			.dur = (uint32_t)one.dur,
			.tag = (uint32_t)tag
		};
	else if (!make_room(s) || !pack(s, &one, tm_interval_entry(s, s->n)))
		return false;
	s->n++;
	s->sorted = false;
	return true;
}

/* From entries of one list to those of another: the pages of the one as those of the other. */
struct change {
	const struct tm_intervals *from;
	const uint32_t *map;
	uint16_t page[TM_INTERVAL_PAGES]; /* + 1; 0 = not asked for yet */
};

static bool pack_again(struct tm_intervals *into, const struct change *c, struct tm_interval *v)
{
	struct tm_interval_wide w;

	if (v->page == TM_INTERVAL_PAGES) {
		w = c->from->wide[v->start];
	} else {
		const struct tm_interval_page *page = &c->from->page[v->page];

		w = (struct tm_interval_wide) { page->start | v->start, v->dur, page->tag | v->tag,
			                        (uint32_t)v->name };
	}
	w.name = c->map ? c->map[w.name] : w.name;
	return pack(into, &w, v);
}

/* The entry *v of c->from becomes one of *into. */
static bool adopt(struct tm_intervals *into, struct change *c, struct tm_interval *v)
{
	uint32_t name = (uint32_t)v->name;

	if (v->page == TM_INTERVAL_PAGES && c->from == into) {
		struct tm_interval_wide *w = &into->wide[v->start];

		w->name = c->map ? c->map[w->name] : w->name;
		return true;
	}
	if (v->page == TM_INTERVAL_PAGES)
		return pack_again(into, c, v);
	if (c->map)
		name = c->map[name];
	if (!c->page[v->page]) {
		const struct tm_interval_page *page = &c->from->page[v->page];
		uint32_t as = page_of(into, page->start, page->tag);

		if (as > TM_INTERVAL_PAGES)
			return false;
		if (as < TM_INTERVAL_PAGES)
			c->page[v->page] = (uint16_t)(as + 1);
	}
	if (!c->page[v->page] || name >= TM_INTERVAL_NAMES)
		return pack_again(into, c, v);
	v->page = (uint64_t)(c->page[v->page] - 1) & TM_INTERVAL_PAGES;
	v->name = name & (TM_INTERVAL_NAMES - 1);
	return true;
}

bool tm_intervals_merge(struct tm_intervals *into, const struct tm_intervals *from,
                        const uint32_t *map)
{
	struct change c = { .from = from, .map = map };

	for (size_t i = 0; i < from->n; i++) {
		struct tm_interval one = *tm_interval_at(from, i);

		if (!make_room(into) || !adopt(into, &c, &one))
			return false;
		*tm_interval_entry(into, into->n++) = one;
		into->sorted = false;
	}
	return true;
}

/* After what is there, in the same order: a block of `from` fills up the last one of `into`, and
 * what is left of it comes to its front, for it is the last one now. */
static bool take_blocks(struct tm_intervals *into, struct tm_intervals *from)
{
	if (!tm_grow_array(&into->block, &into->block_cap, into->blocks + from->blocks,
	                   sizeof(struct tm_interval *)))
		return false;
	for (size_t b = 0; b < from->blocks; b++) {
		struct tm_interval *v = from->block[b];
		size_t n = from->n - b * TM_INTERVAL_BLOCK, fits = into->cap - into->n;

		n = n < TM_INTERVAL_BLOCK ? n : TM_INTERVAL_BLOCK;
		fits = fits < n ? fits : n;
		if (fits)
			memcpy(tm_interval_entry(into, into->n), v, fits * sizeof *v);
		into->n += fits;
		if (fits == n)
			continue;
		memmove(v, v + fits, (n - fits) * sizeof *v);
		if (!is_whole(from))
			v = make_whole(v, n - fits);
		if (!v)
			return false;
		from->block[b] = NULL;
		into->block[into->blocks++] = v;
		into->cap = into->blocks * TM_INTERVAL_BLOCK;
		into->n += n - fits;
	}
	return true;
}

bool tm_intervals_move(struct tm_intervals *into, struct tm_intervals *from, const uint32_t *map)
{
	struct change c = { .from = from, .map = map };
	bool ok = true;

	if (((into->n || map) && !tm_intervals_own(from)) || (into->n && !tm_intervals_own(into)))
		return false;
	if (!into->n) {
		tm_intervals_fini(into);
		*into = *from;
		*from = (struct tm_intervals) { 0 };
		from = into; /* its pages stay */
		c.from = from;
		if (!map)
			return true;
	}
	for (size_t i = 0; ok && i < from->n; i++)
		ok = adopt(into, &c, tm_interval_entry(from, i));
	into->sorted = false;
	if (into == from || !from->n)
		return ok;
	while (ok && into->cap < TM_INTERVAL_BLOCK && into->n + from->n > into->cap)
		ok = enlarge(into);
	ok = ok && take_blocks(into, from);
	tm_intervals_fini(from);
	return ok;
}

/* Sums may pass 64 bits; they come back all the same. */
bool tm_intervals_turn(struct tm_intervals *s, bool back)
{
	if (!tm_intervals_own(s))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		struct tm_interval *v = tm_interval_entry(s, i);
		uint64_t dur = tm_interval_dur(s, i), start = tm_interval_start(s, i);

		start = back ? start - dur : start + dur;
		if (v->page == TM_INTERVAL_PAGES) {
			s->wide[v->start].start = start;
		} else {
			const struct tm_interval_wide w = { start, dur, tm_interval_tag(s, i),
				                            (uint32_t)v->name };

			if (!pack(s, &w, v))
				return false;
		}
	}
	s->sorted = false;
	return true;
}

/* Walks a sorted list from one stretch that it covers to the next. */
struct stretches {
	const struct tm_intervals *s;
	size_t at;
};

/* The next one: dur 0 = there is none. */
static inline struct tm_interval_wide next_stretch(struct stretches *w)
{
	struct tm_interval_wide now = { 0 };

	for (; w->at < w->s->n; w->at++) {
		uint64_t start = tm_interval_start(w->s, w->at), dur = tm_interval_dur(w->s, w->at);

		if (!dur)
			continue;
		if (!now.dur)
			now = (struct tm_interval_wide) { .start = start, .dur = dur };
		else if (start > now.start + now.dur)
			break;
		else if (start + dur > now.start + now.dur)
			now.dur = start + dur - now.start;
	}
	return now;
}

/* Is a sorted list, which is another's, its own union? */
static bool is_union(const struct tm_intervals *s)
{
	uint64_t end = 0;

	if (s->sorted && s->apart)
		return s->lent;
	for (size_t i = 0; s->lent && i < s->n; i++) {
		if (tm_interval_start(s, i) < end || !tm_interval_dur(s, i))
			return false;
		end = tm_interval_end(s, i);
	}
	return s->lent;
}

bool tm_intervals_unite(struct tm_intervals *s)
{
	struct stretches w = { .s = s };
	struct tm_interval_wide now;
	size_t to = 0;

	if (is_union(s))
		return true;
	if (!tm_intervals_own(s))
		return false;
	while ((now = next_stretch(&w)).dur)
		if (!pack(s, &now, tm_interval_entry(s, to++)))
			return false;
	tm_intervals_cut(s, to);
	return true;
}

bool tm_intervals_move_cover(struct tm_intervals *into, struct tm_intervals *from)
{
	struct stretches w = { .s = from };
	struct tm_interval_wide now;

	if (!from->lent || !from->sorted || (!into->n && is_union(from)))
		return tm_intervals_move(into, from, NULL);
	while ((now = next_stretch(&w)).dur)
		if (!tm_intervals_add(into, now.start, now.start + now.dur, 0, 0))
			return false;
	tm_intervals_fini(from);
	return true;
}

bool tm_interval_set_name(struct tm_intervals *s, size_t i, uint32_t name)
{
	struct tm_interval_wide w;
	struct tm_interval *v;

	if (!tm_intervals_own(s))
		return false;
	v = tm_interval_entry(s, i);
	w = (struct tm_interval_wide) { tm_interval_start(s, i), tm_interval_dur(s, i),
		                        tm_interval_tag(s, i), name };
	if (v->page == TM_INTERVAL_PAGES)
		s->wide[v->start].name = name;
	else if (name < TM_INTERVAL_NAMES)
		v->name = name & (TM_INTERVAL_NAMES - 1);
	else
		return pack(s, &w, v);
	return true;
}

void tm_intervals_reverse(struct tm_intervals *s, size_t from, size_t n)
{
	for (size_t i = 0; i < n / 2; i++)
		tm_interval_swap(s, from + i, from + n - 1 - i);
	s->sorted = false;
}

/* Block b of s, in which nothing is any more, becomes the last one of `out`. */
static bool hand_over(struct tm_intervals *s, size_t b, struct tm_intervals *out)
{
	if (!tm_grow_array(&out->block, &out->block_cap, out->blocks + 1,
	                   sizeof(struct tm_interval *)))
		return false;
	out->block[out->blocks++] = s->block[b];
	out->cap += TM_INTERVAL_BLOCK;
	memmove(s->block + b, s->block + b + 1, (s->blocks - b - 1) * sizeof(struct tm_interval *));
	s->blocks--;
	s->n -= TM_INTERVAL_BLOCK;
	s->cap -= TM_INTERVAL_BLOCK;
	return true;
}

/* Of a list that was lent both parts are new ones. */
static bool part_lent(struct tm_intervals *s, struct tm_intervals *out,
                      bool (*chosen)(const struct tm_intervals *s, size_t i, const void *arg),
                      const void *arg)
{
	const struct tm_intervals from = *s;
	struct change to_out = { .from = &from }, to_rest = { .from = &from };
	bool ok = true;

	*s = (struct tm_intervals) { 0 };
	for (size_t i = 0; ok && i < from.n; i++) {
		const bool is = chosen(&from, i, arg);
		struct tm_intervals *to = is ? out : s;
		struct tm_interval one = *tm_interval_at(&from, i);

		ok = make_room(to) && adopt(to, is ? &to_out : &to_rest, &one);
		if (ok)
			*tm_interval_entry(to, to->n++) = one;
	}
	out->sorted = false;
	s->sorted = from.sorted;
	s->apart = from.apart;
	return ok;
}

bool tm_intervals_part(struct tm_intervals *s, struct tm_intervals *out,
                       bool (*chosen)(const struct tm_intervals *s, size_t i, const void *arg),
                       const void *arg)
{
	struct change c = { .from = s };
	size_t to = 0;
	bool ok = true;

	if (s->lent)
		return part_lent(s, out, chosen, arg);
	for (size_t i = 0; ok && i < s->n; i++) {
		struct tm_interval one = *tm_interval_at(s, i);
		size_t b = (to >> TM_INTERVAL_SHIFT) + 1;

		if (!chosen(s, i, arg)) {
			*tm_interval_entry(s, to++) = one;
			continue;
		}
		/* Between the last that stays and this one whole blocks are free. */
		if (out->n == out->cap && out->cap >= TM_INTERVAL_BLOCK &&
		    b < i >> TM_INTERVAL_SHIFT) {
			ok = hand_over(s, b, out);
			i -= ok ? TM_INTERVAL_BLOCK : 0;
		}
		ok = ok && make_room(out) && adopt(out, &c, &one);
		if (ok)
			*tm_interval_entry(out, out->n++) = one;
	}
	out->sorted = false;
	tm_intervals_cut(s, to);
	return ok;
}

void tm_intervals_cut(struct tm_intervals *s, size_t n)
{
	size_t blocks = (n + TM_INTERVAL_BLOCK - 1) >> TM_INTERVAL_SHIFT;

	s->n = n;
	if (s->lent) {
		s->cap = n;
		return;
	}
	while (s->blocks > 1 && s->blocks > blocks) {
		tm_block_free(s->block[--s->blocks]);
		s->cap = s->blocks * TM_INTERVAL_BLOCK;
	}
}

struct tm_extent tm_intervals_span(const struct tm_intervals *s)
{
	struct tm_extent all = { UINT64_MAX, 0 };

	for (size_t i = s->apart && s->n ? s->n - 1 : 0; i < s->n; i++) {
		uint64_t end = tm_interval_end(s, i);

		all.hi = end > all.hi ? end : all.hi;
	}
	if (s->n)
		all.lo = tm_interval_start(s, 0);
	return all;
}

/* How many of a sorted list start before. */
static size_t started_before(const struct tm_intervals *s, uint64_t time)
{
	size_t lo = 0, hi = s->n;

	TM_BISECT(lo, hi, mid, tm_interval_start(s, mid) < time);
	return lo;
}

size_t tm_intervals_started(const struct tm_intervals *s, struct tm_extent in)
{
	return in.lo < in.hi ? started_before(s, in.hi) - started_before(s, in.lo) : 0;
}

void tm_intervals_fini(struct tm_intervals *s)
{
	for (size_t i = 0; !s->lent && i < s->blocks; i++)
		if (is_whole(s))
			tm_block_free(s->block[i]);
		else
			free(s->block[i]);
	if (!s->lent) {
		free(s->block);
		free(s->page);
		free(s->wide);
	}
	*s = (struct tm_intervals) { 0 };
}
