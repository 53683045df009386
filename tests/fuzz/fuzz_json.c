/* SPDX-License-Identifier: MIT
 * json_stream beside yajl, a parser of other people: where both take a text they find the same
 * values in it, and where they differ it is for one of the reasons that json_stream.h names.  Also
 * with itself: values one by one, skipped as a whole, and skipped with the bytes arriving in
 * pieces. */
#include "read/json/json_stream.h"

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define LAW(cond)                                                                                  \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			fprintf(stderr, "%s:%d: broken law: %s\n", __FILE__, __LINE__, #cond);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

enum { DEEP = JSON_DEPTH - 1 };

static struct tm_buf ours, theirs;
static bool special; /* a word that is no JSON: NaN and its like */

static void put(struct tm_buf *b, char what, const void *p, size_t n)
{
	tm_buf_chr(b, what);
	tm_buf_u64(b, n);
	tm_buf_chr(b, ' ');
	tm_buf_add(b, p, n);
	tm_buf_chr(b, '\n');
}

/* ---- ours ---- */

static void put_text(char what, const struct json_item *v)
{
	static struct tm_buf plain;
	const char *p;
	size_t n;

	LAW(tm_json_text(v, &plain, &p, &n));
	put(&ours, what, p, n);
}

/* The values one by one; false where it is none. */
static bool walk(struct json *c)
{
	bool object[DEEP + 1], first[DEEP + 1];
	unsigned depth = 0;

	for (;;) {
		struct json_item key, v;

		if (depth && object[depth]) {
			if (!tm_json_member(c, &first[depth], &key)) {
				if (c->state != JSON_GOOD)
					return false;
				tm_buf_str(&ours, "}\n");
				depth--;
				goto closed;
			}
			put_text('k', &key);
		} else if (depth && !tm_json_element(c, &first[depth])) {
			if (c->state != JSON_GOOD)
				return false;
			tm_buf_str(&ours, "]\n");
			depth--;
			goto closed;
		}
		v = tm_json_value(c);
		switch (v.kind) {
		case JSON_NONE:
			LAW(c->state != JSON_GOOD);
			return false;
		case JSON_OBJECT:
		case JSON_ARRAY:
			if (depth == DEEP)
				return false;
			depth++;
			object[depth] = v.kind == JSON_OBJECT;
			first[depth] = true;
			tm_buf_str(&ours, object[depth] ? "{\n" : "[\n");
			continue;
		case JSON_STRING:
			put_text('s', &v);
			break;
		case JSON_NUMBER:
			put(&ours, 'n', v.p, v.n);
			break;
		default:
			special |= v.kind == JSON_NULL && !json_is(&v, "null", 4);
			put(&ours, 'w', v.p, v.n);
		}
	closed:
		if (!depth)
			return true;
	}
}

/* ---- theirs ---- */

static int on_null(void *x)
{
	(void)x;
	put(&theirs, 'w', "null", 4);
	return 1;
}

static int on_bool(void *x, int v)
{
	(void)x;
	put(&theirs, 'w', v ? "true" : "false", v ? 4 : 5);
	return 1;
}

static int on_number(void *x, const char *p, size_t n)
{
	(void)x;
	put(&theirs, 'n', p, n);
	return 1;
}

static int on_string(void *x, const unsigned char *p, size_t n)
{
	(void)x;
	put(&theirs, 's', p, n);
	return 1;
}

static int on_key(void *x, const unsigned char *p, size_t n)
{
	(void)x;
	put(&theirs, 'k', p, n);
	return 1;
}

static int on_open_map(void *x)
{
	(void)x;
	return tm_buf_str(&theirs, "{\n");
}

static int on_close_map(void *x)
{
	(void)x;
	return tm_buf_str(&theirs, "}\n");
}

static int on_open_array(void *x)
{
	(void)x;
	return tm_buf_str(&theirs, "[\n");
}

static int on_close_array(void *x)
{
	(void)x;
	return tm_buf_str(&theirs, "]\n");
}

static bool yajl(const uint8_t *p, size_t n)
{
	static const yajl_callbacks calls = { on_null,      on_bool,       NULL,          NULL,
		                              on_number,    on_string,     on_open_map,   on_key,
		                              on_close_map, on_open_array, on_close_array };
	yajl_handle h = yajl_alloc(&calls, NULL, NULL);
	bool good;

	LAW(h);
	good = yajl_parse(h, p, n) == yajl_status_ok && yajl_complete_parse(h) == yajl_status_ok;
	yajl_free(h);
	return good;
}

/* Half a pair of surrogates is '?' to yajl and U+FFFD here. */
static bool has_surrogates(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i + 3 < n; i++)
		if (p[i] == '\\' && p[i + 1] == 'u' && (p[i + 2] | 0x20) == 'd')
			return true;
	return false;
}

/* ---- the laws ---- */

static unsigned char *padded(const uint8_t *data, size_t n)
{
	unsigned char *p = malloc(n + JSON_PAD);

	LAW(p);
	if (n)
		memcpy(p, data, n);
	memset(p + n, 0, JSON_PAD);
	return p;
}

/* Skip it with the bytes in pieces, each in memory of its own so that a sanitizer sees more. */
static enum json_state in_pieces(const uint8_t *data, size_t n, size_t *at)
{
	struct json_skip s = { .depth = 0 };
	size_t from = 0, to = 0, step = 1;

	for (;;) {
		struct json c = { .last = to == n };
		unsigned char *p = padded(data + from, to - from);

		c.p = p;
		c.end = p + (to - from);
		tm_json_skip_on(&c, &s);
		*at = from + (size_t)(c.p - p);
		free(p);
		if (c.state != JSON_MORE || to == n)
			return c.state;
		from = *at;
		to = n - to > step ? to + step : n;
		step = step * 2 % 61 + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	unsigned char *p = padded(data, n);
	struct json walking = { .p = p, .end = p + n, .last = true };
	struct json skipping = walking;
	bool good, taken;
	size_t at;

	special = false;
	tm_buf_clear(&ours);
	tm_buf_clear(&theirs);
	good = walk(&walking);
	taken = tm_json_skip(&skipping);
	LAW(taken == (skipping.state == JSON_GOOD));
	LAW(!good || taken);
	LAW(in_pieces(data, n, &at) == skipping.state);
	if (good && walking.p < walking.end) {
		while (walking.p < walking.end && strchr(" \t\r\n", *walking.p) && *walking.p)
			walking.p++;
		good = walking.p == walking.end;
		if (!good) {
			free(p);
			return 0;
		}
	}
	taken = yajl(data, n);
	LAW(!good || special || taken);
	if (good && taken && !special && !has_surrogates(data, n))
		LAW(ours.n == theirs.n && !memcmp(ours.p, theirs.p, ours.n));
	/* What yajl takes and we do not: bad UTF-8, what is too deep, and other blanks. */
	if (taken && !good && walking.state == JSON_BAD)
		LAW(*walking.p == '\v' || *walking.p == '\f' || strstr(walking.why, "UTF-8"));
	free(p);
	return 0;
}
