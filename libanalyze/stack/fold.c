/* SPDX-License-Identifier: MIT */
#include "stack/fold.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool tm_fold_next(const char *text, size_t n, size_t *at, size_t *len)
{
	for (size_t i = *at, k; i < n; i = k) {
		for (k = i; k < n && is_digit(text[k]);)
			k++;
		if (k > i && !(i && is_letter(text[i - 1])) && !(k < n && is_letter(text[k]))) {
			*at = i;
			*len = k - i;
			return true;
		}
		k = k > i ? k : i + 1;
	}
	return false;
}

bool tm_fold(struct tm_buf *out, const char *text, size_t n)
{
	size_t done = 0, len;

	tm_buf_clear(out);
	for (size_t at = 0; tm_fold_next(text, n, &at, &len); at = done) {
		tm_buf_add(out, text + done, at - done);
		tm_buf_chr(out, '*');
		done = at + len;
	}
	tm_buf_add(out, text + done, n - done);
	return !out->failed;
}

/* By value; of the same value the shorter first: 7 before 07. */
static int compare(const char *a, size_t na, const char *b, size_t nb)
{
	size_t za = 0, zb = 0;
	int c;

	while (za + 1 < na && a[za] == '0')
		za++;
	while (zb + 1 < nb && b[zb] == '0')
		zb++;
	if (na - za != nb - zb)
		return na - za < nb - zb ? -1 : 1;
	c = memcmp(a + za, b + zb, na - za);
	return c ? c : (na > nb) - (na < nb);
}

void tm_fold_widen(struct tm_fold_range *r, const char *digits, size_t len)
{
	if (!r->lo || compare(digits, len, r->lo, r->lo_len) < 0) {
		r->lo = digits;
		r->lo_len = len;
	}
	if (!r->hi || compare(digits, len, r->hi, r->hi_len) > 0) {
		r->hi = digits;
		r->hi_len = len;
	}
}

void tm_fold_put(struct tm_buf *out, const struct tm_fold_range *r)
{
	if (!r->lo)
		return;
	if (out->n)
		tm_buf_chr(out, ' ');
	tm_buf_add(out, r->lo, r->lo_len);
	if (!compare(r->lo, r->lo_len, r->hi, r->hi_len))
		return;
	tm_buf_str(out, "..");
	tm_buf_add(out, r->hi, r->hi_len);
}

bool tm_fold_ranges_add(struct tm_fold_ranges *r, const char *folded, size_t n, size_t *at,
                        size_t *count)
{
	*at = r->n;
	*count = 0;
	for (size_t i = 0; i < n; i++)
		*count += folded[i] == '*';
	if (!tm_grow_array(&r->v, &r->cap, r->n + *count + 1, sizeof *r->v))
		return false;
	memset(r->v + r->n, 0, *count * sizeof *r->v);
	r->n += *count;
	return true;
}

void tm_fold_ranges_widen(struct tm_fold_ranges *r, size_t at, size_t count, const char *text,
                          size_t n)
{
	size_t len, k = 0;

	for (size_t i = 0; k < count && tm_fold_next(text, n, &i, &len); i += len)
		tm_fold_widen(&r->v[at + k++], text + i, len);
}

void tm_fold_ranges_fini(struct tm_fold_ranges *r)
{
	free(r->v);
	*r = (struct tm_fold_ranges) { 0 };
}
