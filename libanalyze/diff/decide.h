/* SPDX-License-Identifier: MIT
 * Choose the deciding time, and test whether it differs between the sides. */
#ifndef TM_DIFF_DECIDE_H
#define TM_DIFF_DECIDE_H

#include "diff/length.h"
#include "diff/pair.h"

/* The deciding time of a side is sum / units: a mean over agents, their steps, and runs. */
struct tm_decision {
	enum tm_diff_on on;   /* never TM_ON_AUTO */
	enum tm_budget_of of; /* which of the sums it is; of no meaning with TM_ON_KERNEL */
	tm_u128 sum[TM_SIDES];
	uint64_t units[TM_SIDES];
	uint64_t ns[TM_SIDES]; /* sum / units, rounded */
	double change;         /* of the means, as a share of A's */
	double floor;          /* that was asked for */
	bool few;              /* measured so seldom that there is no test: twice the floor */
	bool apart;            /* the test finds nothing, but so far apart are the sides */
	size_t n[TM_SIDES];    /* values that were compared */
	struct tm_significance test;
	enum tm_verdict verdict;
	double excess; /* of a regression: by what share it is slower; of kernels, the worst of them
	                */
	/* Not of TM_ON_STEPS, nor where the user says that the window decides.  Where B may be a
	 * run of another length, the verdict and `excess` hold for all lengths. */
	struct tm_length length;
	/* TM_ON_KERNEL: units are runs */
	size_t slower, faster, tested, added, removed;
	double together; /* by what share all kernels are surely slower, be B as long as A or not */
	const struct tm_pair *most; /* that with the largest established effect; or NULL */
};

/* Decide by the kernels of both sides.  TM_ST_OK; TM_ST_END with an error in *rep when the runs
 * lack what o->on asks for; TM_ST_FATAL when out of memory. */
enum tm_status tm_decide(struct tm_decision *d, const struct tm_pairs *kernels,
                         struct tm_report *rep);

/* The longer over the shorter, less 1. */
static inline double tm_decision_size(const struct tm_decision *d)
{
	return d->change < 0 ? 1 / (1 + d->change) - 1 : d->change;
}

/* Nanoseconds of B less those of A. */
static inline int64_t tm_decision_delta(const struct tm_decision *d)
{
	return (int64_t)(d->ns[TM_SIDE_B] - d->ns[TM_SIDE_A]);
}

#endif
