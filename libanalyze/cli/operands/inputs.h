/* SPDX-License-Identifier: MIT
 * Turns operands into the inputs of a drive: found, ranked, without duplicate contents or runs. */
#ifndef TM_CLI_INPUTS_H
#define TM_CLI_INPUTS_H

#include "cli/frame/frame.h"
#include "cli/operands/operand.h"
#include "io/io.h"
#include "stack/stack.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} before tm_inputs_find. */
struct inputs {
	bool files; /* before tm_inputs_find: files are asked about, so each of them counts whole */
	struct tm_walk walk;
	struct tm_input *v; /* n of them count */
	size_t n;
	struct tm_rank_regex ranks;
	unsigned char rank_use; /* of them */
	struct tm_run_ranks order;
	struct tm_only filter;
	struct tm_processes *processes;
	struct tm_inside *inside; /* what it asks of regions, or NULL; of tm_resolve_inside */
	/* private */
	char **runs;             /* of each v[i], as its path says */
	struct operand *operand; /* each of them; its side is the rank given, + 1 */
	size_t *file;            /* file of the walk that v[i] is */
	bool **leave;            /* of each v[i] */
	struct look *look;       /* of each v[i]; {0} where there is only one */
	struct twin *twin;       /* traces that are there both as a file and in a database */
	size_t ntwins, twin_cap;
	struct tm_watch watch;
	bool watched;               /* it knows all traces, those of archives included */
	struct tm_report told;      /* what is to be said of sources */
	bool replaced;              /* a file changed since a database was made of it */
	struct tm_sources *sources; /* what was decided of runs; v[i].pick are its picks */
	struct tm_pick **picks;     /* of each v[i] */
	char *here;
};

/* The inputs the operands of *c stand for ("-" where there are none, but not from a terminal),
 * --rank-from and the filters.  What cannot be looked at, and what is there twice, is in *rep.
 * False with *d: the command line is wrong, or out of memory. */
bool tm_inputs_find(struct inputs *in, struct common *c, struct tm_report *rep, struct tm_diag *d);

/* How many threads -j allows. */
uint64_t tm_inputs_jobs(const struct common *c);

/* Must they be read twice, for a window that depends on the trace or for regions? */
bool tm_inputs_need_twice(const struct common *c, const struct tm_window *w);

/* Can they be read twice, as a window needs that depends on the trace?  False with *d: standard
 * input and pipes cannot. */
bool tm_inputs_twice(const struct inputs *in, struct tm_diag *d);

/* May operators be in any of them, and what they take, TM_EVC_INPUTS? */
bool tm_inputs_of_operators(const struct inputs *in, const struct common *c);

/* A drive over them as the common options say: --from, -j, -v. */
struct tm_drive tm_inputs_drive(const struct inputs *in, const struct common *c, tm_ev_set want);

/* Drive them into *total, which was made with sink->init.  Where archives hold a run several times,
 * that is found out here; *total may be made anew then.  As tm_drive_run; TM_ST_END: formats of one
 * run do not agree (tm_inputs_judge says where), nothing is to be added up. */
enum tm_status tm_inputs_read(struct inputs *in, const struct common *c, const struct tm_drive *d,
                              const struct tm_event_sink *sink, void *total, struct tm_report *rep);

/* After the drive: what was decided of runs that several files hold, and an error for each
 * directory in which nothing was a trace. */
void tm_inputs_judge(struct inputs *in, const struct common *c, struct tm_report *rep);

/* Free it. */
void tm_inputs_fini(struct inputs *in);

#endif
