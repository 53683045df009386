/* SPDX-License-Identifier: MIT
 * Notes on single rows: what became slower, and likely renames of names that only one side has. */
#ifndef TM_DIFF_REMARK_H
#define TM_DIFF_REMARK_H

#include "diff/decide.h"

/* Write the notes of all pairs.  Names of one side are suggested as renamed, split or merged if
 * there is evidence; they are not matched.  False when out of memory. */
bool tm_remark(struct tm_pairs *p, const struct tm_decision *d);

#endif
