/* SPDX-License-Identifier: MIT */
#include "check/decimal.h"

#include <stdlib.h>
#include <string.h>

/* No zeros at either end; 0 has one form. */
static void settle(struct tm_decimal *x)
{
	size_t zeros = 0;

	while (x->digits.n && x->digits.p[x->digits.n - 1] == '0') {
		x->digits.n--;
		x->e++;
	}
	while (zeros < x->digits.n && x->digits.p[zeros] == '0')
		zeros++;
	if (zeros) {
		memmove(x->digits.p, x->digits.p + zeros, x->digits.n - zeros);
		x->digits.n -= zeros;
	}
	if (!x->digits.n) {
		x->e = 0;
		x->neg = false;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "e-12" to its end; false when it is none. */
static bool read_exponent(const char *p, const char *end, long *e)
{
	bool neg;

	*e = 0;
	if (p == end)
		return true;
	if (*p != 'e' && *p != 'E')
		return false;
	p++;
	neg = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	if (p == end)
		return false;
	for (; p < end && is_digit(*p); p++)
		if (*e <= TM_DECIMAL_EXPONENT)
			*e = *e * 10 + (*p - '0');
	if (neg)
		*e = -*e;
	return p == end && *e <= TM_DECIMAL_EXPONENT && *e >= -TM_DECIMAL_EXPONENT;
}

enum tm_status tm_decimal_read(struct tm_decimal *x, const char *s, size_t n)
{
	const char *p = s, *end = s + n;
	long e, places = 0;
	bool any = false;

	x->neg = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	for (; p < end && is_digit(*p); p++, any = true)
		tm_buf_chr(&x->digits, *p);
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++, any = true, places++)
			tm_buf_chr(&x->digits, *p);
	if (!any || !read_exponent(p, end, &e))
		return TM_ST_SKIP;
	x->e = e - places;
	settle(x);
	return x->digits.failed ? TM_ST_FATAL : TM_ST_OK;
}

enum tm_status tm_decimal_cell(struct tm_decimal *x, const struct tm_cell *c)
{
	switch (c->type) {
	case TM_CELL_U64:
	case TM_CELL_FIXED:
		tm_buf_u64(&x->digits, c->v.u);
		x->e = c->type == TM_CELL_FIXED ? -4 : 0;
		x->neg = c->neg;
		settle(x);
		return x->digits.failed ? TM_ST_FATAL : TM_ST_OK;
	case TM_CELL_DIGITS:
		return tm_decimal_read(x, c->v.s, c->len);
	default:
		return TM_ST_SKIP;
	}
}

bool tm_decimal_copy(struct tm_decimal *r, const struct tm_decimal *a)
{
	r->e = a->e;
	r->neg = a->neg;
	return a->digits.n ? tm_buf_add(&r->digits, a->digits.p, a->digits.n) : !a->digits.failed;
}

/* The digit of x that stands for 10^at. */
static int digit_at(const struct tm_decimal *x, long at)
{
	long i = (long)x->digits.n - 1 - (at - x->e);

	return i < 0 || i >= (long)x->digits.n ? 0 : x->digits.p[i] - '0';
}

/* Where the number ends at the top: all digits stand below 10^top. */
static long top_of(const struct tm_decimal *x)
{
	return x->e + (long)x->digits.n;
}

static int cmp_size(const struct tm_decimal *a, const struct tm_decimal *b)
{
	size_t n = a->digits.n < b->digits.n ? a->digits.n : b->digits.n;
	int c;

	if (!a->digits.n || !b->digits.n)
		return (a->digits.n > 0) - (b->digits.n > 0);
	if (top_of(a) != top_of(b))
		return top_of(a) < top_of(b) ? -1 : 1;
	c = memcmp(a->digits.p, b->digits.p, n);
	return c ? c : (a->digits.n > n) - (b->digits.n > n);
}

int tm_decimal_cmp(const struct tm_decimal *a, const struct tm_decimal *b)
{
	if (a->neg != b->neg)
		return a->neg ? -1 : 1;
	return a->neg ? -cmp_size(a, b) : cmp_size(a, b);
}

/* Sizes added, or the smaller one, b, taken from the larger. */
static bool combine(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b,
                    int sign)
{
	long from = a->e < b->e ? a->e : b->e;
	long top = (top_of(a) > top_of(b) ? top_of(a) : top_of(b)) + 1;
	int carry = 0;

	if (!tm_buf_reserve(&r->digits, (size_t)(top - from)))
		return false;
	r->digits.n = (size_t)(top - from);
	for (long at = from; at < top; at++) {
		int v = digit_at(a, at) + sign * digit_at(b, at) + carry;

		carry = v < 0 ? -1 : v > 9;
		r->digits.p[top - 1 - at] = (char)('0' + v - 10 * carry);
	}
	r->e = from;
	settle(r);
	return true;
}

static bool add_signed(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b,
                       bool b_neg)
{
	bool ok;

	/* 0 has no place of its own. */
	if (!a->digits.n || !b->digits.n) {
		ok = tm_decimal_copy(r, a->digits.n ? a : b);
		if (!a->digits.n)
			r->neg = b->digits.n && b_neg;
		return ok;
	}
	if (a->neg == b_neg) {
		r->neg = a->neg;
		return combine(r, a, b, 1);
	}
	if (cmp_size(a, b) >= 0) {
		r->neg = a->neg;
		return combine(r, a, b, -1);
	}
	r->neg = b_neg;
	return combine(r, b, a, -1);
}

bool tm_decimal_add(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b)
{
	return add_signed(r, a, b, b->neg);
}

bool tm_decimal_sub(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b)
{
	return add_signed(r, a, b, !b->neg);
}

bool tm_decimal_mul(struct tm_decimal *r, const struct tm_decimal *a, const struct tm_decimal *b)
{
	size_t n = a->digits.n + b->digits.n;
	unsigned *sum;

	if (!a->digits.n || !b->digits.n)
		return !a->digits.failed && !b->digits.failed;
	sum = calloc(n, sizeof *sum);
	if (!sum || !tm_buf_reserve(&r->digits, n)) {
		free(sum);
		return false;
	}
	for (size_t i = a->digits.n; i-- > 0;)
		for (size_t k = b->digits.n; k-- > 0;) {
			sum[i + k + 1] += (unsigned)(a->digits.p[i] - '0') *
			                  (unsigned)(b->digits.p[k] - '0');
			sum[i + k] += sum[i + k + 1] / 10;
			sum[i + k + 1] %= 10;
		}
	r->digits.n = n;
	for (size_t i = 0; i < n; i++)
		r->digits.p[i] = (char)('0' + sum[i]);
	r->e = a->e + b->e;
	r->neg = a->neg != b->neg;
	free(sum);
	settle(r);
	return true;
}

bool tm_decimal_put(struct tm_buf *b, const struct tm_decimal *x)
{
	long top = top_of(x), from = x->e < 0 ? x->e : 0;

	if (x->digits.failed)
		return false;
	if (!x->digits.n)
		return tm_buf_chr(b, '0');
	if (x->neg)
		tm_buf_chr(b, '-');
	for (long at = (top > 0 ? top : 1) - 1; at >= from; at--) {
		if (at == -1)
			tm_buf_chr(b, '.');
		tm_buf_chr(b, (char)('0' + digit_at(x, at)));
	}
	return !b->failed;
}

void tm_decimal_fini(struct tm_decimal *x)
{
	tm_buf_fini(&x->digits);
	*x = (struct tm_decimal) { 0 };
}
