/* SPDX-License-Identifier: MIT
 * Which traces may belong to one run of a profiler, judged without reading events: by directories,
 * formats, and headers of tables.  That is enough for most directories; events are read to find out
 * (runs/sources.h) only if something here says "perhaps". */
#ifndef TM_STREAM_WATCH_H
#define TM_STREAM_WATCH_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats of events: bits 1 << format_facts.place. */
struct tm_watch_sets {
	uint64_t formats; /* of files */
	/* of databases, whose traces were chosen when they were merged */
	size_t input; /* the last one; a database is compared with others and with files only */
	uint64_t set, first; /* the formats of it so far, and those of the first one */
	bool stored, differ; /* there is one; another one has other formats */
	bool alone;          /* some have events, and there are statistics whose run has none */
};

/* A directory; those of the passes of one profiler (pass_1, pass_2 ..., or pmc_1 ...)  count as
 * one. */
struct tm_watch_place {
	uint32_t head;       /* of a wide table of counters: its header in watch.tables */
	unsigned runs;       /* that have events */
	uint64_t pass;       /* the N of pass_N */
	bool counting;       /* there is a long table of counters */
	bool wide, heads;    /* there is a wide one; there are several headers */
	bool passed, passes; /* there is a pass; there are several */
	bool packed;         /* a file, and the same compressed */
	bool copied;         /* a trace that begins as another one, wherever that is */
	bool parts, merged;  /* tm_whole_beside, tm_whole_by_name: there is one */
	bool summed;         /* there are statistics whose run has no events there ... */
	bool sums;           /* ... and events, or such statistics of another run */
	bool events;         /* there is a file with events */
	size_t counted;      /* the last database with counters + 1, 0 = none ... */
	bool counters;       /* ... and there is another one */
	bool decided;        /* by tm_watch_decided: events were looked at */
};

/* How traces begin. */
struct tm_watch_start {
	uint32_t place; /* of the first one, TM_NAME_NONE = none */
	bool again;     /* there are several */
};

/* {0} is a valid empty one. */
struct tm_watch {
	struct tm_names places; /* names of ... */
	struct tm_watch_place *place;
	size_t place_cap;
	struct tm_names paths;
	uint32_t *start_of; /* of each of them: in starts, TM_NAME_NONE = not known */
	size_t start_of_cap;
	struct tm_names starts; /* tm_watch_start, and of each ... */
	struct tm_watch_start *start;
	size_t start_cap;
	struct tm_names files; /* those without what says how they are compressed */
	uint32_t *head;        /* of each of them: in tables, TM_NAME_NONE = none */
	size_t head_cap;
	struct tm_names guids; /* of processes, and of each a hash of the first run that has it */
	uint64_t *guid_run;
	size_t guid_run_cap;
	struct tm_names with_guids;     /* paths of traces that have some */
	bool guids_again;               /* two runs have one of them */
	struct tm_names tables;         /* headers of wide tables */
	struct tm_names traced, summed; /* runs with events, with statistics */
	struct tm_watch_sets sets;      /* of all that is given */
	bool packed_runs; /* a database is in an archive: what of is known when it is read */
	bool fresh;       /* a place became contested that is not decided */
};

/* One trace. */
struct tm_watched {
	const char *run;        /* as its path says: tm_run_identity; NULL: its traces are noted one
	                         * by one */
	const char *path;       /* NULL: no file, a trace of a database ... */
	size_t input;           /* ... and of which; */
	const char *table;      /* its table */
	const char *format;     /* name */
	const unsigned char *p; /* its first n bytes, or NULL */
	size_t n;
	uint64_t start; /* tm_watch_start of it, 0 = not known */
	bool drawn;     /* tracecat drew it, of what may be beside it */
};

/* Identifies the beginning of a trace, the bytes of tm_source_peek.  A copy has the same. */
uint64_t tm_watch_start(const unsigned char *p, size_t n);

/* Note a trace; a path that was noted before changes nothing.  False when out of memory. */
bool tm_watch_add(struct tm_watch *w, const struct tm_watched *t);

/* Note that the trace of that path, noted before, contains the processes of n ids among `names`.
 * False when out of memory. */
bool tm_watch_processes(struct tm_watch *w, const char *path, const struct tm_names *names,
                        const uint32_t *guid, size_t n);

/* Call when all visible traces were noted, and again when those of archives were: statistics
 * without a trace of their name may belong to another one.  False when out of memory. */
bool tm_watch_all_seen(struct tm_watch *w);

/* May traces in the place of this run belong to one run?  True also when out of memory: a look too
 * many, and nothing counts twice. */
bool tm_watch_contested(const struct tm_watch *w, const char *run);

/* May the trace be one of the passes over the same dispatches, judged by its place?  True also when
 * out of memory. */
bool tm_watch_passes(const struct tm_watch *w, const char *run);

/* The length of a path without the suffix of compression. */
size_t tm_watch_unpacked(const char *path);

/* Does its name say that it is compressed? */
bool tm_watch_is_packed(const char *path);

/* The number of a file, the same for the same file compressed; TM_NAME_NONE: unknown. */
uint32_t tm_watch_file(const struct tm_watch *w, const char *path);

/* The number of the beginning of the trace of that path; TM_NAME_NONE: unknown. */
uint32_t tm_watch_start_of(const struct tm_watch *w, const char *path);

/* Does another trace begin like that of this path, or contain processes that it may contain? */
bool tm_watch_copied(const struct tm_watch *w, const char *path);

/* The header of the wide table of that path, by number; TM_NAME_NONE: it is no such table. */
uint32_t tm_watch_head(const struct tm_watch *w, const char *path);

/* Mark all places that are contested by now as decided: what is found there later changes
 * nothing, but another place may become contested. */
void tm_watch_decided(struct tm_watch *w);

/* "host:/dir/" of a run, "pass_N/" or "pmc_N/" left out, also at the top of an archive, whose place
 * is that of the archive; *pass = N, UINT64_MAX if there is none.
 * Allocated; NULL when out of memory. */
char *tm_watch_place_of(const char *run, uint64_t *pass);

/* The length of the directory above, of the first n bytes of a place; 0 = there is none. */
size_t tm_watch_place_above(const char *place, size_t n);

/* Free it; {0} again. */
void tm_watch_fini(struct tm_watch *w);

#endif
