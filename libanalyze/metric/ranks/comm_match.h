/* SPDX-License-Identifier: MIT
 * Match the kernels of different ranks that are one collective, and find which rank came last and
 * how long the others waited.
 *
 * A collective is a kernel of class comm.  If the trace names communicators (in the kernel itself,
 * or in a log of RCCL whose n-th call is the n-th kernel of the rank), kernels of a communicator
 * match that have the same number, or the n-th where kernels themselves have none; otherwise the
 * n-th of each agent by start, which is right for a job with one communicator, and if all ranks
 * have the same order.  The method is reported.
 *
 * A send is matched with a receive where both ranks of a communicator of two are here, and then the
 * n-th of one way.  Of larger ones it is not known who sends to whom, so these are rows of their
 * own, and have no bandwidth.
 *
 * Arrival needs comparable clocks.  A collective ends on no rank before all have arrived, so on
 * comparable clocks all its kernels overlap: if hardly any do, the clocks (or the matching) cannot
 * be trusted, and arrival is not reported.  Differences below the error of the clocks do not count:
 * 0 if ranks share a clock; that of the alignment if clocks were aligned; else the median
 * difference of the ends of a collective, which should be equal. */
#ifndef TM_METRIC_COMM_MATCH_H
#define TM_METRIC_COMM_MATCH_H

#include "metric/ranks/ranks.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one agent had to do with a collective. */
struct comm_part {
	const struct tm_work_track *track;
	size_t at;             /* in track->op[TM_WORK_COMM] */
	uint64_t arrival, end; /* on the common clock */
	uint64_t dur;          /* as recorded */
};

/* A collective: the n-th of its communicator. */
struct comm_row {
	const struct comm_part
	        *part;  /* members of them, by rank and agent; good until the next row */
	size_t members; /* agents on which it starts inside the window */
	bool cut;       /* on others it starts outside */
	/* agents on which it started before the window and runs on inside, likewise; not counted,
	 * but their time inside is time all the same */
	const struct comm_part *before;
	size_t nbefore;
	size_t place;               /* n, from 0 */
	bool pair;                  /* of two ranks: one sends, the other receives; and of these */
	bool alone;                 /* one whose other half is not known */
	bool lacking;               /* other agents have no such kernel: they may have been last */
	const struct tm_name *name; /* of the call, else of the kernel */
	bool called, names_differ;
	bool blind;  /* clocks cannot be compared, so that nothing says whether it is one */
	bool uneven; /* agents have unlike numbers of them: they may not belong together */
	const struct tm_name *comm; /* NULL = not known, or they differ */
	uint64_t comm_ranks;        /* ranks of the communicator, 0 = not known */
	bool sized;                 /* bytes are known and everywhere the same; bandwidth is
	                             * bytes * num / den / ns, with den 0 where that is not known */
	uint64_t bytes, num, den;
	uint64_t shortest, longest; /* durations */
	/* Of arrivals, where clocks can be compared, and there are two agents whose kernels overlap
	 * as far as the clocks tell: */
	bool compared;
	uint64_t skew; /* last less first, */
	bool skewed;   /* which is more than the clocks may be off, or exact */
	bool has_last; /* one rank came last, beyond doubt */
	bool tie;      /* several came last at the same time; else this one did, as far as it was
	                  measured: */
	uint64_t last_rank, last_arrival;
};

struct comm_match;

/* Settles what was kept with tm_ranks_init(.match), and matches.  NULL when out of memory. */
struct comm_match *tm_comm_match_new(struct ranks *r);
void tm_comm_match_free(struct comm_match *m); /* NULL is fine */

/* Is there any kernel inside the window? */
bool tm_comm_match_any(const struct comm_match *m);

/* From here on rows without members, too, of which something runs on inside the window. */
void tm_comm_match_reach(struct comm_match *m);

/* The next one, by communicator and place; false after the last.  It has members, but for those of
 * tm_comm_match_reach. */
bool tm_comm_match_next(struct comm_match *m, struct comm_row *row);

/* How far the clocks of two members of the row may be apart: as above, but where that is a guess no
 * less than their ends are apart. */
uint64_t tm_comm_match_error(const struct comm_match *m, const struct comm_part *a,
                             const struct comm_part *b);

/* Do the kernels of collectives overlap, so that clocks can be compared? */
bool tm_comm_match_clocks(const struct comm_match *m);

/* How it was done and what speaks against it, as notes; after the last row. */
void tm_comm_match_tell(const struct comm_match *m, struct tm_report *rep);

/* bytes * num / den / ns as a cell; absent where a part of that does not fit, or ns is 0. */
struct tm_cell tm_comm_bandwidth(tm_u128 bytes, uint64_t num, uint64_t den, tm_u128 ns);

#endif
