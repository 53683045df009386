/* SPDX-License-Identifier: MIT */
#include "agg/intervals.h"

#include "test.h"

static uint64_t seed = 1;

static uint64_t next(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

static void add(struct tm_intervals *s, uint64_t start, uint64_t end)
{
	CHECK(tm_intervals_add(s, start, end, 0, 0));
}

/*            0    5    10   15   20   25
 * a          [----)    [---------)
 * b             [----)           [----)
 * union      [-------) [--------------)     8 + 15 */
TEST(union_by_hand)
{
	struct tm_intervals a = { 0 }, b = { 0 };
	struct tm_pieces p;
	struct tm_extent e;
	struct tm_concurrency c;

	add(&a, 10, 20);
	add(&a, 0, 5);
	add(&b, 20, 25);
	add(&b, 3, 8);
	tm_intervals_sort(&a, NULL);
	tm_intervals_sort(&b, NULL);
	tm_pieces_init(&p, (struct tm_extent) { 0, 100 });
	CHECK(tm_pieces_add(&p, &a) && tm_pieces_add(&p, &b));
	CHECK_U64(tm_pieces_length(p), 23);
	CHECK(tm_pieces_next(&p, &e));
	CHECK_U64(e.lo, 0);
	CHECK_U64(e.hi, 8);
	CHECK(tm_pieces_next(&p, &e)); /* [10,20) and [20,25) touch: one piece */
	CHECK_U64(e.lo, 10);
	CHECK_U64(e.hi, 25);
	CHECK_U64(p.opener_list, 0);
	CHECK_U64(p.opener, 1);
	CHECK(!tm_pieces_next(&p, &e));
	tm_pieces_init(&p, (struct tm_extent) { 4, 22 });
	CHECK(tm_pieces_add(&p, &a) && tm_pieces_add(&p, &b));
	CHECK_U64(tm_pieces_length(p), 4 + 12);
	CHECK(tm_pieces_concurrency(&p, &c));
	CHECK_U64((uint64_t)c.total, 1 + 4 + 10 + 2);
	CHECK_U64(c.max, 2);
	tm_intervals_fini(&a);
	tm_intervals_fini(&b);
}

/* An interval of no length covers nothing, not even between two that leave its place free. */
TEST(empty_intervals)
{
	struct tm_intervals a = { 0 };
	struct tm_pieces p;
	struct tm_concurrency c;

	add(&a, 7, 7);
	add(&a, 5, 5);
	tm_intervals_sort(&a, NULL);
	tm_pieces_init(&p, (struct tm_extent) { 0, 10 });
	CHECK(tm_pieces_add(&p, &a));
	CHECK_U64(tm_pieces_length(p), 0);
	CHECK(tm_pieces_concurrency(&p, &c));
	CHECK_U64(c.max, 0);
	tm_intervals_fini(&a);
}

TEST(wide_numbers)
{
	struct tm_intervals a = { 0 }, b = { 0 };
	const uint64_t day = UINT64_C(86400000000000), low = UINT64_C(1) << TM_INTERVAL_LOW;

	CHECK(tm_intervals_add(&a, 5, 5 + day, UINT64_MAX, 0));
	CHECK(tm_intervals_add(&a, low - 1, low + 1, UINT32_MAX, TM_INTERVAL_NAMES - 1));
	CHECK(tm_intervals_add(&a, low, low + UINT32_MAX, 1, UINT32_MAX));
	CHECK(tm_intervals_add(&b, low + 3, UINT64_MAX, (uint64_t)UINT32_MAX + 1,
	                       TM_INTERVAL_NAMES));
	CHECK(tm_intervals_merge(&a, &b, NULL));
	tm_intervals_sort(&a, NULL);
	CHECK_U64(tm_interval_dur(&a, 0), day);
	CHECK_U64(tm_interval_tag(&a, 0), UINT64_MAX);
	CHECK_U64(tm_interval_start(&a, 1), low - 1);
	CHECK_U64(tm_interval_end(&a, 1), low + 1);
	CHECK_U64(tm_interval_tag(&a, 1), UINT32_MAX);
	CHECK_U64(tm_interval_name(&a, 1), TM_INTERVAL_NAMES - 1);
	CHECK_U64(tm_interval_start(&a, 2), low);
	CHECK_U64(tm_interval_dur(&a, 2), UINT32_MAX);
	CHECK_U64(tm_interval_name(&a, 2), UINT32_MAX);
	CHECK_U64(tm_interval_start(&a, 3), low + 3);
	CHECK_U64(tm_interval_end(&a, 3), UINT64_MAX);
	CHECK_U64(tm_interval_tag(&a, 3), (uint64_t)UINT32_MAX + 1);
	CHECK_U64(tm_interval_name(&a, 3), TM_INTERVAL_NAMES);
	CHECK_U64(a.nwide, 3);
	tm_intervals_fini(&a);
	tm_intervals_fini(&b);
}

/* In a list that holds both forms; a name that does not fit makes one wide, and everything else
 * stays. */
TEST(changing)
{
	const uint64_t tag = UINT64_C(3) << 32;
	struct tm_intervals a = { 0 };

	CHECK(tm_intervals_add(&a, 10, 20, tag | 1, 1));
	CHECK(tm_intervals_add(&a, 11, UINT64_C(1) << 40, tag | 2, 2));
	CHECK(tm_intervals_add(&a, 12, 22, tag | 3, 3));
	tm_intervals_sort(&a, NULL);
	CHECK(tm_interval_set_name(&a, 0, TM_INTERVAL_NAMES) && tm_interval_set_name(&a, 1, 7) &&
	      tm_interval_set_name(&a, 2, 8));
	tm_interval_set_tag(&a, 0, 40);
	tm_interval_set_tag(&a, 1, 50);
	tm_interval_set_tag(&a, 2, 60);
	CHECK(a.sorted);
	tm_intervals_reverse(&a, 0, 3);
	CHECK(!a.sorted);
	CHECK_U64(tm_interval_start(&a, 2), 10);
	CHECK_U64(tm_interval_dur(&a, 2), 10);
	CHECK_U64(tm_interval_name(&a, 2), TM_INTERVAL_NAMES);
	CHECK_U64(tm_interval_tag(&a, 2), tag | 40);
	CHECK_U64(tm_interval_end(&a, 1), UINT64_C(1) << 40);
	CHECK_U64(tm_interval_name(&a, 1), 7);
	CHECK_U64(tm_interval_tag(&a, 1), tag | 50);
	CHECK_U64(tm_interval_start(&a, 0), 12);
	CHECK_U64(tm_interval_name(&a, 0), 8);
	CHECK_U64(tm_interval_tag(&a, 0), tag | 60);
	CHECK_U64(a.nwide, 2);
	tm_intervals_fini(&a);
}

/* 16 bytes are what an interval costs, and what a list has beyond is less than a block. */
TEST(size)
{
	struct tm_intervals a = { 0 };

	CHECK_U64(sizeof(struct tm_interval), 16);
	for (uint32_t i = 0; i < 3 * TM_INTERVAL_BLOCK + 1; i++)
		CHECK(tm_intervals_add(&a, UINT64_C(1) << 62 | i, UINT64_C(1) << 62 | (2 * i), i,
		                       i));
	CHECK_U64(a.nwide, 0);
	CHECK_U64(a.cap, 4 * TM_INTERVAL_BLOCK);
	tm_intervals_cut(&a, 2 * TM_INTERVAL_BLOCK);
	CHECK_U64(a.cap, 2 * TM_INTERVAL_BLOCK);
	tm_intervals_fini(&a);
}

/* More high bits than a table holds: each is found all the same. */
TEST(many_pages)
{
	enum { N = 3 * TM_INTERVAL_PAGES };
	struct tm_intervals a = { 0 }, b = { 0 };

	for (uint64_t i = 0; i < N; i++)
		CHECK(tm_intervals_add(i % 2 ? &a : &b, i << TM_INTERVAL_LOW,
		                       (i << TM_INTERVAL_LOW) + i, (N - i) << 33, (uint32_t)i));
	CHECK(tm_intervals_move(&a, &b, NULL));
	CHECK_U64(a.pages, TM_INTERVAL_PAGES);
	CHECK_U64(a.nwide, N - TM_INTERVAL_PAGES);
	tm_intervals_sort(&a, NULL);
	for (uint64_t i = 0; i < N; i++) {
		CHECK_U64(tm_interval_start(&a, i), i << TM_INTERVAL_LOW);
		CHECK_U64(tm_interval_dur(&a, i), i);
		CHECK_U64(tm_interval_tag(&a, i), (N - i) << 33);
		CHECK_U64(tm_interval_name(&a, i), i);
	}
	CHECK(tm_intervals_turn(&a, false));
	tm_intervals_sort_by_tag(&a, NULL, NULL);
	CHECK_U64(tm_interval_start(&a, 0), ((uint64_t)(N - 1) << TM_INTERVAL_LOW) + N - 1);
	CHECK(tm_intervals_turn(&a, true));
	CHECK_U64(tm_interval_start(&a, 0), (uint64_t)(N - 1) << TM_INTERVAL_LOW);
	tm_intervals_fini(&a);
}

enum by { BY_START, BY_TAG, BY_GROUP };

static const uint32_t groups[8] = { 3, 1, 1, 2, 0, 2, 3, 0 };

static bool in_order(const struct tm_intervals *s, enum by by, bool grouped)
{
	for (size_t i = 1; i < s->n; i++) {
		uint64_t v[2][6];

		for (size_t k = 0; k < 2; k++) {
			size_t at = i - 1 + k;

			v[k][0] = by == BY_TAG ? tm_interval_tag(s, at) : 0;
			v[k][1] = grouped ? groups[tm_interval_name(s, at)] : 0;
			v[k][2] = tm_interval_start(s, at);
			v[k][3] = tm_interval_end(s, at);
			v[k][4] = tm_interval_tag(s, at);
			v[k][5] = tm_interval_name(s, at);
		}
		for (int k = 0; k < 6; k++) {
			if (v[0][k] > v[1][k])
				return false;
			if (v[0][k] < v[1][k])
				break;
		}
	}
	return true;
}

/* Few and many, spread and crowded (the same start 1000 times), small and huge numbers. */
TEST(sorting)
{
	static const struct {
		size_t n;
		uint64_t starts, durs, tags;
	} cases[] = {
		{ 2, 9, 9, 9 },          { 60, 1000, 5, 5 },
		{ 5000, 100000, 50, 7 }, { 5000, 3, 3, 3 },
		{ 3000, 1, 1, 1 },       { 4000, UINT64_C(1) << 31, UINT64_C(1) << 31, 1000 },
	};
	uint32_t order[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct tm_intervals s = { 0 };
		uint64_t sum = 0, again = 0;

		for (size_t i = 0; i < cases[c].n; i++) {
			uint64_t start = next(cases[c].starts) << (c == 5 ? 30 : 0);
			uint64_t dur = next(cases[c].durs) << (c == 5 ? 3 : 0),
			         tag = next(cases[c].tags);

			CHECK(tm_intervals_add(&s, start, start + dur, tag, (uint32_t)next(8)));
			sum += start * 3 + dur * 5 + tag * 7;
		}
		tm_intervals_sort(&s, order);
		CHECK(in_order(&s, BY_START, false));
		tm_intervals_sort_by_tag(&s, NULL, order);
		CHECK(in_order(&s, BY_TAG, false));
		tm_intervals_sort_by_group(&s, groups, order);
		CHECK(in_order(&s, BY_GROUP, true));
		tm_intervals_sort_by_tag(&s, groups, order);
		CHECK(in_order(&s, BY_TAG, true));
		for (size_t i = 0; i < s.n; i++)
			again += tm_interval_start(&s, i) * 3 + tm_interval_dur(&s, i) * 5 +
			         tm_interval_tag(&s, i) * 7;
		CHECK_U64(again, sum);
		tm_intervals_fini(&s);
	}
}

/* What lanes did, each in order but for entries a few places off: one lane after the other, by
 * turns, by bursts; of more lanes than are merged, too; with equal keys, and of several pages. */
TEST(lanes)
{
	static const struct {
		size_t n, lanes, burst, step;
		bool wide;
	} cases[] = {
		{ 40, 2, 1, 3, false },       { 300, 3, 100, 3, false },
		{ 3000, 4, 750, 1, false },   { 4096, 2, 7, 2, false },
		{ 4097, 16, 9, 5, false },    { 40000, 4, 10000, 3, false },
		{ 40000, 1, 40000, 3, true }, { 50000, 5, 13, 3, true },
		{ 50000, 16, 400, 1, false }, { 50000, 17, 400, 3, false },
		{ 50000, 40, 1, 3, true },    { 30000, 3, 5000, 0, false },
		{ 70000, 7, 3000, 2, false }, { 70000, 2, 35000, 2, true },
	};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct tm_intervals s = { 0 };
		uint64_t at[64], sum = 0, again = 0;
		size_t lane = 0;

		for (size_t k = 0; k < cases[c].lanes; k++)
			at[k] = cases[c].wide ? (UINT64_C(1) << TM_INTERVAL_LOW) - 9000 : 1000 * k;
		for (size_t i = 0; i < cases[c].n; i++) {
			uint64_t start, tag, dur = next(cases[c].step + 1);

			lane = i % cases[c].burst ? lane : (lane + 1) % cases[c].lanes;
			at[lane] += next(cases[c].step + 1);
			start = at[lane] + (next(50) ? 0 : next(40));
			tag = next(3) ? start / 2 : at[lane];
			CHECK(tm_intervals_add(&s, start, start + dur, tag, (uint32_t)next(8)));
			sum += start * 3 + dur * 5 + tag * 7;
		}
		tm_intervals_sort_by_tag(&s, groups, NULL);
		CHECK(in_order(&s, BY_TAG, true));
		tm_intervals_sort_by_group(&s, groups, NULL);
		CHECK(in_order(&s, BY_GROUP, true));
		tm_intervals_sort_by_tag(&s, NULL, NULL);
		CHECK(in_order(&s, BY_TAG, false));
		tm_intervals_reverse(&s, 0, s.n / 2);
		tm_intervals_sort(&s, NULL);
		CHECK(in_order(&s, BY_START, false));
		CHECK_U64(s.n, cases[c].n);
		for (size_t i = 0; i < s.n; i++)
			again += tm_interval_start(&s, i) * 3 + tm_interval_dur(&s, i) * 5 +
			         tm_interval_tag(&s, i) * 7;
		CHECK_U64(again, sum);
		tm_intervals_fini(&s);
	}
}

/* Two groups one after the other, the later first. */
TEST(groups_in_turn)
{
	struct tm_intervals s = { 0 };

	for (uint64_t i = 0; i < 9000; i++)
		CHECK(tm_intervals_add(&s, i, i + 1, i, i < 5000 ? 0 : 4));
	tm_intervals_sort_by_group(&s, groups, NULL);
	CHECK(in_order(&s, BY_GROUP, true));
	tm_intervals_sort_by_group(&s, groups, NULL);
	CHECK(in_order(&s, BY_GROUP, true));
	CHECK_U64(tm_interval_start(&s, 0), 5000);
	tm_intervals_fini(&s);
}

/* The same lists as they come, by start. */
TEST(lanes_as_they_come)
{
	static const size_t lanes[] = { 1, 2, 3, 4, 5, 8, 15, 16, 17, 33 },
	                    bursts[] = { 1, 6, 500, 5000 };

	for (size_t c = 0; c < 4 * sizeof lanes / sizeof *lanes; c++) {
		const size_t n = lanes[c / 4], burst = bursts[c % 4];
		struct tm_intervals s = { 0 };
		uint64_t at[64], sum = 0, again = 0;
		size_t lane = 0;

		for (size_t k = 0; k < n; k++)
			at[k] = 100 * next(20);
		for (size_t i = 0; i < 25000; i++) {
			lane = i % burst ? lane : next(n);
			at[lane] += next(4);
			CHECK(tm_intervals_add(&s, at[lane], at[lane] + i % 3, next(2),
			                       (uint32_t)next(8)));
			sum += at[lane] * 3 + i % 3;
		}
		tm_intervals_sort(&s, NULL);
		CHECK(in_order(&s, BY_START, false));
		for (size_t i = 0; i < s.n; i++)
			again += tm_interval_start(&s, i) * 3 + tm_interval_dur(&s, i);
		CHECK_U64(again, sum);
		tm_intervals_fini(&s);
	}
}

/* One moves into none (as it is), then another after it; names are translated, wide numbers found.
 */
TEST(moving)
{
	const uint32_t map[2] = { 7, 9 };
	const uint64_t day = UINT64_C(86400000000000);
	struct tm_intervals a = { 0 }, b = { 0 };

	CHECK(tm_intervals_add(&b, 5, 5 + day, 1, 1) && tm_intervals_add(&b, 1, 2, 0, 0));
	CHECK(tm_intervals_move(&a, &b, map));
	CHECK(b.n == 0 && !b.block);
	CHECK(tm_intervals_add(&b, 3, 3 + 2 * day, day, 0));
	CHECK(tm_intervals_move(&a, &b, map));
	CHECK(b.n == 0 && !b.block);
	CHECK_U64(a.n, 3);
	tm_intervals_sort(&a, NULL);
	CHECK_U64(tm_interval_start(&a, 0), 1);
	CHECK_U64(tm_interval_name(&a, 0), 7);
	CHECK_U64(tm_interval_end(&a, 1), 3 + 2 * day);
	CHECK_U64(tm_interval_tag(&a, 1), day);
	CHECK_U64(tm_interval_name(&a, 1), 7);
	CHECK_U64(tm_interval_end(&a, 2), 5 + day);
	CHECK_U64(tm_interval_name(&a, 2), 9);
	tm_intervals_cut(&a, 1);
	CHECK(tm_intervals_add(&a, 4, 6, 0, 3));
	CHECK_U64(tm_interval_start(&a, 0), 1);
	CHECK_U64(tm_interval_name(&a, 1), 3);
	tm_intervals_fini(&a);
	tm_intervals_fini(&b);
}

/* Lists of any lengths, one after the other, in blocks that are full but for the last. */
TEST(moving_blocks)
{
	static const size_t lengths[] = { 0,
		                          1,
		                          TM_INTERVAL_BLOCK / 2 + 1,
		                          TM_INTERVAL_BLOCK - 1,
		                          TM_INTERVAL_BLOCK,
		                          TM_INTERVAL_BLOCK + 1,
		                          5 * TM_INTERVAL_BLOCK / 2 };
	enum { N = sizeof lengths / sizeof *lengths };

	for (int a = 0; a < N; a++) {
		for (int b = 0; b < N; b++) {
			struct tm_intervals s = { 0 };
			size_t n = 0;

			for (int round = 0; round < 4; round++) {
				struct tm_intervals from = { 0 };
				size_t more = lengths[round % 2 ? b : a];

				for (size_t i = 0; i < more; i++, n++)
					CHECK(tm_intervals_add(&from, n, 2 * n, 3 * n,
					                       (uint32_t)i));
				CHECK(tm_intervals_move(&s, &from, NULL));
				CHECK(s.n == n && !from.n && s.cap - s.n <= TM_INTERVAL_BLOCK);
			}
			for (size_t i = 0; i < n; i++)
				if (tm_interval_start(&s, i) != i ||
				    tm_interval_tag(&s, i) != 3 * i)
					CHECK_U64(tm_interval_start(&s, i), i);
			tm_intervals_fini(&s);
		}
	}
}

static bool is_chosen(const struct tm_intervals *s, size_t i, const void *mask)
{
	const uint64_t *m = mask;

	return tm_interval_tag(s, i) % 7 & *m;
}

/* Few, most and all of a list leave it, after what there was, also of one that was lent. */
TEST(parting)
{
	for (uint64_t mask = 0; mask < 16; mask++) {
		struct tm_intervals s = { 0 }, out = { 0 }, lender = { 0 };
		uint64_t stay = 0, go = 0;

		for (uint64_t i = 0; i < 5 * TM_INTERVAL_BLOCK + 5; i++)
			CHECK(tm_intervals_add(&s, i, 2 * i, i % 3 == 1 ? 7 : i, (uint32_t)i));
		CHECK(tm_intervals_add(&out, UINT64_MAX - 1, UINT64_MAX, 1, 0));
		if (mask & 8) { /* no tag % 7 has that bit */
			lender = s;
			tm_intervals_lend(&s, &lender);
		}
		CHECK(tm_intervals_part(&s, &out, is_chosen, &mask));
		CHECK(!s.lent && !out.lent);
		CHECK_U64(s.n + out.n, 5 * TM_INTERVAL_BLOCK + 6);
		CHECK(s.cap < s.n + TM_INTERVAL_BLOCK || s.blocks == 1);
		CHECK(out.cap <= out.n + TM_INTERVAL_BLOCK);
		CHECK_U64(tm_interval_start(&out, 0), UINT64_MAX - 1);
		for (uint64_t i = 0; i < 5 * TM_INTERVAL_BLOCK + 5; i++) {
			uint64_t tag = i % 3 == 1 ? 7 : i;
			bool goes = tag % 7 & mask;
			const struct tm_intervals *in = goes ? &out : &s;
			size_t at = goes ? ++go : stay++;

			if (tm_interval_start(in, at) != i || tm_interval_tag(in, at) != tag)
				CHECK_U64(tm_interval_start(in, at), i);
			if (mask & 8)
				CHECK_U64(tm_interval_start(&lender, i), i);
		}
		tm_intervals_fini(&s);
		tm_intervals_fini(&out);
		tm_intervals_fini(&lender);
	}
}

/* Intervals at random, of any length, or `after` each other with so much
 * between them at least. */
static void add_some(struct tm_intervals *s, uint64_t span, bool behind, uint64_t apart)
{
	uint64_t at = next(9);

	for (uint64_t n = next(12); n--;) {
		uint64_t start = behind ? at : next(span),
		         end = start + (behind ? apart + next(9) : next(span - start));

		at = end + apart + next(3);
		if (end <= span)
			add(s, start, end);
	}
}

/* Each piece is what its first and last interval say. */
static void check_pieces(struct tm_pieces p)
{
	struct tm_extent e, before = { 0 };

	while (tm_pieces_next(&p, &e)) {
		uint64_t lo = tm_interval_start(p.list[p.opener_list], p.opener),
		         hi = tm_interval_end(p.list[p.closer_list], p.closer);

		CHECK_U64(e.lo, lo < p.window.lo ? p.window.lo : lo);
		CHECK_U64(e.hi, hi > p.window.hi ? p.window.hi : hi);
		CHECK(e.lo < e.hi && (!before.hi || before.hi < e.lo));
		before = e;
	}
	CHECK(!tm_pieces_next(&p, &e));
}

/* Against a picture of every nanosecond. */
TEST(masks_against_a_picture)
{
	enum { SPAN = 200, SETS = 3 };

	for (int round = 0; round < 900; round++) {
		const unsigned sets = round % 5 ? SETS : 1; /* the others are empty */
		struct tm_intervals s[SETS] = { { 0 } };
		struct tm_pieces p[SETS], all;
		unsigned char at[SPAN] = { 0 }, deep[SPAN] = { 0 };
		uint64_t lo = next(SPAN / 2), hi = lo + next(SPAN - lo), by[1 << SETS],
		         want[1 << SETS] = { 0 }, total = 0, max = 0, cover = 0;
		struct tm_concurrency c;

		tm_pieces_init(&all, (struct tm_extent) { lo, hi });
		for (unsigned k = 0; k < SETS; k++) {
			struct tm_extent span = { UINT64_MAX, 0 };
			size_t inside = 0;

			if (k < sets)
				add_some(&s[k], SPAN, round % 3, round % 3 == 2);
			for (size_t i = 0; i < s[k].n; i++) {
				uint64_t start = tm_interval_start(&s[k], i),
				         end = tm_interval_end(&s[k], i);

				for (uint64_t t = start; t < end; t++) {
					at[t] |= (unsigned char)(1u << k);
					deep[t]++;
				}
				inside += start >= lo && start < hi;
				span.lo = start < span.lo ? start : span.lo;
				span.hi = end > span.hi ? end : span.hi;
			}
			tm_intervals_sort(&s[k], NULL);
			CHECK(round % 3 != 2 || s[k].apart);
			CHECK_U64(tm_intervals_started(&s[k], (struct tm_extent) { lo, hi }),
			          inside);
			CHECK_U64(tm_intervals_span(&s[k]).lo, span.lo);
			CHECK_U64(tm_intervals_span(&s[k]).hi, span.hi);
			tm_pieces_init(&p[k], (struct tm_extent) { lo, hi });
			CHECK(tm_pieces_add(&p[k], &s[k]) && tm_pieces_add(&all, &s[k]));
		}
		for (uint64_t t = lo; t < hi; t++) {
			want[at[t]]++;
			total += deep[t];
			max = deep[t] > max ? deep[t] : max;
			cover += at[t] != 0;
		}
		tm_pieces_by_mask(p, SETS, by);
		for (unsigned m = 0; m < 1u << SETS; m++)
			CHECK_U64(by[m], want[m]);
		check_pieces(all);
		CHECK_U64(tm_pieces_length(all), cover);
		CHECK(tm_pieces_concurrency(&all, &c));
		CHECK_U64((uint64_t)c.total, total);
		CHECK_U64(c.max, max);
		for (unsigned k = 0; k < SETS; k++)
			tm_intervals_fini(&s[k]);
	}
}

/* What is done to a list that another one lent does not show there, however many blocks and wide
 * ones it has. */
TEST(lent)
{
	static const size_t sizes[] = { 0, 1, 17, 3000, TM_INTERVAL_BLOCK, 9 * 1024 };
	static const uint32_t map[] = { 5, 4 };

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		struct tm_intervals a = { 0 }, b = { 0 }, c = { 0 }, cover = { 0 };
		uint64_t sum = 0;

		for (size_t i = 0; i < sizes[k]; i++) {
			uint64_t start = next(UINT64_C(1) << 30),
			         len = next(i % 5 ? 9 : UINT64_C(1) << 31) << 8;

			CHECK(tm_intervals_add(&a, start, start + len, i % 3, i % 2));
			sum += start;
		}
		tm_intervals_sort(&a, NULL);
		tm_intervals_lend(&b, &a);
		tm_intervals_sort(&b, NULL);
		CHECK(b.n == a.n && b.lent);
		CHECK(tm_intervals_add(&b, 7, 9, 0, 0));
		CHECK(!b.lent && b.n == a.n + 1);
		CHECK_U64(tm_interval_start(&b, a.n), 7);
		tm_intervals_fini(&b);
		tm_intervals_lend(&b, &a);
		CHECK(tm_intervals_turn(&b, false));
		tm_intervals_lend(&c, &a);
		CHECK(tm_intervals_move(&b, &c, map) && !c.n && b.n == 2 * a.n);
		tm_intervals_fini(&b);
		tm_intervals_lend(&b, &a);
		CHECK(tm_intervals_unite(&b));
		tm_intervals_lend(&c, &a);
		CHECK(tm_intervals_move_cover(&cover, &c) && !c.n && cover.n == b.n);
		for (size_t i = 0; i < b.n; i++)
			CHECK(tm_interval_start(&cover, i) == tm_interval_start(&b, i) &&
			      tm_interval_end(&cover, i) == tm_interval_end(&b, i));
		tm_intervals_fini(&cover);
		tm_intervals_fini(&b);
		tm_intervals_lend(&b, &a);
		tm_intervals_cut(&b, a.n / 2);
		CHECK(tm_intervals_own(&b) && b.n == a.n / 2);
		for (size_t i = 0; i < b.n; i++)
			CHECK(tm_interval_end(&b, i) == tm_interval_end(&a, i));
		for (size_t i = 0; i < a.n; i++)
			sum -= tm_interval_start(&a, i);
		CHECK_U64(sum, 0);
		CHECK_U64(a.n, sizes[k]);
		tm_intervals_fini(&b);
		tm_intervals_fini(&a);
	}
}

/* A list that is lent and its own union stays lent; any other becomes one.  What is covered is the
 * same. */
TEST(lent_unions)
{
	static const struct {
		uint64_t start[3], end[3];
		bool stays;
		size_t left;
	} cases[] = {
		{ { 10, 20, 30 }, { 15, 25, 35 }, true, 3 },
		{ { 10, 15, 30 }, { 15, 25, 35 }, true, 3 }, /* two touch */
		{ { 10, 14, 30 }, { 15, 25, 35 }, false, 2 },
		{ { 10, 20, 30 }, { 15, 20, 35 }, false, 2 }, /* one is empty */
		{ { 10, 12, 30 }, { 40, 13, 35 }, false, 1 },
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct tm_intervals a = { 0 }, b = { 0 }, cover = { 0 };
		uint64_t sum = 0;

		for (size_t i = 0; i < 3; i++)
			CHECK(tm_intervals_add(&a, cases[k].start[i], cases[k].end[i], i, 0));
		tm_intervals_sort(&a, NULL);
		tm_intervals_lend(&b, &a);
		CHECK(tm_intervals_move_cover(&cover, &b) && !b.n);
		CHECK(cover.lent == cases[k].stays);
		CHECK(tm_intervals_unite(&cover) && cover.lent == cases[k].stays);
		CHECK_U64(cover.n, cases[k].left);
		for (size_t i = 0; i < cover.n; i++)
			sum += tm_interval_dur(&cover, i);
		for (uint64_t t = 0; t < 50; t++) {
			bool in = false;

			for (size_t i = 0; i < 3; i++)
				in |= t >= cases[k].start[i] && t < cases[k].end[i];
			sum -= in;
		}
		CHECK_U64(sum, 0);
		/* A second list makes it one of its own. */
		tm_intervals_fini(&cover);
		tm_intervals_lend(&b, &a);
		CHECK(tm_intervals_move_cover(&cover, &b));
		tm_intervals_lend(&b, &a);
		CHECK(tm_intervals_move_cover(&cover, &b));
		tm_intervals_sort(&cover, NULL);
		CHECK(tm_intervals_unite(&cover) && !cover.lent);
		for (size_t i = 1; i < cover.n; i++)
			CHECK(tm_interval_start(&cover, i) > tm_interval_end(&cover, i - 1));
		CHECK_U64(tm_interval_tag(&a, 2), 2);
		tm_intervals_fini(&cover);
		tm_intervals_fini(&a);
	}
}

/* Lists so large that their memory comes in large pages, several at a time, whatever is freed
 * first: all are what was added, and one that comes later, too. */
TEST(large)
{
	enum { LISTS = 3, EACH = 1200000 };
	struct tm_intervals s[LISTS] = { 0 }, later = { 0 };

	for (uint64_t i = 0; i < EACH; i++)
		for (uint64_t k = 0; k < LISTS; k++)
			CHECK(tm_intervals_add(&s[k], 7 * i + k, 8 * i + k, i, 3));
	for (size_t first = 0; first < LISTS; first++) {
		tm_intervals_cut(&s[first], EACH / 2);
		CHECK(tm_intervals_move(&later, &s[first], NULL));
		for (uint64_t k = first + 1; k < LISTS; k++)
			for (uint64_t i = 0; i < EACH; i += 997)
				CHECK(tm_interval_start(&s[k], i) == 7 * i + k &&
				      tm_interval_dur(&s[k], i) == i);
		for (uint64_t i = 0; i < later.n; i += 61) {
			const uint64_t k = i / (EACH / 2), at = i % (EACH / 2);

			CHECK(tm_interval_start(&later, i) == 7 * at + k &&
			      tm_interval_tag(&later, i) == at);
		}
	}
	CHECK_U64(later.n, LISTS * (EACH / 2));
	for (size_t k = 0; k < LISTS; k++)
		tm_intervals_fini(&s[k]);
	tm_intervals_fini(&later);
}

TEST_MAIN(T(union_by_hand), T(empty_intervals), T(wide_numbers), T(changing), T(size),
          T(many_pages), T(sorting), T(lanes), T(groups_in_turn), T(lanes_as_they_come), T(moving),
          T(moving_blocks), T(parting), T(lent), T(lent_unions), T(large),
          T(masks_against_a_picture))
