/* SPDX-License-Identifier: MIT
 * The state of `clock`, shared by the file that adds up and those that print. */
#ifndef TM_METRIC_CLOCK_H
#define TM_METRIC_CLOCK_H

#include "agg/agg.h"
#include "counters/counters.h"
#include "metric/own_names.h"
#include "metric/shape.h"
#include "question/question.h"
#include "work/work.h"

/* Launches of a kernel on a GPU: words of a key. */
enum clock_word {
	CLOCK_RANK,
	CLOCK_AGENT,
	CLOCK_FLAGS,  /* CLOCK_HAS_AGENT, CLOCK_COUNTED */
	CLOCK_KERNEL, /* id in clock.own.names */
	CLOCK_SHAPE,  /* with --drift */
	CLOCK_WORDS = CLOCK_SHAPE + SHAPE_WORDS,
};

enum {
	CLOCK_HAS_AGENT = 1,
	CLOCK_COUNTED = 2, /* dispatches of which GRBM_GUI_ACTIVE was counted */
};

struct clock_group {
	uint64_t calls;
	tm_u128 total;
};

/* GRBM_GUI_ACTIVE of a dispatch. */
struct clock_count {
	uint32_t group;
	uint64_t ns, cycles;
};

/* What a sensor said of the clock of a GPU. */
struct clock_reading {
	uint64_t rank, agent, at;
	uint64_t value; /* in ten-thousandths of a MHz */
};

struct clock {
	const struct tm_metric_opts *o;
	struct own_names own;
	struct tm_groups keys;
	struct clock_group *g; /* keys.n of them */
	size_t cap;
	struct tm_intervals ops;    /* dispatches, named by their group */
	struct tm_counters counted; /* GRBM_GUI_ACTIVE, until tm_clock_find makes of it: */
	struct clock_count *count;
	size_t ncount, count_cap;
	struct clock_reading *reading;
	size_t nreading, reading_cap;
	struct tm_agents agents;
	uint64_t outside, untimed; /* launches: of the window; without times */
	uint64_t stats;            /* rows that are sums */
	uint64_t nameless;         /* readings of a clock of no GPU, or of no number */

	/* the piece being read */
	uint64_t rank;
	struct tm_extent window;
	uint8_t *track; /* of its names: is it the clock of a GPU? */
	size_t track_cap;
	size_t ntrack;
};

/* What the options say. */
struct clock_own {
	uint64_t max_mhz, xccs; /* UINT64_MAX = not given */
};

/* num / den in ten-thousandths of a MHz, of n readings or dispatches. */
struct clock_sum {
	uint64_t n;
	tm_u128 num, den;
};

enum {
	CLOCK_FEWEST = 3,              /* readings that make a clock */
	CLOCK_LONG = TM_KNOWN_LONG_NS, /* what a dispatch takes of which counted cycles do */
};

/* A GPU of a rank. */
struct clock_gpu {
	uint64_t rank, agent;
	bool has_agent, launched; /* the input says; not only counted */
	uint64_t max;             /* MHz; 0 = not known */
	bool seen;                /* that is the largest reading */
	struct tm_grbm_gpu kind;
	struct clock_sum read, counted; /* of all its kernels */
	uint64_t readings;              /* of its sensor, kernels or not */
	uint64_t divide;                /* what counts are divided by; 0 = not known */
	uint64_t counts, brief, above;  /* dispatches counted; of those too short; too fast */
};

/* The clock, in ten-thousandths of a MHz; 0 = not known. */
uint64_t tm_clock_of(const struct clock_sum *s);

/* Everything is read: what each kernel and GPU ran at. */
struct clock_found {
	const struct clock *a;
	struct clock_gpu *gpu; /* n of them, by rank and agent */
	size_t n;
	uint32_t *gpu_of;                 /* of each group */
	struct clock_sum *read, *counted; /* of each group; read.n also where that is too few */
	struct tm_report *rep;
};

/* Find it; `sum` is zeroed.  False when out of memory; tm_clock_found_fini is needed all the same.
 * Sorts a->ops by GPU. */
bool tm_clock_find(struct clock_found *f, struct clock *a, const struct tm_metric_opts *o,
                   struct tm_report *rep);
void tm_clock_found_fini(struct clock_found *f);

extern const struct tm_column tm_clock_columns[], tm_clock_drift_columns[];

/* Fills of the two tables. */
enum tm_status tm_clock_fill(struct clock *a, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep);
enum tm_status tm_clock_drift_fill(struct clock *a, const struct tm_metric_opts *o,
                                   struct tm_table *t, struct tm_report *rep);

#endif
