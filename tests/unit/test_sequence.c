/* SPDX-License-Identifier: MIT
 * A few lists as one, against a plain merge of them. */
#include "agg/sequence.h"

#include "test.h"

enum { MOST = 300 };

TEST(order_of_starts)
{
	/* Two that begin together: the one of the earlier list first.  Of list 0: a 10, b 20, c 20;
	 * of list 1: x 5, y 20; of list 3: z 20. */
	struct tm_intervals v[4] = { { 0 } };
	struct tm_sequence q;
	static const uint32_t names[] = { 10, 0, 1, 2, 11, 30 };
	static const uint64_t starts[] = { 5, 10, 20, 20, 20, 20 },
	                      ends[] = { 6, 30, 21, 22, 20, 40 };

	CHECK(tm_intervals_add(&v[0], 10, 30, 0, 0) && tm_intervals_add(&v[0], 20, 21, 0, 1) &&
	      tm_intervals_add(&v[0], 20, 22, 0, 2) && tm_intervals_add(&v[1], 5, 6, 0, 10) &&
	      tm_intervals_add(&v[1], 20, 20, 0, 11) && tm_intervals_add(&v[3], 20, 40, 0, 30) &&
	      tm_sequence_init(&q, v, 4, false));
	CHECK_U64(q.n, 6);
	for (size_t i = 0; i < q.n; i++) {
		CHECK_U64(tm_sequence_name(&q, i), names[i]);
		CHECK_U64(tm_sequence_start(&q, i), starts[i]);
		CHECK_U64(tm_sequence_end(&q, i), ends[i]);
		CHECK_U64(tm_sequence_read(&q, i), 0);
		tm_sequence_write(&q, i, UINT32_MAX - (uint32_t)i);
	}
	for (size_t i = 0; i < q.n; i++)
		CHECK_U64(tm_sequence_read(&q, i), UINT32_MAX - i);
	tm_sequence_fini(&q);
	CHECK_U64(tm_interval_tag(&v[0], 0) | tm_interval_tag(&v[0], 1) |
	                  tm_interval_tag(&v[1], 1) | tm_interval_tag(&v[3], 0),
	          0);
	for (int k = 0; k < 4; k++)
		tm_intervals_fini(&v[k]);
}

TEST(one_or_none)
{
	struct tm_intervals v[2] = { { 0 } };
	struct tm_sequence q;

	CHECK(tm_sequence_init(&q, v, 2, false));
	CHECK_U64(q.n, 0);
	tm_sequence_fini(&q);
	CHECK(tm_intervals_add(&v[1], 7, 9, 0, 3) && tm_sequence_init(&q, v, 2, false));
	CHECK_U64(q.n, 1);
	CHECK_U64(tm_sequence_name(&q, 0), 3);
	tm_sequence_fini(&q);
	CHECK(tm_sequence_init(&q, &v[1], 1, true));
	CHECK_U64(tm_sequence_end(&q, 0), 9);
	tm_sequence_fini(&q);
	tm_intervals_fini(&v[1]);
}

/* Lists of any lengths, longer than one word of bits; and spans and starts that need the wide form.
 */
TEST(random_lists)
{
	uint64_t x = 5;

	for (int round = 0; round < 500; round++) {
		struct tm_intervals list[TM_SEQUENCE_LISTS] = { { 0 } };
		unsigned lists = 1 + (unsigned)round % TM_SEQUENCE_LISTS;
		uint32_t want[MOST];
		struct tm_sequence_walk walk;
		struct tm_sequence q;
		uint64_t now = 0;
		size_t n = 0;

		for (uint32_t i = 0; i < MOST; i++) {
			uint64_t dur;
			unsigned k;

			x = x * 6364136223846793005u + 1442695040888963407u;
			if (x >> 60 < 3)
				continue;
			k = (unsigned)((x >> 33) % 11 * (unsigned)(round % 12) / 11) % lists;
			dur = x >> 58 == 63 ? UINT64_C(1) << 33 : (x >> 40) % 50;
			now += 1 + (x >> 45) % 100;
			CHECK(tm_intervals_add(&list[k], now, now + dur, 0, i));
			want[n++] = i;
		}
		CHECK(tm_sequence_init(&q, list, lists, round % 2));
		CHECK_U64(q.n, n);
		for (size_t i = 0; i < n; i++)
			tm_sequence_write(&q, i, want[i] * 7);
		for (size_t i = 0; i < n; i++) {
			CHECK_U64(tm_sequence_name(&q, i), want[i]);
			CHECK_U64(tm_sequence_read(&q, i), want[i] * 7);
		}
		for (size_t from = 0; from <= n; from += 37) {
			tm_sequence_walk_from(&walk, &q, from);
			for (size_t i = from; i < n; i++)
				CHECK_U64(tm_sequence_walk_name(&walk), want[i]);
		}
		tm_sequence_fini(&q);
		for (unsigned k = 0; k < lists; k++)
			tm_intervals_fini(&list[k]);
	}
}

TEST_MAIN(T(order_of_starts), T(one_or_none), T(random_lists))
