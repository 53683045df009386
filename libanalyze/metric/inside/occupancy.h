/* SPDX-License-Identifier: MIT
 * The state of `occupancy`, shared by the file that adds up and the file that prints. */
#ifndef TM_METRIC_OCCUPANCY_H
#define TM_METRIC_OCCUPANCY_H

#include "agg/agg.h"
#include "metric/own_names.h"
#include "question/question.h"

/* A launch: words of a key, of which HAS says which are there (bit k = word k). */
enum occ_word {
	OCC_KERNEL, /* id in occupancy.own.names */
	OCC_HAS,
	OCC_COUNTER, /* of a collection of counters: which one, since each repeats the dispatch */
	OCC_RANK,
	OCC_AGENT,
	OCC_WG_X, /* or the product, without Y and Z */
	OCC_WG_Y,
	OCC_WG_Z,
	OCC_GRID_X, /* the same */
	OCC_GRID_Y,
	OCC_GRID_Z,
	OCC_VGPRS,
	OCC_ACCUMS,
	OCC_SGPRS,
	OCC_LDS,
	OCC_WAVE,
	OCC_WORDS,
	OCC_PART_OF_LDS = OCC_WORDS, /* a bit of HAS: LDS is only what the kernel declares */
	OCC_HALF,                    /* VGPRS may be half of what there are (gfx950) */
	OCC_DOUBLED,                 /* VGPRS were half, and are doubled */
};

struct occ_group {
	uint64_t calls;
	tm_u128 total;
};

struct occupancy {
	const struct tm_metric_opts *o;
	struct own_names own;
	struct tm_groups keys;
	struct occ_group *g; /* keys.n of them */
	size_t cap;
	struct tm_agents agents;
	uint64_t outside, untimed; /* launches: of the window; without times */
	uint64_t stats;            /* rows that are sums */

	/* the piece being read */
	uint64_t rank;
	struct tm_extent window;
	bool part_of_lds;
};

/* What the options say. */
struct occupancy_own {
	const char *arch; /* "gfx942", or NULL */
	uint64_t cus;     /* UINT64_MAX = not given */
};

enum {
	OCC_NAME,
	OCC_SHAPE,
	OCC_CALLS,
	OCC_ARCH,
	OCC_WAVES,
	OCC_MAX_WAVES,
	OCC_PCT,
	OCC_LIMITER,
	OCC_GROUPS,
	OCC_SLOTS,
	OCC_ROUNDS,
	OCC_TAIL,
	OCC_NOTE,
	OCC_TOTAL,
	OCC_TO_FREE,
	OCC_COLUMNS,
};
extern const struct tm_column tm_occupancy_columns[OCC_COLUMNS + 1];

/* struct tm_metric's fill. */
enum tm_status tm_occupancy_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                                 struct tm_report *rep);

#endif
