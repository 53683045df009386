/* SPDX-License-Identifier: MIT
 * The clocks of the ranks of a run.db onto one: how, by how much, and what may be left.
 *
 * Rows stay as they were recorded; what is decided goes to table clock, and whoever reads the
 * database adds it (stream/drive.h, the views of schemas/run.sql).  So nothing is ever shifted twice,
 * and databases that are merged again are decided upon anew, from the same facts.
 *
 * The common clock is that of the ranks which is furthest ahead, of the host that is up longest: no
 * time becomes negative.  Inputs of one rank that count the same clock move together. */
#ifndef METRIC_ALIGN_H
#define METRIC_ALIGN_H

#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of align_words. */
enum align_how {
	ALIGN_NONE,        /* as they were */
	ALIGN_REALTIME,    /* by what inputs tell of CLOCK_REALTIME (struct realtime) */
	ALIGN_COLLECTIVES, /* by the ends of the n-th kernel of each collective, which wait for one
	                    * another: the median difference to the lowest rank */
	ALIGN_AUTO,        /* the first of realtime, collectives, none that is possible */
};

/* "none", "realtime", "collectives", "auto", NULL. */
extern const char *const align_words[];

enum { ALIGN_FEWEST = 8 }; /* collectives that it takes */

/* An input of the database, as far as clocks go. */
struct align_input {
	uint64_t id, rank;
	char *path, *clock; /* owned; clock NULL = unknown */
	struct realtime realtime;
	bool timed;           /* the database has times of it, ... */
	uint64_t last_ns;     /* ... this is the last one */
	uint64_t collectives; /* kernels given to store_collective */
};

/* What was done. */
struct align_done {
	enum align_how how;   /* not ALIGN_AUTO */
	bool several;         /* there is more than one rank with times: something to align */
	bool has_residual;    /* it is known of all inputs, ... */
	uint64_t residual_ns; /* ... and this is the largest */
	uint64_t collectives; /* ALIGN_COLLECTIVES: of each rank */
	struct diag why;      /* ALIGN_AUTO came to ALIGN_NONE: why */
};

/* Decide, and tell the store.  `names` are those of store_collective.  ST_OK with *done; ST_SKIP with
 * *d when `how` is possible for these inputs in no way; ST_FATAL with *d. */
enum status align_inputs(enum align_how how, const struct align_input *v, size_t n,
                         const struct names *names, struct store *s, struct align_done *done,
                         struct diag *d);

/* Is this kernel a collective?  Those of RCCL, whatever they do: its names do not tell all kinds. */
bool align_is_collective(const struct name *kernel);

#endif
