/* SPDX-License-Identifier: MIT
 * Rules for a run, as people write them:
 *
 *     # the launch path keeps up
 *     gaps.launch_pct < 1
 *     top["Cijk_*"].avg_us < 30 us
 *     timeline(--per rank -w 50%..100%)[rank=3].idle_pct <= baseline * 1.03 + 0.5 %
 *
 * A rule is a name of `kstats summary`, or a table with the options of its command, the selected
 * rows and a column; then an operator and a bound. */
#ifndef TM_CHECK_RULES_H
#define TM_CHECK_RULES_H

#include "check/units.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tm_rule_op { TM_OP_LT, TM_OP_LE, TM_OP_GT, TM_OP_GE, TM_OP_EQ, TM_OP_NE };
extern const char *const tm_rule_op_words[]; /* "<" ... */

/* Selects the rows in which a column matches a pattern. */
struct tm_rule_select {
	char *column; /* NULL = the one that names the rows */
	char *glob;   /* * and ?, \ takes the next byte as it is */
};

struct tm_rule {
	const char *origin; /* where it stands: a file, a preset, or NULL = the command line;
	                       borrowed */
	uint64_t line;      /* of the file, 1-based; 0 = none */
	char *text;         /* as written, without blanks around it */
	char *ref;          /* what is left of the operator */
	char *table;        /* "top", "libperf.compare"; "" of a name without a dot */
	char *options;      /* what stands in parentheses after it; NULL = none */
	struct tm_rule_select *select; /* nselect of them; all have to fit */
	size_t nselect;
	char *column; /* "avg_us" */
	bool plain;   /* neither options nor rows: `ref` may be a name of the summary */
	size_t at;    /* byte of the line where it begins, 1-based */
	enum tm_rule_op op;
	const struct tm_check_unit *unit; /* of the column as the rule names it, or NULL */
	/* The bound is baseline * factor + offset, offset in the smallest unit of the family. */
	bool baseline; /* there is one */
	struct tm_decimal factor, offset;
};

/* {0} is a valid empty list. */
struct tm_rules {
	struct tm_rule *v;
	size_t n, cap;
};

/* Add the rules of a text, one a line; from # to the end of a line is a comment. `origin` is
 * borrowed; NULL: it is one rule of the command line.  Each line that is not a rule is an error in
 * *rep, with the byte where parsing failed.  False when out of memory. */
bool tm_rules_parse(struct tm_rules *r, const char *origin, const char *text, size_t n,
                    struct tm_report *rep);

/* An error about a rule, with its place. */
void tm_rule_error(const struct tm_rule *r, struct tm_report *rep, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Does all of s[0..n) match the pattern? */
bool tm_rule_glob(const char *glob, const char *s, size_t n);

/* Free it; {0} again. */
void tm_rules_fini(struct tm_rules *r);

#endif
