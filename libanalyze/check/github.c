/* SPDX-License-Identifier: MIT
 * Annotations of GitHub Actions: a workflow command for each rule that does not hold, where the
 * rule stands. */
#include "check/answer.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* GitHub shows ten of a step. */
enum { MOST = 10 };

/* Text of a command: what ends it, and in a property also what parts properties, is escaped; the
 * rest of what could drive a terminal is visible. */
static void put_text(struct buf *out, const char *s, size_t n, bool property)
{
	struct buf visible = { 0 };

	for (size_t i = 0; i < n; i++)
		if (s[i] == '\n' || s[i] == '\r') {
			render_visible(&visible, s, i, true);
			buf_chr(&visible, s[i]);
			s += i + 1;
			n -= i + 1;
			i = SIZE_MAX;
		}
	render_visible(&visible, s, n, true);
	for (size_t i = 0; i < visible.n; i++) {
		char c = visible.p[i];

		if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ',')))
			buf_fmt(out, "%%%02X", (unsigned)(unsigned char)c);
		else
			buf_chr(out, c);
	}
	out->failed |= visible.failed;
	buf_fini(&visible);
}

static void put_command(struct buf *out, const struct check_answer *a, size_t i)
{
	const struct check_result *r = &a->v[i];
	struct buf text = { 0 };

	buf_str(out, "::error ");
	if (r->rule && r->rule->line) {
		buf_str(out, "file=");
		put_text(out, r->rule->origin, strlen(r->rule->origin), true);
		buf_fmt(out, ",line=%llu,", (unsigned long long)r->rule->line);
	}
	buf_fmt(&text, "tracecheck: %s: ", check_verdict_words[r->verdict]);
	check_put_id(&text, a, i);
	buf_str(out, "title=");
	put_text(out, text.p ? text.p : "", text.n, true);
	buf_str(out, "::");
	buf_clear(&text);
	check_put_message(&text, r);
	put_text(out, text.p ? text.p : "", text.n, false);
	buf_chr(out, '\n');
	out->failed |= text.failed;
	buf_fini(&text);
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	size_t *order = check_order(a), bad = a->n - a->of[CHECK_PASS];
	size_t shown = bad <= MOST ? bad : MOST - 1;

	(void)look;
	if (!order)
		return false;
	for (size_t i = 0; i < shown; i++)
		put_command(out, a, order[i]);
	if (shown < bad)
		buf_fmt(out, "::error title=tracecheck::%zu more rules do not hold\n", bad - shown);
	check_put_line(out, a);
	free(order);
	return !out->failed;
}

const struct check_format check_github = {
	.name = "github",
	.about = "annotations of GitHub Actions",
	.render = render,
};
