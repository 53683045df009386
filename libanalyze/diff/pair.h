/* SPDX-License-Identifier: MIT
 * Match the names of two sides, and test each pair.
 *
 * Equal names are matched; then, of names that only one side has, those that are equal except for
 * what differs between builds (TM_NAME_SHORT), all of one such name together. */
#ifndef TM_DIFF_PAIR_H
#define TM_DIFF_PAIR_H

#include "agg/agg.h"
#include "diff/compare.h"

enum { TM_SIDE_A, TM_SIDE_B, TM_SIDES };

/* One name of one run. */
struct tm_member {
	size_t run, at; /* runs[run].v[at] */
	size_t next;    /* of the pair, in pairs.member; SIZE_MAX = none */
};

struct tm_pair_side {
	struct tm_moments m;
	size_t runs; /* that have it */
	tm_u128 ns[TM_BUDGETS];
	uint64_t calls[TM_BUDGETS];
	/* Problems of libraries only: nobody says what they took, or how often they were called. */
	bool untimed, uncounted;
};

struct tm_pair {
	const char *name;
	size_t len;
	const char *class_name;
	bool stable; /* joined by what of the names does not change */
	struct tm_pair_side side[TM_SIDES];
	size_t first;                /* of its members; SIZE_MAX = none */
	size_t n[TM_SIDES];          /* values that were compared */
	struct tm_significance test; /* TM_SIG_NONE: there was nothing to test */
	double typical[TM_SIDES];    /* duration of a call: median, or mean */
	double change;               /* of that, as a share: B over A - 1; infinite from 0 on */
	double rate; /* of false discoveries, at which it counts; NaN without a test */
	bool significant;
	char *note; /* or NULL */
};

struct tm_pairs {
	const struct tm_digest *runs;
	size_t na, nruns;
	const struct tm_diff_opts *o;
	struct tm_pair *v;
	size_t n, cap;
	struct tm_member *member;
	size_t nmembers, member_cap;
	struct tm_names texts;   /* names of pairs */
	size_t stable;           /* pairs joined by what does not change */
	tm_u128 total[TM_SIDES]; /* of all pairs */
	/* What differences of rows are of: sums over as many runs on either side, or {n, m}, when
	 * one side has more runs: of the mean run. */
	uint64_t per[TM_SIDES];
	bool by_calls; /* there are no times: rows are in the order of their calls */
};

/* Match and test what o->per says; *p must be empty.  False when out of memory. */
bool tm_pairs_make(struct tm_pairs *p, const struct tm_digest *runs, size_t na, size_t n,
                   const struct tm_diff_opts *o);

/* The false discovery rate of each row in rate[0..p->n); NaN without a test.  False when out of
 * memory. */
bool tm_pairs_rates(const struct tm_pairs *p, double *rate);

static inline bool tm_pair_matched(const struct tm_pair *p)
{
	return p->side[TM_SIDE_A].runs && p->side[TM_SIDE_B].runs;
}

static inline size_t tm_pair_side_of(const struct tm_pairs *p, size_t run)
{
	return run >= p->na;
}

/* n / d, rounded half away from zero; d > 0. */
static inline tm_i128 tm_rounded(tm_i128 n, tm_i128 d)
{
	return n < 0 ? -((-n + d / 2) / d) : (n + d / 2) / d;
}

/* Does it take less than o->min_share of the time of both sides? */
bool tm_pair_is_small(const struct tm_pairs *p, const struct tm_pair *pair);

/* How many runs each side has. */
static inline void tm_pairs_runs(const struct tm_pairs *p, uint64_t runs[TM_SIDES])
{
	runs[TM_SIDE_A] = p->na;
	runs[TM_SIDE_B] = p->nruns - p->na;
}

/* Nanoseconds of B minus those of A for the calls of one name: due to more or fewer calls, and due
 * to longer or shorter ones.  Both sides are divided by per[]: {1, 1} compares sums, the numbers of
 * runs compare mean runs: calls + mean = total_b / per_b - total_a / per_a, rounded.  If only one
 * side has the name, `calls` is all of it. */
struct tm_effects {
	tm_i128 calls, mean;
};
struct tm_effects tm_effects_of(const struct tm_pair *p, const uint64_t per[TM_SIDES]);

/* The share of a time up to which a difference does not count. */
double tm_diff_floor(const struct tm_diff_opts *o, double ns);

/* Free it; {0} again. */
void tm_pairs_fini(struct tm_pairs *p);

#endif
