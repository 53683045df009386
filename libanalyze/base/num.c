/* SPDX-License-Identifier: MIT */
#include "base/num.h"

#include "base/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tm_num_u64(const void *data, size_t n, uint64_t *v)
{
	const unsigned char *p = data;
	uint64_t x = 0;

	if (!n)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)p[i] - '0';

		if (d > 9 || __builtin_mul_overflow(x, 10u, &x) || __builtin_add_overflow(x, d, &x))
			return false;
	}
	*v = x;
	return true;
}

static bool num_hex(const unsigned char *p, size_t n, uint64_t *v)
{
	uint64_t x = 0;

	if (!n || n > 16)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned c = p[i] | 0x20u;
		unsigned d = c - '0';

		if (d > 9)
			d = c < 'a' ? 16 : c - 'a' + 10;
		if (d > 15)
			return false;
		x = x << 4 | d;
	}
	*v = x;
	return true;
}

bool tm_num_u64_any(const void *data, size_t n, uint64_t *v)
{
	const unsigned char *p = data;
	const unsigned char *dot;

	if (tm_num_u64(p, n, v))
		return true;
	if (n > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		return num_hex(p + 2, n - 2, v);
	dot = n ? memchr(p, '.', n) : NULL;
	if (!dot || !tm_num_u64(p, (size_t)(dot - p), v))
		return false;
	for (const unsigned char *q = dot + 1; q < p + n; q++)
		if (*q != '0')
			return false;
	return true;
}

/* A decimal real as its digits, which begin at p and may have a point in between. */
struct tm_decimal {
	const char *p;
	size_t n;      /* bytes, the point included */
	int64_t whole; /* how many of its digits stand before the point, by the exponent */
};

static bool decimal_parse(const char *p, size_t n, struct tm_decimal *d)
{
	enum { FAR = 1 << 30 };
	const char *e = memchr(p, 'e', n), *point;
	int64_t power = 0;
	bool minus = false;
	size_t digits = 0;

	if (!e)
		e = memchr(p, 'E', n);
	*d = (struct tm_decimal) { .p = p, .n = e ? (size_t)(e - p) : n };
	if (e) {
		const char *q = e + 1, *end = p + n;

		minus = q < end && *q == '-';
		q += q < end && (*q == '-' || *q == '+');
		if (q == end)
			return false;
		for (; q < end; q++) {
			if (*q < '0' || *q > '9')
				return false;
			power = power < FAR ? 10 * power + (*q - '0') : FAR;
		}
	}
	point = memchr(p, '.', d->n);
	for (const char *q = p; q < p + d->n; q++) {
		if (q == point)
			continue;
		if (*q < '0' || *q > '9')
			return false;
		digits++;
	}
	d->whole = (int64_t)(point ? (size_t)(point - p) : d->n) + (minus ? -power : power);
	return digits > 0;
}

bool tm_num_nearest(const void *data, size_t n, uint64_t *v, bool *exact)
{
	struct tm_decimal d;
	uint64_t x = 0;
	int64_t at = 0;
	int half = 0; /* the rest against one half: 0 below, 1 the same, 2 above */

	if (!n || !decimal_parse(data, n, &d))
		return false;
	*exact = true;
	for (const char *q = d.p; q < d.p + d.n; q++) {
		unsigned digit = (unsigned)(*q - '0');

		if (*q == '.')
			continue;
		if (at < d.whole) {
			if (__builtin_mul_overflow(x, 10u, &x) ||
			    __builtin_add_overflow(x, digit, &x))
				return false;
		} else if (digit) {
			*exact = false;
			if (at == d.whole)
				half = digit < 5 ? 0 : digit == 5 ? 1 : 2;
			else if (half == 1)
				half = 2;
		}
		at++;
	}
	for (; x && at < d.whole; at++)
		if (__builtin_mul_overflow(x, 10u, &x))
			return false;
	if ((half == 2 || (half == 1 && x & 1)) && __builtin_add_overflow(x, 1u, &x))
		return false;
	*v = x;
	return true;
}

bool tm_num_shown(const void *data, size_t n)
{
	enum { SHOWN = 6, LOST = 3 };
	const char *e = memchr(data, 'E', n);
	struct tm_decimal d;
	int64_t digits;

	if (!e || e + 1 == (const char *)data + n || e[1] != '+' || !decimal_parse(data, n, &d))
		return false;
	digits = (int64_t)(d.n - (memchr(d.p, '.', d.n) != NULL));
	return digits <= SHOWN && d.whole - digits >= LOST;
}

bool tm_num_real(const void *data, size_t n, double *v)
{
	const char *p = data;
	char text[64], *end;

	/* No producer prints more than 20 digits, a point and 17 decimals. */
	if (!n || n >= sizeof text)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!strchr("0123456789+-.eE", p[i]) || !p[i])
			return false;
	memcpy(text, p, n);
	text[n] = '\0';
	*v = strtod(text, &end);
	return end == text + n && isfinite(*v);
}

bool tm_num_scaled(const void *data, size_t n, uint64_t scale, uint64_t *v)
{
	const char *p = data, *end = p + n;
	tm_u128 m = 0, half;
	int exponent = 0, e = 0, digits = 0;
	bool point = false, any = false, minus = false;

	for (; p < end && (*p | 0x20) != 'e'; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (*p < '0' || *p > '9')
			return false;
		any = true;
		if (digits < 25) {
			m = 10 * m + (unsigned)(*p - '0');
			digits += m > 0;
			exponent -= point;
		} else if (exponent < 1000) {
			exponent += !point;
		}
		if (exponent < -1000)
			return false;
	}
	if (!any)
		return false;
	if (p < end) {
		p++;
		minus = p < end && *p == '-';
		p += p < end && (*p == '-' || *p == '+');
		if (p == end)
			return false;
		for (; p < end; p++) {
			if (*p < '0' || *p > '9')
				return false;
			e = e < 10000 ? 10 * e + (*p - '0') : e;
		}
		exponent += minus ? -e : e;
	}
	/* 25 digits and 44 bits fit 128 bits. */
	if (scale >> 44)
		return false;
	m *= scale;
	for (; exponent > 0 && m && !(m >> 64); exponent--)
		m *= 10;
	for (half = 0; exponent < 0 && (m || half); exponent++) {
		half = m % 10 >= 5;
		m /= 10;
	}
	m += half;
	*v = (uint64_t)m;
	return !m || (exponent <= 0 && !(m >> 64));
}

char *tm_num_put_u64(char *p, uint64_t v)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
	                            "2021222324252627282930313233343536373839"
	                            "4041424344454647484950515253545556575859"
	                            "6061626364656667686970717273747576777879"
	                            "8081828384858687888990919293949596979899";
	static const uint64_t power[20] = {
		0, /* so that 0 has a digit */
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
		UINT64_C(10000000000000000000),
	};
	/* log10 2 is about 1233 / 4096: one less than the digits, or just that. */
	unsigned n = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12;
	char *end = p + n + (v >= power[n]), *q = end;

	while (v >= 100) {
		memcpy(q -= 2, pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(q - 2, pairs + 2 * v, 2);
	else
		q[-1] = (char)('0' + v);
	return end;
}

bool tm_num_put_varint(struct tm_buf *out, uint64_t v)
{
	unsigned char p[10];
	size_t n = 0;

	for (; v >> 7; v >>= 7)
		p[n++] = (unsigned char)(0x80 | (v & 0x7f));
	p[n++] = (unsigned char)v;
	return tm_buf_add(out, p, n);
}

bool tm_num_get_long_varint(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
	unsigned shift = 0;

	for (*v = 0; *p < end; shift += 7) {
		unsigned char c = *(*p)++;

		if (shift > 63 || (shift == 63 && c > 1))
			return false;
		*v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}
