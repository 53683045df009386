/* SPDX-License-Identifier: MIT
 * The order of spans of time. */
#include "agg/intervals.h"
#include "agg/intervals_order.h"
#include "agg/intervals_parts.h"

enum { RADIX_BITS = 8, RADIX = 1 << RADIX_BITS, FEW = 32 };

static struct sorter sorter_of(struct tm_intervals *s, enum sorter_by by, const uint32_t *group,
                               const uint32_t *order)
{
	/* Where the compiler puts the bits of a start and of a tag. */
	const struct tm_interval start = { .start = (UINT64_C(1) << TM_INTERVAL_LOW) - 1 },
	                         tag = { .tag = UINT32_MAX };
	uint64_t bits[2];
	struct sorter o = { .s = s, .by = by, .group = group, .order = order };

	_Static_assert(sizeof start == sizeof bits, "an interval is two halves");
	memcpy(bits, by == BY_START ? &start : &tag, sizeof bits);
	o.plain = by != BY_GROUP && s->pages == 1 && !s->nwide;
	o.half = !bits[0];
	o.down = (unsigned)__builtin_ctzll(bits[o.half]);
	o.mask = bits[o.half] >> o.down;
	return o;
}

static uint64_t key_of(const struct sorter *o, size_t i)
{
	return sorter_key(o, tm_interval_at(o->s, i));
}

static int cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static uint64_t length(const struct tm_intervals *s, const struct tm_interval *v)
{
	return v->page < TM_INTERVAL_PAGES ? v->dur : s->wide[v->start].dur;
}

int tm_sorter_rest(const struct sorter *o, const struct tm_interval *a, const struct tm_interval *b)
{
	const struct tm_intervals *s = o->s;
	uint32_t x = sorter_name(s, a), y = sorter_name(s, b);
	int c = o->group ? cmp(o->group[x], o->group[y]) : 0;

	if (!c)
		c = cmp(sorter_start(s, a), sorter_start(s, b));
	if (!c)
		c = cmp(length(s, a), length(s, b));
	if (!c)
		c = cmp(sorter_tag(s, a), sorter_tag(s, b));
	if (!c)
		c = o->order ? cmp(o->order[x], o->order[y]) : cmp(x, y);
	return c;
}

static int compare(const struct sorter *o, size_t a, size_t b)
{
	const struct tm_interval *x = tm_interval_at(o->s, a), *y = tm_interval_at(o->s, b);
	int c = cmp(sorter_key(o, x), sorter_key(o, y));

	return c ? c : tm_sorter_rest(o, x, y);
}

static void sift(const struct sorter *o, size_t from, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && compare(o, from + child, from + child + 1) < 0)
			child++;
		if (compare(o, from + i, from + child) >= 0)
			return;
		tm_interval_swap(o->s, from + i, from + child);
	}
}

/* Up to FEW of them, aside from the list. */
static void sort_few(const struct sorter *o, size_t from, size_t n)
{
	struct tm_interval v[FEW];
	uint64_t key[FEW];
	bool moved = false;

	for (size_t i = 0; i < n; i++) {
		const struct tm_interval one = *tm_interval_at(o->s, from + i);
		const uint64_t its = sorter_key(o, &one);
		size_t k = i;

		for (; k && (key[k - 1] > its ||
		             (key[k - 1] == its && tm_sorter_rest(o, &v[k - 1], &one) > 0));
		     k--) {
			key[k] = key[k - 1];
			v[k] = v[k - 1];
		}
		key[k] = its;
		v[k] = one;
		moved |= k != i;
	}
	for (size_t i = 0; moved && i < n; i++)
		*tm_interval_entry(o->s, from + i) = v[i];
}

/* Entries [from, from + n) by the whole order: a handful that the first key does not tell apart,
 * or, in a crafted trace, all of them. */
static void sort_run(const struct sorter *o, size_t from, size_t n)
{
	if (n <= FEW) {
		sort_few(o, from, n);
		return;
	}
	for (size_t i = n / 2; i-- > 0;)
		sift(o, from, i, n);
	for (size_t i = n; i-- > 1;) {
		tm_interval_swap(o->s, from, from + i);
		sift(o, from, 0, i);
	}
}

/* Where the entries of each digit stand: [at, end), of which those before `at` are in their place.
 */
struct stretch {
	size_t at, end;
};

/* Put entries [from, from + n) in order of 8 bits of the key, in place: traces come almost in
 * order, so most entries stay where they are. */
static void sort_digit(const struct sorter *o, size_t from, size_t n, unsigned shift,
                       struct stretch of[RADIX])
{
	static const uint64_t mask = RADIX - 1;
	size_t sum = from;

	for (size_t d = 0; d < RADIX; d++)
		of[d].end = 0;
	for (size_t i = from; i < from + n; i++)
		of[key_of(o, i) >> shift & mask].end++;
	for (size_t d = 0; d < RADIX; d++) {
		of[d].at = sum;
		of[d].end = sum += of[d].end;
	}
	for (size_t d = 0; d < RADIX; d++) {
		while (of[d].at < of[d].end) {
			struct tm_interval *home = tm_interval_entry(o->s, of[d].at), v = *home;
			size_t to = sorter_key(o, &v) >> shift & mask;

			/* Whoever is where it belongs goes on to where that belongs. */
			while (to != d) {
				struct tm_interval *there = tm_interval_entry(o->s, of[to].at++),
				                   other = *there;

				*there = v;
				v = other;
				to = sorter_key(o, &v) >> shift & mask;
			}
			*home = v;
			of[d].at++;
		}
	}
}

/* Each level settles the 8 highest bits in which the keys differ, so there are few. */
static void sort(const struct sorter *o, size_t from, size_t n)
{
	struct stretch of[RADIX];
	uint64_t first, most, differing = 0;
	size_t late = 0; /* that are below some before them */
	unsigned bits;

	if (n <= FEW) {
		sort_run(o, from, n);
		return;
	}
	first = most = key_of(o, from);
	for (size_t i = from; i < from + n; i++) {
		uint64_t key = key_of(o, i);

		differing |= key ^ first;
		late += key < most;
		most = key > most ? key : most;
	}
	if (o->by == BY_GROUP && !late)
		return;
	if (!differing) {
		sort_run(o, from, n);
		return;
	}
	/* Runs one after the other are not nearly in order, either. */
	if (o->by != BY_GROUP && late <= n / 2 && tm_sorter_is_run(o, from, n))
		return;
	bits = 64 - (unsigned)__builtin_clzll(differing);
	sort_digit(o, from, n, bits > RADIX_BITS ? bits - RADIX_BITS : 0, of);
	for (size_t d = 0; d < RADIX; d++) {
		size_t begin = d ? of[d - 1].end : from;

		if (of[d].end - begin > 1)
			sort(o, begin, of[d].end - begin);
	}
}

static void sort_all(const struct sorter *o)
{
	if (o->s->n <= FEW || !tm_sorter_merge_runs(o))
		sort(o, 0, o->s->n);
}

enum { SOME = 64 }; /* extents at a time */

/* As tm_intervals_are_apart; then *length is that of all together. */
static bool look_apart(const struct tm_intervals *s, uint64_t *length)
{
	struct tm_extent e[SOME];
	uint64_t end = 0;

	*length = 0;
	for (size_t from = 0, n; from < s->n; from += n) {
		bool apart = true;

		n = s->n - from < SOME ? s->n - from : SOME;
		tm_intervals_extents(s, from, e, n);
		for (size_t i = 0; i < n; i++) {
			apart &= e[i].lo < e[i].hi && (e[i].lo > end || from + i == 0);
			end = e[i].hi;
			*length += e[i].hi - e[i].lo;
		}
		if (!apart)
			return false;
	}
	return true;
}

bool tm_intervals_are_apart(const struct tm_intervals *s)
{
	uint64_t length;

	return s->sorted ? s->apart : look_apart(s, &length);
}

/* Disjoint intervals in ascending order are sorted. */
void tm_intervals_sort(struct tm_intervals *s, const uint32_t *order)
{
	const struct sorter o = sorter_of(s, BY_START, NULL, order);

	if (s->sorted)
		return;
	s->apart = look_apart(s, &s->length);
	if (!s->apart) {
		sort_all(&o);
		s->apart = look_apart(s, &s->length);
	}
	s->length_n = s->n;
	s->sorted = true;
}

void tm_intervals_sort_by_tag(struct tm_intervals *s, const uint32_t *group, const uint32_t *order)
{
	const struct sorter o = sorter_of(s, BY_TAG, group, order);

	s->sorted = false;
	sort_all(&o);
}

/* Groups are large: first they are told apart, then each is brought in order by itself. */
void tm_intervals_sort_by_group(struct tm_intervals *s, const uint32_t *group,
                                const uint32_t *order)
{
	const struct sorter all = sorter_of(s, BY_GROUP, group, order),
	                    one = sorter_of(s, BY_START, NULL, order);

	s->sorted = false;
	if (s->n <= FEW || !tm_sorter_deal_groups(&all))
		sort(&all, 0, s->n);
	for (size_t i = 0, k; i < s->n; i = k) {
		for (k = i + 1; k < s->n && key_of(&all, k) == key_of(&all, i);)
			k++;
		sort(&one, i, k - i);
	}
}
