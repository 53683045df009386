/* SPDX-License-Identifier: MIT
 * Rules applied to tables: which rows are selected, their values, and whether these are within the
 * bound. */
#ifndef TM_CHECK_VALUES_H
#define TM_CHECK_VALUES_H

#include "check/rules.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/* From best to worst. */
enum tm_check_verdict {
	TM_CHECK_PASS,
	TM_CHECK_FAIL,
	TM_CHECK_ABSENT, /* or it depends on what the input leaves open */
	TM_CHECK_ERROR,
	TM_CHECK_VERDICTS
};
extern const char
        *const tm_check_verdict_words[]; /* "pass", "fail", "absent", "error"; ends with NULL */

/* A rule, and where its value is found. */
struct tm_check_ask {
	const struct tm_rule *rule;
	const struct tm_column *column;   /* of the table */
	const char *metric;               /* of the summary: its row; NULL = as the rule selects */
	const struct tm_check_unit *unit; /* what the column, or that row, is in; NULL = none */
	const struct tm_column *weight; /* the worst of the rows that violate the rule is that with
	                                   * most of it; NULL = that furthest beyond the bound */
};

/* The result of one rule, or of an input that cannot be judged (rule NULL).  Numbers are decimals
 * in the unit of the rule, empty if there are none. */
struct tm_check_result {
	const struct tm_rule *rule;
	const char *ref; /* the value's name: that of the rule, or "(input)", "(baseline)" */
	enum tm_check_verdict verdict;
	struct tm_buf value;         /* of the row that is worst, or nearest to the bound */
	struct tm_buf bound;         /* of that row */
	struct tm_buf baseline;      /* of that row */
	struct tm_buf row;           /* its name, where the rule means several */
	struct tm_buf reason;        /* absent, error: why; of hostile bytes */
	bool whole;                  /* it says, too, that there is no value */
	size_t at;                   /* the row of `value`, if that is not empty */
	size_t rows, failed, absent; /* that the rule means, that break it, that have no value */
};

/* Apply one rule to the table, and to that of the baseline if the rule uses it (else NULL).  *out
 * must be empty.  False when out of memory. */
bool tm_check_value(struct tm_check_result *out, const struct tm_check_ask *ask,
                    const struct tm_table *now, const struct tm_table *base);

enum tm_check_row { TM_CHECK_ROW_OTHER, TM_CHECK_ROW_MEANT, TM_CHECK_ROW_WORST };

/* For a rule without baseline: which rows are selected, and which of them violate it about as much
 * as the worst one, with at least half of its weight, or without one of its value, or at most twice
 * that if less is worse.  Sets
 * kind[now->nrows] (enum tm_check_row) and *worst, the worst row; SIZE_MAX if none violates the
 * rule.  False when out of memory. */
bool tm_check_rows(const struct tm_check_ask *ask, const struct tm_table *now, unsigned char *kind,
                   size_t *worst);

/* Free it; {0} again. */
void tm_check_result_fini(struct tm_check_result *r);

#endif
