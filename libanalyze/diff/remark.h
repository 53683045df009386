/* SPDX-License-Identifier: MIT
 * What there is to say of single rows: what became slower, and what a name that only one side has
 * may be. */
#ifndef TM_DIFF_REMARK_H
#define TM_DIFF_REMARK_H

#include "diff/decide.h"

/* Write the notes of all pairs.  Names of one side are offered as renamed, split or put together
 * where the evidence says so; nothing is joined.  False when out of memory. */
bool tm_remark(struct tm_pairs *p, const struct tm_decision *d);

#endif
