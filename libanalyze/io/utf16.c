/* SPDX-License-Identifier: MIT
 * Undoes UTF-16: what some shells and spreadsheets make of a table when its output is redirected.
 * Only with its byte order mark, which is not passed on. */
#include "io/stage.h"

#include <inttypes.h>
#include <string.h>

enum { UTF16_BYTES = 64 * 1024, UTF8_MOST = 4 };

struct utf16 {
	struct stage st;
	bool big;                      /* the high byte comes first */
	bool begun, ended;             /* the mark was read; nothing more comes from below */
	uint64_t base;                 /* bytes of the input before in[] */
	size_t pos, n;                 /* in[pos .. n) is still to be read */
	unsigned char rest[UTF8_MOST]; /* of a character for which there was not room enough */
	size_t rest_at, nrest;
	unsigned char in[UTF16_BYTES];
};

/* More input after what is left.  TM_ST_OK, TM_ST_END or TM_ST_FATAL with *d. */
static enum tm_status fill(struct utf16 *u, struct tm_diag *d)
{
	enum tm_status st;
	size_t got = 0;

	memmove(u->in, u->in + u->pos, u->n - u->pos);
	u->base += u->pos;
	u->n -= u->pos;
	u->pos = 0;
	st = tm_stage_read(u->st.below, u->in + u->n, sizeof u->in - u->n, &got, d);
	if (st == TM_ST_OK)
		u->n += got;
	u->ended = st != TM_ST_OK;
	return st;
}

static unsigned unit_at(const struct utf16 *u, size_t at)
{
	return u->big ? (unsigned)u->in[at] << 8 | u->in[at + 1]
	              : (unsigned)u->in[at + 1] << 8 | u->in[at];
}

static size_t put_utf8(unsigned char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (unsigned char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (unsigned char)(0xc0 | c >> 6);
		out[1] = (unsigned char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (unsigned char)(0xe0 | c >> 12);
		out[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (unsigned char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (unsigned char)(0xf0 | c >> 18);
	out[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (unsigned char)(0x80 | (c & 0x3f));
	return 4;
}

/* The next character of what was read: how many bytes it has, 0 = more are needed, or SIZE_MAX with
 * *d: it is none. */
static size_t next_char(const struct utf16 *u, uint32_t *c, struct tm_diag *d)
{
	unsigned low;

	if (u->n - u->pos < 2)
		return 0;
	*c = unit_at(u, u->pos);
	if (*c < 0xd800 || *c > 0xdfff)
		return 2;
	if (*c < 0xdc00 && u->n - u->pos < 4)
		return 0;
	low = *c < 0xdc00 ? unit_at(u, u->pos + 2) : 0;
	if (low >> 10 != 0xdc00 >> 10) {
		tm_diag_set(d, 0, "is UTF-16 with half a character at byte %" PRIu64 ": damaged",
		            u->base + u->pos);
		return SIZE_MAX;
	}
	*c = 0x10000 + ((*c & 0x3ff) << 10 | (low & 0x3ff));
	return 4;
}

/* What is left of the last character, as far as there is room. */
static size_t give_rest(struct utf16 *u, unsigned char *out, size_t cap)
{
	size_t k = u->nrest - u->rest_at < cap ? u->nrest - u->rest_at : cap;

	memcpy(out, u->rest + u->rest_at, k);
	u->rest_at += k;
	return k;
}

static enum tm_status utf16_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                 struct tm_diag *d)
{
	struct utf16 *u = (struct utf16 *)st;
	unsigned char *out = buf;

	*n = give_rest(u, out, cap);
	while (*n < cap) {
		uint32_t c;
		size_t k = next_char(u, &c, d);

		if (k == SIZE_MAX)
			return *n ? TM_ST_OK : TM_ST_FATAL; /* it is found again by the next call */
		if (!k && *n)
			return TM_ST_OK;
		if (!k) {
			enum tm_status below = u->ended ? TM_ST_END : fill(u, d);

			if (below == TM_ST_END && u->n > u->pos) {
				tm_diag_set(d, 0,
				            "UTF-16 text ends inside a character: the file is "
				            "truncated");
				return TM_ST_FATAL;
			}
			if (below != TM_ST_OK)
				return below;
			continue;
		}
		u->pos += k;
		u->nrest = u->begun ? put_utf8(u->rest, c) : 0;
		u->rest_at = 0;
		u->begun = true;
		*n += give_rest(u, out + *n, cap - *n);
	}
	return TM_ST_OK;
}

static const struct stage_ops utf16_ops = { .read = utf16_read };

struct stage *tm_utf16_open(struct stage *below, bool big)
{
	struct utf16 *u = tm_stage_new(sizeof *u, &utf16_ops, below);

	if (!u)
		return NULL;
	u->big = big;
	return &u->st;
}
