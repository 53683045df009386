/* SPDX-License-Identifier: MIT
 * One line per row and one tab per column, whatever the names hold: for cut, sort and awk. */
#include "render/priv_render.h"

#include <string.h>

static void put_text(struct buf *b, const char *s, size_t n)
{
	static const char escape[256] = {
		['\t'] = 't',
		['\n'] = 'n',
		['\r'] = 'r',
		['\\'] = '\\',
	};

	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && !escape[(unsigned char)s[i]])
			i++;
		buf_add(b, s + from, i - from);
		if (i < n) {
			buf_chr(b, '\\');
			buf_chr(b, escape[(unsigned char)s[i++]]);
		}
	}
}

static bool render(struct buf *out, const struct table *t, const struct render_ctx *ctx)
{
	const struct cell *c = t->cells;

	(void)ctx;
	for (size_t i = 0; i < t->ncols; i++) {
		if (i)
			buf_chr(out, '\t');
		put_text(out, t->columns[i]->name, strlen(t->columns[i]->name));
	}
	buf_chr(out, '\n');
	for (size_t r = 0; r < t->nrows && !out->failed; r++) {
		for (size_t i = 0; i < t->ncols; i++, c++) {
			if (i)
				buf_chr(out, '\t');
			switch (c->type) {
			case CELL_NONE:
				break;
			case CELL_U64:
				buf_u64(out, c->v.u);
				break;
			case CELL_FIXED:
				put_fixed(out, c);
				break;
			case CELL_TEXT:
				put_text(out, c->v.s, c->len);
				break;
			}
		}
		buf_chr(out, '\n');
	}
	return !out->failed;
}

const struct render_mode render_tsv = {
	.name = "tsv",
	.about = "tab-separated values, raw numbers; \\t \\n \\r \\\\ inside names",
	.machine = true,
	.render = render,
};
