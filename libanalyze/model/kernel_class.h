/* SPDX-License-Identifier: MIT
 * The class of a kernel, decided by its name and an ordered table of POSIX extended regular
 * expressions: first match wins.  The built-in table is schemas/kernel_classes.tsv. */
#ifndef TM_MODEL_KERNEL_CLASS_H
#define TM_MODEL_KERNEL_CLASS_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_classes;

/* Class of a name that no rule matches. */
#define TM_CLASS_UNKNOWN "other"

/* The part of a name that decided: more and more of it is used until a rule matches. */
enum tm_class_seen {
	TM_SEEN_FUNCTION,  /* what the function calls itself */
	TM_SEEN_SCOPE,     /* with the namespaces around it */
	TM_SEEN_ARGUMENTS, /* with its template arguments */
	TM_SEEN_N,
};

/* A rule and its class; for a name, the rule that decided. */
struct tm_class_match {
	const char *class_name; /* lives as long as the table */
	size_t id;              /* of the class, for tm_classes_name() */
	size_t rule;            /* number of the rule, the first is 1; 0 = none matched */
	const char *regex;      /* its text; NULL = none matched */
	enum tm_class_seen seen;
};

/* Doubt that a kernel belongs to its class. */
struct tm_class_doubt {
	const char *class_name; /* which it may be; or, if that is what it has, may not be; NULL =
	                           no doubt */
	const char *reason;     /* both live as long as the table */
};

/* The built-in table.  NULL with *d when out of memory. */
struct tm_classes *tm_classes_builtin(struct tm_diag *d);

/* A table of the user's: lines "class<TAB>regex", "class<TAB>regex<TAB>inside" and
 * "?class<TAB>regex<TAB>reason" ("??class": only of kernels that no rule knows), blank lines and
 * lines that begin with '#' skipped.  NULL with *d naming the line that is wrong. */
struct tm_classes *tm_classes_load(const char *path, struct tm_diag *d);

/* Class of a kernel, by its full name (any decoration, mangled or not; NUL-terminated), and the
 * rule that decided; *m lives as long as *c.  False when out of memory.  A rule is matched against
 * the function's own name, demangled; a rule with "::" also against its namespaces, one with "<"
 * also against its template arguments.  If none matches, all are matched against the namespaces,
 * too, then the template arguments; none ever sees the types of the arguments.  A rule marked
 * "inside" is for functions that carry work in their template arguments: if a rule below it matches
 * these, that one decides.  See tracemill-classes(5).  Of each text the first 8 KiB are used; a
 * mangled name only if it cannot be demangled: so it does not matter which of the two a trace has,
 * or is passed.  Each distinct name is decided once, in some 10 us, and then remembered.  Several
 * threads may use the same table. */
bool tm_classes_match(const struct tm_classes *c, const char *name, struct tm_class_match *m);

/* Is there doubt about a kernel with that match?  There is if a rule "?class" matches its name; the
 * first counts.  False when out of memory. */
bool tm_classes_doubt(const struct tm_classes *c, const char *name, const struct tm_class_match *m,
                      struct tm_class_doubt *doubt);

/* As tm_classes_match(), but returns only the class; NULL when out of memory.  *rule, if not NULL,
 * is the regex that matched, or NULL. */
const char *tm_classes_of(const struct tm_classes *c, const char *name, const char **rule);

/* Number of classes: each counts once, in the order of their first mention in the table, and
 * TM_CLASS_UNKNOWN last.  At least one. */
size_t tm_classes_count(const struct tm_classes *c);

/* A class by its number, from 0 to tm_classes_count() - 1. */
const char *tm_classes_name(const struct tm_classes *c, size_t id);

/* How many rules there are, at least one. */
size_t tm_classes_rules(const struct tm_classes *c);

/* A rule by its number, from 1 to tm_classes_rules(). */
struct tm_class_match tm_classes_rule(const struct tm_classes *c, size_t rule);

/* Free it; NULL is fine. */
void tm_classes_free(struct tm_classes *c);

#endif
