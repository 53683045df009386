/* SPDX-License-Identifier: MIT
 * One line per row and one tab per column, whatever the names hold: for cut, sort and awk. */
#include "render/render_parts.h"

static bool put_text(struct tm_buf *b, const char *s, size_t n)
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
		tm_buf_add(b, s + from, i - from);
		if (i < n) {
			tm_buf_chr(b, '\\');
			tm_buf_chr(b, escape[(unsigned char)s[i++]]);
		}
	}
	return !b->failed;
}

static bool render(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx)
{
	(void)ctx;
	return tm_render_lines(out, t, '\t', "\n", put_text);
}

const struct tm_render_mode tm_render_tsv = {
	.name = "tsv",
	.about = "tab-separated values, raw numbers; \\t \\n \\r \\\\ inside names",
	.machine = true,
	.render = render,
};
