/* SPDX-License-Identifier: MIT
 * What sort of work does a kernel do?  Decided by its name, by an ordered table of POSIX extended
 * regular expressions: first match wins.  The built-in table is schemas/kernel_classes.tsv. */
#ifndef MODEL_KERNEL_CLASS_H
#define MODEL_KERNEL_CLASS_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct classes;

/* Class of a name that no rule matches. */
#define CLASS_UNKNOWN "other"

/* The built-in table.  NULL with *d when out of memory. */
struct classes *classes_builtin(struct diag *d);

/* A table of the user's: lines "class<TAB>regex", blank lines and lines that begin with '#' skipped.
 * NULL with *d naming the line that is wrong. */
struct classes *classes_load(const char *path, struct diag *d);

/* Class of a kernel, by its full name (any decoration, mangled or not; NUL-terminated).  Lives as
 * long as *c; NULL when out of memory.  *rule, if not NULL, is the regex that matched, or NULL.
 * Rules see the demangled and the mangled spelling, without decoration, leading "void " and
 * "(anonymous namespace)::", the first 8 KiB of each.  Takes some 50 us: ask once per name.  Several
 * threads may ask the same table. */
const char *classes_of(const struct classes *c, const char *name, const char **rule);

/* Free it; NULL is fine. */
void classes_free(struct classes *c);

#endif
