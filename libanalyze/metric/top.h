/* SPDX-License-Identifier: MIT
 * The state of `top`, shared by the file that adds up and the file that prints. */
#ifndef TM_METRIC_TOP_H
#define TM_METRIC_TOP_H

#include "agg/agg.h"
#include "base/base.h"
#include "metric/top_join.h"
#include "question/question.h"

/* A key is TOP_WORDS words; those of absent or unasked parts are 0.
 *   NAME   id in top.names, domain in the upper half
 *   HAS    which of the others are there: bit k = word k
 *   COUNTER  layers of counters only: id of the counter's name
 *   CLASS    kernels whose names are shortened: id of the class of the full name, which the short
 *            one may not tell */
enum top_word {
	TOP_NAME,
	TOP_HAS,
	TOP_COUNTER,
	TOP_CLASS,
	TOP_RANK,
	TOP_AGENT,
	TOP_QUEUE,
	TOP_STREAM,
	TOP_GRID_X,
	TOP_GRID_Y,
	TOP_GRID_Z,
	TOP_WG_X,
	TOP_WG_Y,
	TOP_WG_Z,
	TOP_WORDS,
};

struct top_group {
	struct tm_moments m;
	struct tm_quantile q;
};

/* Groups that must be kept apart until all inputs are known.  Traces all go into one; every
 * statistics file and the counters of every run have their own, because what they say does not
 * count when a trace of the same run was given too. */
enum layer_sort { LAYER_TRACE, LAYER_STATS, LAYER_COUNTERS };

struct layer {
	enum layer_sort sort;
	enum tm_domain domain;
	char *run, *path; /* not LAYER_TRACE: whose numbers these are */
	uint32_t run_id;  /* of that run in top.runs */
	char *measure;    /* LAYER_STATS: table and format; different ones time the same calls */
	struct tm_groups keys;
	struct top_group *g; /* keys.n of them */
	size_t cap;
	/* LAYER_STATS: rows, their total, and what its Percentage column says of the file's total
	 * */
	uint64_t rows;
	tm_u128 total;
	double lo, hi;              /* the file's total lies between; lo 0 = no percentages */
	uint64_t repaired, unknown; /* deviations put right, and given up */
	bool beside_trace; /* LAYER_COUNTERS: the same file holds the dispatches themselves */
};

struct tm_top {
	const struct tm_metric_opts *o;
	bool quantiles;
	struct tm_names names;
	struct tm_names whole; /* with --name short: kernels by their full names */
	uint32_t *brief;       /* and what those are in `names` */
	size_t brief_cap;
	struct layer *layer; /* layer[0] is the traces' */
	size_t nlayer, layer_cap;
	struct tm_names layers; /* what tells them apart; the id is the place in `layer` */
	struct tm_names runs;
	uint64_t *traced; /* of each run: domains that a trace of it was read of */
	size_t traced_cap;
	uint64_t seen[TM_DOMAIN_N]; /* rows of each domain, asked for or not, without counters */
	struct tm_groups counted;   /* where kernels are not asked for, a run and a counter of it:
	                           * ids in `runs` and `names` */
	uint64_t *counts_of;        /* of each: dispatches that have it */
	size_t counts_cap;
	uint64_t untimed[TM_DOMAIN_N]; /* rows without start and end */
	uint64_t counts;               /* calls of statistics rows without times */
	uint64_t untimed_counters;
	uint64_t readings;   /* values over time, of no dispatch */
	uint64_t outside;    /* rows outside the window */
	uint64_t misplaced;  /* of those: of a rank that the first pass did not see */
	uint64_t unwindowed; /* statistics rows a window cannot choose from */

	struct tm_top *lender; /* takes its rows instead (tm_top_join); NULL = it takes them */
	bool lends;            /* what tm_top_fold makes is kept, for all: */
	struct tm_once fold_once;
	bool folded;
	tm_u128 shares_of;
	struct tm_report told;

	/* the piece being read */
	struct tm_piece piece;
	struct tm_extent window;
	size_t current;     /* layer its statistics or counters go to, 0 = none yet */
	uint32_t run;       /* id in `runs` + 1, where its counters are counted; 0 = not yet */
	bool dispatches;    /* it had kernel dispatches */
	bool unplaced;      /* its rank has no window */
	uint32_t *norm;     /* id in the piece's names -> id in top.names, + 1 */
	uint32_t *class_of; /* the same id -> id of its class, where norm is set */
	uint32_t *hit;      /* id in the piece's names -> group in layer[0], + 1 */
	size_t norm_cap, class_cap, hit_cap, nknown;
	struct tm_buf text;
};

/* Put one layer's groups into another of the same top; the quantiles of *from are not to be used
 * then.  False when out of memory. */
bool tm_top_pour(struct layer *into, struct layer *from, bool without_counter);

void tm_layer_fini(struct layer *l);

/* The number of the layer for this sort, run, domain and (statistics) path, made if new;
 * SIZE_MAX when out of memory. */
size_t tm_top_layer(struct tm_top *t, enum layer_sort sort, enum tm_domain domain, const char *run,
                    const char *path);

/* Where the sums are: *t itself, or its lender. */
static inline struct tm_top *tm_top_sums(struct tm_top *t)
{
	return t->lender ? t->lender : t;
}

/* All layers into the first, and what was left out into *rep; *whole = what shares are shares of.
 * False when out of memory. */
bool tm_top_fold(struct tm_top *t, tm_u128 *whole, struct tm_report *rep);

/* There is not one row: why, into *rep. */
void tm_top_explain_nothing(const struct tm_top *t, const struct tm_metric_opts *o,
                            struct tm_report *rep);

/* Was it said already that something could not be read? */
bool tm_top_said_errors(const struct tm_report *rep);

/* Functions of struct tm_event_sink and struct tm_metric, for metrics that build on these sums. */
tm_ev_set tm_top_want(const struct tm_metric_opts *o);
bool tm_top_init(void *acc, const void *arg);
bool tm_top_piece(void *acc, const struct tm_piece *p);
bool tm_top_take(void *acc, const struct tm_batch *b);
bool tm_top_merge(void *into, void *acc);
void tm_top_fini(void *acc);

enum tm_status tm_top_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *out,
                           struct tm_report *rep);

extern const struct tm_column tm_top_columns[];

/* What the options of `top` alone say. */
struct top_own {
	const char *hist; /* part of a name, or NULL */
	size_t again;     /* the table was filled before: of exactly that name, of so many bytes */
};

/* The view of --hist. */
extern const struct tm_column tm_top_hist_columns[];
enum tm_status tm_top_hist_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *out,
                                struct tm_report *rep);

/* The same of these durations: rows of from_ns, to_ns, calls, pct, cum_pct.  False when out of
 * memory. */
bool tm_top_hist_of(const struct tm_quantile *q, struct tm_table *out);

/* struct tm_metric's per_of. */
const char *tm_top_per_of(const struct tm_metric_opts *o, const char *column);

/* Is this column among those to print, or to sort by? */
bool tm_top_asks(const struct tm_metric_opts *o, const char *column);

#endif
