/* SPDX-License-Identifier: MIT
 * Read every input into an accumulator: several at a time, merged in order.
 *
 * A worker takes a task (a whole input, or a range of a large regular file), fills an accumulator
 * of its own, and merges it in turn, so at most `jobs` accumulators exist besides the total and the
 * result does not depend on `jobs`.  A sink with `held` is merged early, in parts, while its task
 * has the turn: rows that only pass through do not accumulate. */
#ifndef TM_STREAM_DRIVE_H
#define TM_STREAM_DRIVE_H

#include "read/read.h"
#include "stream/only.h"
#include "stream/parts.h"
#include "stream/process.h"
#include "stream/rank.h"
#include "stream/recast.h"
#include "stream/report.h"
#include "stream/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a trace that counts, if other traces have the same run. */
struct tm_pick {
	const char *path;        /* of a member of an archive; NULL: the input itself */
	size_t origin;           /* which of its origins; SIZE_MAX = it has none */
	uint32_t leave;          /* TM_PART_BIT()s of what does not; TM_PARTS_ALL: it is not read */
	bool untimed;            /* its counters are of dispatches whose times another trace has */
	struct tm_recast recast; /* what counts is told as another trace of the run would */
	const char *run; /* of all files that one invocation of the profiler left; NULL = as its
	                   * path says */
	uint64_t rank;   /* of that run, if has_rank, where the trace has none by a stronger rule */
	enum tm_rank_rule rule;
	bool has_rank;
	bool anew; /* the rank that the trace itself says does not count */
	/* The contents of the whole trace, if has_content, as in struct tm_origin. */
	bool has_content;
	uint64_t events, content;
};

/* Their order, for qsort. */
int tm_pick_cmp(const void *a, const void *b);

/* One input. */
struct tm_input {
	const char *path;           /* "-" is standard input; borrowed */
	uint64_t size;              /* of a regular file, else 0 */
	const struct tm_head *head; /* of it, where it is kept, or NULL; borrowed */
	uint64_t rank;              /* unless the path of an archive's member says otherwise */
	enum tm_rank_rule rule;
	const char *run;     /* of all files that one invocation of the profiler left; borrowed */
	const char *own_run; /* tm_run_identity of it; borrowed */
	const char *host;    /* it was made on, unless it says so itself; borrowed, or NULL */
	bool optional;       /* found in a directory: no error when it is not a trace */
	/* for an input with origins: those not to be read (the same trace is in another input), or
	 * NULL */
	const bool *leave;
	size_t nleave;
	const struct tm_pick *pick; /* npick of them, in the order of tm_pick_cmp; what none is of
	                             * counts whole */
	size_t npick;
	bool looked;     /* somebody has looked at it: the watch knows what it is */
	uint64_t traces; /* out: traces found in it (an archive may hold many) */
	bool archive;    /* out: it is one */
};

/* Where a batch comes from. */
struct tm_piece {
	struct tm_trace_id id; /* producer, clock, host and realtime are sure at done() */
	const char *source;    /* what it is read from: a file, or a member of an archive, ... */
	bool inside;           /* ... if so */
	const struct tm_unused
	        *unused; /* sure at done(), where it was asked for (reader.h); or NULL */
	const struct tm_origin *origin; /* what is known from an earlier reading, or NULL */
	const struct tm_loss *lost;     /* what is known before its first event, or NULL */
	const struct tm_pick *pick;     /* what of it counts, or NULL = all of it */
	const struct tm_only *only;     /* what its batches passed, or NULL = all is there */
	size_t input;                   /* number of the input it is, or is in */
	size_t nth;                     /* which of its origins; SIZE_MAX = it has none */
	bool more; /* goes on with the file of the piece before: its next range */
	struct tm_processes *processes; /* of all that is read, where processes are asked for, */
	uint32_t process;               /* and the number that its run has there */
};

/* An accumulator and what can be done with it.  Functions return false when out of memory. */
struct tm_event_sink {
	size_t size;
	const void *arg;
	bool (*init)(void *acc, const void *arg);
	bool (*piece)(void *acc,
	              const struct tm_piece *p); /* the batches that follow are of this piece,
	                                          * which lives until its last batch */
	bool (*take)(void *acc, const struct tm_batch *b);
	bool (*merge)(void *into, void *from); /* `from` is finished with fini afterwards, or, where
	                                        * there is `held`, filled further and merged again
	                                        * */
	void (*fini)(void *acc);

	/* Optional: called at the end of a piece, with its losses, and why it was not read
	 * completely (NULL = it was).  For a file read in ranges, called once, on the total, after
	 * the last. */
	bool (*done)(void *acc, const struct tm_piece *p, const struct tm_loss *l,
	             const struct tm_diag *why);

	/* Its answer does not depend on where a piece is divided, even if the parts have different
	 * kinds of events, nor on the order of batches of different kinds. */
	bool mixed;

	/* Optional: bytes that a merge would free.  A task merges at TM_DRIVE_PART bytes while it
	 * has the turn; otherwise it waits for its turn at TM_DRIVE_HELD bytes. */
	size_t (*held)(const void *acc);
};

/* The clock of times of an input with origins, which were aligned to one clock (origin.line). */
enum tm_drive_clock {
	TM_DRIVE_SHIFTED, /* that clock at the origin of the line, and the recorded rate everywhere:
	                   * all that is asked of one rank has the answer it has without the others.
	                   * Who compares ranks adds tm_clock_line_drift */
	TM_DRIVE_COMMON,  /* that clock: durations change by what the clocks drift */
	TM_DRIVE_RECORDED, /* as they were recorded */
};

struct tm_drive {
	tm_ev_set want;                    /* columns */
	unsigned jobs;                     /* workers, at least 1 */
	const struct tm_reader_ops *from;  /* NULL = by content */
	const struct tm_rank_regex *ranks; /* NULL = none */
	const struct tm_run_ranks
	        *order;   /* ranks of origins that had one by order; NULL = as they were */
	const char *here; /* for tm_run_identity */
	void (*progress)(void *arg, uint64_t done,
	                 uint64_t total); /* NULL = none; one call at a time */
	void *progress_arg;
	bool verbose; /* note what was not a trace, too */
	struct tm_report
	        *twice; /* gets the note of runs that have one rank (twice.h); NULL: with all
	                         the others */
	/* Unless NULL, notes which traces that only the drive sees (members of archives) may have
	 * the same run.  If no choice was made for some of them, the drive stops (watch->fresh),
	 * and what it has read must be discarded. */
	struct tm_watch *watch;
	struct tm_processes *processes; /* learns the process of each run; NULL = nobody asks */
	bool look;                      /* only see what there is: no event is read */
	bool origins; /* with look: the pieces of inputs with origins are given to the sink */
	enum tm_drive_clock clock;
	bool whole;                   /* of rollups what those of all inputs add up to will do */
	const struct tm_only *filter; /* which events are read, or NULL = all */
	bool filter_ranks;            /* of it, only which ranks */
};

enum {
	TM_DRIVE_CHUNKS = 8, /* a large file has as many chunks at least */
	TM_DRIVE_PART = 256 * 1024,
	TM_DRIVE_HELD = 64 * 1024 * 1024,
};

/* Read all inputs into *total, which the caller initialized with sink->init.  Reports problems in
 * *rep, in the order of the inputs.  TM_ST_OK, or TM_ST_FATAL when out of memory (*total is
 * useless). */
enum tm_status tm_drive_run(const struct tm_drive *d, struct tm_input *in, size_t n,
                            const struct tm_event_sink *sink, void *total, struct tm_report *rep);

#endif
