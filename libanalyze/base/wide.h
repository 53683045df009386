/* SPDX-License-Identifier: MIT
 * Unsigned integers of 128 and 256 bits, for sums of squares that must not round or wrap. */
#ifndef TM_BASE_WIDE_H
#define TM_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 tm_u128;
__extension__ typedef __int128 tm_i128;

/* Four limbs, least significant first. */
struct tm_u256 {
	uint64_t w[4];
};

static inline struct tm_u256 tm_u256_of(tm_u128 v)
{
	struct tm_u256 r = { { (uint64_t)v, (uint64_t)(v >> 64), 0, 0 } };

	return r;
}

/* a + b; false when it does not fit (then *r is the sum modulo 2^256). */
bool tm_u256_add(struct tm_u256 *r, const struct tm_u256 *a, const struct tm_u256 *b);

/* a - b; false when a < b (then *r is undefined). */
bool tm_u256_sub(struct tm_u256 *r, const struct tm_u256 *a, const struct tm_u256 *b);

/* a * m; false when it does not fit. */
bool tm_u256_mul(struct tm_u256 *r, const struct tm_u256 *a, uint64_t m);

/* a * b, always fits. */
struct tm_u256 tm_u256_mul128(tm_u128 a, tm_u128 b);

/* a / m rounded to nearest, half up; m != 0. */
struct tm_u256 tm_u256_div_round(const struct tm_u256 *a, uint64_t m);

/* Nearest double (at most one unit in the last place off). */
double tm_u256_double(const struct tm_u256 *a);

#endif
