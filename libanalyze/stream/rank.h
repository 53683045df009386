/* SPDX-License-Identifier: MIT
 * Find the process of a job and the run of the profiler to which a file belongs. */
#ifndef TM_STREAM_RANK_H
#define TM_STREAM_RANK_H

#include "base/base.h"
#include "model/model.h"

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

/* A compiled --rank-from. */
struct tm_rank_regex {
	regex_t re;
	bool set;
	unsigned char *use; /* NULL = nobody asks; gets TM_RANK_APPLIED and TM_RANK_MATCHED, from
	                     * any thread */
};

enum {
	TM_RANK_APPLIED = 1, /* it was applied to some path */
	TM_RANK_MATCHED = 2, /* ... and found a number */
};

/* Ranks of runs.  Runs without a rank by another rule are numbered by order: they get the smallest
 * unused numbers, in places 0, 1, 2 ... */
struct tm_run_ranks {
	struct tm_names runs; /* of each of them: */
	struct tm_run_rank {
		uint64_t rank;
		enum tm_rank_rule rule;
		bool differ; /* its files say different ranks, by themselves: that is no rank */
	} * v;
	size_t cap;
	uint64_t *taken; /* ascending, each once, up to `sorted`; the rest as they came */
	size_t ntaken, taken_cap, sorted;
	uint64_t next; /* place */
};

/* Record the rank of a run by another rule than order; it is also that of its files that name none.
 * Call before tm_run_ranks_deal.  False when out of memory. */
bool tm_run_ranks_take(struct tm_run_ranks *r, const char *run, uint64_t rank,
                       enum tm_rank_rule rule);

/* The rank of a run and its rule; false if it has none. */
bool tm_run_ranks_find(const struct tm_run_ranks *r, const char *run, uint64_t *rank,
                       enum tm_rank_rule *rule);

/* The same, but a new run gets the number of that place; the next place follows all that were ever
 * used.  False when out of memory. */
bool tm_run_ranks_deal(struct tm_run_ranks *r, const char *run, uint64_t place, uint64_t *rank,
                       enum tm_rank_rule *rule);

/* The place of a number that was dealt. */
uint64_t tm_run_ranks_place(struct tm_run_ranks *r, uint64_t rank);

/* Free it; {0} again. */
void tm_run_ranks_fini(struct tm_run_ranks *r);

/* Compile; false with *d.  The first group that matched (or the whole match) must be a number.
 * r->use stays as it is. */
bool tm_rank_regex_init(struct tm_rank_regex *r, const char *text, struct tm_diag *d);
void tm_rank_regex_fini(struct tm_rank_regex *r);

/* Apply the rules for paths; false when none applies. */
bool tm_rank_of_path(const struct tm_rank_regex *r, const char *path, uint64_t *rank,
                     enum tm_rank_rule *rule);

/* Update the rank of a trace that is stored in another file (`of`): as now given for that file, or
 * by a regex given now, or unchanged.  Ranks by order are assigned anew over all inputs, to the run
 * of the trace or the one chosen for it.  `regex`, `order`, `run`: NULL = none. */
void tm_rank_anew(struct tm_trace_id *id, const struct tm_trace_id *of,
                  const struct tm_rank_regex *regex, const struct tm_run_ranks *order,
                  const char *run);

/* The common name of the files of one profiler run: directory and file name, without the words that
 * profilers use for tables ("kernel", "trace", "stats" ...)  and without extensions.
 * 2117183_kernel_stats.csv and 2117183_hip_api_trace.csv.gz are one run.  Allocated; NULL when out
 * of memory. */
char *tm_run_of_path(const char *path);

/* Is the name of such a run a number, as that of its process? */
bool tm_run_number(const char *run, size_t n, uint64_t *number);

/* rocprof (v1) merges the text files of all processes of a run into one with the same name without
 * process id: "hip_api_trace.txt" for d/4242_hip_api_trace.txt; NULL if the path is not such a
 * part. */
const char *tm_whole_of_part(const char *path);

/* The name of the file in the same directory of which this one would be a part: that of
 * tm_whole_of_part, or "merged.proto", which rocprof-sys merges from all other .proto.  NULL =
 * none. */
const char *tm_whole_beside(const char *path);

/* Is the last part of the path the name of such a merged file? */
bool tm_whole_by_name(const char *path);

/* The name of a file, or of a member of an archive, in its directory. */
const char *tm_path_base(const char *path);

/* tm_run_of_path with its location, so that it is unique even among databases made in different
 * directories and on different hosts.  `here` is "host:/working/directory/", or NULL = no location.
 * Allocated; NULL when out of memory. */
char *tm_run_identity(const char *here, const char *path);

/* The identity of a rank in a timeline, from the identity `run` of the file: replaces *own, which
 * the caller frees.  NULL when out of memory. */
const char *tm_run_of_rank(char **own, const char *run, uint64_t rank);

#endif
