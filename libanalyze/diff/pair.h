/* SPDX-License-Identifier: MIT
 * What two sides have in common: names joined, and each pair tested.
 *
 * Names are joined that are the same; of those that only one side has, names that are the same but
 * for what differs from build to build (NAME_SHORT), all of one such name together. */
#ifndef TM_DIFF_PAIR_H
#define TM_DIFF_PAIR_H

#include "agg/agg.h"
#include "diff/compare.h"

enum { SIDE_A, SIDE_B, SIDES };

/* One name of one run. */
struct member {
	size_t run, at; /* runs[run].v[at] */
	size_t next;    /* of the pair, in pairs.member; SIZE_MAX = none */
};

struct pair_side {
	struct moments m;
	size_t runs; /* that have it */
	u128 ns[BUDGETS];
	uint64_t calls[BUDGETS];
	/* Problems of libraries only: nobody says what they took, or how often they were called. */
	bool untimed, uncounted;
};

struct pair {
	const char *name;
	size_t len;
	const char *class_name;
	bool stable; /* joined by what of the names does not change */
	struct pair_side side[SIDES];
	size_t first;             /* of its members; SIZE_MAX = none */
	size_t n[SIDES];          /* values that were compared */
	struct significance test; /* SIG_NONE: there was nothing to test */
	double change; /* of the typical value, as a share: median, or mean, of B over A - 1 */
	double rate;   /* of false discoveries, at which it counts; NaN without a test */
	bool significant;
	char *note; /* or NULL */
};

struct pairs {
	const struct digest *runs;
	size_t na, nruns;
	const struct diff_opts *o;
	struct pair *v;
	size_t n, cap;
	struct member *member;
	size_t nmembers, member_cap;
	struct names texts; /* names of pairs */
	size_t stable;      /* pairs joined by what does not change */
	u128 total[SIDES];  /* of all pairs */
	bool by_calls;      /* there are no times: rows are in the order of their calls */
};

/* Join and test what o->per says; *p is empty.  False when out of memory. */
bool pairs_make(struct pairs *p, const struct digest *runs, size_t na, size_t n,
                const struct diff_opts *o);

static inline bool pair_matched(const struct pair *p)
{
	return p->side[SIDE_A].runs && p->side[SIDE_B].runs;
}

static inline size_t pair_side_of(const struct pairs *p, size_t run)
{
	return run >= p->na;
}

/* Nanoseconds of B less those of A, of the calls of one name: because there are more or fewer, and
 * because each takes longer or shorter.  calls + mean = total_b - total_a.  A name that one side
 * has only is all calls. */
struct effects {
	i128 calls, mean;
};
struct effects effects_of(const struct pair *p);

/* The share of a time below which a difference does not matter. */
double diff_floor(const struct diff_opts *o, double ns);

/* Free it; {0} again. */
void pairs_fini(struct pairs *p);

#endif
