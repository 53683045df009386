/* SPDX-License-Identifier: MIT
 * Does a sequence repeat, and how? */
#ifndef TM_AGG_PERIOD_H
#define TM_AGG_PERIOD_H

#include "agg/sequence.h"
#include "base/base.h"

#include <stddef.h>

/* Names i and i + length are the same for all from <= i < to - length, and not one further on
 * either side. */
struct tm_period {
	size_t length, from, to;
};

/* The shortest period that repeats at least twice in a stretch of more than half of the names of
 * *q; of several stretches the longest, then the first.  Anything may come before and after the
 * stretch (a warm-up, the end).  Takes linear time for any names, and no memory but the numbers at
 * the places of *q, which are overwritten.  TM_ST_OK; TM_ST_END when nothing repeats like that;
 * TM_ST_FATAL when there are 2^32 - 1 or more. */
enum tm_status tm_period_find(struct tm_sequence *q, struct tm_period *out);

#endif
