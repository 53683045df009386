/* SPDX-License-Identifier: MIT
 * Markdown for a comment: the verdict first, what fails before what holds, and never longer than
 * GitHub takes. */
#include "check/answer.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* GitHub takes 65,536 characters; what stands around it is the user's. */
enum { MOST = 60000, LONGEST_CELL = 600 };

/* Bytes of s[0..n) that are at most `most` and end between characters. */
static size_t cut_at(const char *s, size_t n, size_t most)
{
	if (n <= most)
		return n;
	while (most && ((unsigned char)s[most] & 0xc0) == 0x80)
		most--;
	return most;
}

static void put_text(struct tm_buf *out, const char *s, size_t n)
{
	size_t k = cut_at(s, n, LONGEST_CELL);

	tm_row_text_md(out, s, k);
	if (k < n)
		tm_buf_str(out, "...");
}

/* The rule, and what its value is of. */
static void put_row(struct tm_buf *out, const struct tm_check_result *r)
{
	struct tm_buf message = { 0 };
	const char *name = r->rule ? r->rule->text : r->ref;

	tm_check_put_message(&message, r);
	tm_buf_str(out, "| ");
	tm_buf_str(out, r->verdict == TM_CHECK_PASS ? "pass" : "**");
	if (r->verdict != TM_CHECK_PASS)
		tm_buf_fmt(out, "%s**", tm_check_verdict_words[r->verdict]);
	tm_buf_str(out, " | ");
	put_text(out, name, strlen(name));
	tm_buf_str(out, " | ");
	put_text(out, message.p ? message.p : "", message.n);
	tm_buf_str(out, " |\n");
	out->failed |= message.failed;
	tm_buf_fini(&message);
}

static const char heading[] = "| verdict | rule | value |\n| --- | --- | --- |\n";

/* Rows order[from..to), as many as there is room for; returns how many were left out. */
static size_t put_rows(struct tm_buf *out, const struct tm_check_answer *a, const size_t *order,
                       size_t from, size_t to)
{
	tm_buf_str(out, heading);
	for (size_t i = from; i < to; i++) {
		size_t before = out->n;

		put_row(out, &a->v[order[i]]);
		if (out->failed || out->n <= MOST)
			continue;
		out->n = before;
		return to - i;
	}
	return 0;
}

static void put_left(struct tm_buf *out, size_t left)
{
	if (left)
		tm_buf_fmt(out, "\n%zu more row%s omitted: the comment is full.\n", left,
		           left == 1 ? "" : "s");
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	size_t *order = tm_check_order(a), bad = a->n - a->of[TM_CHECK_PASS];

	(void)look;
	if (!order)
		return false;
	tm_buf_str(out, "<!-- tracemill:tracecheck -->\n### tracecheck: ");
	tm_check_put_words(out, a);
	tm_buf_str(out, "\n\n");
	if (bad)
		put_left(out, put_rows(out, a, order, 0, bad));
	if (a->of[TM_CHECK_PASS] && out->n < MOST - 1000) {
		tm_buf_fmt(out, "%s<details><summary>%zu rule%s hold%s</summary>\n\n",
		           bad ? "\n" : "", a->of[TM_CHECK_PASS],
		           a->of[TM_CHECK_PASS] == 1 ? "" : "s",
		           a->of[TM_CHECK_PASS] == 1 ? "s" : "");
		put_left(out, put_rows(out, a, order, bad, a->n));
		tm_buf_str(out, "\n</details>\n");
	}
	tm_buf_chr(out, '\n');
	tm_check_put_line(out, a);
	free(order);
	return !out->failed;
}

const struct tm_check_format tm_check_md = {
	.name = "md",
	.about = "Markdown for a comment of GitHub or GitLab",
	.render = render,
};
