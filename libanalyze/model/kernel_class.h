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

/* What a rule says, and about a name: which rule decided. */
struct class_match {
	const char *class; /* lives as long as the table */
	size_t id;         /* of the class, for classes_name() */
	size_t rule;       /* number of the rule, the first is 1; 0 = none matched */
	const char *regex; /* its text; NULL = none matched */
};

/* The built-in table.  NULL with *d when out of memory. */
struct classes *classes_builtin(struct diag *d);

/* A table of the user's: lines "class<TAB>regex", blank lines and lines that begin with '#' skipped.
 * NULL with *d naming the line that is wrong. */
struct classes *classes_load(const char *path, struct diag *d);

/* Class of a kernel, by its full name (any decoration, mangled or not; NUL-terminated), and the rule
 * that says so; *m lives as long as *c.  False when out of memory.
 * Rules see the demangled name, without decoration, leading "void " and "(anonymous namespace)::", the
 * first 8 KiB of it; the mangled one only where it cannot be demangled.  So it does not matter which of
 * the two a trace has, or is passed.  Each distinct name is decided once, in some 10 us, and then remembered.
 * Several threads may ask the same table. */
bool classes_match(const struct classes *c, const char *name, struct class_match *m);

/* The same for those who want no more than the class; NULL when out of memory.  *rule, if not NULL,
 * is the regex that matched, or NULL. */
const char *classes_of(const struct classes *c, const char *name, const char **rule);

/* The names of the classes: each once, in the order in which the table mentions them first, and
 * CLASS_UNKNOWN last.  So there is at least one. */
size_t classes_count(const struct classes *c);

/* A class by its number, from 0 to classes_count() - 1. */
const char *classes_name(const struct classes *c, size_t id);

/* How many rules there are, at least one. */
size_t classes_rules(const struct classes *c);

/* A rule by its number, from 1 to classes_rules(). */
struct class_match classes_rule(const struct classes *c, size_t rule);

/* Free it; NULL is fine. */
void classes_free(struct classes *c);

#endif
