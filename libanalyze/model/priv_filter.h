/* SPDX-License-Identifier: MIT
 * A quick no: most rules can be ruled out for a name without running their regular expression. */
#ifndef MODEL_PRIV_FILTER_H
#define MODEL_PRIV_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which pairs of neighbouring bytes a text has: bit (first << 8 | second). */
struct pairs {
	uint64_t bit[65536 / 64];
};

/* Literals of which a text must hold at least one to match a regular expression.  {0} rules out
 * nothing. */
struct filter {
	char *text; /* literal after literal, each ended by a NUL */
	size_t n, cap;
};

struct ere;

/* Take the literals out of an expression.  One in which no literal of two bytes must occur gives {0}.
 * False when out of memory. */
bool filter_make(struct filter *f, const struct ere *e);

/* May a text match, whose pairs p has at least?  False only when it cannot. */
bool filter_passes(const struct filter *f, const struct pairs *p, const char *text);

/* Add the pairs of a text. */
void pairs_add(struct pairs *p, const char *text);

/* Free it; {0} again. */
void filter_fini(struct filter *f);

#endif
