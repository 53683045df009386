/* SPDX-License-Identifier: MIT
 * What cannot be compared: an empty side, a run that was not read completely, the same run twice,
 * different GPUs, nothing in common.  The answer would reflect that, not time. */
#ifndef TM_DIFF_REFUSE_H
#define TM_DIFF_REFUSE_H

#include "diff/pair.h"

struct tm_refusal {
	bool any;     /* an error is in the report */
	bool partial; /* and the only reason is that a run is not whole: rows may be shown */
	bool same;    /* a run is compared with itself, which is allowed */
	char *why;    /* the first reason, or NULL */
};

/* Look for reasons; those that o->allow names are notes in *rep, the others errors.  *r is empty.
 * False when out of memory. */
bool tm_refuse(struct tm_refusal *r, const struct tm_pairs *kernels, struct tm_report *rep);

#endif
