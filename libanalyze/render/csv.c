/* SPDX-License-Identifier: MIT
 * RFC 4180 with LF: the stable interface for scripts. */
#include "render/render_parts.h"
#include "render/row.h"

#include <string.h>

/* Does something in it look like the end of a field? */
static bool must_be_quoted(const char *s, size_t n)
{
	static const bool special[256] = {
		[','] = true,
		['"'] = true,
		['\r'] = true,
		['\n'] = true,
	};

	for (size_t i = 0; i < n; i++)
		if (special[(unsigned char)s[i]])
			return true;
	return false;
}

/* Blanks at the ends are quoted because some readers trim naked fields. */
static bool may_be_trimmed(const char *s, size_t n)
{
	return n && (s[0] == ' ' || s[0] == '\t' || s[n - 1] == ' ' || s[n - 1] == '\t');
}

static bool quoted(struct buf *b, const char *s, size_t n)
{
	buf_chr(b, '"');
	for (size_t i = 0; i < n;) {
		const char *quote = memchr(s + i, '"', n - i);
		size_t end = quote ? (size_t)(quote - s) + 1 : n;

		buf_add(b, s + i, end - i);
		if (quote)
			buf_chr(b, '"');
		i = end;
	}
	return buf_chr(b, '"');
}

bool row_text_csv(struct buf *b, const char *s, size_t n)
{
	return may_be_trimmed(s, n) || must_be_quoted(s, n) ? quoted(b, s, n) : buf_add(b, s, n);
}

static bool text_if_must(struct buf *b, const char *s, size_t n)
{
	return must_be_quoted(s, n) ? quoted(b, s, n) : buf_add(b, s, n);
}

bool render_lines(struct buf *out, const struct table *t, char between, const char *eol,
                  bool (*put)(struct buf *, const char *, size_t))
{
	const struct cell *c = t->cells;

	for (size_t i = 0; i < t->ncols; i++) {
		if (i)
			buf_chr(out, between);
		put(out, t->columns[i]->name, strlen(t->columns[i]->name));
	}
	buf_str(out, eol);
	for (size_t r = 0; r < t->nrows && !out->failed; r++) {
		for (size_t i = 0; i < t->ncols; i++, c++) {
			if (i)
				buf_chr(out, between);
			switch (c->type) {
			case CELL_NONE:
				break;
			case CELL_U64:
				if (c->neg)
					buf_chr(out, '-');
				buf_u64(out, c->v.u);
				break;
			case CELL_FIXED:
				put_fixed(out, c);
				break;
			case CELL_DIGITS:
				buf_add(out, c->v.s, c->len);
				break;
			case CELL_TEXT:
				put(out, c->v.s, c->len);
				break;
			}
		}
		buf_str(out, eol);
	}
	return !out->failed;
}

static bool render(struct buf *out, const struct table *t, const struct render_ctx *ctx)
{
	return ctx->crlf ? render_lines(out, t, ',', "\r\n", text_if_must)
	                 : render_lines(out, t, ',', "\n", row_text_csv);
}

const struct render_mode render_csv = {
	.name = "csv",
	.about = "comma-separated values (RFC 4180), raw numbers",
	.machine = true,
	.render = render,
};
