/* SPDX-License-Identifier: MIT
 * Compare two sides of logs and measurements of GPU libraries, problem by problem: the number of
 * calls and, if measured, their time.
 *
 * Logs contain no times and measurements no calls, so a side may have both: time of a problem = its
 * calls * the median of its measurements.  What is missing is absent. */
#ifndef TM_DIFF_PROBLEMS_H
#define TM_DIFF_PROBLEMS_H

#include "diff/compare.h"
#include "question/question.h"

struct tm_problems;

/* Create it, without inputs; `o` must outlive it.  NULL when out of memory. */
struct tm_problems *tm_problems_open(const struct tm_diff_opts *o);

/* The two readings of all inputs, `side` 0 for A and 1 for B: first for measurements; then, for
 * inputs without any, for calls.  Only `name`, `tables` and `take` are used; the accumulator is
 * what tm_problems_open made. */
enum { TM_PROBLEM_READINGS = 2 };
extern const struct tm_question tm_problems_reading[TM_PROBLEM_READINGS];

/* Skip the source of that name in the second reading.  False when out of memory. */
bool tm_problems_skip(struct tm_problems *p, const char *source);

/* The answer, as tm_diff_compare; the table has tm_diff_columns. `same`: both sides are the same,
 * which is refused with an error in *rep. */
enum tm_status tm_problems_compare(struct tm_problems *p, bool same, struct tm_table *t,
                                   struct tm_diff_answer *a, struct tm_report *rep);

/* Free it, after the table; NULL is nothing. */
void tm_problems_close(struct tm_problems *p);

#endif
