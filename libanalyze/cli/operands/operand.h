/* SPDX-License-Identifier: MIT
 * The meaning of operands: the only walk over the operands of any tool. */
#ifndef TM_CLI_OPERAND_H
#define TM_CLI_OPERAND_H

#include "cli/frame/frame.h"
#include "io/io.h"

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One operand: a path, "-", a directory, or, for tools that take them, a pattern of glob(7). */
struct operand {
	const char *path;
	uint64_t side; /* the same content on two sides counts on both: of "3=path" the number + 1,
	                * else 0, or whatever the tool tells apart */
};

/* "3=path": the path, with its number + 1 as side; otherwise the word itself. */
struct operand tm_operand_of(const char *word);

/* Is it no name of a file, but a pattern that fits some?  They are then in *g, the caller's to
 * globfree, which is {0} otherwise.  A file of that name wins: names may hold brackets. */
bool tm_operand_pattern(const char *path, glob_t *g);

/* Without operands standard input is read, but not from a terminal: false with *d. */
bool tm_operands_some(size_t n, struct tm_diag *d);

/* All files that the operands stand for, in order, into *w; `patterns`: they may be that.  What is
 * wrong with one goes to fault(arg, its place, its path, what), "-" given twice is.  False when out
 * of memory. */
bool tm_operands_walk(const struct operand *v, size_t n, bool patterns, struct tm_walk *w,
                      void (*fault)(void *arg, size_t operand, const char *path,
                                    const struct tm_diag *d),
                      void *arg);

/* Groups for tm_walk_mark_duplicates; arg is the array of operands.  By the number of "3=path", and
 * what has none may be the same as anything; by the side, and 0 is one like the others. */
uint64_t tm_operand_number(void *arg, size_t operand);
uint64_t tm_operand_side(void *arg, size_t operand);

/* What is told of a file that is there twice: w->v[file], which is the `same` ("content" or "file")
 * as another one. */
void tm_operand_twice(const struct tm_walk *w, size_t file, const char *same,
                      struct tm_report *rep);

#endif
