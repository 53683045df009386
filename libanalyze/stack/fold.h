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

/* The next number of a text that stands alone, from *at on: its digits are [*at, *at + *len).
 * False when there is none. */
bool tm_fold_next(const char *text, size_t n, size_t *at, size_t *len);

/* The text with '*' in place of each of them, instead of what is in *out.  False when out of
 * memory. */
bool tm_fold(struct tm_buf *out, const char *text, size_t n);

/* The least and the greatest of the numbers that a '*' stands for; {0} = none yet.  The digits are
 * those of the texts themselves, borrowed: numbers have any length. */
struct tm_fold_range {
	const char *lo, *hi;
	size_t lo_len, hi_len;
};

/* One number more. */
void tm_fold_widen(struct tm_fold_range *r, const char *digits, size_t len);

/* Append "3", or "3..7" where they differ; what is there already is followed by a blank. */
void tm_fold_put(struct tm_buf *out, const struct tm_fold_range *r);

/* Those of many texts. */
struct tm_fold_ranges {
	struct tm_fold_range *v;
	size_t n, cap;
};

/* Room for the numbers of one more folded text, one for each '*' in it (it may have some of its
 * own): they are [*at, *at + *count) of r->v.  False when out of memory. */
bool tm_fold_ranges_add(struct tm_fold_ranges *r, const char *folded, size_t n, size_t *at,
                        size_t *count);

/* The numbers of a text that became that one, for `count` ranges from `at` on. */
void tm_fold_ranges_widen(struct tm_fold_ranges *r, size_t at, size_t count, const char *text,
                          size_t n);

/* Free it; {0} again. */
void tm_fold_ranges_fini(struct tm_fold_ranges *r);

#endif
