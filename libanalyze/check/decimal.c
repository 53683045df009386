/* SPDX-License-Identifier: MIT */
#include "check/decimal.h"

#include <stdlib.h>
#include <string.h>

/* No zeros at either end; 0 has one form. */
static void settle(struct decimal *x)
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
		if (*e <= DECIMAL_EXPONENT)
			*e = *e * 10 + (*p - '0');
	if (neg)
		*e = -*e;
	return p == end && *e <= DECIMAL_EXPONENT && *e >= -DECIMAL_EXPONENT;
}

enum status decimal_read(struct decimal *x, const char *s, size_t n)
{
	const char *p = s, *end = s + n;
	long e, places = 0;
	bool any = false;

	x->neg = p < end && *p == '-';
	p += p < end && (*p == '-' || *p == '+');
	for (; p < end && is_digit(*p); p++, any = true)
		buf_chr(&x->digits, *p);
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++, any = true, places++)
			buf_chr(&x->digits, *p);
	if (!any || !read_exponent(p, end, &e))
		return ST_SKIP;
	x->e = e - places;
	settle(x);
	return x->digits.failed ? ST_FATAL : ST_OK;
}

enum status decimal_cell(struct decimal *x, const struct cell *c)
{
	switch (c->type) {
	case CELL_U64:
	case CELL_FIXED:
		buf_u64(&x->digits, c->v.u);
		x->e = c->type == CELL_FIXED ? -4 : 0;
		x->neg = c->neg;
		settle(x);
		return x->digits.failed ? ST_FATAL : ST_OK;
	case CELL_DIGITS:
		return decimal_read(x, c->v.s, c->len);
	default:
		return ST_SKIP;
	}
}

bool decimal_copy(struct decimal *r, const struct decimal *a)
{
	r->e = a->e;
	r->neg = a->neg;
	return a->digits.n ? buf_add(&r->digits, a->digits.p, a->digits.n) : !a->digits.failed;
}

/* The digit of x that stands for 10^at. */
static int digit_at(const struct decimal *x, long at)
{
	long i = (long)x->digits.n - 1 - (at - x->e);

	return i < 0 || i >= (long)x->digits.n ? 0 : x->digits.p[i] - '0';
}

/* Where the number ends at the top: all digits stand below 10^top. */
static long top_of(const struct decimal *x)
{
	return x->e + (long)x->digits.n;
}

static int cmp_size(const struct decimal *a, const struct decimal *b)
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

int decimal_cmp(const struct decimal *a, const struct decimal *b)
{
	if (a->neg != b->neg)
		return a->neg ? -1 : 1;
	return a->neg ? -cmp_size(a, b) : cmp_size(a, b);
}

/* Sizes added, or the smaller one, b, taken from the larger. */
static bool combine(struct decimal *r, const struct decimal *a, const struct decimal *b, int sign)
{
	long from = a->e < b->e ? a->e : b->e;
	long top = (top_of(a) > top_of(b) ? top_of(a) : top_of(b)) + 1;
	int carry = 0;

	if (!buf_reserve(&r->digits, (size_t)(top - from)))
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

static bool add_signed(struct decimal *r, const struct decimal *a, const struct decimal *b,
                       bool b_neg)
{
	bool ok;

	/* 0 has no place of its own. */
	if (!a->digits.n || !b->digits.n) {
		ok = decimal_copy(r, a->digits.n ? a : b);
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

bool decimal_add(struct decimal *r, const struct decimal *a, const struct decimal *b)
{
	return add_signed(r, a, b, b->neg);
}

bool decimal_sub(struct decimal *r, const struct decimal *a, const struct decimal *b)
{
	return add_signed(r, a, b, !b->neg);
}

bool decimal_mul(struct decimal *r, const struct decimal *a, const struct decimal *b)
{
	size_t n = a->digits.n + b->digits.n;
	unsigned *sum;

	if (!a->digits.n || !b->digits.n)
		return !a->digits.failed && !b->digits.failed;
	sum = calloc(n, sizeof *sum);
	if (!sum || !buf_reserve(&r->digits, n)) {
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

bool decimal_put(struct buf *b, const struct decimal *x)
{
	long top = top_of(x), from = x->e < 0 ? x->e : 0;

	if (x->digits.failed)
		return false;
	if (!x->digits.n)
		return buf_chr(b, '0');
	if (x->neg)
		buf_chr(b, '-');
	for (long at = (top > 0 ? top : 1) - 1; at >= from; at--) {
		if (at == -1)
			buf_chr(b, '.');
		buf_chr(b, (char)('0' + digit_at(x, at)));
	}
	return !b->failed;
}

void decimal_fini(struct decimal *x)
{
	buf_fini(&x->digits);
	*x = (struct decimal) { 0 };
}
