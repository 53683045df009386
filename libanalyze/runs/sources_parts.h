/* SPDX-License-Identifier: MIT
 * How traces become runs: for metric/sources*.c only. */
#ifndef TM_RUNS_SOURCES_PARTS_H
#define TM_RUNS_SOURCES_PARTS_H

#include "base/base.h"
#include "runs/sources.h"

/* Calls of one name in one part. */
struct source_line {
	uint64_t part; /* enum trace_part; TRACE_PARTS + enum domain: of statistics */
	uint32_t name; /* NAME_NONE = none */
	uint64_t calls;
	u128 total;
};

/* One trace. */
struct source_trace {
	struct seen *s;
	char *group;     /* run it is of by name; of several processes, where one file has all */
	unsigned family; /* the same for formats that one profiler may have written */
	char *place;     /* watch_place_of its run */
	uint64_t pass;   /* N of pmc_N, UINT64_MAX = none */
	uint32_t file;   /* watch_file */
	size_t source;   /* number in sources_of.source */
	size_t same_as;  /* the trace that has just the same events, SIZE_MAX = none */
	uint32_t leave;  /* parts that do not count */
	bool untimed;    /* counters only, of dispatches that another pass has the times of */
};

/* What one unit has in one format: traces first .. first + n - 1. */
struct source {
	size_t unit, first, n;
	const char *format;
	struct format_facts facts;
	struct seen_part part[TRACE_PARTS];
	struct source_line *line; /* by part and name */
	size_t nlines;
	bool lossy;
};

/* Traces that are of one run by their names, or passes of it: sources first .. first + n - 1. */
struct source_unit {
	size_t first, n;
	size_t run; /* the unit that stands for all of its run: the least */
	bool told;  /* its rank is known, by ... */
	enum rank_rule rule;
	uint64_t rank;
	bool passes; /* of its run there are several passes ... */
	bool timing; /* ... and the times of this one count */
};

struct sources_of {
	struct seens *all;
	const struct watch *watch;
	struct report *rep;
	struct source_trace *trace; /* by group, format, path */
	size_t n;
	struct source *source;
	size_t nsources, source_cap;
	struct source_unit *unit;
	size_t nunits, unit_cap;
	struct names base; /* kernels at NAME_BASE */
	struct buf text;
	bool refused;
};

/* Where two sources differ: of a name, or of all there is. */
struct source_diff {
	enum trace_part part;
	uint32_t name; /* in all->names; NAME_NONE: in how long it all takes */
	uint64_t calls[2];
	u128 total[2];
};

/* Fill trace, source and unit by names. */
bool sources_group(struct sources_of *o);

/* Units that have the same events, or are passes over the same dispatches, are of one run. */
bool sources_link(struct sources_of *o);

/* Passes over the same dispatches are of one run. */
bool sources_link_passes(struct sources_of *o);

/* Two units are of one run. */
void sources_join(struct sources_of *o, size_t a, size_t b);

/* Which source of a unit counts for a part; NULL: none has any of it. */
const struct source *sources_best(const struct sources_of *o, size_t unit, enum trace_part part);

/* Is a better than b for a part?  A total order of sources of one run. */
bool sources_better(const struct sources_of *o, const struct source *a, const struct source *b,
                    enum trace_part part);

/* Do two sources tell the same of a part?  *same; if not, where they differ.  False when out of
 * memory. */
bool sources_alike(struct sources_of *o, const struct source *a, const struct source *b,
                   enum trace_part part, bool *same, struct source_diff *d);

/* Do statistics b tell the same of a domain as the events of a? */
bool sources_sums_alike(const struct sources_of *o, const struct source *a, const struct source *b,
                        enum domain d);

#endif
