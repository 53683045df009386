/* SPDX-License-Identifier: MIT
 * Align the clocks of the ranks of a run.db to one: how, by how much, and with what remaining
 * error.
 *
 * Rows stay as recorded; the alignment is stored in table clock, and applied by those who read the
 * database (stream/drive.h, the views of schemas/run.sql).  So nothing is ever shifted twice, and
 * databases that are merged again are aligned anew, from the same facts.
 *
 * Inputs of one rank, or of one host, with the same kind of clock share one clock: they are never
 * shifted against one another.  The common clock is the one furthest ahead, that of the host with
 * the longest uptime. */
#ifndef TM_MERGE_ALIGN_H
#define TM_MERGE_ALIGN_H

#include "base/base.h"
#include "model/model.h"
#include "store/store.h"
#include "work/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of tm_align_words, which are the words of --align. */
enum tm_align_how {
	TM_ALIGN_NONE,        /* as they were */
	TM_ALIGN_REALTIME,    /* by what inputs tell of CLOCK_REALTIME (struct tm_realtime) */
	TM_ALIGN_COLLECTIVES, /* by the ends of collectives, which wait for one another */
	TM_ALIGN_AUTO,        /* collectives where they match, whose residual is the smaller one */
	TM_ALIGN_SHARED,      /* all count one clock: nothing is added, nothing is left */
};

/* "none", "realtime", "collectives", "auto", NULL. */
extern const char *const tm_align_words[];

enum { TM_ALIGN_FEWEST = 8, TM_ALIGN_PARTS = 8 }; /* collectives that it takes; parts of the time */

/* What alignment needs to know of an input of the database. */
struct tm_align_input {
	uint64_t input;             /* its number in the database */
	struct tm_trace_id id;      /* a copy */
	bool timed;                 /* the database has times of it, ... */
	uint64_t first_ns, last_ns; /* ... these are the first and the last */
	uint64_t collectives;       /* kernels given to tm_store_collective */
};

/* What is known of all inputs. */
struct tm_align_facts {
	const struct tm_align_input *v;
	size_t n;
	const struct tm_names *names;      /* of tm_store_collective */
	const struct tm_comm_calls *calls; /* settled; or NULL = there are none */
};

/* What was done. */
struct tm_align_done {
	enum tm_align_how how; /* not TM_ALIGN_AUTO */
	bool several;          /* there is more than one rank with times: something to align */
	bool has_residual;     /* it is known of all inputs, ... */
	uint64_t residual_ns;  /* ... and this is the largest */
	struct tm_diag why;    /* TM_ALIGN_AUTO came to TM_ALIGN_NONE: why */

	/* TM_ALIGN_COLLECTIVES */
	uint64_t collectives; /* of each rank that were compared, at least */
	bool by_order; /* some were matched by their order: nothing names their communicators */
	uint64_t middle_ns; /* median distance of ends on the common clock, of the worst input */
	int64_t rate;       /* the largest drift, by amount, */
	uint64_t rate_rank; /* and whose it is */
	uint64_t part_ns[TM_ALIGN_PARTS]; /* largest error of each part of the time, */
	size_t parts;                     /* where there are so many */
	uint64_t floor_ns; /* no residual is smaller: so far off is CLOCK_REALTIME where ends are
	                      not sure */

	/* Both were possible: how far CLOCK_REALTIME is, at worst, from what collectives say; for
	 * TM_ALIGN_REALTIME with what these may be off themselves. */
	bool has_other;
	uint64_t other_ns;

	/* TM_ALIGN_REALTIME: how well it was read, where all read it more than once. */
	bool has_read;
	uint64_t read_ns;
};

/* Choose an alignment and write it to the store.  TM_ST_OK with *done; TM_ST_SKIP with *d when
 * `how` is not possible for these inputs; TM_ST_FATAL with *d. */
enum tm_status tm_align_inputs(enum tm_align_how how, const struct tm_align_facts *f,
                               struct tm_store *s, struct tm_align_done *done, struct tm_diag *d);

/* Describe what was done in one or two lines, if there are several ranks.  False when out of
 * memory. */
bool tm_align_text(const struct tm_align_done *a, struct tm_buf *b);

/* Is this kernel a collective that all ranks end together?  All of class comm except those whose
 * name says send, receive, broadcast or reduce: those of RCCL, whose names do not show every kind,
 * and the all-reduces of frameworks. */
bool tm_align_is_collective(const struct tm_classes *c, const struct tm_name *kernel);

/* The same for the operation that a trace names: "ncclAllReduce". */
bool tm_align_is_collective_op(const struct tm_name *op);

#endif
