/* SPDX-License-Identifier: MIT
 * The files that match work to kernels. */
#ifndef TM_METRIC_ROOFLINE_MATCH_H
#define TM_METRIC_ROOFLINE_MATCH_H

#include "metric/inside/roofline.h"

/* What is known of a label of the stack, once it was asked. */
struct label_work {
	enum tm_op_how how;
	bool asked;
	uint32_t op, problem, type; /* names */
	bool is_product, has_bytes;
	uint64_t m, n, k, batch;
	tm_u128 flops, bytes;
};

/* A dispatch inside an operator whose work is known. */
struct part {
	size_t thread;
	uint32_t frame, label, launch;
	uint64_t start, ns;
};

/* A matrix kernel whose work no operator tells. */
struct loose {
	struct part part;
	uint64_t rank;
	size_t track; /* of the stack: a process */
	enum roofline_lack why;
};

struct match {
	struct roofline_found *f;
	struct tm_stack *s;
	struct tm_op_work work;
	struct label_work *label;       /* of each label of the stack */
	struct roofline_launch *launch; /* of each name of the stack that is one's; .name + 1 */
	uint64_t rank;
	struct part *part; /* n of them */
	size_t n, cap;
	struct loose
	        *loose; /* nloose of them: matrix kernels whose operator tells no work, --log */
	size_t nloose, loose_cap;
	struct tm_stack_place place;
	struct tm_buf text;
	uint64_t *other_ns; /* of each name: LACK_OTHER's operators */
	size_t other_cap;
};

/* Add one execution of that work by those of n parts that count; counts NULL = all. */
bool tm_roofline_row(struct match *m, const struct label_work *w, const struct part *p, size_t n,
                     const bool *counts, const char *source);

/* No operator and no call of a log tells the work of a matrix kernel of a rank: unless counters do,
 * it is not known. */
void tm_roofline_lack(struct match *m, enum roofline_lack why, uint64_t rank, const struct part *p);

/* The number of a GPU in f->gpu; UINT32_MAX when out of memory.  An agent that is not known is that
 * of the rank, where it has one kind of them. */
uint32_t tm_roofline_gpu(struct roofline_found *f, uint64_t rank, bool has_agent, uint64_t agent);

/* Add rows of what was counted, and report what is missing.  False when out of memory. */
bool tm_roofline_counted(struct roofline_found *f, const struct counters *a, struct tm_report *rep);

/* Match the calls of a log with m->loose.  False with *d: it cannot be read, or holds no call; out
 * of memory with *d empty. */
bool tm_roofline_log(struct match *m, const char *path, struct tm_diag *d);

#endif
