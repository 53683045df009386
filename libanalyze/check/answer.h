/* SPDX-License-Identifier: MIT
 * The results of all rules, and how they are shown. */
#ifndef TM_CHECK_ANSWER_H
#define TM_CHECK_ANSWER_H

#include "check/values.h"

#include <stdbool.h>
#include <stddef.h>

/* First the inputs that cannot be judged, then a result for each rule, in the order of the
 * rules. */
struct tm_check_answer {
	struct tm_check_result *v;
	size_t n, cap;
	size_t rules, of[TM_CHECK_VERDICTS]; /* rules, and results of each verdict */
	const char *version;
};

/* One more result, empty; NULL when out of memory.  Valid until the next is added. */
struct tm_check_result *tm_check_add(struct tm_check_answer *a);

/* Count the verdicts, when all are there. */
void tm_check_count(struct tm_check_answer *a);

/* 0: all rules hold; 1: one does not; 2: one cannot be judged, or an input. */
int tm_check_status(const struct tm_check_answer *a);

/* The word for it: pass, fail, inconclusive. */
const char *tm_check_word(const struct tm_check_answer *a);

/* "2 of 6 rules failed, 1 has no value": one line without its end.  "verdict: WORD key=value ...",
 * the same for scripts. False when out of memory. */
bool tm_check_put_words(struct tm_buf *b, const struct tm_check_answer *a);
bool tm_check_put_line(struct tm_buf *b, const struct tm_check_answer *a);

/* Write the answer to *t (initialized here, freed by the caller; texts belong to the answer): a row
 * for each result, in order, and the verdict as the last.  False when out of memory. */
bool tm_check_table(struct tm_table *t, const struct tm_check_answer *a);
extern const struct tm_column tm_check_columns[];

/* The name of a result in reports that are compared over time: the value's name, and what
 * distinguishes it from other rules about the same value.  False when out of memory. */
bool tm_check_put_id(struct tm_buf *b, const struct tm_check_answer *a, size_t i);

/* "41.2 us, not < 30 us: NAME" or why there is no value: one line, of hostile bytes.  False when
 * out of memory. */
bool tm_check_put_message(struct tm_buf *b, const struct tm_check_result *r);

/* Indices of the results, worst first; freed by the caller, NULL when out of memory. */
size_t *tm_check_order(const struct tm_check_answer *a);

/* How text may look. */
struct tm_check_look {
	unsigned width;   /* columns of the terminal */
	bool utf8, color; /* it takes these */
};

/* "30 us": one of the result's numbers with its unit.  False when out of memory. */
bool tm_check_put_number(struct tm_buf *b, const struct tm_check_result *r,
                         const struct tm_buf *number);

/* One output format: one file check/<id>.c and one line in check/formats.def. */
struct tm_check_format {
	const char *name;  /* what -f takes */
	const char *about; /* one clause */
	/* Append all of it; false when out of memory. */
	bool (*render)(struct tm_buf *out, const struct tm_check_answer *a,
	               const struct tm_check_look *look);
};

/* All of them, ending with NULL. */
extern const struct tm_check_format *const tm_check_formats[];

/* Free it; {0} again. */
void tm_check_answer_fini(struct tm_check_answer *a);

#endif
