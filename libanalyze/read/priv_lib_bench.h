/* SPDX-License-Identifier: MIT
 * Inside of the reader of measurements: lines of text and their fields. */
#ifndef READ_PRIV_LIB_BENCH_H
#define READ_PRIV_LIB_BENCH_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields of a line, in a text that they point into. */
struct fields {
	struct buf text;
	struct field_of_line {
		const char *p;
		uint32_t n;
	} * v;
	size_t n, cap;
};

/* Cut a line into fields, blanks and quotes taken off, "(1,0)" being one; the text is a copy.  False when out
 * of memory. */
bool fields_cut(struct fields *f, const char *line, size_t n);

/* The same fields? */
bool fields_same(const struct fields *a, const struct fields *b);

/* Is that the field? */
bool field_is(const struct field_of_line *f, const char *name);

/* Is it one of them? */
bool fields_have(const struct fields *f, const char *name);

/* A blank or a tab. */
bool text_blank(char c);

/* p[0..n) begins with the text. */
bool text_begins(const char *p, size_t n, const char *text);

/* Blanks off both ends. */
void text_trim(const char **p, size_t *n);

/* Where the text stands in p[0..n), or NULL. */
const char *text_find(const char *p, size_t n, const char *text);

/* How many c are in p[0..n). */
size_t text_count(const char *p, size_t n, char c);

/* The whole number at p, and where it ends; NULL when there is none. */
const char *text_number(const char *p, const char *end, uint64_t *v);

/* A number, or what stands where one should and there is none ("nan", "N/A"). */
bool text_numberish(const char *p, size_t n);

/* "[1]:transA,...": the number, and *p behind it; 0 where there is none. */
uint64_t text_strip_number(const char **p, size_t *n);

enum { VALUES_COMMAS = 8 }; /* a line of so many, and more, may be values */

/* "T,N,..." with so many commas: how the values of a matrix product begin. */
bool text_like_values(const char *p, size_t n);

#endif
