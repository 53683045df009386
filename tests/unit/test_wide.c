/* SPDX-License-Identifier: MIT
 * 256-bit integers: by hand at the edges, and against __int128 below them. */
#include "base/wide.h"

#include "test.h"

#include <math.h>

static uint64_t rng = 0x853c49e6748fea9bu;

static uint64_t next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

/* A number with few or many bits, often all zeros or all ones in a limb. */
static uint64_t odd_number(void)
{
	uint64_t v = next();

	switch (v >> 60) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return 1;
	case 3:
		return UINT64_C(1) << 63;
	default:
		return next() >> (v % 64);
	}
}

static bool same(const struct tm_u256 *a, uint64_t w3, uint64_t w2, uint64_t w1, uint64_t w0)
{
	return a->w[0] == w0 && a->w[1] == w1 && a->w[2] == w2 && a->w[3] == w3;
}

static const struct tm_u256 largest = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
static const struct tm_u256 zero = { { 0, 0, 0, 0 } };
static const struct tm_u256 one = { { 1, 0, 0, 0 } };

TEST(edges)
{
	struct tm_u256 r, a = { { 0, 0, 0, 1 } };
	tm_u128 most = ~(tm_u128)0;

	/* 2^256 - 1 + 1 = 0 and a carry; 0 - 1 does not go. */
	CHECK(!tm_u256_add(&r, &largest, &one));
	CHECK(same(&r, 0, 0, 0, 0));
	CHECK(tm_u256_add(&r, &largest, &zero) &&
	      same(&r, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX));
	CHECK(!tm_u256_sub(&r, &zero, &one));
	CHECK(tm_u256_sub(&r, &a, &one) && same(&r, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX));
	CHECK(tm_u256_sub(&r, &largest, &largest) && same(&r, 0, 0, 0, 0));
	/* 2^192 * (2^64 - 1) fits, (2^192 + 1) * (2^64 - 1) too, 2^193 * (2^64 - 1) does not. */
	CHECK(tm_u256_mul(&r, &a, UINT64_MAX) && same(&r, UINT64_MAX, 0, 0, 0));
	a.w[0] = 1;
	CHECK(tm_u256_mul(&r, &a, UINT64_MAX) && same(&r, UINT64_MAX, 0, 0, UINT64_MAX));
	a.w[3] = 2;
	CHECK(!tm_u256_mul(&r, &a, UINT64_MAX));
	CHECK(tm_u256_mul(&r, &largest, 1) && tm_u256_mul(&r, &largest, 0) && same(&r, 0, 0, 0, 0));
	CHECK(!tm_u256_mul(&r, &largest, 2));
	/* (2^128 - 1)^2 = 2^256 - 2^129 + 1. */
	r = tm_u256_mul128(most, most);
	CHECK(same(&r, UINT64_MAX, UINT64_MAX - 1, 0, 1));
	r = tm_u256_mul128(most, 0);
	CHECK(same(&r, 0, 0, 0, 0));
	r = tm_u256_of(most);
	CHECK(same(&r, 0, 0, UINT64_MAX, UINT64_MAX));
}

TEST(rounded_quotients)
{
	static const struct {
		uint64_t a, m, q;
	} cases[] = {
		{ 0, 1, 0 },
		{ 1, 2, 1 },
		{ 1, 3, 0 },
		{ 2, 3, 1 },
		{ 5, 2, 3 },
		{ 7, 7, 1 },
		{ 10, 4, 3 },
		{ 9, 4, 2 },
		{ UINT64_MAX, UINT64_MAX, 1 },
		{ UINT64_MAX / 2, UINT64_MAX, 0 },
		{ UINT64_MAX / 2 + 1, UINT64_MAX, 1 },
	};
	struct tm_u256 q;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tm_u256 a = tm_u256_of(cases[i].a);

		q = tm_u256_div_round(&a, cases[i].m);
		CHECK(same(&q, 0, 0, 0, cases[i].q));
	}
	q = tm_u256_div_round(&largest, 1);
	CHECK(same(&q, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX));
	/* (2^256 - 1) / (2^64 - 1) = 2^192 + 2^128 + 2^64 + 1. */
	q = tm_u256_div_round(&largest, UINT64_MAX);
	CHECK(same(&q, 1, 1, 1, 1));
	/* (2^256 - 1) / 2 = 2^255 - 1/2, up. */
	q = tm_u256_div_round(&largest, 2);
	CHECK(same(&q, UINT64_C(1) << 63, 0, 0, 0));
}

TEST(against_int128)
{
	for (int i = 0; i < 200000 && !test_bad; i++) {
		tm_u128 x = (tm_u128)odd_number() << 64 | odd_number(),
		        y = (tm_u128)odd_number() << 64 | odd_number();
		uint64_t m = odd_number();
		struct tm_u256 a = tm_u256_of(x), b = tm_u256_of(y), r,
		               small = tm_u256_of((uint64_t)x);
		tm_u128 sum, prod;

		/* The sum of 128 bits with its carry. */
		sum = x + y;
		CHECK(tm_u256_add(&r, &a, &b));
		CHECK(same(&r, 0, sum < x, (uint64_t)(sum >> 64), (uint64_t)sum));
		CHECK(tm_u256_sub(&r, &r, &b) && same(&r, 0, 0, a.w[1], a.w[0]));
		CHECK(tm_u256_sub(&r, &a, &b) == (x >= y));
		if (x >= y)
			CHECK(same(&r, 0, 0, (uint64_t)((x - y) >> 64), (uint64_t)(x - y)));
		prod = (tm_u128)(uint64_t)x * m;
		CHECK(tm_u256_mul(&r, &small, m) &&
		      same(&r, 0, 0, (uint64_t)(prod >> 64), (uint64_t)prod));
		if (!m)
			continue;
		/* x / m: rest at least half of m rounds up. */
		r = tm_u256_div_round(&a, m);
		sum = x / m + (x % m >= m - x % m);
		CHECK(same(&r, 0, sum < x / m, (uint64_t)(sum >> 64), (uint64_t)sum));
	}
}

/* (a b) computed limb by limb in 32 bits, as on paper. */
static struct tm_u256 on_paper(tm_u128 a, tm_u128 b)
{
	uint64_t out[9] = { 0 };
	struct tm_u256 r;

	for (int i = 0; i < 4; i++) {
		uint64_t carry = 0;

		for (int j = 0; j < 4; j++) {
			uint64_t t = (uint64_t)(uint32_t)(a >> 32 * i) * (uint32_t)(b >> 32 * j) +
			             out[i + j] + carry;

			out[i + j] = (uint32_t)t;
			carry = t >> 32;
		}
		out[i + 4] += carry;
	}
	for (int i = 0; i < 4; i++)
		r.w[i] = out[2 * i] | out[2 * i + 1] << 32;
	return r;
}

TEST(wide_products)
{
	for (int i = 0; i < 100000 && !test_bad; i++) {
		tm_u128 a = (tm_u128)odd_number() << 64 | odd_number(),
		        b = (tm_u128)odd_number() << 64 | odd_number();
		struct tm_u256 r = tm_u256_mul128(a, b), w = on_paper(a, b), q, p;
		uint64_t m = odd_number() | 1;

		CHECK(same(&r, w.w[3], w.w[2], w.w[1], w.w[0]));
		/* Multiplied and divided by the same number. */
		if (tm_u256_mul(&p, &r, m)) {
			q = tm_u256_div_round(&p, m);
			CHECK(same(&q, r.w[3], r.w[2], r.w[1], r.w[0]));
		}
	}
}

TEST(as_double)
{
	for (int bit = 0; bit < 256; bit++) {
		struct tm_u256 a = zero;
		double v;

		a.w[bit / 64] = UINT64_C(1) << bit % 64;
		v = tm_u256_double(&a);
		CHECK(fabs(v - ldexp(1, bit)) <= 0);
	}
	CHECK(tm_u256_double(&zero) <= 0);
	CHECK(fabs(tm_u256_double(&largest) / ldexp(1, 256) - 1) < 1e-15);
	for (int i = 0; i < 50000; i++) {
		tm_u128 x = (tm_u128)odd_number() << 64 | odd_number();
		struct tm_u256 a = tm_u256_of(x);
		double want = (double)x, got = tm_u256_double(&a);

		CHECK(fabs(got - want) <= want * 0x1p-52);
	}
}

/* The result may be one of the operands. */
TEST(in_place)
{
	struct tm_u256 a = { { UINT64_MAX, 1, 2, 3 } };

	CHECK(tm_u256_add(&a, &a, &a) && same(&a, 6, 4, 3, UINT64_MAX - 1));
	CHECK(tm_u256_mul(&a, &a, 2) && same(&a, 12, 8, 7, UINT64_MAX - 3));
	CHECK(tm_u256_sub(&a, &a, &a) && same(&a, 0, 0, 0, 0));
}

TEST_MAIN(T(edges), T(rounded_quotients), T(against_int128), T(wide_products), T(as_double),
          T(in_place))
