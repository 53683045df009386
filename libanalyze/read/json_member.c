/* SPDX-License-Identifier: MIT */
#include "read/json_member.h"

#include <stdint.h>
#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
		p++;
	return p;
}

/* Behind the string that begins at p; NULL when none does, or it has no end. */
static const char *skip_string(const char *p, const char *end)
{
	if (p >= end || *p != '"')
		return NULL;
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p + 1 : NULL;
}

/* Behind the value that begins at p; NULL when it has no end. */
static const char *skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	if (p < end && *p == '"')
		return skip_string(p, end);
	while (p < end) {
		if (*p == '"') {
			p = skip_string(p, end);
			if (!p)
				return NULL;
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		if (!depth && (*p == ',' || *p == '}' || *p == ']'))
			return p;
		if ((*p == '}' || *p == ']') && !--depth)
			return p + 1;
		p++;
	}
	return NULL;
}

bool json_member(const char *p, size_t n, const char *key, const char **v, size_t *vn)
{
	const char *end = p + n;
	size_t len = strlen(key);

	p = skip_space(p, end);
	if (p >= end || *p++ != '{')
		return false;
	for (;;) {
		const char *name = p = skip_space(p, end);
		size_t k;

		p = skip_string(p, end);
		if (!p)
			return false;
		k = (size_t)(p - name) - 2;
		p = skip_space(p, end);
		if (p >= end || *p++ != ':')
			return false;
		*v = p = skip_space(p, end);
		p = skip_value(p, end);
		if (!p)
			return false;
		*vn = (size_t)(p - *v);
		while (*vn && strchr(" \t\r\n", (*v)[*vn - 1]))
			--*vn;
		if (k == len && !memcmp(name + 1, key, len))
			return *vn > 0;
		p = skip_space(p, end);
		if (p >= end || *p++ != ',')
			return false;
	}
}

static bool hex4(const char *p, const char *end, uint32_t *v)
{
	*v = 0;
	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = p[i];

		if (c >= '0' && c <= '9')
			*v = *v << 4 | (uint32_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			*v = *v << 4 | (uint32_t)((c | 32) - 'a' + 10);
		else
			return false;
	}
	return true;
}

static void put_utf8(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_chr(b, (char)c);
	} else if (c < 0x800) {
		buf_chr(b, (char)(0xc0 | c >> 6));
		buf_chr(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_chr(b, (char)(0xe0 | c >> 12));
		buf_chr(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_chr(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_chr(b, (char)(0xf0 | c >> 18));
		buf_chr(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_chr(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_chr(b, (char)(0x80 | (c & 0x3f)));
	}
}

/* The character of \uXXXX, p behind the u; NULL when it is none. */
static const char *unicode(const char *p, const char *end, struct buf *b)
{
	uint32_t c, low;

	if (!hex4(p, end, &c))
		return NULL;
	p += 4;
	if (c >= 0xd800 && c < 0xe000) {
		if (c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
		    hex4(p + 2, end, &low) && low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			p += 6;
		} else {
			c = 0xfffd;
		}
	}
	put_utf8(b, c);
	return p;
}

bool json_text(const char *v, size_t n, struct buf *b)
{
	static const char from[] = "bfnrt\"\\/", to[] = "\b\f\n\r\t\"\\/";
	const char *p = v + 1, *end = v + n - 1;

	if (n < 2 || *v != '"' || *end != '"')
		return false;
	while (p < end) {
		const char *run = p, *what;

		while (p < end && *p != '\\')
			p++;
		buf_add(b, run, (size_t)(p - run));
		if (p == end)
			break;
		if (++p == end)
			return false;
		if (*p == 'u') {
			p = unicode(p + 1, end, b);
			if (!p)
				return false;
			continue;
		}
		what = *p ? strchr(from, *p) : NULL;
		if (!what)
			return false;
		buf_chr(b, to[what - from]);
		p++;
	}
	return !b->failed;
}
