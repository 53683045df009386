/* SPDX-License-Identifier: MIT
 * A versioned envelope, one row per line. */
#include "render/render_parts.h"
#include "render/row.h"

#include <string.h>

/* Append \uXXXX, as a pair of surrogates above U+FFFF. */
static void put_escape(struct tm_buf *b, uint32_t cp)
{
	if (cp < 0x10000) {
		tm_buf_fmt(b, "\\u%04x", (unsigned)cp);
		return;
	}
	cp -= 0x10000;
	tm_buf_fmt(b, "\\u%04x\\u%04x", (unsigned)(0xd800 | cp >> 10),
	           (unsigned)(0xdc00 | (cp & 0x3ff)));
}

/* Append the inside of a string.  Each byte that is not UTF-8 becomes U+FFFD.  What is unsafe on a
 * terminal is escaped as well, which changes no value and lets people look at the file. */
static void put_inside(struct tm_buf *b, const char *s, size_t n)
{
	static const char letter[128] = {
		['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
		['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
	};

	for (size_t i = 0; i < n;) {
		size_t from = i, len;
		uint32_t cp = 0xfffd;

		while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
			i++;
		if (i > from)
			tm_buf_add(b, s + from, i - from);
		if (i == n)
			return;
		len = tm_utf8_get(s + i, n - i, &cp);
		if (cp < 0x80 && letter[cp]) {
			tm_buf_chr(b, '\\');
			tm_buf_chr(b, letter[cp]);
		} else if (!len || tm_cp_unsafe(cp)) {
			put_escape(b, cp);
		} else {
			tm_buf_add(b, s + i, len);
		}
		i += len ? len : 1;
	}
}

bool tm_row_text_json(struct tm_buf *b, const char *s, size_t n)
{
	tm_buf_chr(b, '"');
	put_inside(b, s, n);
	return tm_buf_chr(b, '"');
}

static void put_list(struct tm_buf *b, const char *const *v, size_t n)
{
	tm_buf_chr(b, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			tm_buf_chr(b, ',');
		tm_row_text_json(b, v[i], strlen(v[i]));
	}
	tm_buf_chr(b, ']');
}

static void put_head(struct tm_buf *b, const struct tm_render_ctx *ctx)
{
	tm_buf_str(b, "{\"schema\":\"tracemill/");
	put_inside(b, ctx->tool, strlen(ctx->tool));
	tm_buf_chr(b, '-');
	put_inside(b, ctx->table, strlen(ctx->table));
	tm_buf_str(b, "/1\",\n\"tool\":");
	tm_row_text_json(b, ctx->tool, strlen(ctx->tool));
	tm_buf_str(b, ",\n\"version\":");
	tm_row_text_json(b, ctx->version, strlen(ctx->version));
	tm_buf_str(b, ",\n\"inputs\":");
	put_list(b, ctx->inputs, ctx->ninputs);
	tm_buf_str(b, ",\n\"window\":{");
	if (ctx->window) {
		tm_buf_str(b, "\"spec\":");
		tm_row_text_json(b, ctx->window, strlen(ctx->window));
	}
	tm_buf_chr(b, '}');
	tm_buf_str(b, ",\n\"notes\":");
	put_list(b, ctx->notes, ctx->nnotes);
	tm_buf_str(b, ",\n\"rows\":[");
}

bool tm_put_json(struct tm_buf *b, const struct tm_cell *c)
{
	switch (c->type) {
	case TM_CELL_NONE:
		tm_buf_add(b, "null", 4);
		break;
	case TM_CELL_U64:
		if (c->neg)
			tm_buf_chr(b, '-');
		tm_buf_u64(b, c->v.u);
		break;
	case TM_CELL_FIXED:
		tm_put_fixed(b, c);
		break;
	case TM_CELL_DIGITS:
		tm_buf_add(b, c->v.s, c->len);
		break;
	case TM_CELL_TEXT:
		tm_row_text_json(b, c->v.s, c->len);
		break;
	}
	return !b->failed;
}

static bool render(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	const struct tm_cell *c = t->cells;

	put_head(out, ctx);
	for (size_t r = 0; r < t->nrows && !out->failed; r++) {
		tm_buf_str(out, r ? ",\n{" : "\n{");
		for (size_t i = 0; i < t->ncols; i++, c++) {
			if (i)
				tm_buf_chr(out, ',');
			tm_row_text_json(out, t->columns[i]->name, strlen(t->columns[i]->name));
			tm_buf_chr(out, ':');
			tm_put_json(out, c);
		}
		tm_buf_chr(out, '}');
	}
	tm_buf_str(out, t->nrows ? "\n]}\n" : "]}\n");
	return !out->failed;
}

const struct tm_render_mode tm_render_json = {
	.name = "json",
	.about = "one object with a versioned envelope, raw numbers, one row per line",
	.machine = true,
	.render = render,
};
