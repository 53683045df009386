/* SPDX-License-Identifier: MIT
 * Kernel time by class: what `classes` and `gemm` are both made of. */
#ifndef METRIC_PRIV_SHARES_H
#define METRIC_PRIV_SHARES_H

#include "metric/priv_top.h"
#include "metric/work.h"

/* Sums come from `top`, which knows statistics files too; unions from the intervals of traces. */
struct shares {
	struct top top;
	struct work work;
};

/* A kernel. */
struct share_name {
	struct name text;
	const char *class, *rule; /* rule NULL = none matched */
	bool before;              /* no dispatch starts inside the window: it only has `covered` */
	uint64_t calls;
	u128 total;
	uint64_t covered; /* length of the union of its dispatches, summed over agents; with
	                   * WORK_OP_NAMES */
};

/* Wholes; of busy and window, what all agents add up to. */
struct share_sum {
	struct share_name *name; /* n of them, by total, largest first, then by name */
	size_t n, cap;
	u128 total;  /* all kernels */
	bool unions; /* `covered`, busy and window are known: every call came from a trace */
	u128 busy, window;
};

/* Functions of struct event_sink, but for init, which is told what to keep (WORK_*). */
bool shares_init(struct shares *a, const struct metric_opts *o, unsigned keep);
bool shares_piece(void *acc, const struct piece *p);
bool shares_take(void *acc, const struct batch *b);
bool shares_merge(void *into, void *from);
void shares_fini(void *acc);
uint64_t shares_want(const struct metric_opts *o, unsigned keep);

/* Add up.  ST_OK; ST_END when there is no kernel (*rep says why); ST_FATAL when out of memory.
 * Texts live as long as the accumulator; free s->name. */
enum status shares_sum(struct shares *a, const struct metric_opts *o, struct share_sum *s,
                       struct report *rep);

/* Time covered by the kernels of the chosen names together, summed over agents: chosen[i] is about
 * s->name[i].  With WORK_OP_NAMES.  False when out of memory. */
bool shares_covered(const struct shares *a, const struct share_sum *s, const bool *chosen,
                    u128 *covered);

/* The rows of `gemm`. */
enum { GEMM_DENSE, GEMM_MOE, GEMM_MATRIX, GEMM_UNCLASSIFIED, GEMM_ROWS };
extern const char *const gemm_row_names[GEMM_ROWS];

/* Sum of the durations of the kernels that count in a row. */
u128 gemm_total(const struct share_sum *s, int row);

/* Do kernels of this class count in that row? */
bool gemm_counts(const char *class, int row);

/* What the shares are of, what was left out, and what --max-unclassified and --strict say of it. */
void shares_tell(const struct shares *a, const struct share_sum *s, const struct metric_opts *o,
                 struct report *rep);

#endif
