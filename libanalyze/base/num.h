/* SPDX-License-Identifier: MIT
 * Numbers out of text, without guessing, and into it. */
#ifndef TM_BASE_NUM_H
#define TM_BASE_NUM_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of p[0..n) is a decimal integer without sign that fits 64 bits. */
bool tm_num_u64(const void *p, size_t n, uint64_t *v);

/* tm_num_u64, or "0x" and up to 16 hexadecimal digits, or an integer written as a real with nothing
 * but zeros after the point ("12.0": a table that went through pandas). */
bool tm_num_u64_any(const void *p, size_t n, uint64_t *v);

/* The whole of p[0..n) is a decimal real, not below zero (point, exponent), and *v the nearest
 * integer, of two as near the even one; *exact = it is that integer.  By its digits, however many:
 * no double is in between.  False when it is none or does not fit 64 bits. */
bool tm_num_nearest(const void *p, size_t n, uint64_t *v, bool *exact);

/* Is that a number as a spreadsheet saves what it shows, six digits and "E+" at most: 1.40E+13?
 * The thousands are lost. */
bool tm_num_shown(const void *p, size_t n);

/* The whole of p[0..n), fewer than 64 bytes, is a finite decimal real (sign, point, exponent).
 * LC_NUMERIC must be that of the C locale, in which programs start. */
bool tm_num_real(const void *p, size_t n, double *v);

/* The whole of p[0..n) is a decimal real, not below zero, and *v what it is times `scale`, rounded
 * to the nearest integer (halves up): "0.0125" times 1000 is 13.  No double is in between; digits
 * past the 25th do not count.  False when it is none or does not fit 64 bits. */
bool tm_num_scaled(const void *p, size_t n, uint64_t scale, uint64_t *v);

/* Their order, for qsort: <0, 0, >0. */
static inline int tm_u64_cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The same of numbers that may be absent, which come first. */
static inline int tm_known_cmp(bool has_a, uint64_t a, bool has_b, uint64_t b)
{
	return has_a != has_b ? (has_a ? 1 : -1) : tm_u64_cmp(a, b);
}

/* Append v as a little-endian base-128 number: 7 bits a byte, low first, the top bit says that more
 * follow.  False when out of memory. */
bool tm_num_put_varint(struct tm_buf *out, uint64_t v);

/* The same as tm_num_get_varint, which is for numbers of any length. */
bool tm_num_get_long_varint(const unsigned char **p, const unsigned char *end, uint64_t *v);

/* Read one from *p, which moves after it; false when it does not end before `end`, or does not fit
 * 64 bits. */
static inline bool tm_num_get_varint(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
	const unsigned char *at = *p;
	unsigned more;

	/* One byte or two without a branch between them: of durations nobody foresees which. */
	if (end - at < 2 || at[0] & at[1] & 0x80)
		return tm_num_get_long_varint(p, end, v);
	more = at[0] >> 7;
	*v = (at[0] & 0x7fu) | (at[1] & (0u - more)) << 7;
	*p = at + 1 + more;
	return true;
}

/* Decimal digits of v at p, at most 20 and no NUL; returns where they end. */
char *tm_num_put_u64(char *p, uint64_t v);

#endif
