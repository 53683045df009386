/* SPDX-License-Identifier: MIT
 * Which traces may be of one run of a profiler?  What the files show before their events are read:
 * where they lie, their formats, the headers of tables.  Most folders are told apart by that; only
 * where something here says "perhaps" are events read to find out (runs/sources.h). */
#ifndef TM_STREAM_WATCH_H
#define TM_STREAM_WATCH_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A directory, as those of the passes of one profiler (pass_1, pass_2 ..., or pmc_1 ...) are the
 * same. */
struct tm_watch_place {
	uint64_t formats;    /* of events: bits 1 << format_facts.place */
	uint64_t below;      /* the same of all directories in it */
	uint32_t head;       /* of a wide table of counters: its header in watch.tables */
	unsigned runs;       /* that have events */
	uint64_t pass;       /* the N of pass_N */
	bool counting;       /* there is a long table of counters */
	bool wide, heads;    /* there is a wide one; there are several headers */
	bool passed, passes; /* there is a pass; there are several */
	bool packed;         /* a file, and the same compressed */
	bool copied;         /* a trace that begins as another one, wherever that is */
	bool parts, merged;  /* tm_whole_beside, tm_whole_by_name: there is one */
	bool sums;           /* statistics whose run has no events there */
	/* of databases, whose traces were decided of when they were merged */
	size_t input; /* the last one; a database is compared with others and with files only */
	uint64_t set, first; /* the formats of it so far, and those of the first one */
	bool stored, differ; /* there is one; another one has other formats */
	size_t counted;      /* one with counters + 1, 0 = none ... */
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
	bool packed_runs; /* a database is in an archive: what of is known when it is read */
	bool drawn, kept; /* there is a picture; a database of several traces, from wherever */
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

/* What identifies the beginning of a trace: of what tm_source_peek has of it.  A copy has the
 * same. */
uint64_t tm_watch_start(const unsigned char *p, size_t n);

/* Note it; a path that was noted before changes nothing.  False when out of memory. */
bool tm_watch_add(struct tm_watch *w, const struct tm_watched *t);

/* The trace of that path, noted before, holds the processes of n ids among `names`.  False when out
 * of memory. */
bool tm_watch_processes(struct tm_watch *w, const char *path, const struct tm_names *names,
                        const uint32_t *guid, size_t n);

/* All traces that can be seen at once were noted: statistics that lie beside a trace of another
 * name may be of it.  False when out of memory. */
bool tm_watch_all_seen(struct tm_watch *w);

/* May traces in the place of this run be of one run?  False too when out of memory. */
bool tm_watch_contested(const struct tm_watch *w, const char *run);

/* May the trace be one of the passes over the same dispatches, as far as its place tells? */
bool tm_watch_passes(const struct tm_watch *w, const char *run);

/* The length of a path without what says how the file is compressed. */
size_t tm_watch_unpacked(const char *path);

/* Does its name say that it is compressed? */
bool tm_watch_is_packed(const char *path);

/* The number of a file, the same for the same file compressed; TM_NAME_NONE: it is not known. */
uint32_t tm_watch_file(const struct tm_watch *w, const char *path);

/* The number of how the trace of that path begins; TM_NAME_NONE: it is not known. */
uint32_t tm_watch_start_of(const struct tm_watch *w, const char *path);

/* Does another trace begin as that of this path does, or hold processes that it may hold? */
bool tm_watch_copied(const struct tm_watch *w, const char *path);

/* The header of the wide table of that path, by number; TM_NAME_NONE: it is no such table. */
uint32_t tm_watch_head(const struct tm_watch *w, const char *path);

/* It is known now which are, for all that were noted. */
void tm_watch_decided(struct tm_watch *w);

/* "host:/dir/" of a run, "pass_N/" or "pmc_N/" left out; *pass = N, UINT64_MAX if there is none.
 * Allocated; NULL when out of memory. */
char *tm_watch_place_of(const char *run, uint64_t *pass);

/* The length of the directory above, of the first n bytes of a place; 0 = there is none. */
size_t tm_watch_place_above(const char *place, size_t n);

/* Free it; {0} again. */
void tm_watch_fini(struct tm_watch *w);

#endif
