/* SPDX-License-Identifier: MIT
 * Decimal numbers without rounding: what a table holds and what a rule says are compared digit by
 * digit. */
#ifndef TM_CHECK_DECIMAL_H
#define TM_CHECK_DECIMAL_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits * 10^e, below zero with `neg`.  {0} is 0.  The digits have no zeros at either end; 0 has
 * none. */
struct decimal {
	struct buf digits; /* '0' .. '9', the most significant first; `failed`: out of memory, no
	                      number */
	long e;
	bool neg;
};

enum { DECIMAL_EXPONENT = 999 }; /* the largest that is read: beyond any double */

/* The number that all of s[0..n) is: digits, a point, an exponent, a sign; an empty *x is filled.
 * ST_OK; ST_SKIP: it is none; ST_FATAL when out of memory. */
enum status decimal_read(struct decimal *x, const char *s, size_t n);

/* The number in a cell.  As decimal_read; ST_SKIP: it is absent or a text. */
enum status decimal_cell(struct decimal *x, const struct cell *c);

/* *r = a copy of a, a + b, a - b, a * b; *r is empty and another one than a and b.  False when out
 * of memory. */
bool decimal_copy(struct decimal *r, const struct decimal *a);
bool decimal_add(struct decimal *r, const struct decimal *a, const struct decimal *b);
bool decimal_sub(struct decimal *r, const struct decimal *a, const struct decimal *b);
bool decimal_mul(struct decimal *r, const struct decimal *a, const struct decimal *b);

/* Less than, equal to or greater than 0 as a is to b. */
int decimal_cmp(const struct decimal *a, const struct decimal *b);

/* Append it as JSON has numbers, all digits, without an exponent: "-12.5".  False when out of
 * memory. */
bool decimal_put(struct buf *b, const struct decimal *x);

/* Free it; {0} again. */
void decimal_fini(struct decimal *x);

#endif
