/* SPDX-License-Identifier: MIT */
#include "read/lines.h"

#include <string.h>

enum { READ_BYTES = 256 * 1024 };

/* More bytes behind l->buf, moved to its beginning.  False at the end, with l->eof or l->dead. */
static bool fill(struct lines *l, struct source *src)
{
	enum status st;
	size_t got = 0;

	if (l->eof || l->dead)
		return false;
	if (l->pos) {
		memmove(l->buf.p, l->buf.p + l->pos, l->buf.n - l->pos);
		l->buf.n -= l->pos;
		l->base += l->pos;
		l->pos = 0;
	}
	if (!buf_reserve(&l->buf, READ_BYTES)) {
		l->dead = true;
		diag_oom(&l->why);
		return false;
	}
	st = source_read(src, l->buf.p + l->buf.n, l->buf.cap - l->buf.n - 1, &got, &l->why);
	l->buf.n += got;
	if (st == ST_OK)
		return true;
	l->eof = true;
	if (st == ST_FATAL)
		l->dead = true;
	return false;
}

enum line_kind lines_next(struct lines *l, struct source *src, const char **p, size_t *n)
{
	size_t longest = l->longest ? l->longest : LINE_MAX_BYTES;

	for (;;) {
		const char *line = l->buf.p ? l->buf.p + l->pos : NULL;
		size_t left = l->buf.n - l->pos;
		const char *nl = left > l->seen ? memchr(line + l->seen, '\n', left - l->seen)
		                                : NULL;

		if (!nl && left <= longest) {
			l->seen = left;
			if (fill(l, src))
				continue;
			if (!left || l->overlong || !l->eof)
				return LINE_NONE;
		}
		/* What fill() moved is at the beginning now. */
		*p = l->buf.p + l->pos;
		*n = nl ? (size_t)(nl - line) : left;
		l->at = l->base + l->pos;
		l->pos += nl ? *n + 1 : left;
		l->seen = 0;
		if (nl && l->overlong) {
			l->overlong = false;
			continue;
		}
		if (l->overlong)
			continue;
		l->line++;
		/* Too long is too long, however much of it was read at a time. */
		if (*n <= longest)
			return nl ? LINE_WHOLE : LINE_CUT;
		l->overlong = !nl;
		return LINE_LONG;
	}
}

void lines_fini(struct lines *l)
{
	buf_fini(&l->buf);
}
