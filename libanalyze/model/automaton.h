/* SPDX-License-Identifier: MIT
 * Find whether a regular expression matches anywhere in a text, in one pass over any text: regexec
 * restarts at every byte, which is ten times slower, and quadratic for hostile names. */
#ifndef TM_MODEL_AUTOMATON_H
#define TM_MODEL_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ere;
struct automaton;

/* For an expression that was understood.  NULL when it is too large, or has an anchor inside, or
 * (*oom) out of memory. */
struct automaton *tm_automaton_make(const struct ere *e, bool *oom);

/* 1 = matches, 0 = does not, -1 = out of memory.  Remembers what it learns on the way, so not
 * const. */
int tm_automaton_match(struct automaton *a, const char *text);

/* Free it; NULL is fine. */
void tm_automaton_free(struct automaton *a);

#endif
