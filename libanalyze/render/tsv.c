/* SPDX-License-Identifier: MIT
 * One line per row and one tab per column, whatever the names hold: for cut, sort and awk. */
#include "render/render_parts.h"

static bool put_text(struct buf *b, const char *s, size_t n)
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
	return !b->failed;
}

static bool render(struct buf *out, const struct table *t, const struct render_ctx *ctx)
{
	(void)ctx;
	return render_lines(out, t, '\t', "\n", put_text);
}

const struct render_mode render_tsv = {
	.name = "tsv",
	.about = "tab-separated values, raw numbers; \\t \\n \\r \\\\ inside names",
	.machine = true,
	.render = render,
};
