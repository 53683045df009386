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

static bool quoted(struct tm_buf *b, const char *s, size_t n)
{
	tm_buf_chr(b, '"');
	for (size_t i = 0; i < n;) {
		const char *quote = memchr(s + i, '"', n - i);
		size_t end = quote ? (size_t)(quote - s) + 1 : n;

		tm_buf_add(b, s + i, end - i);
		if (quote)
			tm_buf_chr(b, '"');
		i = end;
	}
	return tm_buf_chr(b, '"');
}

bool tm_row_text_csv(struct tm_buf *b, const char *s, size_t n)
{
	return may_be_trimmed(s, n) || must_be_quoted(s, n) ? quoted(b, s, n) : tm_buf_add(b, s, n);
}

static bool text_if_must(struct tm_buf *b, const char *s, size_t n)
{
	return must_be_quoted(s, n) ? quoted(b, s, n) : tm_buf_add(b, s, n);
}

bool tm_render_lines(struct tm_buf *out, const struct tm_table *t, char between, const char *eol,
                     bool (*put)(struct tm_buf *, const char *, size_t))
{
	const struct tm_cell *c = t->cells;

	for (size_t i = 0; i < t->ncols; i++) {
		if (i)
			tm_buf_chr(out, between);
		put(out, t->columns[i]->name, strlen(t->columns[i]->name));
	}
	tm_buf_str(out, eol);
	for (size_t r = 0; r < t->nrows && !out->failed; r++) {
		for (size_t i = 0; i < t->ncols; i++, c++) {
			if (i)
				tm_buf_chr(out, between);
			switch (c->type) {
			case TM_CELL_NONE:
				break;
			case TM_CELL_U64:
				if (c->neg)
					tm_buf_chr(out, '-');
				tm_buf_u64(out, c->v.u);
				break;
			case TM_CELL_FIXED:
				tm_put_fixed(out, c);
				break;
			case TM_CELL_DIGITS:
				tm_buf_add(out, c->v.s, c->len);
				break;
			case TM_CELL_TEXT:
				put(out, c->v.s, c->len);
				break;
			}
		}
		tm_buf_str(out, eol);
	}
	return !out->failed;
}

static bool render(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	return ctx->crlf ? tm_render_lines(out, t, ',', "\r\n", text_if_must)
	                 : tm_render_lines(out, t, ',', "\n", tm_row_text_csv);
}

const struct tm_render_mode tm_render_csv = {
	.name = "csv",
	.about = "comma-separated values (RFC 4180), raw numbers",
	.machine = true,
	.render = render,
};
