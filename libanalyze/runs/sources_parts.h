/* SPDX-License-Identifier: MIT
 * Grouping of traces into runs: for runs/sources*.c only. */
#ifndef TM_RUNS_SOURCES_PARTS_H
#define TM_RUNS_SOURCES_PARTS_H

#include "base/base.h"
#include "runs/sources.h"

/* Calls of one name in one part. */
struct source_line {
	uint64_t part; /* enum tm_trace_part; TM_TRACE_PARTS + enum tm_domain: of statistics */
	uint32_t name; /* TM_NAME_NONE = none */
	uint64_t calls;
	tm_u128 total;
};

/* One trace. */
struct source_trace {
	struct tm_seen *s;
	char *group;     /* run it is of by name; of several processes, where one file has all */
	unsigned family; /* the same for formats that one profiler may have written */
	char *place;     /* tm_watch_place_of its run */
	uint64_t pass;   /* N of pass_N, UINT64_MAX = none */
	uint32_t file;   /* tm_watch_file */
	uint32_t start;  /* tm_watch_start_of */
	size_t source;   /* number in sources_of.source */
	size_t same_as;  /* the trace that has just the same events, SIZE_MAX = none */
	bool merged;     /* others have all of it: runs/wholes.h */
	uint32_t leave;  /* parts that do not count */
	bool untimed;    /* counters only, of dispatches that another pass has the times of */
};

/* What one unit has in one format: traces first .. first + n - 1. */
struct tm_source {
	size_t unit, first, n;
	const char *format; /* for people: what tracecat drew is one of its own */
	bool drawn;
	struct tm_format_facts facts;
	struct tm_seen_part part[TM_TRACE_PARTS];
	struct source_line *line; /* by part and name */
	size_t nlines;
	struct tm_seen_agent *agent; /* nagents that kernels ran on, owned */
	size_t nagents;
	bool lossy;
	/* of a run that several sources record: */
	const struct tm_source *base; /* the one that this is told as; NULL = as it is, and ... */
	struct tm_recast recast;      /* ... how; its agents are owned */
	bool beside;                  /* its correlation ids are not those of base */
	bool adrift;                  /* nobody knows how its clock relates to that of base */
	uint32_t unfit;               /* parts of which nobody knows how, and that no other has */
};

/* Traces that are of one run by their names, or passes of it: sources first .. first + n - 1. */
struct source_unit {
	size_t first, n;
	size_t run;  /* the unit that stands for all of its run: the least */
	size_t next; /* another one of its run, in a ring */
	bool drawn;  /* it is nothing but pictures */
	bool told;   /* its rank is known, by ... */
	enum tm_rank_rule rule;
	uint64_t rank;
	bool passes;    /* of its run there are several passes ... */
	bool timing;    /* ... and the times of this one count, ... */
	size_t untimed; /* ... which lacks so many dispatches of the others */
};

struct sources_of {
	struct tm_seens *all;
	const struct tm_watch *watch;
	struct tm_report *rep;
	struct source_trace *trace; /* by group, format, path */
	size_t n;
	struct tm_source *source;
	size_t nsources, source_cap;
	struct source_unit *unit;
	size_t nunits, unit_cap;
	struct tm_names base; /* kernels at TM_NAME_BASE */
	struct tm_buf text;
	bool refused;
};

/* The units of a run: n of them, the least first. */
struct run_units {
	const size_t *unit;
	size_t n;
	bool refused; /* its formats do not agree */
	bool drawn;   /* it is nothing but pictures */
};

/* Where two sources differ: of a name, or of all there is. */
struct source_diff {
	enum tm_trace_part part;
	uint32_t name; /* in all->names; TM_NAME_NONE: in how long it all takes */
	uint64_t calls[2];
	tm_u128 total[2];
};

/* Fill trace, source and unit by names. */
bool tm_sources_group(struct sources_of *o);

/* Units that have the same events, or are passes over the same dispatches, are of one run. */
bool tm_sources_link(struct sources_of *o);

/* Two formats of the same kernels in the same nanoseconds are of one run. */
bool tm_sources_link_exact(struct sources_of *o);

/* Passes over the same dispatches are of one run. */
bool tm_sources_link_passes(struct sources_of *o);

/* After all others are linked: refuse parts of one table that share a dispatch.  False when out of
 * memory. */
bool tm_sources_refuse_cut(struct sources_of *o);

/* Traces of other units that hold the same processes are of one run, or nothing of them counts. */
bool tm_sources_link_guids(struct sources_of *o);

/* After all others are linked: nothing counts of what is made of several databases and says of no
 * process which one it is. */
bool tm_sources_link_wholes(struct sources_of *o);

/* After those: formats of one process in one directory are of one run, whatever kernels they lack;
 * nothing counts if a trace has processes that are elsewhere, and others.
 * False when out of memory. */
bool tm_sources_link_pids(struct sources_of *o);

/* After all others are linked: nothing counts if traces of one process are on two clocks, and one
 * may have the kernels of the other.  False when out of memory. */
bool tm_sources_refuse_clocks(struct sources_of *o);

/* Traces first .. *end - 1 are those of a unit. */
size_t tm_sources_first(const struct sources_of *o, size_t unit, size_t *end);

/* Is it a picture that says its ranks, which do not count next to traces? */
bool tm_sources_numbers_anew(const struct tm_source *of, const struct tm_seen *s);

/* Is it there for the first time? */
bool tm_sources_counts(const struct source_trace *t);

/* Lines as they came: sorted, and those of one part and name added up. */
void tm_sources_add_lines(struct tm_source *s);

/* The unit that stands for the run of this one, while units are joined. */
size_t tm_sources_run_of(struct sources_of *o, size_t unit);

/* Do they say that they are of different ranks? */
bool tm_sources_other_ranks(const struct source_unit *a, const struct source_unit *b);

/* Do both state the same process? */
bool tm_sources_same_process(const struct sources_of *o, size_t a, size_t b);

/* Can the runs of both be one?  No if they state different ranks, hosts or processes, or if one
 * format has events of one domain in both. */
bool tm_sources_joinable(const struct sources_of *o, size_t a, size_t b);

/* Two units are of one run. */
void tm_sources_join(struct sources_of *o, size_t a, size_t b);

/* Which source of a unit counts for a part; NULL: none has any of it. */
const struct tm_source *tm_sources_best(const struct sources_of *o, size_t unit,
                                        enum tm_trace_part part);

/* Is a better than b for a part?  A total order of sources of one run. */
bool tm_sources_better(const struct sources_of *o, const struct tm_source *a,
                       const struct tm_source *b, enum tm_trace_part part);

/* Is this a unit of which only the counters count? */
bool tm_sources_only_counters(const struct source_unit *u);

/* Find the source of a run that the others are told as, and how.  False when out of memory. */
bool tm_sources_frames(struct sources_of *o, const struct run_units *r);

/* When it is decided what counts: say how that source is told, if it is not as it is. */
void tm_sources_tell_frame(const struct sources_of *o, const struct tm_source *s);

/* Do two sources tell the same of a part?  *same; if not, where they differ.  False when out of
 * memory. */
bool tm_sources_same(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                     enum tm_trace_part part, bool *same, struct source_diff *d);

/* Can they be of one run?  The same, but where one has losses they need only be of one time. */
bool tm_sources_alike(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                      enum tm_trace_part part, bool *same, struct source_diff *d);

/* Are the kernels of two sources, which began and ended in the same nanoseconds, named alike: but
 * for names that are mangled or cut?  False when out of memory. */
bool tm_sources_named_alike(struct sources_of *o, const struct tm_source *a,
                            const struct tm_source *b, bool *alike);

/* May all kernels of a be among those of b: of each name as many, and as much time?  False when out
 * of memory. */
bool tm_sources_among(struct sources_of *o, const struct tm_source *a, const struct tm_source *b,
                      bool *among);

/* Do statistics b tell the same of a domain as that part (source_line) of a? */
bool tm_sources_sums_alike(const struct sources_of *o, const struct tm_source *a, uint64_t part,
                           const struct tm_source *b, enum tm_domain d);

/* Are all statistics of a domain in b, with times and at least `names` of them, also in that part
 * (source_line) of a, which has more? */
bool tm_sources_sums_among(const struct tm_source *a, uint64_t part, const struct tm_source *b,
                           enum tm_domain d, size_t names);

#endif
