/* SPDX-License-Identifier: MIT
 * A quick filter: most rules can be ruled out for a name without running their regular
 * expression. */
#ifndef TM_MODEL_FILTER_H
#define TM_MODEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Literals of which a text must hold at least one to match a regular expression.  {0} rules out
 * nothing. */
struct filter {
	char *text; /* literal after literal, each ended by a NUL */
	size_t n, cap;
};

struct ere;

/* Take the literals out of an expression.  One in which no literal of two bytes must occur gives
 * {0}. False when out of memory. */
bool tm_filter_make(struct filter *f, const struct ere *e);

/* The literals of many filters, found in one pass over a text. */
struct filters {
	uint32_t
	        *first; /* by pair of bytes: the first literal that begins so, plus one; 0 = none */
	struct filters_literal {
		const char *text;
		uint32_t id, next;
	} * v; /* n of them */
	size_t n, cap;
	uint64_t *always; /* ids whose filter rules out nothing, a bit each */
	size_t words, words_cap;
};

/* Add a filter, which must outlive the index, under a number.  False when out of memory. */
bool tm_filters_add(struct filters *f, const struct filter *one, size_t id);

/* Set may[id / 64] >> (id % 64) & 1 of every filter that the text passes, in f->words words.  A
 * filter it does not pass cannot match. */
void tm_filters_find(const struct filters *f, const char *text, uint64_t *may);

/* Free it; {0} again. */
void tm_filters_fini(struct filters *f);

/* Free it; {0} again. */
void tm_filter_fini(struct filter *f);

#endif
