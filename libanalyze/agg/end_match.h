/* SPDX-License-Identifier: MIT
 * Match the collectives of two processes whose clocks may be hours apart and whose traces may each
 * lack some.
 *
 * All participants leave a collective together, so ends are compared: the distances between them
 * are alike in both lists.  Lists of equal length are matched in order.  Otherwise, or if that does
 * not fit, the distances around each end are searched in the other list, and the clock offset that
 * most of them suggest is used. */
#ifndef TM_AGG_END_MATCH_H
#define TM_AGG_END_MATCH_H

#include "agg/line_fit.h"
#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A collective of one process; lists of them are sorted by end. */
struct tm_end_op {
	uint64_t start, end;
	uint64_t seq; /* its number in its communicator, UINT64_MAX = not known */
};

struct tm_end_match {
	struct tm_line_fit fit;
	uint64_t matched;          /* collectives that both have */
	uint64_t looked, together; /* of those pairs that were looked at these run at the same time,
	                            * once the clocks are one */
	bool loose; /* ends are no closer than starts: they may not be of one collective */
};

enum {
	TM_END_FEWEST = 8, /* collectives that a match takes, */
	TM_END_SURE = 3,   /* and that it takes where a communicator is known */
};

/* What a match needs. */
struct tm_end_rule {
	size_t fewest; /* pairs */
	size_t clocks; /* as tm_line_fit takes them */
};

/* Pairs of several matches; {0} before. */
struct tm_end_pairs {
	struct tm_fit_pair *v;
	size_t n, cap;
};

/* Match n ends of clock a with m of clock b, and append the pairs to *pairs.  TM_ST_OK; TM_ST_SKIP
 * when they do not match, or a match shifted by some places cannot be ruled out; TM_ST_FATAL when
 * out of memory. */
enum tm_status tm_end_match(struct tm_end_match *r, const struct tm_end_op *a, size_t n,
                            const struct tm_end_op *b, size_t m, struct tm_end_rule rule,
                            struct tm_end_pairs *pairs);

/* The same along a line that is already known, `first`: pairs are the ends nearest to one another.
 * TM_ST_SKIP also when there are no more pairs than by chance, or when another line has nearly as
 * many. */
enum tm_status tm_end_match_along(struct tm_end_match *r, const struct tm_end_op *a, size_t n,
                                  const struct tm_end_op *b, size_t m, struct tm_end_rule rule,
                                  const struct tm_line_fit *first, struct tm_end_pairs *pairs);

/* Fit one line to all pairs of several matches; sorts the pairs. */
enum tm_status tm_end_match_all(struct tm_end_match *r, size_t clocks, struct tm_end_pairs *pairs);

#endif
