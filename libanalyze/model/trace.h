/* SPDX-License-Identifier: MIT
 * The identity of a trace, as used everywhere from the reader to run.db. */
#ifndef TM_MODEL_TRACE_H
#define TM_MODEL_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/* The rule that gave a rank; the first that applies.  run.db stores the words. */
enum tm_rank_rule {
	TM_RANK_GIVEN, /* RANK=PATH on the command line */
	TM_RANK_REGEX, /* --rank-from */
	TM_RANK_TRACE, /* the trace itself says so */
	TM_RANK_PATH,  /* "rank3", "rank_3", "rank-3", "rank=3" in a part of the path, or ".3." in
	                * its last */
	TM_RANK_ENVIRONMENT, /* of this process: the only run there is, of a job's process */
	TM_RANK_ORDER,       /* the order of the runs on the command line */
	TM_RANK_RULES,
};

/* "given", "regex", "trace", "path", "environment", "order"; never NULL. */
const char *tm_rank_rule_text(enum tm_rank_rule rule);

/* The rule of that word; false if there is none. */
bool tm_rank_rule_find(const char *word, enum tm_rank_rule *rule);

/* CLOCK_REALTIME relative to the clock of the trace, if the producer read both at the same moment,
 * once or repeatedly: relates the clocks of different machines. */
struct tm_realtime {
	uint64_t readings;        /* moments; 0 = none, and nothing is known */
	uint64_t low_ns, high_ns; /* smallest and largest CLOCK_REALTIME - time of the trace */
};

/* Add a reading.  One in which the trace's clock is ahead of CLOCK_REALTIME, or the difference is
 * past 2^63, is ignored. */
void tm_realtime_add(struct tm_realtime *r, uint64_t real_ns, uint64_t trace_ns);

/* Combine the readings of two traces with the same clock. */
void tm_realtime_merge(struct tm_realtime *into, const struct tm_realtime *r);

/* The difference to use, and the largest distance of a reading from it; there must be a reading. */
uint64_t tm_realtime_middle(const struct tm_realtime *r);
uint64_t tm_realtime_error(const struct tm_realtime *r);

/* One trace.  Texts are borrowed, and who fills it documents for how long; a copy
 * (tm_trace_id_copy) owns its texts. */
struct tm_trace_id {
	const char *path;       /* of the source, member of an archive included */
	const char *run;        /* of all files that one invocation of the profiler left */
	const char *own_run;    /* as its path says: the same unless what it holds says otherwise;
	                         * NULL = as run */
	uint64_t rank;          /* of the process, and ... */
	enum tm_rank_rule rule; /* ... how it became known */
	const char *format;     /* "rocprofv3-csv" */
	const char *table;      /* "kernel trace" */
	uint64_t bytes;         /* of the file, or of the member of an archive; 0 = not known */
	/* Known when the input is open where a header tells, else only when it has been read. */
	const char *producer; /* who wrote it, as far as it says: "rocprofv3 6.3-6.4", or NULL */
	const char *clock;    /* what its times count: "boottime", or NULL = unknown */
	const char *host;     /* machine it was made on, or NULL = unknown */
	struct tm_realtime realtime; /* how that clock relates to CLOCK_REALTIME */
};

/* Make *to a copy with texts of its own; free it even on failure.  False when out of memory. */
bool tm_trace_id_copy(struct tm_trace_id *to, const struct tm_trace_id *from);

/* Update a copy with what is certain only after reading the trace: producer to realtime.  False
 * when out of memory. */
bool tm_trace_id_learn(struct tm_trace_id *to, const struct tm_trace_id *from);

/* Free the texts of a copy; {0} again. */
void tm_trace_id_fini(struct tm_trace_id *t);

#endif
