/* SPDX-License-Identifier: MIT
 *
 * "(a|bc)def[xy]g?" cannot match without "def" or, of a choice, one literal of every branch.  Most
 * literals are ruled out by their pairs of bytes, the others are searched for: a hundred times cheaper than
 * to run the expression.  A pass proves nothing; a no is certain. */
#include "model/priv_filter.h"

#include "base/buf.h"
#include "model/priv_ere.h"

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

static bool choice(const struct ere *e, uint32_t at, struct wanted *out);

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

/* Every item must occur, so the best one will do.  False when out of memory. */
static bool branch(const struct ere *e, uint32_t at, struct wanted *best)
{
	struct wanted *part = malloc(2 * sizeof *part), *run = part ? part + 1 : NULL;
	bool ok = part != NULL;

	best->n = 0;
	if (part)
		run->v[0].len = 0;
	for (at = e->node[at].child; ok && at; at = e->node[at].next) {
		const struct ere_node *node = &e->node[at];
		bool literal = node->kind == ERE_SYMBOL && node->value < ERE_BEGIN && node->min;

		if (literal && run->v[0].len < LITERAL)
			run->v[0].text[run->v[0].len++] = (char)node->value;
		if (!literal || node->max > 1)
			end_run(best, run);
		if (node->kind == ERE_CHOICE && node->min) {
			ok = choice(e, at, part);
			keep_better(best, part);
		}
	}
	if (ok)
		end_run(best, run);
	free(part);
	return ok;
}

/* One of the branches occurs, so each must give its literals.  False when out of memory. */
static bool choice(const struct ere *e, uint32_t at, struct wanted *out)
{
	struct wanted *w = malloc(sizeof *w);
	bool ok = w != NULL, all = true;

	out->n = 0;
	out->shortest = LITERAL;
	for (at = e->node[at].child; ok && all && at; at = e->node[at].next) {
		ok = branch(e, at, w);
		all = ok && w->n && out->n + w->n <= LITERALS;
		for (size_t i = 0; all && i < w->n; i++)
			out->v[out->n++] = w->v[i];
		if (all && w->shortest < out->shortest)
			out->shortest = w->shortest;
	}
	if (!all)
		out->n = 0;
	free(w);
	return ok;
}

static uint16_t pair_of(const char *s)
{
	return (uint16_t)((unsigned char)s[0] << 8 | (unsigned char)s[1]);
}

bool filter_make(struct filter *f, const struct ere *e)
{
	struct wanted *w = malloc(sizeof *w); /* large: none of them is cleared */
	bool ok = w && choice(e, 0, w);
	size_t n = 0;

	*f = (struct filter) { 0 };
	for (size_t i = 0; ok && i < w->n; i++)
		n += w->v[i].len + 1;
	ok = ok && (!n || grow_array(&f->text, &f->cap, n, sizeof *f->text));
	for (size_t i = 0; ok && i < w->n; i++) {
		memcpy(f->text + f->n, w->v[i].text, w->v[i].len);
		f->n += w->v[i].len;
		f->text[f->n++] = '\0';
	}
	free(w);
	return ok;
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

bool filter_passes(const struct filter *f, const struct pairs *p, const char *text)
{
	for (size_t i = 0; i < f->n; i += strlen(f->text + i) + 1)
		if (has_pairs(p, f->text + i) && strstr(text, f->text + i))
			return true;
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
