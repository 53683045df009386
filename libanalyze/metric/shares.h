/* SPDX-License-Identifier: MIT
 * Kernel time by class, the basis of both `classes` and `gemm`. */
#ifndef TM_METRIC_SHARES_H
#define TM_METRIC_SHARES_H

#include "metric/top.h"
#include "work/work.h"

/* Sums come from `top`, which knows statistics files too; unions from the intervals of traces. */
struct shares {
	struct tm_top top;
	struct tm_work work;
};

/* What the options say of metrics that tell shares. */
struct shares_own {
	uint64_t max_unclassified; /* ten-thousandths of a percent; UINT64_MAX = no limit */
};
extern const struct tm_metric_option tm_shares_options[];

/* A kernel. */
struct share_name {
	struct tm_name text;
	const char *class_name, *rule; /* rule NULL = none matched */
	const char
	        *doubt; /* the class it may be, or, if it is its own, may not be; NULL = no doubt */
	const char *reason; /* for that; both by tm_shares_doubts() */
	bool before;        /* no dispatch starts inside the window: it only has `covered` */
	uint64_t calls;
	tm_u128 total;
	uint64_t covered; /* length of the union of its dispatches, summed over agents; by
	                   * tm_shares_cover_names() */
};

/* Wholes; of busy and window, what all agents add up to. */
struct share_sum {
	struct share_name *name; /* n of them, by total, largest first, then by name */
	size_t n, cap;
	tm_u128 total; /* all kernels */
	bool unions;   /* unions, busy and window are known: every call came from a trace */
	bool totals;   /* some calls came from rows of statistics files */
	tm_u128 busy, window;
};

/* Functions of struct tm_event_sink, but for init, which is told what to keep (WORK_*). */
bool tm_shares_init(struct shares *a, const struct tm_metric_opts *o, unsigned keep);
bool tm_shares_piece(void *acc, const struct tm_piece *p);
bool tm_shares_take(void *acc, const struct tm_batch *b);
bool tm_shares_merge(void *into, void *from);
void tm_shares_fini(void *acc);
struct tm_work *tm_shares_work(void *acc); /* tm_metric.work */
struct tm_top *tm_shares_top(void *acc);   /* tm_metric.sums */
tm_ev_set tm_shares_want(const struct tm_metric_opts *o, unsigned keep);

/* Add up.  TM_ST_OK; TM_ST_END when there is no kernel, nor one that reaches into the window (*rep
 * says why); TM_ST_FATAL when out of memory. Texts live as long as the accumulator; free s->name.
 * */
enum tm_status tm_shares_sum(struct shares *a, const struct tm_metric_opts *o, struct share_sum *s,
                             struct tm_report *rep);

/* Time covered by the kernels of each of n sets together, summed over agents, to covered[0 .. n):
 * s->name[i] is in the sets set[i * each .. i * each + each), below n, the first SHARE_NONE among
 * which ends them.  With TM_WORK_OP_NAMES.  False when out of memory. */
#define SHARE_NONE UINT32_MAX
bool tm_shares_covered(const struct shares *a, const struct share_sum *s, const uint32_t *set,
                       size_t each, size_t n, tm_u128 *covered);

/* Fill in `covered` of each kernel, of what tm_shares_sum made.  With TM_WORK_OP_NAMES.  False when
 * out of memory. */
bool tm_shares_cover_names(const struct shares *a, struct share_sum *s);

/* Fill `doubt` and `reason` in.  False when out of memory. */
bool tm_shares_doubts(struct share_sum *s, const struct tm_metric_opts *o);

/* The rows of `gemm`. */
enum { GEMM_DENSE, GEMM_MOE, GEMM_MATRIX, GEMM_UNCLASSIFIED, GEMM_ROWS };
extern const char *const tm_gemm_row_names[GEMM_ROWS];

/* Sum of the durations of the kernels that count in a row. */
tm_u128 tm_gemm_total(const struct share_sum *s, int row);

/* Do kernels of this class count in that row? */
bool tm_gemm_counts(const char *class_name, int row);

/* What that sum may be at least and at most: without those in doubt that count, with those that do
 * not. After tm_shares_doubts(). */
struct gemm_range {
	tm_u128 low, high;
	tm_u128 most; /* with all that has no class, or was cut off, too */
};
struct gemm_range tm_gemm_range(const struct share_sum *s, int row);

/* Why it is a range: struct tm_table_ends. */
extern const char tm_gemm_why_open[];

/* Note how much is in doubt, if anything. */
void tm_gemm_tell_suspects(const struct share_sum *s, struct tm_report *rep);

/* What the shares are of, what was left out, and what --max-unclassified and --strict say of it;
 * o->own is a struct shares_own. */
void tm_shares_tell(const struct shares *a, const struct share_sum *s,
                    const struct tm_metric_opts *o, struct tm_report *rep);

#endif
