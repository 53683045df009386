/* SPDX-License-Identifier: MIT
 * The state of `roofline`, shared by the file that gathers, those that match work to kernels, and
 * the one that prints. */
#ifndef TM_METRIC_ROOFLINE_H
#define TM_METRIC_ROOFLINE_H

#include "agg/agg.h"
#include "metric/inside/counters.h"
#include "question/question.h"
#include "stack/stack.h"

struct roofline {
	const struct tm_metric_opts *o;
	struct tm_stack s; /* operations are named by roofline_launch */
	struct tm_stack_opts so;
	struct tm_agents agents;
	struct counters counters; /* without times of dispatches that have no counters */
	uint64_t rank;            /* of the piece being read */
};

/* What the options say. */
struct roofline_own {
	const char *gpu; /* a product, or NULL */
	const char *log; /* a file, or NULL */
};

enum {
	ROOF_NAME,
	ROOF_OP,
	ROOF_PROBLEM,
	ROOF_CALLS,
	ROOF_TOTAL,
	ROOF_FLOPS,
	ROOF_BYTES,
	ROOF_TFLOPS,
	ROOF_GBPS,
	ROOF_INTENSITY,
	ROOF_PEAK,
	ROOF_PEAK_PCT,
	ROOF_BOUND,
	ROOF_LOST,
	ROOF_SOURCE,
	ROOF_TYPE,
	ROOF_MEMORY_PCT,
	ROOF_REACHED_PCT,
	ROOF_TILE,
	ROOF_TILE_PCT,
	ROOF_ROUND_PCT,
	ROOF_GPU,
	ROOF_PEAK_TFLOPS,
	ROOF_REACHED_TFLOPS,
	ROOF_MEMORY_GBPS,
	ROOF_NOTE,
	ROOF_COLUMNS,
};
extern const struct tm_column tm_roofline_columns[ROOF_COLUMNS + 1];

/* The table of peaks of all products that are known, as struct tm_metric_view's rows. */
extern const struct tm_column tm_roofline_peaks_columns[];
bool tm_roofline_peaks(const void *own, struct tm_table *t, struct tm_diag *d);

/* ---- work and kernels (roofline_match.c) ---- */

/* A dispatch, as the stack names it. */
struct roofline_launch {
	uint64_t agent, groups; /* groups 0 = not known */
	bool has_agent;
	bool matrix;   /* its class is one of matrix work ... */
	bool conv;     /* ... that of convolutions */
	bool unknown;  /* it has no class */
	uint32_t name; /* in roofline_found.names, in full */
};

/* Why the work of a matrix kernel is not known. */
enum roofline_lack {
	LACK_LAUNCH,  /* no operator in the trace */
	LACK_OUTSIDE, /* launched outside of any operator */
	LACK_GRAPH,   /* launched with a graph */
	LACK_INPUTS,  /* its operator has no sizes */
	LACK_VALUES,  /* its operator's inputs do not tell */
	LACK_OTHER,   /* its operator is in no table */
	LACK_KERNELS, /* which kernels of the operator do the work */
	LACK_LOG,     /* no operator, and the log does not tell which of its calls */
	LACKS,
};

/* Units of a GPU and types whose operations counters tell: a metric of schemas/counters.tsv. */
enum { ROOF_KINDS = 11 };
struct roofline_kind {
	const char *metric;
	enum tm_gpu_type type;
	bool valu; /* vector units, or matrix units */
};
extern const struct roofline_kind tm_roofline_kinds[ROOF_KINDS];

/* Executions of one problem by the same kernels on one kind of GPU; or counted dispatches of one
 * kernel, ROW_KNOWN being what is known of each: a bit of each kind, and these. */
enum {
	ROW_NAME,
	ROW_OP,
	ROW_PROBLEM,
	ROW_TYPE,
	ROW_GPU,
	ROW_GROUPS,
	ROW_SOURCE,
	ROW_KNOWN, /* 0 = not of counters */
	ROW_WORDS,
};
enum {
	ROOF_COUNTED = 1 << ROOF_KINDS,
	ROOF_KNOWS_ALL = ROOF_COUNTED << 1,   /* all kinds that the GPU has */
	ROOF_KNOWS_LANES = ROOF_COUNTED << 2, /* of vector operations how many lanes worked */
	ROOF_KNOWS_BYTES = ROOF_COUNTED << 3,
	ROOF_KNOWS_TIME = ROOF_COUNTED << 4,
};
struct roofline_row {
	const uint64_t *key; /* once all is found */
	uint64_t calls;
	tm_u128 total, flops, bytes;
	bool no_bytes;
	bool several;    /* kernels: their names are joined */
	bool is_product; /* m, n, k, batch are known */
	uint64_t m, n, k, batch;
	tm_u128 *ops; /* counted: of each kind; NULL = not of counters */
	bool across;  /* counted in several executions */
	bool no_time;
};

/* A GPU as it is known; .name is borrowed from the agents. */
struct roofline_found {
	const struct roofline *a;
	struct tm_names names; /* of kernels, operators, problems, types */
	struct tm_groups keys; /* of rows: ROW_WORDS; names but for GPU and GROUPS */
	struct roofline_row *row;
	size_t cap;
	struct tm_gpu_seen *gpu; /* ngpu of them; 0 is unknown */
	size_t ngpu, gpu_cap;
	uint64_t lack[LACKS];
	tm_u128 lack_ns[LACKS];
	uint64_t kernels, matrix; /* dispatches: all, and those of matrix kernels */
	struct tm_groups counted; /* rank, name: kernels whose operations counters tell */
	bool untimed;             /* some of them have no times */
	struct tm_groups ran;     /* then all kernels: name, GPU ... */
	struct roofline_ran {
		uint64_t n;
		tm_u128 ns;
	} * ran_for; /* ... and how often they ran, and for how long */
	size_t ran_cap;
	uint32_t other; /* name of an operator that LACK_OTHER is about, + 1; the one with most
	                 * time */
};

/* Find the work of all kernels; what counters lack is reported.  False with *d: the log cannot be
 * read; out of memory with *d empty.  tm_roofline_found_fini in any case. */
bool tm_roofline_find(struct roofline_found *f, struct roofline *a, struct tm_report *rep,
                      struct tm_diag *d);
void tm_roofline_found_fini(struct roofline_found *f);

/* struct tm_metric's fill. */
enum tm_status tm_roofline_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                struct tm_report *rep);

#endif
