/* SPDX-License-Identifier: MIT
 * Texts of annotations without their numbers: "ProfilerStep#3" is "ProfilerStep#*" and 3.
 *
 * Numbers that stand alone count steps, requests and batches, and each would be a row of its own.
 * Digits next to a letter are part of a name ("conv2d", "fp16"). */
#ifndef TM_STACK_FOLD_H
#define TM_STACK_FOLD_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* The next standalone number of a text, from *at on: its digits are [*at, *at + *len).  False when
 * there is none. */
bool tm_fold_next(const char *text, size_t n, size_t *at, size_t *len);

/* Set *out to the text with '*' in place of each such number.  False when out of memory. */
bool tm_fold(struct tm_buf *out, const char *text, size_t n);

/* The least and the greatest of the numbers that a '*' stands for; {0} = none yet.  The digits are
 * borrowed from the texts: numbers have any length. */
struct tm_fold_range {
	const char *lo, *hi;
	size_t lo_len, hi_len;
};

/* Include one more number. */
void tm_fold_widen(struct tm_fold_range *r, const char *digits, size_t len);

/* Append "3", or "3..7" if they differ; after a blank if *out is not empty. */
void tm_fold_put(struct tm_buf *out, const struct tm_fold_range *r);

/* Ranges of many texts. */
struct tm_fold_ranges {
	struct tm_fold_range *v;
	size_t n, cap;
};

/* Add ranges for a folded text, one for each '*' in it (some may be from the original text): [*at,
 * *at + *count) of r->v.  False when out of memory. */
bool tm_fold_ranges_add(struct tm_fold_ranges *r, const char *folded, size_t n, size_t *at,
                        size_t *count);

/* Include the numbers of a text that folds to that one in `count` ranges from `at` on. */
void tm_fold_ranges_widen(struct tm_fold_ranges *r, size_t at, size_t count, const char *text,
                          size_t n);

/* Free it; {0} again. */
void tm_fold_ranges_fini(struct tm_fold_ranges *r);

#endif
