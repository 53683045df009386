/* SPDX-License-Identifier: MIT
 * For people: a line for each rule, worst first, and below it what there is to know where it does
 * not hold. */
#include "check/answer.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* Append a text of hostile bytes, shortened at its end to `most` bytes that a terminal shows. */
static void put_short(struct tm_buf *out, const char *s, size_t n, size_t most, bool utf8)
{
	struct tm_buf visible = { 0 };
	size_t k;

	tm_render_visible(&visible, s, n, utf8);
	k = visible.n;
	if (k > most) {
		for (k = most > 3 ? most - 3 : 0;
		     k && ((unsigned char)visible.p[k] & 0xc0) == 0x80;)
			k--;
	}
	tm_buf_add(out, visible.p ? visible.p : "", k);
	tm_buf_str(out, k < visible.n ? "..." : "");
	out->failed |= visible.failed;
	tm_buf_fini(&visible);
}

static const char *color_of(enum tm_check_verdict v)
{
	static const char *const colors[] = {
		[TM_CHECK_PASS] = "\x1b[32m",
		[TM_CHECK_FAIL] = "\x1b[31m",
		[TM_CHECK_ABSENT] = "\x1b[33m",
		[TM_CHECK_ERROR] = "\x1b[31m",
	};

	return colors[v];
}

static size_t wider(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void put_value(struct tm_buf *b, const struct tm_check_result *r)
{
	tm_buf_clear(b);
	if (r->value.n)
		tm_check_put_number(b, r, &r->value);
	else
		tm_buf_chr(b, '-');
}

static void put_row(struct tm_buf *b, const struct tm_check_result *r)
{
	if (!r->row.n)
		return;
	tm_buf_str(b, b->n ? ": " : "");
	tm_buf_add(b, r->row.p, r->row.n);
}

/* What stands below the line of a rule.  The row is the worst that has a value, if one has. */
static void put_detail(struct tm_buf *b, const struct tm_check_result *r)
{
	static const char plain[] = "no value";
	bool many = r->rule && r->rows > 1,
	     says = r->reason.n != sizeof plain - 1 || memcmp(r->reason.p, plain, r->reason.n) != 0;

	tm_buf_clear(b);
	if (r->baseline.n) {
		tm_buf_str(b, "baseline ");
		tm_check_put_number(b, r, &r->baseline);
		tm_buf_str(b, ", bound ");
		tm_check_put_number(b, r, &r->bound);
	}
	if (r->verdict == TM_CHECK_PASS)
		return;
	if (many && r->failed)
		tm_buf_fmt(b, "%s%zu of %zu rows", b->n ? "; " : "", r->failed, r->rows);
	if (r->failed)
		put_row(b, r);
	if (many && r->absent)
		tm_buf_fmt(b, "%s%zu of %zu rows without a value", b->n ? "; " : "", r->absent,
		           r->rows);
	/* With a number of rows the reason is only said if it says more. */
	if (r->reason.n && (says || !many || !r->absent)) {
		tm_buf_str(b, b->n ? "; " : "");
		tm_buf_add(b, r->reason.p, r->reason.n);
	}
	if (!r->failed)
		put_row(b, r);
}

/* A reason is to be read whole, in lines that begin at column `left`; names are in the other
 * formats. */
static void put_reason(struct tm_buf *out, const struct tm_buf *reason, size_t left,
                       const struct tm_check_look *look)
{
	struct tm_buf line = { 0 };

	tm_buf_fmt(&line, "%*s", (int)left, "");
	put_short(&line, reason->p, reason->n, 2000, look->utf8);
	if (line.n)
		tm_render_wrap(out, line.p, line.n, look->width, left);
	tm_buf_chr(out, '\n');
	out->failed |= line.failed;
	tm_buf_fini(&line);
}

/* Rules are the user's own words: never shortened, but they go on in the next line, where they
 * began in this one. */
static void put_rule(struct tm_buf *out, const char *name, size_t left,
                     const struct tm_check_look *look)
{
	struct tm_buf line = { 0 }, lines = { 0 };

	tm_buf_fmt(&line, "%*s", (int)left, "");
	tm_render_visible(&line, name, strlen(name), look->utf8);
	if (line.n && tm_render_wrap(&lines, line.p, line.n, look->width, left))
		tm_buf_add(out, lines.p + left, lines.n - left);
	tm_buf_chr(out, '\n');
	out->failed |= line.failed || lines.failed;
	tm_buf_fini(&line);
	tm_buf_fini(&lines);
}

static void put_result(struct tm_buf *out, const struct tm_check_result *r, size_t width,
                       const struct tm_check_look *look, struct tm_buf *scratch)
{
	const char *name = r->rule ? r->rule->text : r->ref;
	const char *verdict = tm_check_verdict_words[r->verdict];
	size_t left = strlen("absent") + 2 + width + 2;
	size_t room = look->width > left + 20 ? look->width - left : 20;

	put_value(scratch, r);
	tm_buf_fmt(out, "%s%s%s%*s", look->color ? color_of(r->verdict) : "", verdict,
	           look->color ? "\x1b[0m" : "", (int)(strlen("absent") - strlen(verdict) + 2), "");
	tm_buf_fmt(out, "%*s  ", (int)width, scratch->p ? scratch->p : "");
	put_rule(out, name, left, look);
	put_detail(scratch, r);
	if (scratch->n && r->reason.n) {
		put_reason(out, scratch, left, look);
	} else if (scratch->n) {
		tm_buf_fmt(out, "%*s", (int)left, "");
		put_short(out, scratch->p, scratch->n, room, look->utf8);
		tm_buf_chr(out, '\n');
	}
	out->failed |= scratch->failed;
}

static bool render(struct tm_buf *out, const struct tm_check_answer *a,
                   const struct tm_check_look *look)
{
	size_t *order = tm_check_order(a), width = strlen("value");
	struct tm_buf scratch = { 0 };

	if (!order)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		put_value(&scratch, &a->v[i]);
		width = wider(width, scratch.n);
	}
	tm_check_put_words(out, a);
	tm_buf_fmt(out, "\n\nVERDICT%*s  RULE\n", (int)width + 1, "VALUE");
	for (size_t i = 0; i < a->n; i++)
		put_result(out, &a->v[order[i]], width, look, &scratch);
	tm_buf_chr(out, '\n');
	tm_check_put_line(out, a);
	tm_buf_fini(&scratch);
	free(order);
	return !out->failed;
}

const struct tm_check_format tm_check_text = {
	.name = "text",
	.about = "for people, what fails first",
	.render = render,
};
