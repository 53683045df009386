/* SPDX-License-Identifier: MIT
 * The state of `kernel`: other questions about one kernel, and what runs around it. */
#ifndef TM_METRIC_KERNEL_H
#define TM_METRIC_KERNEL_H

#include "metric/top.h"
#include "question/question.h"
#include "stream/stream.h"
#include "work/work.h"

/* Questions whose tables the page takes rows from; of the first ones the kernel is all that they
 * are shown. */
enum kernel_part {
	PART_OPS,
	PART_REGIONS,
	PART_OCCUPANCY,
	PART_COUNTERS, /* counters of other kernels tell how passes go together */
	PART_CLOCK,    /* it has to know when other kernels run */
	PART_SAMPLES,  /* which do not say their kernel, only their dispatch */
	PART_ROOFLINE, /* kernels do the work of an operator together */
	PARTS,
	PARTS_OF_KERNEL = PART_CLOCK,
};

/* A question, its options and its accumulator. */
struct kernel_ask {
	const struct tm_metric *m;
	struct tm_metric_opts o;
	void *own, *acc;
	bool made; /* acc */
};

struct kernel {
	const struct tm_metric_opts *o;
	struct tm_metric_opts sums; /* of `top` */
	struct tm_top top;          /* of the kernel, apart by everything that is known */
	bool made, worked;          /* top, work */
	struct tm_work work;        /* of all work of the GPUs */
	struct kernel_ask ask[PARTS];
	struct tm_only only; /* the kernel */
	struct tm_only_rows rows;
	struct tm_only_count count;
	bool oom; /* a name could not be looked at */
};

/* Is it a kernel of that name?  When out of memory a->oom is set, and it is none. */
bool tm_kernel_matches(struct kernel *a, const char *name);

/* What the operand says. */
struct kernel_own {
	const char *regex; /* NULL = none was given */
};

enum { KERNEL_TIMES = 10 }; /* parts of the run */

/* Another operation on the stream of the kernel. */
struct kernel_beside {
	uint32_t name; /* in work.names */
	bool after;    /* or before */
	uint64_t n;
	tm_u128 gap;
};

/* What runs around it, and when. */
struct kernel_around {
	tm_u128 all;                  /* duration of all kernels that start inside */
	uint64_t dispatches;          /* of the kernel */
	uint64_t calls[KERNEL_TIMES]; /* that start in each part of the run of their rank */
	struct tm_quantile q[KERNEL_TIMES];
	uint64_t least, most;         /* durations */
	struct kernel_beside *beside; /* n of them */
	size_t n, cap;
	struct tm_groups keys;
	bool streams; /* some work says its stream */
};

/* Go through a->work; *f is {0}.  False when out of memory; tm_kernel_around_fini is needed all the
 * same. */
bool tm_kernel_around(struct kernel_around *f, struct kernel *a);
void tm_kernel_around_fini(struct kernel_around *f);

extern const struct tm_column tm_kernel_columns[];

/* struct tm_metric's fill. */
enum tm_status tm_kernel_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                              struct tm_report *rep);

#endif
