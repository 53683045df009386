/* SPDX-License-Identifier: MIT */
#include "base/wide.h"

#include <math.h>

bool u256_add(struct u256 *r, const struct u256 *a, const struct u256 *b)
{
	u128 c = 0;

	for (int i = 0; i < 4; i++) {
		c += (u128)a->w[i] + b->w[i];
		r->w[i] = (uint64_t)c;
		c >>= 64;
	}
	return !c;
}

bool u256_sub(struct u256 *r, const struct u256 *a, const struct u256 *b)
{
	uint64_t borrow = 0;

	for (int i = 0; i < 4; i++) {
		u128 d = (u128)a->w[i] - b->w[i] - borrow;

		r->w[i] = (uint64_t)d;
		borrow = (uint64_t)(d >> 64) != 0;
	}
	return !borrow;
}

bool u256_mul(struct u256 *r, const struct u256 *a, uint64_t m)
{
	u128 c = 0;

	for (int i = 0; i < 4; i++) {
		c += (u128)a->w[i] * m;
		r->w[i] = (uint64_t)c;
		c >>= 64;
	}
	return !c;
}

struct u256 u256_mul128(u128 a, u128 b)
{
	struct u256 lo, hi, wide = u256_of(a);

	/* a < 2^128, so each product fits 192 bits and the sum 256. */
	u256_mul(&lo, &wide, (uint64_t)b);
	u256_mul(&hi, &wide, (uint64_t)(b >> 64));
	hi = (struct u256) { { 0, hi.w[0], hi.w[1], hi.w[2] } };
	u256_add(&lo, &lo, &hi);
	return lo;
}

struct u256 u256_div_round(const struct u256 *a, uint64_t m)
{
	struct u256 q;
	u128 rest = 0;

	for (int i = 3; i >= 0; i--) {
		rest = rest << 64 | a->w[i];
		q.w[i] = (uint64_t)(rest / m);
		rest %= m;
	}
	if (rest >= m - rest) {
		struct u256 one = u256_of(1);

		u256_add(&q, &q, &one);
	}
	return q;
}

double u256_double(const struct u256 *a)
{
	double v = 0;

	for (int i = 3; i >= 0; i--)
		v += ldexp((double)a->w[i], 64 * i);
	return v;
}
