/* SPDX-License-Identifier: MIT
 * Sums of collectives, by what they are and by rank. */
#ifndef TM_METRIC_COLLECTIVES_PARTS_H
#define TM_METRIC_COLLECTIVES_PARTS_H

#include "agg/agg.h"
#include "metric/ranks/comm_match.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The collectives of one row. */
struct sum {
	uint64_t count, members, comm_ranks;
	uint64_t comm; /* its name in sums.names, + 1; 0 = not known */
	tm_u128 total, exposed, bytes, shortest;
	uint64_t whole;   /* of them, those of which all ranks of the communicator are here */
	tm_u128 whole_ns; /* shortest of these */
	const struct tm_work_track **who; /* comm_ranks that are in these; NULL = none yet */
	uint64_t num, den;                /* bus factor; den 0 = not known, or they differ */
	bool pair, alone;         /* between two; of that one, whose time is not that of both */
	uint64_t compared, small; /* collectives of several agents; those below the error */
	struct tm_quantile skew;
	uint64_t least_skew, most_skew;
	struct tm_quantile ends; /* last less first */
	uint64_t least_ends, most_ends;
	bool together;  /* agents end them together */
	uint64_t lasts; /* of which one rank came last */
	uint64_t last_rank, most;
	bool tie;               /* another rank came last as often */
	const struct sum *best; /* of another communicator that does the same, the fastest */
};

/* What a rank did in its window. */
enum { RANK_WORKS, RANK_BUSY, RANK_EXPOSED, RANK_SENDS, RANK_WINDOW, RANK_TIMES };

/* What a rank did to the others. */
struct rank_sum {
	uint64_t rank, compared, last; /* compared: collectives of which arrivals are known */
	uint64_t late_most;            /* at one collective */
	/* The same less how far the clocks may be off: */
	uint64_t sure_most;
	tm_u128 sure_late, sure_waited;
	tm_u128 caused, waited, late;
	tm_u128 blamed_wait; /* what it waited, less what who came last is excused for */
	tm_u128 spare;       /* what who came when half had come exposed more than it did */
	tm_u128 spent;       /* what who exposed most exposed more than who came last */
	tm_u128 held;        /* by collectives: of each the kernel that came first */
	tm_u128 behind;      /* from half of the ranks to the last, of collectives that it was in */
	tm_u128 fair, squares; /* its part of that if all are late as often; of each the square */
	tm_u128 transfer, exposed;
	bool open; /* its transfer is not known */
	/* Of its agent that works most what is no exposed communication, of this the time in which
	 * it did something, what is exposed communication, of this what is sends and receives, and
	 * the window: */
	uint64_t time[RANK_TIMES];
	/* The rank above it in the tree of ranks that have to do with each other, whether clocks
	 * compare or not; of a root, the middle of its ranks, or of
	 * sends and receives, and of windows, the most. */
	uint32_t company;
	uint64_t half[RANK_TIMES];
	/* Of collectives of its communicators, inside the window: */
	uint64_t due, missing; /* in the trace of any rank; of these, not in its own */
	uint64_t count;        /* collectives that it was in */
	uint32_t up;           /* the rank above it in the tree of ranks that communicate */
	/* Of a root: */
	bool several;  /* ranks */
	bool blamed;   /* one of them is late often or once */
	bool ready;    /* one hardly waits */
	uint64_t most; /* collectives that one of them was in, and of those that were in so many */
	tm_u128 least; /* the least exposed */
};

/* A rank in a row, for what it waited and how late it was in the order of time. */
struct meeting {
	uint64_t at;              /* when nothing is waited for any more */
	uint32_t row, comm;       /* comm 0 = between two ranks: nobody is late; 1 = not known */
	uint32_t rank;            /* in sums.rank */
	bool half;                /* the one that others are late after */
	bool cut;                 /* others are in it outside the window */
	uint64_t late, sure_late; /* as measured; and beyond doubt */
	uint64_t waited;          /* with nothing else to do */
	uint64_t wait, sure_wait; /* for the last one, in all; and beyond doubt */
	bool lags;                /* it is known when it was let go, after others: */
	uint64_t lag;             /* from the first end to its own, likewise */
	uint32_t sum;             /* in sums.v */
	uint64_t transfer;        /* from when the last has come */
	uint64_t from, end;       /* when it came, and was let go */
	uint64_t exposed;         /* of that with nothing else to do */
};

struct sums {
	struct tm_names names;
	struct tm_groups ops; /* name (its address), is it a call's */
	uint32_t *op;         /* of each of ops: its id in `names` */
	size_t op_cap;
	struct tm_groups keys;
	struct sum *v;
	size_t cap;
	struct tm_groups lasts; /* (sum, rank) */
	uint64_t *nlast;
	size_t last_cap;
	struct tm_groups ranks;
	struct rank_sum *rank;
	size_t rank_cap;
	uint64_t behind; /* that of the rank in the middle */
	struct meeting *meeting;
	size_t nmeeting, meeting_cap;
	uint32_t rows;
	bool blind;      /* clocks cannot be compared */
	bool clocks;     /* kernels of collectives overlap */
	bool has_ends;   /* known is */
	uint64_t ends;   /* how far apart collectives end: the median of the sum where it is most */
	uint32_t sender; /* one of those that nobody knows with whom, + 1 */
	const struct comm_part **came; /* of each rank that came to the collective at hand the last
	                                * agent */
	size_t came_cap;
	/* Of every track, */
	uint64_t **exposed; /* of every kernel of class comm */
	tm_u128 *transfer;  /* what is exposed and not waiting */
	bool *open;         /* nobody knows how much of that which is exposed is waiting */
	uint64_t *window;   /* its length, */
	uint64_t *busy;     /* and in it the time in which something ran that is not exposed */
	size_t ntracks;
	struct tm_buf text;
};

/* That of a rank, added if need be; NULL when out of memory. */
struct rank_sum *tm_collectives_rank(struct sums *s, uint64_t rank);

/* Add who waited and who was late in a row of s->v[sum].  False when out of memory. */
bool tm_collectives_wait(struct sums *s, const struct comm_match *m, const struct tm_work *w,
                         const struct comm_row *row, uint32_t sum);

/* What remains of the time from a to b, however far their clocks are off. */
uint64_t tm_collectives_sure(const struct comm_match *m, const struct comm_part *a,
                             const struct comm_part *b);

/* A row for each rank, after the last row.  False when out of memory. */
extern const struct tm_column tm_collective_rank_columns[];
bool tm_collectives_put_ranks(struct sums *s, const struct tm_work *w, struct tm_table *t,
                              struct tm_report *rep);

/* One row if there are ranks without a trace (collectives_absent.c).  False when out of memory. */
extern const struct tm_column tm_collective_absent_columns[];
bool tm_collectives_put_absent(const struct sums *s, const struct ranks *r,
                               const struct tm_metric_opts *o, struct tm_table *t);

#endif
