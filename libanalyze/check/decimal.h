/* SPDX-License-Identifier: MIT
 * Decimal numbers without rounding: values of tables and bounds of rules are compared digit by
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
struct tm_decimal {
	struct tm_buf digits; /* '0' .. '9', the most significant first; `failed`: out of memory, no
	                      number */
	long e;
	bool neg;
};

enum { TM_DECIMAL_EXPONENT = 999 }; /* the largest that is read: beyond any double */

/* Read all of s[0..n) as a number: digits, a point, an exponent, a sign.  *x must be empty.
 * TM_ST_OK; TM_ST_SKIP: not a number; TM_ST_FATAL when out of memory. */
enum tm_status tm_decimal_read(struct tm_decimal *x, const char *s, size_t n);

/* The number in a cell.  As tm_decimal_read; TM_ST_SKIP: it is absent or a text. */
enum tm_status tm_decimal_cell(struct tm_decimal *x, const struct tm_cell *c);

/* *r = a copy of a, a + b, a - b, a * b; *r must be empty, and neither a nor b.  False when out of
 * memory. */
bool tm_decimal_copy(struct tm_decimal *r, const struct tm_decimal *a);
bool tm_decimal_add(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b);
bool tm_decimal_sub(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b);
bool tm_decimal_mul(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b);

/* Less than, equal to or greater than 0 as a is to b. */
int tm_decimal_cmp(const struct tm_decimal *a, const struct tm_decimal *b);

/* Append it as JSON has numbers, all digits, without an exponent: "-12.5".  False when out of
 * memory. */
bool tm_decimal_put(struct tm_buf *b, const struct tm_decimal *x);

/* Free it; {0} again. */
void tm_decimal_fini(struct tm_decimal *x);

#endif
