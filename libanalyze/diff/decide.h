/* SPDX-License-Identifier: MIT
 * Which time decides, and is it another one on the other side? */
#ifndef TM_DIFF_DECIDE_H
#define TM_DIFF_DECIDE_H

#include "diff/pair.h"

/* The deciding time of a side is sum / units: a mean over agents, their steps, and runs. */
struct decision {
	enum diff_on on;   /* never ON_AUTO */
	enum budget_of of; /* which of the sums it is; of no meaning with ON_KERNEL */
	u128 sum[SIDES];
	uint64_t units[SIDES];
	uint64_t ns[SIDES]; /* sum / units, rounded */
	double change;      /* of the means, as a share of A's */
	double floor;       /* that was asked for */
	bool few;           /* measured so seldom that there is no test: twice the floor */
	size_t n[SIDES];    /* values that were compared */
	struct significance test;
	enum verdict verdict;
	double excess; /* of a regression: by what share it is slower; of kernels, the worst of them
	                */
	/* ON_KERNEL */
	size_t slower, faster, tested, added, removed;
	const struct pair *most; /* that with the largest established effect; or NULL */
};

/* Decide by the kernels of both sides.  ST_OK; ST_END when what o->on asks for is not there, which
 * is an error in *rep; ST_FATAL when out of memory. */
enum status decide(struct decision *d, const struct pairs *kernels, struct report *rep);

/* Nanoseconds of B less those of A. */
static inline int64_t decision_delta(const struct decision *d)
{
	return (int64_t)(d->ns[SIDE_B] - d->ns[SIDE_A]);
}

#endif
