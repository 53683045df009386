/* SPDX-License-Identifier: MIT
 * Examines a file once before it is read: what it is, and what that shows of its run. */
#ifndef TM_CLI_LOOK_H
#define TM_CLI_LOOK_H

#include "cli/frame/frame.h"
#include "io/io.h"
#include "read/read.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it showed; nothing is open any more.  {0}: nobody looked. */
struct look {
	struct tm_diag
	        why;  /* of a fault while looking: what it showed may be wrong; no text = none */
	bool trace;   /* it may be a trace, as far as its first bytes tell */
	bool archive; /* what is in it nobody knows yet */
	bool packed;  /* it is one, or compressed */
	bool has_rank;
	uint64_t rank; /* what the trace says */
	/* Traces of its own that it has, as a run.db: what `id` says is owned, no other text is
	 * there. */
	struct tm_origin *origin;
	size_t norigins;
	bool store;  /* it is a run.db */
	bool made;   /* tracecat made it of traces */
	bool gpus;   /* it tells which GPUs there are, and nothing else */
	bool inputs; /* operators may be in it, and what they take: TM_EVC_INPUTS */
};

/* Look at a file, and note it in *w as a trace of that run, unless it has traces of its own; --from
 * is in *c.  What cannot be looked at will be told when it is read.  False when out of memory. */
bool tm_look_at(struct look *l, const struct tm_walk_file *f, const char *run,
                const struct common *c, struct tm_watch *w);

/* Does that file tell which GPUs there are, and nothing else?  False when out of memory. */
bool tm_look_gpus(struct tm_walk_file *f, bool *gpus);

/* Do its first bytes tell that it is a trace, as far as that goes?  False when out of memory. */
bool tm_look_trace(struct tm_walk_file *f, bool *trace);

/* The format without events that a file is of, for the tool that reads it; NULL = of none, or it
 * cannot be read. */
const struct tm_bytes_ops *tm_look_other(struct tm_walk_file *f);

/* May operators be in that file, and what they take, TM_EVC_INPUTS?  Without memory to find out
 * they may. */
bool tm_look_inputs(struct tm_walk_file *f, const struct common *c);

/* Free it; {0} again. */
void tm_look_fini(struct look *l);

#endif
