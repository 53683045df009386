/* SPDX-License-Identifier: MIT
 * TAP 14: a test point for each rule. */
#include "check/answer.h"
#include "render/render.h"

/* A description: # would begin a directive. */
static void put_description(struct tm_buf *out, const struct tm_buf *text)
{
	struct tm_buf visible = { 0 };

	tm_render_visible(&visible, text->n ? text->p : "", text->n, true);
	for (size_t i = 0; i < visible.n; i++) {
		if (visible.p[i] == '#' || visible.p[i] == '\\')
			tm_buf_chr(out, '\\');
		tm_buf_chr(out, visible.p[i]);
	}
	out->failed |= visible.failed;
	tm_buf_fini(&visible);
}

/* A line of YAML; a JSON string is one of its scalars. */
static void put_key(struct tm_buf *out, const char *key, const char *s, size_t n)
{
	if (!n)
		return;
	tm_buf_fmt(out, "  %s: ", key);
	tm_row_text_json(out, s, n);
	tm_buf_chr(out, '\n');
}

static void put_diagnosis(struct tm_buf *out, const struct tm_check_result *r)
{
	struct tm_buf message = { 0 };

	tm_check_put_message(&message, r);
	tm_buf_str(out, "  ---\n");
	put_key(out, "verdict", tm_check_verdict_words[r->verdict],
	        r->verdict == TM_CHECK_FAIL     ? 4
	        : r->verdict == TM_CHECK_ABSENT ? 6
	                                        : 5);
	put_key(out, "message", message.p, message.n);
	if (r->value.n)
		tm_buf_fmt(out, "  got: %s\n  bound: %s\n", r->value.p, r->bound.p);
	put_key(out, "row", r->row.p, r->row.n);
	put_key(out, "reason", r->reason.p, r->reason.n);
	if (r->rule && r->rule->line) {
		tm_buf_str(out, "  at: ");
		tm_buf_str(&message, "");
		tm_buf_clear(&message);
		tm_buf_fmt(&message, "%s:%llu", r->rule->origin, (unsigned long long)r->rule->line);
		tm_row_text_json(out, message.p, message.n);
		tm_buf_chr(out, '\n');
	}
	tm_buf_str(out, "  ...\n");
	out->failed |= message.failed;
	tm_buf_fini(&message);
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	struct tm_buf text = { 0 };

	(void)look;
	tm_buf_fmt(out, "TAP version 14\n1..%zu\n", a->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct tm_check_result *r = &a->v[i];

		tm_buf_clear(&text);
		tm_buf_str(&text, r->rule ? r->rule->text : r->ref);
		tm_buf_str(&text, ": ");
		tm_check_put_message(&text, r);
		tm_buf_fmt(out, "%sok %zu - ", r->verdict == TM_CHECK_PASS ? "" : "not ", i + 1);
		put_description(out, &text);
		tm_buf_chr(out, '\n');
		if (r->verdict != TM_CHECK_PASS)
			put_diagnosis(out, r);
	}
	tm_buf_str(out, "# ");
	tm_check_put_line(out, a);
	out->failed |= text.failed;
	tm_buf_fini(&text);
	return !out->failed;
}

const struct tm_check_format tm_check_tap = {
	.name = "tap",
	.about = "TAP 14, a test point for each rule",
	.render = render,
};
