/* SPDX-License-Identifier: MIT */
#include "base/wide.h"

#include <math.h>

bool tm_u256_add(struct tm_u256 *r, const struct tm_u256 *a, const struct tm_u256 *b)
{
	tm_u128 c = 0;

	for (int i = 0; i < 4; i++) {
		c += (tm_u128)a->w[i] + b->w[i];
		r->w[i] = (uint64_t)c;
		c >>= 64;
	}
	return !c;
}

bool tm_u256_sub(struct tm_u256 *r, const struct tm_u256 *a, const struct tm_u256 *b)
{
	uint64_t borrow = 0;

	for (int i = 0; i < 4; i++) {
		tm_u128 d = (tm_u128)a->w[i] - b->w[i] - borrow;

		r->w[i] = (uint64_t)d;
		borrow = (uint64_t)(d >> 64) != 0;
	}
	return !borrow;
}

bool tm_u256_mul(struct tm_u256 *r, const struct tm_u256 *a, uint64_t m)
{
	tm_u128 c = 0;

	for (int i = 0; i < 4; i++) {
		c += (tm_u128)a->w[i] * m;
		r->w[i] = (uint64_t)c;
		c >>= 64;
	}
	return !c;
}

struct tm_u256 tm_u256_mul128(tm_u128 a, tm_u128 b)
{
	struct tm_u256 lo, hi, wide = tm_u256_of(a);

	/* a < 2^128, so each product fits 192 bits and the sum 256. */
	tm_u256_mul(&lo, &wide, (uint64_t)b);
	tm_u256_mul(&hi, &wide, (uint64_t)(b >> 64));
	hi = (struct tm_u256) { { 0, hi.w[0], hi.w[1], hi.w[2] } };
	tm_u256_add(&lo, &lo, &hi);
	return lo;
}

struct tm_u256 tm_u256_div_round(const struct tm_u256 *a, uint64_t m)
{
	struct tm_u256 q;
	tm_u128 rest = 0;

	for (int i = 3; i >= 0; i--) {
		rest = rest << 64 | a->w[i];
		q.w[i] = (uint64_t)(rest / m);
		rest %= m;
	}
	if (rest >= m - rest) {
		struct tm_u256 one = tm_u256_of(1);

		tm_u256_add(&q, &q, &one);
	}
	return q;
}

double tm_u256_double(const struct tm_u256 *a)
{
	double v = 0;

	for (int i = 3; i >= 0; i--)
		v += ldexp((double)a->w[i], 64 * i);
	return v;
}
