/* SPDX-License-Identifier: MIT
 *
 * "(a|bc)def[xy]g?" cannot match without "def" or, of a choice, one literal of every branch.  Most
 * literals are ruled out by their pairs of bytes, the others are searched for: a hundred times cheaper than
 * to run the expression.  A pass proves nothing; a no is certain. */
#include "model/priv_filter.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

enum { LITERALS = 64, LITERAL = 64 };

/* Literals as they stand in the expression; n 0 = none known. */
struct wanted {
	size_t n, shortest;
	struct {
		char text[LITERAL];
		size_t len;
	} v[LITERALS];
};

static const char *choice(const char *p, struct wanted *out, int depth);

/* Behind a bracket expression that begins at p. */
static const char *skip_bracket(const char *p)
{
	p++;
	p += *p == '^';
	p += *p == ']';
	while (*p && *p != ']') {
		if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
			const char *end = strchr(p + 2, p[1]);

			p = end ? end + 1 : p;
		}
		p++;
	}
	return *p ? p + 1 : p;
}

/* Behind a quantifier at p, if there is one; *optional when what it follows may be missing. */
static const char *skip_quantifier(const char *p, bool *optional)
{
	*optional = *p == '?' || *p == '*' || *p == '{';
	if (*p == '{') {
		const char *end = strchr(p, '}');

		return end ? end + 1 : p + strlen(p);
	}
	return *p == '?' || *p == '*' || *p == '+' ? p + 1 : p;
}

/* Keep the better of two: the longer its shortest literal, the less often it passes. */
static void keep_better(struct wanted *best, const struct wanted *w)
{
	if (!w->n || (best->n && w->shortest <= best->shortest))
		return;
	best->n = w->n;
	best->shortest = w->shortest;
	memcpy(best->v, w->v, w->n * sizeof *w->v);
}

static void end_run(struct wanted *best, struct wanted *run)
{
	run->n = run->v[0].len >= 2;
	run->shortest = run->v[0].len;
	keep_better(best, run);
	run->v[0].len = 0;
}

/* A sequence up to '|', ')' or the end: every part must occur, so the best one will do. */
static const char *sequence(const char *p, struct wanted *best, int depth)
{
	struct wanted *part = malloc(2 * sizeof *part), *run = part ? part + 1 : NULL;

	best->n = 0;
	if (part)
		part->n = run->v[0].len = 0;
	while (part && *p && *p != '|' && *p != ')') {
		bool optional, literal = false;
		char c = *p;

		if (c == '(') {
			p = choice(p + 1, part, depth + 1);
			p += *p == ')';
		} else if (c == '[') {
			p = skip_bracket(p);
		} else {
			if (c == '\\' && p[1]) {
				c = *++p;
				/* GNU's own escapes and back references are no letters. */
				literal = !strchr("wWsSbB<>`'123456789", c);
			} else {
				literal = !strchr(".^$", c);
			}
			p++;
		}
		p = skip_quantifier(p, &optional);
		if (literal && !optional && run->v[0].len < LITERAL)
			run->v[0].text[run->v[0].len++] = c;
		if (!literal || optional || p[-1] == '+')
			end_run(best, run);
		if (c == '(' && !literal && !optional)
			keep_better(best, part);
	}
	if (part)
		end_run(best, run);
	else
		p += strlen(p);
	free(part);
	return p;
}

/* Branches up to ')' or the end: one of them occurs, so each must give its literals. */
static const char *choice(const char *p, struct wanted *out, int depth)
{
	struct wanted *branch = depth < 16 ? malloc(sizeof *branch) : NULL;
	bool all = branch != NULL;

	out->n = 0;
	out->shortest = LITERAL;
	for (;;) {
		if (branch) {
			p = sequence(p, branch, depth);
			all &= branch->n > 0 && out->n + branch->n <= LITERALS;
		} else {
			p += strlen(p);
		}
		for (size_t i = 0; all && i < branch->n; i++)
			out->v[out->n++] = branch->v[i];
		if (all && branch->shortest < out->shortest)
			out->shortest = branch->shortest;
		if (*p != '|')
			break;
		p++;
	}
	if (!all)
		out->n = 0;
	free(branch);
	return p;
}

static uint16_t pair_of(const char *s)
{
	return (uint16_t)((unsigned char)s[0] << 8 | (unsigned char)s[1]);
}

bool filter_make(struct filter *f, const char *ere)
{
	struct wanted *w = malloc(sizeof *w); /* large: none of them is cleared */
	size_t n = 0;

	*f = (struct filter) { 0 };
	if (!w)
		return false;
	choice(ere, w, 0);
	for (size_t i = 0; i < w->n; i++)
		n += w->v[i].len + 1;
	if (n && !grow_array(&f->text, &f->cap, n, sizeof *f->text)) {
		free(w);
		return false;
	}
	for (size_t i = 0; i < w->n; i++) {
		memcpy(f->text + f->n, w->v[i].text, w->v[i].len);
		f->n += w->v[i].len;
		f->text[f->n++] = '\0';
	}
	free(w);
	return true;
}

static bool has_pairs(const struct pairs *p, const char *literal)
{
	for (; literal[1]; literal++) {
		uint16_t k = pair_of(literal);

		if (!(p->bit[k / 64] >> (k % 64) & 1))
			return false;
	}
	return true;
}

bool filter_passes(const struct filter *f, const struct pairs *p, const char *a, const char *b)
{
	for (size_t i = 0; i < f->n; i += strlen(f->text + i) + 1) {
		const char *literal = f->text + i;

		if (has_pairs(p, literal) &&
		    ((a && strstr(a, literal)) || (b && strstr(b, literal))))
			return true;
	}
	return f->n == 0;
}

void pairs_add(struct pairs *p, const char *text)
{
	for (; text[0] && text[1]; text++) {
		uint16_t k = pair_of(text);

		p->bit[k / 64] |= UINT64_C(1) << (k % 64);
	}
}

void filter_fini(struct filter *f)
{
	free(f->text);
	*f = (struct filter) { 0 };
}
