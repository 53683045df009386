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
static void put_text(struct tm_buf *out, const char *s, size_t n, bool property)
{
	struct tm_buf visible = { 0 };

	for (size_t i = 0; i < n; i++)
		if (s[i] == '\n' || s[i] == '\r') {
			tm_render_visible(&visible, s, i, true);
			tm_buf_chr(&visible, s[i]);
			s += i + 1;
			n -= i + 1;
			i = SIZE_MAX;
		}
	tm_render_visible(&visible, s, n, true);
	for (size_t i = 0; i < visible.n; i++) {
		char c = visible.p[i];

		if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ',')))
			tm_buf_fmt(out, "%%%02X", (unsigned)(unsigned char)c);
		else
			tm_buf_chr(out, c);
	}
	out->failed |= visible.failed;
	tm_buf_fini(&visible);
}

static void put_command(struct tm_buf *out, const struct tm_check_answer *a, size_t i)
{
	const struct tm_check_result *r = &a->v[i];
	struct tm_buf text = { 0 };

	tm_buf_str(out, "::error ");
	if (r->rule && r->rule->line) {
		tm_buf_str(out, "file=");
		put_text(out, r->rule->origin, strlen(r->rule->origin), true);
		tm_buf_fmt(out, ",line=%llu,", (unsigned long long)r->rule->line);
	}
	tm_buf_fmt(&text, "tracecheck: %s: ", tm_check_verdict_words[r->verdict]);
	tm_check_put_id(&text, a, i);
	tm_buf_str(out, "title=");
	put_text(out, text.p ? text.p : "", text.n, true);
	tm_buf_str(out, "::");
	tm_buf_clear(&text);
	tm_check_put_message(&text, r);
	put_text(out, text.p ? text.p : "", text.n, false);
	tm_buf_chr(out, '\n');
	out->failed |= text.failed;
	tm_buf_fini(&text);
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	size_t *order = tm_check_order(a), bad = a->n - a->of[TM_CHECK_PASS];
	size_t shown = bad <= MOST ? bad : MOST - 1;

	(void)look;
	if (!order)
		return false;
	for (size_t i = 0; i < shown; i++)
		put_command(out, a, order[i]);
	if (shown < bad)
		tm_buf_fmt(out, "::error title=tracecheck::%zu more rules do not hold\n",
		           bad - shown);
	tm_check_put_line(out, a);
	free(order);
	return !out->failed;
}

const struct tm_check_format tm_check_github = {
	.name = "github",
	.about = "annotations of GitHub Actions",
	.render = render,
};
