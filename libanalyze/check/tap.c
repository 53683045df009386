/* SPDX-License-Identifier: MIT
 * TAP 14: a test point for each rule. */
#include "check/answer.h"
#include "render/render.h"

/* A description: # would begin a directive. */
static void put_description(struct buf *out, const struct buf *text)
{
	struct buf visible = { 0 };

	render_visible(&visible, text->n ? text->p : "", text->n, true);
	for (size_t i = 0; i < visible.n; i++) {
		if (visible.p[i] == '#' || visible.p[i] == '\\')
			buf_chr(out, '\\');
		buf_chr(out, visible.p[i]);
	}
	out->failed |= visible.failed;
	buf_fini(&visible);
}

/* A line of YAML; a JSON string is one of its scalars. */
static void put_key(struct buf *out, const char *key, const char *s, size_t n)
{
	if (!n)
		return;
	buf_fmt(out, "  %s: ", key);
	row_text_json(out, s, n);
	buf_chr(out, '\n');
}

static void put_diagnosis(struct buf *out, const struct check_result *r)
{
	struct buf message = { 0 };

	check_put_message(&message, r);
	buf_str(out, "  ---\n");
	put_key(out, "verdict", check_verdict_words[r->verdict],
	        r->verdict == CHECK_FAIL     ? 4
	        : r->verdict == CHECK_ABSENT ? 6
	                                     : 5);
	put_key(out, "message", message.p, message.n);
	if (r->value.n)
		buf_fmt(out, "  got: %s\n  bound: %s\n", r->value.p, r->bound.p);
	put_key(out, "row", r->row.p, r->row.n);
	put_key(out, "reason", r->reason.p, r->reason.n);
	if (r->rule && r->rule->line) {
		buf_str(out, "  at: ");
		buf_str(&message, "");
		buf_clear(&message);
		buf_fmt(&message, "%s:%llu", r->rule->origin, (unsigned long long)r->rule->line);
		row_text_json(out, message.p, message.n);
		buf_chr(out, '\n');
	}
	buf_str(out, "  ...\n");
	out->failed |= message.failed;
	buf_fini(&message);
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	struct buf text = { 0 };

	(void)look;
	buf_fmt(out, "TAP version 14\n1..%zu\n", a->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct check_result *r = &a->v[i];

		buf_clear(&text);
		buf_str(&text, r->rule ? r->rule->text : r->ref);
		buf_str(&text, ": ");
		check_put_message(&text, r);
		buf_fmt(out, "%sok %zu - ", r->verdict == CHECK_PASS ? "" : "not ", i + 1);
		put_description(out, &text);
		buf_chr(out, '\n');
		if (r->verdict != CHECK_PASS)
			put_diagnosis(out, r);
	}
	buf_str(out, "# ");
	check_put_line(out, a);
	out->failed |= text.failed;
	buf_fini(&text);
	return !out->failed;
}

const struct check_format check_tap = {
	.name = "tap",
	.about = "TAP 14, a test point for each rule",
	.render = render,
};
