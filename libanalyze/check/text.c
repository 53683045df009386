/* SPDX-License-Identifier: MIT
 * For people: a line for each rule, worst first, and below it what there is to know where it does
 * not hold. */
#include "check/answer.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* Append a text of hostile bytes, shortened at its end to `most` bytes that a terminal shows. */
static void put_short(struct buf *out, const char *s, size_t n, size_t most, bool utf8)
{
	struct buf visible = { 0 };
	size_t k;

	render_visible(&visible, s, n, utf8);
	k = visible.n;
	if (k > most) {
		for (k = most > 3 ? most - 3 : 0;
		     k && ((unsigned char)visible.p[k] & 0xc0) == 0x80;)
			k--;
	}
	buf_add(out, visible.p ? visible.p : "", k);
	buf_str(out, k < visible.n ? "..." : "");
	out->failed |= visible.failed;
	buf_fini(&visible);
}

static const char *color_of(enum check_verdict v)
{
	static const char *const colors[] = {
		[CHECK_PASS] = "\x1b[32m",
		[CHECK_FAIL] = "\x1b[31m",
		[CHECK_ABSENT] = "\x1b[33m",
		[CHECK_ERROR] = "\x1b[31m",
	};

	return colors[v];
}

static size_t wider(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void put_value(struct buf *b, const struct check_result *r)
{
	buf_clear(b);
	if (r->value.n)
		check_put_number(b, r, &r->value);
	else
		buf_chr(b, '-');
}

/* What stands below the line of a rule. */
static void put_detail(struct buf *b, const struct check_result *r)
{
	buf_clear(b);
	if (r->baseline.n) {
		buf_str(b, "baseline ");
		check_put_number(b, r, &r->baseline);
		buf_str(b, ", bound ");
		check_put_number(b, r, &r->bound);
	}
	if (r->verdict == CHECK_PASS)
		return;
	if (r->rule && r->rows > 1 && r->failed)
		buf_fmt(b, "%s%zu of %zu rows", b->n ? "; " : "", r->failed, r->rows);
	if (r->rule && r->rows > 1 && r->absent)
		buf_fmt(b, "%s%zu of %zu rows without a value", b->n ? "; " : "", r->absent,
		        r->rows);
	if (r->reason.n) {
		buf_str(b, b->n ? "; " : "");
		buf_add(b, r->reason.p, r->reason.n);
	}
	if (r->row.n) {
		buf_str(b, b->n ? ": " : "");
		buf_add(b, r->row.p, r->row.n);
	}
}

static void put_result(struct buf *out, const struct check_result *r, size_t width,
                       const struct check_look *look, struct buf *scratch)
{
	const char *name = r->rule ? r->rule->text : r->ref;
	const char *verdict = check_verdict_words[r->verdict];
	size_t left = strlen("absent") + 2 + width + 2;
	size_t room = look->width > left + 20 ? look->width - left : 20;

	put_value(scratch, r);
	buf_fmt(out, "%s%s%s%*s", look->color ? color_of(r->verdict) : "", verdict,
	        look->color ? "\x1b[0m" : "", (int)(strlen("absent") - strlen(verdict) + 2), "");
	buf_fmt(out, "%*s  ", (int)width, scratch->p ? scratch->p : "");
	/* Rules are the user's own words: never shortened. */
	render_visible(out, name, strlen(name), look->utf8);
	buf_chr(out, '\n');
	put_detail(scratch, r);
	if (scratch->n) {
		buf_fmt(out, "%*s", (int)left, "");
		/* A reason is to be read whole; names are in the other formats. */
		put_short(out, scratch->p, scratch->n, r->verdict == CHECK_ERROR ? 2000 : room,
		          look->utf8);
		buf_chr(out, '\n');
	}
	out->failed |= scratch->failed;
}

static bool render(struct buf *out, const struct check_answer *a, const struct check_look *look)
{
	size_t *order = check_order(a), width = strlen("value");
	struct buf scratch = { 0 };

	if (!order)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		put_value(&scratch, &a->v[i]);
		width = wider(width, scratch.n);
	}
	check_put_words(out, a);
	buf_fmt(out, "\n\nVERDICT%*s  RULE\n", (int)width + 1, "VALUE");
	for (size_t i = 0; i < a->n; i++)
		put_result(out, &a->v[order[i]], width, look, &scratch);
	buf_chr(out, '\n');
	check_put_line(out, a);
	buf_fini(&scratch);
	free(order);
	return !out->failed;
}

const struct check_format check_text = {
	.name = "text",
	.about = "for people, what fails first",
	.render = render,
};
