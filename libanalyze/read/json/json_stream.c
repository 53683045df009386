/* SPDX-License-Identifier: MIT
 * Sixteen bytes of a string at a time are enough to be faster than the rest of a reader: what ends
 * the easy part of a string (a quote, a backslash, a control character, a byte of UTF-8) is found
 * by three comparisons.  The padding after the bytes ends every loop without asking for the end.
 */
#include "read/json/json_stream.h"

#include "base/base.h"
#include "io/io.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 256 * 1024 }; /* bytes read at a time */

static bool stop(struct json *c, const unsigned char *p, const char *why)
{
	c->state = p >= c->end ? JSON_MORE : JSON_BAD;
	c->p = p;
	c->why = why;
	return false;
}

static inline const unsigned char *blanks(const unsigned char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')
		p++;
	return p;
}

/* The first byte of p.. that is not plain text of a string. */
static inline const unsigned char *plain(const unsigned char *p)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
	              space = _mm_set1_epi8(' ');

	for (;; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* Signed: below ' ' are the control characters and the bytes over 127. */
		__m128i m = _mm_or_si128(
		        _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
		        _mm_cmplt_epi8(v, space));
		unsigned bits = (unsigned)_mm_movemask_epi8(m);

		if (bits)
			return p + __builtin_ctz(bits);
	}
#else
	while (*p >= ' ' && *p < 0x80 && *p != '"' && *p != '\\')
		p++;
	return p;
#endif
}

/* The character of more than one byte at p, or NULL: stopped. */
static const unsigned char *utf8(struct json *c, const unsigned char *p)
{
	static const char why[] = "a string that is not UTF-8";
	unsigned lead = *p, low = 0x80, high = 0xbf, more;

	if (lead >= 0xc2 && lead <= 0xdf) {
		more = 1;
	} else if (lead >= 0xe0 && lead <= 0xef) {
		more = 2;
		low = lead == 0xe0 ? 0xa0 : low;
		high = lead == 0xed ? 0x9f : high;
	} else if (lead >= 0xf0 && lead <= 0xf4) {
		more = 3;
		low = lead == 0xf0 ? 0x90 : low;
		high = lead == 0xf4 ? 0x8f : high;
	} else {
		stop(c, p, why);
		return NULL;
	}
	for (; more; more--) {
		p++;
		if (p >= c->end || *p < low || *p > high) {
			stop(c, p, why);
			return NULL;
		}
		low = 0x80;
		high = 0xbf;
	}
	return p + 1;
}

static bool is_hex(unsigned char ch)
{
	return (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f');
}

static const unsigned char *escape(struct json *c, const unsigned char *p)
{
	p++;
	if (p < c->end && *p && strchr("\"\\/bfnrt", *p))
		return p + 1;
	if (p < c->end && *p == 'u') {
		int i = 1;

		while (i <= 4 && is_hex(p[i]))
			i++;
		if (i == 5)
			return p + 5;
		p += i;
	}
	stop(c, p, "an unknown escape in a string");
	return NULL;
}

/* After the closing quote of a string, whose first byte is at p; NULL: stopped. */
static inline const unsigned char *string(struct json *c, const unsigned char *p, bool *escaped)
{
	*escaped = false;
	for (;;) {
		p = plain(p);
		if (*p == '"')
			return p + 1;
		if (*p == '\\') {
			*escaped = true;
			p = escape(c, p);
		} else if (*p >= 0x80) {
			p = utf8(c, p);
		} else {
			stop(c, p, "a control character in a string, or a quote is missing");
			return NULL;
		}
		if (!p)
			return NULL;
	}
}

static inline bool is_digit(unsigned char ch)
{
	return ch >= '0' && ch <= '9';
}

/* After a number; NULL: stopped. */
static inline const unsigned char *number(struct json *c, const unsigned char *p)
{
	const unsigned char *q = p + (*p == '-');

	if (*q == '0') {
		q++;
	} else if (is_digit(*q)) {
		while (is_digit(*q))
			q++;
	} else {
		goto bad;
	}
	if (*q == '.') {
		if (!is_digit(*++q))
			goto bad;
		while (is_digit(*q))
			q++;
	}
	if ((*q | 0x20) == 'e') {
		q++;
		q += *q == '+' || *q == '-';
		if (!is_digit(*q))
			goto bad;
		while (is_digit(*q))
			q++;
	}
	if (q < c->end || c->last)
		return q;
bad:
	stop(c, q, "no number");
	return NULL;
}

/* After one of the words that are values; NULL: stopped. */
static const unsigned char *word(struct json *c, const unsigned char *p, struct json_item *v)
{
	static const struct {
		const char *text;
		size_t n;
		enum json_kind kind;
	} words[] = {
		{ "true", 4, JSON_TRUE },     { "false", 5, JSON_FALSE },
		{ "null", 4, JSON_NULL },     { "NaN", 3, JSON_NULL },
		{ "nan", 3, JSON_NULL },      { "-nan", 4, JSON_NULL },
		{ "Infinity", 8, JSON_NULL }, { "-Infinity", 9, JSON_NULL },
		{ "inf", 3, JSON_NULL },      { "-inf", 4, JSON_NULL },
	};
	size_t left = (size_t)(c->end - p);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = words[i].n;

		if (left < n && !memcmp(p, words[i].text, left)) {
			stop(c, c->end, "no value");
			return NULL;
		}
		if (left >= n && !memcmp(p, words[i].text, n)) {
			v->kind = words[i].kind;
			return p + n;
		}
	}
	stop(c, p, "no value");
	return NULL;
}

struct json_item tm_json_value(struct json *c)
{
	const unsigned char *p = blanks(c->p), *q;
	struct json_item v = { .kind = JSON_NONE, .p = p };

	c->p = p;
	switch (*p) {
	case '{':
		v.kind = JSON_OBJECT;
		c->p = p + 1;
		return v;
	case '[':
		v.kind = JSON_ARRAY;
		c->p = p + 1;
		return v;
	case '"':
		q = string(c, p + 1, &v.escaped);
		if (!q)
			return v;
		v.kind = JSON_STRING;
		v.p = p + 1;
		v.n = (size_t)(q - p) - 2;
		c->p = q;
		return v;
	case '-':
		if (!is_digit(p[1]))
			break;
		/* fall through */
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		q = number(c, p);
		if (!q)
			return v;
		v.kind = JSON_NUMBER;
		v.n = (size_t)(q - p);
		c->p = q;
		return v;
	default:
		break;
	}
	q = word(c, p, &v);
	if (q) {
		v.n = (size_t)(q - p);
		c->p = q;
	}
	return v;
}

/* Past the comma, or the closing bracket (false, and c->state is JSON_GOOD). */
static inline bool next_of(struct json *c, bool *first, unsigned char close, const char *why)
{
	const unsigned char *p = blanks(c->p);

	if (*p == close) {
		c->p = p + 1;
		return false;
	}
	if (*first) {
		*first = false;
	} else {
		if (*p != ',')
			return stop(c, p, why);
		p = blanks(p + 1);
	}
	c->p = p;
	return true;
}

bool tm_json_member(struct json *c, bool *first, struct json_item *key)
{
	const unsigned char *p, *q;

	if (!next_of(c, first, '}', "no comma or brace after a member"))
		return false;
	p = c->p;
	if (*p != '"')
		return stop(c, p, "no key");
	q = string(c, p + 1, &key->escaped);
	if (!q)
		return false;
	key->kind = JSON_STRING;
	key->p = p + 1;
	key->n = (size_t)(q - p) - 2;
	q = blanks(q);
	if (*q != ':')
		return stop(c, q, "no colon after a key");
	c->p = q + 1;
	return true;
}

bool tm_json_element(struct json *c, bool *first)
{
	if (!next_of(c, first, ']', "no comma or bracket after an element"))
		return false;
	return c->p < c->end || stop(c, c->p, "no value");
}

enum { VALUE, FIRST_VALUE, KEY, FIRST_KEY, AFTER };

static inline bool in_object(const struct json_skip *s)
{
	return s->object[(s->depth - 1) / 64] >> ((s->depth - 1) % 64) & 1;
}

static bool push(struct json *c, struct json_skip *s, const unsigned char *p, bool object)
{
	uint64_t bit = UINT64_C(1) << (s->depth % 64);

	if (s->depth == JSON_DEPTH)
		return stop(c, p, "nested too deeply");
	if (object)
		s->object[s->depth / 64] |= bit;
	else
		s->object[s->depth / 64] &= ~bit;
	s->depth++;
	s->phase = object ? FIRST_KEY : FIRST_VALUE;
	return true;
}

bool tm_json_skip_on(struct json *c, struct json_skip *s)
{
	const unsigned char *p = c->p, *q;
	struct json_item v;
	bool escaped;

	for (;;) {
		p = blanks(p);
		/* Up to here all is done: after JSON_MORE it goes on at this token. */
		switch (s->phase) {
		case FIRST_KEY:
		case KEY:
			if (*p == '}' && s->phase == FIRST_KEY)
				goto close;
			if (*p != '"') {
				stop(c, p, "no key");
				goto stopped;
			}
			q = string(c, p + 1, &escaped);
			if (!q)
				goto stopped;
			q = blanks(q);
			if (*q != ':') {
				stop(c, q, "no colon after a key");
				goto stopped;
			}
			p = q + 1;
			s->phase = VALUE;
			continue;
		case AFTER:
			if (!s->depth) {
				c->p = p;
				return true;
			}
			if (*p == ',') {
				p++;
				s->phase = in_object(s) ? KEY : VALUE;
				continue;
			}
			if (*p == (in_object(s) ? '}' : ']'))
				goto close;
			stop(c, p, "no comma or bracket after a value");
			goto stopped;
		default:
			break;
		}
		if (*p == '"') {
			q = string(c, p + 1, &escaped);
		} else if (is_digit(*p) || (*p == '-' && is_digit(p[1]))) {
			q = number(c, p);
		} else if (*p == '{' || *p == '[') {
			if (!push(c, s, p, *p == '{'))
				goto stopped;
			p++;
			continue;
		} else if (*p == ']' && s->phase == FIRST_VALUE) {
			goto close;
		} else {
			q = word(c, p, &v);
		}
		if (!q)
			goto stopped;
		p = q;
		s->phase = AFTER;
		continue;
	close:
		p++;
		s->depth--;
		s->phase = AFTER;
	}
stopped:
	/* A fault keeps its place, a want of bytes goes back to the token. */
	if (c->state == JSON_MORE)
		c->p = p;
	return false;
}

bool tm_json_skip(struct json *c)
{
	struct json_skip s;

	s.depth = 0;
	s.phase = VALUE;
	return tm_json_skip_on(c, &s);
}

bool tm_json_skip_rest(struct json *c, enum json_kind opened)
{
	struct json_skip s;

	if (opened != JSON_OBJECT && opened != JSON_ARRAY)
		return true;
	s.depth = 1;
	s.object[0] = opened == JSON_OBJECT;
	s.phase = opened == JSON_OBJECT ? FIRST_KEY : FIRST_VALUE;
	return tm_json_skip_on(c, &s);
}

/* ---- what values mean ---- */

static unsigned hex4(const unsigned char *p)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++) {
		unsigned c = p[i] | 0x20u;

		v = v << 4 | (c >= 'a' ? c - 'a' + 10 : c - '0');
	}
	return v;
}

bool tm_json_find(const char *p, size_t n, const char *key, struct tm_buf *copy,
                  struct json_item *v)
{
	struct json c = { .last = true };
	struct json_item k;
	bool first = true;

	tm_buf_clear(copy);
	if (!tm_buf_add(copy, p, n) || !tm_buf_reserve(copy, JSON_PAD))
		return false;
	memset(copy->p + n, 0, JSON_PAD);
	c.p = (const unsigned char *)copy->p;
	c.end = c.p + n;
	if (tm_json_value(&c).kind != JSON_OBJECT)
		return false;
	while (tm_json_member(&c, &first, &k)) {
		bool it = json_is(&k, key, strlen(key));

		*v = tm_json_value(&c);
		if (v->kind == JSON_NONE || !tm_json_skip_rest(&c, v->kind))
			return false;
		if (it)
			return true;
	}
	return false;
}

static void put_utf8(struct tm_buf *b, unsigned u)
{
	if (u >= 0x800)
		tm_buf_chr(b, (char)(u >= 0x10000 ? 0xf0 | u >> 18 : 0xe0 | u >> 12));
	if (u >= 0x10000)
		tm_buf_chr(b, (char)(0x80 | (u >> 12 & 0x3f)));
	if (u >= 0x800)
		tm_buf_chr(b, (char)(0x80 | (u >> 6 & 0x3f)));
	else if (u >= 0x80)
		tm_buf_chr(b, (char)(0xc0 | u >> 6));
	tm_buf_chr(b, (char)(u >= 0x80 ? 0x80 | (u & 0x3f) : u));
}

bool tm_json_text(const struct json_item *s, struct tm_buf *b, const char **out, size_t *n)
{
	const unsigned char *p = s->p, *end = s->p + s->n;

	if (!s->escaped) {
		*out = (const char *)s->p;
		*n = s->n;
		return true;
	}
	tm_buf_clear(b);
	while (p < end) {
		const unsigned char *q = memchr(p, '\\', (size_t)(end - p));
		unsigned u;

		if (!q)
			q = end;
		tm_buf_add(b, p, (size_t)(q - p));
		p = q;
		if (p == end)
			break;
		if (p[1] != 'u') {
			static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

			tm_buf_chr(b, to[strchr(from, p[1]) - from]);
			p += 2;
			continue;
		}
		u = hex4(p + 2);
		p += 6;
		if (u >= 0xd800 && u < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
			unsigned v = hex4(p + 2);

			if (v >= 0xdc00 && v < 0xe000) {
				u = 0x10000 + ((u - 0xd800) << 10 | (v - 0xdc00));
				p += 6;
			}
		}
		put_utf8(b, u >= 0xd800 && u < 0xe000 ? 0xfffd : u);
	}
	*out = b->p ? b->p : "";
	*n = b->n;
	return !b->failed;
}

static bool is_number(const struct json_item *v)
{
	return v->kind == JSON_NUMBER || (v->kind == JSON_STRING && !v->escaped);
}

bool tm_json_u64(const struct json_item *v, uint64_t *out)
{
	return is_number(v) && tm_num_u64_any(v->p, v->n, out);
}

bool tm_json_real(const struct json_item *v, double *out)
{
	return is_number(v) && tm_num_real(v->p, v->n, out);
}

/* Digits with a point and an exponent, to thousandths.  Long, and rare. */
static bool slow_us(const unsigned char *p, const unsigned char *end, uint64_t *ns)
{
	int64_t point = 0, shift = 3;
	uint64_t v = 0, x = 0;
	bool minus = false, seen = false;
	const unsigned char *q = p;

	while (q < end && (is_digit(*q) || (*q == '.' && !seen))) {
		seen |= *q == '.';
		point += !seen;
		q++;
	}
	if (q == p || (q == p + 1 && seen))
		return false;
	if (q < end) {
		if ((*q | 0x20) != 'e' || ++q == end)
			return false;
		minus = *q == '-';
		q += *q == '-' || *q == '+';
		if (!tm_num_u64(q, (size_t)(end - q), &x) || x > 100)
			return false;
		shift += minus ? -(int64_t)x : (int64_t)x;
	}
	point += shift; /* digits before the point that counts ns */
	for (q = p; q < end && (is_digit(*q) || *q == '.') && point > 0; q++) {
		if (*q == '.')
			continue;
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*q - '0'), &v))
			return false;
		point--;
	}
	for (; v && point > 0; point--)
		if (__builtin_mul_overflow(v, 10u, &v))
			return false;
	*ns = v;
	return v >> 63 == 0;
}

bool tm_json_us(const struct json_item *v, uint64_t *ns, bool *negative)
{
	const unsigned char *p, *end, *from;
	uint64_t x = 0;
	unsigned scale = 1000;

	if (!is_number(v))
		return false;
	p = v->p;
	end = p + v->n;
	*negative = p < end && *p == '-';
	p += *negative;
	from = p;
	/* Sixteen digits cannot overflow. */
	while (p < end && is_digit(*p) && p - from < 16)
		x = x * 10 + (uint64_t)(*p++ - '0');
	if (p == from || (p < end && *p != '.'))
		return slow_us(from, end, ns);
	if (p < end) {
		p++;
		if (p == end)
			return false;
		for (; p < end && is_digit(*p); p++) {
			if (scale == 1)
				continue;
			x = x * 10 + (uint64_t)(*p - '0');
			scale /= 10;
		}
		if (p < end)
			return slow_us(from, end, ns);
	}
	*ns = x * scale;
	return *ns >> 63 == 0;
}

/* ---- bytes ---- */

/* From what was put aside; TM_ST_END: that is all. */
static enum tm_status read_aside(struct json_stream *s, void *p, size_t cap, size_t *n)
{
	ssize_t k;

	do
		k = read(s->aside - 1, p, cap);
	while (k < 0 && errno == EINTR);
	if (k < 0) {
		tm_diag_set(&s->why, 0, "its copy in %.200s cannot be read: %s", tm_temp_place(),
		            strerror(errno));
		return TM_ST_FATAL;
	}
	*n = k > 0 ? (size_t)k : s->block.n - s->block_at;
	if (k > 0)
		return TM_ST_OK;
	*n = *n < cap ? *n : cap;
	if (*n)
		memcpy(p, s->block.p + s->block_at, *n);
	s->block_at += *n;
	return *n ? TM_ST_OK : TM_ST_END;
}

/* After n bytes of a value, which is looked at anew whenever more of it comes, as much as there is
 * room for. */
static void read_block(struct json_stream *s, size_t n)
{
	bool goes_on = n != 0;
	enum tm_status st;

	do {
		size_t got = 0;

		st = s->aside ? read_aside(s, s->buf + n, s->cap - n, &got) : TM_ST_END;
		if (st == TM_ST_END)
			st = tm_source_read(s->src, s->buf + n, s->cap - n, &got, &s->why);
		n += st == TM_ST_OK ? got : 0;
	} while (goes_on && st == TM_ST_OK && n < s->cap);
	s->broken = st == TM_ST_FATAL;
	s->c.last = st != TM_ST_OK;
	memset(s->buf + n, 0, JSON_PAD);
	s->c.end = s->buf + n;
}

enum tm_status tm_json_open(struct json_stream *s, struct tm_source *src)
{
	s->src = src;
	s->cap = BLOCK;
	s->buf = malloc(s->cap + JSON_PAD);
	if (!s->buf) {
		tm_diag_oom(&s->why);
		return TM_ST_FATAL;
	}
	s->c.p = s->buf;
	read_block(s, 0);
	if (s->c.end - s->buf >= 3 && !memcmp(s->buf, "\xef\xbb\xbf", 3))
		s->c.p += 3;
	return TM_ST_OK;
}

enum tm_status tm_json_more(struct json_stream *s, const unsigned char *keep)
{
	size_t n = (size_t)(s->c.end - keep), from = (size_t)(keep - s->buf);

	if (s->c.last)
		return TM_ST_END;
	memmove(s->buf, keep, n);
	s->base += from;
	if (n > s->cap / 2) {
		unsigned char *bigger;

		if (s->cap >= JSON_WHOLE) {
			tm_diag_set(&s->why, 0,
			            "a value of more than %d MiB at byte %llu: not read",
			            JSON_WHOLE / (1024 * 1024) / 2, (unsigned long long)s->base);
			s->c.p = s->buf;
			return TM_ST_FATAL;
		}
		bigger = realloc(s->buf, 2 * s->cap + JSON_PAD);
		if (!bigger) {
			tm_diag_oom(&s->why);
			return TM_ST_FATAL;
		}
		s->buf = bigger;
		s->cap *= 2;
	}
	s->c.p = s->buf;
	s->c.state = JSON_GOOD;
	read_block(s, n);
	return TM_ST_OK;
}

/* Only the last `most` bytes of what there is and these. */
static bool add_tail(struct tm_buf *tail, const void *p, size_t n, size_t most)
{
	const char *from = p;
	size_t over;

	if (n > most) {
		from += n - most;
		n = most;
	}
	over = tail->n + n > most ? tail->n + n - most : 0;
	if (over)
		memmove(tail->p, tail->p + over, tail->n - over);
	tail->n -= over;
	return tm_buf_add(tail, from, n);
}

/* How many of the bytes went into the file. */
static size_t write_aside(const struct json_stream *s, const char *p, size_t n)
{
	size_t at = 0;

	while (at < n) {
		ssize_t k = write(s->aside - 1, p + at, n - at);

		if (k > 0)
			at += (size_t)k;
		else if (k == 0 || errno != EINTR)
			break;
	}
	return at;
}

enum tm_status tm_json_go_on(struct json_stream *s, const unsigned char *keep, const char *inside,
                             struct tm_diag *why)
{
	enum tm_status st;

	if (s->c.state == JSON_BAD) {
		tm_diag_set(why, 0,
		            "not valid JSON at byte %" PRIu64
		            ": %s; only the part before it was read",
		            tm_json_at(s), s->c.why);
		return TM_ST_FATAL;
	}
	st = tm_json_more(s, keep);
	if (st == TM_ST_OK)
		return TM_ST_OK;
	if (st == TM_ST_FATAL || s->broken) {
		*why = s->why;
		return TM_ST_FATAL;
	}
	s->c.p = s->c.end;
	tm_diag_set(why, 0,
	            "the file ends %s, at byte %" PRIu64 ": truncated, or still being written",
	            inside, tm_json_at(s));
	return TM_ST_FATAL;
}

enum tm_status tm_json_end(struct json_stream *s, struct tm_diag *why)
{
	s->c.p = blanks(s->c.p);
	if (s->c.p < s->c.end) {
		tm_diag_set(why, 0,
		            "not valid JSON at byte %" PRIu64
		            ": extra data after its end; only the part before it was read",
		            tm_json_at(s));
		return TM_ST_FATAL;
	}
	if (!s->c.last && tm_json_more(s, s->c.p) != TM_ST_FATAL)
		return TM_ST_OK;
	if (s->c.last && !s->broken)
		return TM_ST_END;
	*why = s->why;
	return TM_ST_FATAL;
}

bool tm_json_aside(struct json_stream *s, struct tm_buf *tail, size_t most)
{
	enum tm_status st = s->c.last ? TM_ST_END : TM_ST_OK;
	struct tm_diag why;
	bool ok = add_tail(tail, s->c.p, (size_t)(s->c.end - s->c.p), most);
	int fd = st == TM_ST_OK && !s->aside ? tm_temp_open() : -1;

	if (st == TM_ST_OK && fd < 0) {
		tm_buf_clear(tail);
		return ok;
	}
	if (fd >= 0)
		s->aside = fd + 1;
	while (ok && st == TM_ST_OK) {
		size_t n = 0;

		tm_buf_clear(&s->block);
		ok = tm_buf_reserve(&s->block, BLOCK);
		if (!ok)
			break;
		st = tm_source_read(s->src, s->block.p, BLOCK, &n, &why);
		s->block.n = n;
		s->block_at = write_aside(s, s->block.p, n);
		ok = add_tail(tail, s->block.p, n, most);
		if (s->block_at < n)
			break;
	}
	/* Where it broke off nothing is known of the end. */
	if (st != TM_ST_END)
		tm_buf_clear(tail);
	if (fd >= 0 && lseek(fd, 0, SEEK_SET) < 0)
		ok = false;
	return ok;
}

uint64_t tm_json_at(const struct json_stream *s)
{
	return s->base + (uint64_t)(s->c.p - s->buf);
}

void tm_json_fini(struct json_stream *s)
{
	if (s->aside)
		close(s->aside - 1);
	tm_buf_fini(&s->block);
	free(s->buf);
	*s = (struct json_stream) { 0 };
}
