/* SPDX-License-Identifier: MIT
 * Summary of traces, part by part, to find out which of them belong to one run (runs/sources.h).
 *
 * Keeps sums per name, no events: memory does not grow with rows. */
#ifndef TM_RUNS_SEEN_H
#define TM_RUNS_SEEN_H

#include "agg/agg.h"
#include "base/base.h"
#include "runs/content.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One part (stream/parts.h) of one trace. */
struct tm_seen_part {
	uint64_t rows;
	uint64_t timed;                /* those with start and end; the rest of this is of them */
	uint64_t first, last, longest; /* ns */
	tm_u128 total;                 /* ns */
	tm_ev_set columns;             /* TM_EV_BIT()s that any row has */
	bool fine;                     /* some start or end is no whole microsecond */
};

/* Add up the same part of two traces. */
void tm_seen_part_add(struct tm_seen_part *into, const struct tm_seen_part *p);

/* Calls of one name, in one part. */
struct tm_seen_calls {
	uint64_t calls;
	tm_u128 total; /* ns of those with start and end; of statistics as they say */
};

/* The kernels of one agent, as far as they have times: which of them they are, in sums that do not
 * depend on their order. */
struct tm_seen_agent {
	uint64_t agent;       /* UINT64_MAX: it does not say */
	uint64_t kernels;     /* of them ... */
	uint64_t first, last; /* ns */
	tm_u128 starts;       /* sum, ns */
	uint64_t time_sum;    /* of the hashes of their starts and ends */
	uint64_t ids, id_sum; /* with a correlation id, and the sum of the hashes of those ids */
};

/* Add up the same agent in two traces. */
void tm_seen_agent_add(struct tm_seen_agent *into, const struct tm_seen_agent *a);

/* One trace. */
struct tm_seen {
	struct tm_trace_id id; /* its texts are owned */
	char *source;          /* owned; it and the next three as struct tm_piece has them */
	bool inside;
	size_t input, nth;
	uint64_t events, content; /* runs/content.h */
	bool lossy;               /* something of it is lost, or it could not be read to its end */
	bool stored, totals;      /* it is in a run.db, which has no events of it */
	bool more;                /* goes on with the trace before, in another accumulator */
	struct tm_seen_part part[TM_TRACE_PARTS];
	struct tm_groups keys; /* part, and name in seens.names */
	struct tm_seen_calls *calls;
	size_t calls_cap;
	struct tm_seen_agent *agent; /* nagents that kernels ran on, as they came */
	size_t nagents, agent_cap;
	struct tm_groups guids; /* of its processes, as the profiler names them: in seens.names */
	struct tm_groups pids;  /* of its processes, as far as it says */
	/* none but for traces of seen_opts.passes: */
	struct tm_groups dispatches; /* hash of dispatch id and kernel, work-items, id */
	struct tm_groups counters;   /* names in seens.names */
	uint64_t timed, bare,
	        gridless; /* dispatches with times, rows without an id, without work-items */
	uint64_t loose;   /* sum over the dispatches of hashes of kernel and work-items */
	uint64_t *exact;  /* nexact hashes of executions of dispatches, times included */
	size_t nexact, exact_cap;
};

/* The arg of tm_seen_sink. */
struct tm_seen_opts {
	/* May this run be one of the passes over the same dispatches? */
	bool (*passes)(void *arg, const char *run);
	void *arg;
};

/* The accumulator of tm_seen_sink: the traces in their order. */
struct tm_seens {
	const struct tm_seen_opts *o;
	struct tm_seen *v;
	size_t n, cap;
	struct tm_names
	        names; /* kernels at TM_NAME_FULL, directions of copies, the rest as it is */
	/* private: of the reader */
	struct tm_content_names content;
	uint32_t *known[2]; /* names of the reader in ours, + 1; as they are, and as kernels */
	size_t nknown, known_cap[2];
	uint64_t *hash; /* of each of our names */
	size_t nhash, hash_cap;
	bool pass;
	struct tm_buf text;
};

extern const struct tm_event_sink tm_seen_sink;

/* The columns it needs. */
#define TM_SEEN_WANT (TM_EV_ALL & ~TM_EV_BIT(TM_EVC_SKETCH))

#endif
