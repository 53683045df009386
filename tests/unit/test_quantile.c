/* SPDX-License-Identifier: MIT
 * Quantiles: exact while they can be, close beyond, and the same however the values came. */
#include "agg/quantile.h"

#include "test.h"

static uint64_t rng = 0xda3e39cb94b95bdbu;

static uint64_t next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static const unsigned permilles[] = { 1, 10, 100, 250, 499, 500, 501, 900, 990, 999, 1000 };
enum { PERMILLES = sizeof permilles / sizeof *permilles };

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Nearest rank, by the book: the ceil(q n)-th smallest. */
static uint64_t by_sorting(const uint64_t *sorted, uint64_t n, unsigned permille)
{
	return sorted[(n * permille + 999) / 1000 - 1];
}

static void fill(struct tm_quantile *q, const uint64_t *v, size_t n)
{
	*q = (struct tm_quantile) { 0 };
	for (size_t i = 0; i < n; i++)
		CHECK(tm_quantile_add(q, v[i]));
	CHECK_U64(q->n, n);
}

/* Values of one of several shapes. */
static void make(uint64_t *v, size_t n, int shape)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t r = next();

		switch (shape) {
		case 0:
			v[i] = r % 1000;
			break;
		case 1:
			v[i] = r >> (r & 63); /* all magnitudes */
			break;
		case 2:
			v[i] = 777;
			break;
		case 3:
			v[i] = i; /* ascending: bad for some selections */
			break;
		case 4:
			v[i] = n - i;
			break;
		case 5:
			v[i] = i < n / 2 ? i : n - i; /* an organ pipe */
			break;
		case 6:
			v[i] = i & 1 ? UINT64_MAX : 0;
			break;
		case 7:
			v[i] = 5000 + r % 50; /* a kernel that is always the same */
			break;
		default:
			v[i] = i % 100 ? 1000 + r % 100 : 1000000 + r % 1000; /* with a tail */
			break;
		}
	}
}

enum { SHAPES = 9 };

TEST(by_hand)
{
	/* 10, 20, 30, 40: the median is the ceil(4 * 0.5) = 2nd, p90 the ceil(3.6) = 4th. */
	static const uint64_t v[] = { 30, 10, 40, 20 };
	struct tm_quantile q;

	fill(&q, v, 4);
	CHECK_U64(tm_quantile_at(&q, 1, 10, 40), 10);
	CHECK_U64(tm_quantile_at(&q, 250, 10, 40), 10);
	CHECK_U64(tm_quantile_at(&q, 251, 10, 40), 20);
	CHECK_U64(tm_quantile_at(&q, 500, 10, 40), 20);
	CHECK_U64(tm_quantile_at(&q, 900, 10, 40), 40);
	CHECK_U64(tm_quantile_at(&q, 1000, 10, 40), 40);
	tm_quantile_fini(&q);
	CHECK(!q.n && !q.value && !q.count);
	fill(&q, v, 1);
	for (int i = 0; i < PERMILLES; i++)
		CHECK_U64(tm_quantile_at(&q, permilles[i], 30, 30), 30);
	tm_quantile_fini(&q);
}

TEST(exact_while_few)
{
	static const size_t sizes[] = { 1,   2,   3,   5,    10,   99,
		                        100, 101, 999, 1000, 1023, TM_QUANTILE_EXACT };
	static uint64_t v[TM_QUANTILE_EXACT], sorted[TM_QUANTILE_EXACT];

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int shape = 0; shape < SHAPES; shape++) {
			struct tm_quantile q;
			size_t n = sizes[s];

			make(v, n, shape);
			memcpy(sorted, v, n * sizeof *v);
			qsort(sorted, n, sizeof *v, by_value);
			fill(&q, v, n);
			/* Twice: asking reorders the values. */
			for (int i = 0; i < 2 * PERMILLES; i++)
				CHECK_U64(tm_quantile_at(&q, permilles[i % PERMILLES], sorted[0],
				                         sorted[n - 1]),
				          by_sorting(sorted, n, permilles[i % PERMILLES]));
			tm_quantile_fini(&q);
		}
}

/* Above: off by at most 1/128, exact at the ends and below 128. */
static void check_close(uint64_t got, uint64_t want)
{
	uint64_t off = got > want ? got - want : want - got;

	CHECK(off <= want / 128);
}

TEST(close_beyond)
{
	static const size_t sizes[] = { TM_QUANTILE_EXACT + 1, 5000, 60000 };
	uint64_t *v = malloc(60000 * sizeof *v), *sorted = malloc(60000 * sizeof *v);

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int shape = 0; shape < SHAPES; shape++) {
			struct tm_quantile q;
			size_t n = sizes[s];

			make(v, n, shape);
			memcpy(sorted, v, n * sizeof *v);
			qsort(sorted, n, sizeof *v, by_value);
			fill(&q, v, n);
			for (int i = 0; i < PERMILLES; i++)
				check_close(
				        tm_quantile_at(&q, permilles[i], sorted[0], sorted[n - 1]),
				        by_sorting(sorted, n, permilles[i]));
			CHECK_U64(tm_quantile_at(&q, 1000, sorted[0], sorted[n - 1]),
			          sorted[n - 1]);
			tm_quantile_fini(&q);
		}
	free(v);
	free(sorted);
}

TEST(buckets)
{
	uint32_t before = 0;

	for (uint64_t v = 0; v < 128; v++)
		CHECK_U64(tm_quantile_bucket(v), v);
	CHECK_U64(tm_quantile_bucket(UINT64_MAX), TM_QUANTILE_BUCKETS - 1);
	/* Never smaller for a larger value, nor a gap of more than one bucket, around every edge.
	 */
	for (unsigned e = 7; e < 64; e++)
		for (uint64_t step = 0; step < 64; step++) {
			uint64_t at = (UINT64_C(1) << e) + (step << (e - 6));

			for (uint64_t v = at - 2; v != at + 3; v++) {
				uint32_t b = tm_quantile_bucket(v);

				CHECK(b < TM_QUANTILE_BUCKETS);
				CHECK(b >= before || v == at - 2);
				before = b;
			}
			CHECK_U64(tm_quantile_bucket(at), tm_quantile_bucket(at - 1) + 1);
		}
	for (int i = 0; i < 100000; i++) {
		uint64_t a = next() >> (next() & 63), b = next() >> (next() & 63);

		CHECK((a < b) <= (tm_quantile_bucket(a) <= tm_quantile_bucket(b)));
	}
}

/* The same values in other orders and pieces: identical answers, not only close ones. */
TEST(any_order_any_pieces)
{
	static const size_t sizes[] = { 10,   1000, TM_QUANTILE_EXACT, TM_QUANTILE_EXACT + 1,
		                        3000, 20000 };
	uint64_t *v = malloc(20000 * sizeof *v);

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int shape = 0; shape < SHAPES; shape++) {
			size_t n = sizes[s];
			uint64_t min = UINT64_MAX, max = 0, want[PERMILLES];
			struct tm_quantile q;

			make(v, n, shape);
			for (size_t i = 0; i < n; i++) {
				min = v[i] < min ? v[i] : min;
				max = v[i] > max ? v[i] : max;
			}
			fill(&q, v, n);
			for (int i = 0; i < PERMILLES; i++)
				want[i] = tm_quantile_at(&q, permilles[i], min, max);
			tm_quantile_fini(&q);
			for (int round = 0; round < 6; round++) {
				struct tm_quantile total = { 0 };
				size_t at = 0;

				for (size_t i = n - 1; i > 0; i--) {
					size_t j = next() % (i + 1);
					uint64_t t = v[i];

					v[i] = v[j];
					v[j] = t;
				}
				while (at < n) {
					size_t k = 1 + next() % (round & 1 ? n : 1 + n / 4);
					struct tm_quantile part, other = { 0 };

					k = k < n - at ? k : n - at;
					fill(&part, v + at, k);
					at += k;
					/* Into the total, or the total into it. */
					if (round & 2) {
						CHECK(tm_quantile_merge(&total, &part));
						tm_quantile_fini(&part);
						continue;
					}
					CHECK(tm_quantile_merge(&part, &total));
					CHECK(tm_quantile_merge(&part, &other));
					tm_quantile_fini(&total);
					total = part;
				}
				CHECK_U64(total.n, n);
				for (int i = 0; i < PERMILLES; i++)
					CHECK_U64(tm_quantile_at(&total, permilles[i], min, max),
					          want[i]);
				tm_quantile_fini(&total);
			}
		}
	free(v);
}

/* The numbers of values are 64 bits: ranks do not run over. */
TEST(huge_counts)
{
	struct tm_quantile q = { 0 };

	for (int i = 0; i <= TM_QUANTILE_EXACT; i++)
		tm_quantile_add(&q, i & 1 ? 100 : 50);
	/* As if 2^62 of each had been added. */
	for (uint32_t b = 0; b < q.nbuckets; b++)
		if (q.count[b])
			q.count[b] = UINT64_C(1) << 62;
	q.n = UINT64_C(1) << 63;
	CHECK_U64(tm_quantile_at(&q, 500, 50, 100), 50);
	CHECK_U64(tm_quantile_at(&q, 501, 50, 100), 100);
	tm_quantile_fini(&q);
}

TEST_MAIN(T(by_hand), T(exact_while_few), T(close_beyond), T(buckets), T(any_order_any_pieces),
          T(huge_counts))
