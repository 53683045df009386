/* SPDX-License-Identifier: MIT
 *
 * "(a|bc)def[xy]g?" cannot match without "def" or, of a choice, one literal of every branch.  Most
 * literals are ruled out by their pairs of bytes, all at once: a hundred times cheaper than to run
 * the expressions.  A pass proves nothing; a no is certain. */
#include "model/filter.h"

#include "base/base.h"
#include "model/ere.h"

#include <stdlib.h>
#include <string.h>

enum {
	LITERALS = 64,
	LITERAL = 64,
	COMPARED = 8, /* bytes of a literal: enough to tell, and a bound for hostile tables */
};

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

bool tm_filter_make(struct filter *f, const struct ere *e)
{
	struct wanted *w = malloc(sizeof *w); /* large: none of them is cleared */
	bool ok = w && choice(e, 0, w);
	size_t n = 0;

	*f = (struct filter) { 0 };
	for (size_t i = 0; ok && i < w->n; i++)
		n += w->v[i].len + 1;
	ok = ok && (!n || tm_grow_array(&f->text, &f->cap, n, sizeof *f->text));
	for (size_t i = 0; ok && i < w->n; i++) {
		memcpy(f->text + f->n, w->v[i].text, w->v[i].len);
		f->n += w->v[i].len;
		f->text[f->n++] = '\0';
	}
	free(w);
	return ok;
}

bool tm_filters_add(struct filters *f, const struct filter *one, size_t id)
{
	size_t words = f->words;

	if (!f->first)
		f->first = calloc((size_t)UINT16_MAX + 1, sizeof *f->first);
	if (!f->first || id > UINT32_MAX ||
	    !tm_grow_array(&f->always, &f->words_cap, id / 64 + 1, sizeof *f->always))
		return false;
	f->words = id / 64 + 1 > words ? id / 64 + 1 : words;
	memset(f->always + words, 0, (f->words - words) * sizeof *f->always);
	if (!one->n)
		f->always[id / 64] |= UINT64_C(1) << (id % 64);
	for (size_t i = 0; i < one->n; i += strlen(one->text + i) + 1) {
		uint32_t *first = &f->first[pair_of(one->text + i)];

		if (f->n >= UINT32_MAX - 1 ||
		    !tm_grow_array(&f->v, &f->cap, f->n + 1, sizeof *f->v))
			return false;
		f->v[f->n] = (struct filters_literal) { one->text + i, (uint32_t)id, *first };
		*first = (uint32_t)++f->n;
	}
	return true;
}

void tm_filters_find(const struct filters *f, const char *text, uint64_t *may)
{
	memcpy(may, f->always, f->words * sizeof *may);
	for (; text[0] && text[1]; text++)
		for (uint32_t i = f->first[pair_of(text)]; i; i = f->v[i - 1].next) {
			const struct filters_literal *l = &f->v[i - 1];
			size_t k = 2;

			while (k < COMPARED && l->text[k] && l->text[k] == text[k])
				k++;
			if (k == COMPARED || !l->text[k])
				may[l->id / 64] |= UINT64_C(1) << (l->id % 64);
		}
}

void tm_filters_fini(struct filters *f)
{
	free(f->first);
	free(f->v);
	free(f->always);
	*f = (struct filters) { 0 };
}

void tm_filter_fini(struct filter *f)
{
	free(f->text);
	*f = (struct filter) { 0 };
}
