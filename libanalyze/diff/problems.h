/* SPDX-License-Identifier: MIT
 * Two sides of logs and measurements of GPU libraries compared, problem by problem: how often each
 * was called, and, where it was measured, what its calls took.
 *
 * Logs hold no times and measurements no calls, so a side may be both: time of a problem = its
 * calls * the median of its measurements.  What is not there is absent. */
#ifndef TM_DIFF_PROBLEMS_H
#define TM_DIFF_PROBLEMS_H

#include "diff/compare.h"
#include "question/question.h"

struct problems;

/* Nothing yet; `o` outlives it.  NULL when out of memory. */
struct problems *problems_open(const struct diff_opts *o);

/* All inputs are read twice, `side` 0 for A and 1 for B: first for measurements, then, those that
 * hold none, for calls.  Only name, tables and take of these are used; the accumulator is what
 * problems_open made. */
enum { PROBLEM_READINGS = 2 };
extern const struct question problems_reading[PROBLEM_READINGS];

/* Skip the source of that name in the second reading.  False when out of memory. */
bool problems_skip(struct problems *p, const char *source);

/* The answer, as diff_compare; the table has diff_columns.  `same`: the sides are one and the same,
 * which is refused, and said in *rep. */
enum status problems_compare(struct problems *p, bool same, struct table *t, struct diff_answer *a,
                             struct report *rep);

/* Free it, after the table; NULL is nothing. */
void problems_close(struct problems *p);

#endif
