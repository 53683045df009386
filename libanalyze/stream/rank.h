/* SPDX-License-Identifier: MIT
 * Which process of a job, and which run of the profiler, does a file belong to? */
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
};

/* Ranks of runs.  Those that no other rule tells are dealt by order: the smallest numbers that are
 * not taken, in places 0, 1, 2 ... */
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

/* A run has that rank by another rule than order; so have those of its files that say nothing.
 * Before anything is dealt.  False when out of memory. */
bool tm_run_ranks_take(struct tm_run_ranks *r, const char *run, uint64_t rank,
                       enum tm_rank_rule rule);

/* The rank of a run and its rule; false if it has none. */
bool tm_run_ranks_find(const struct tm_run_ranks *r, const char *run, uint64_t *rank,
                       enum tm_rank_rule *rule);

/* The same, but a new run gets the number of that place; the next place follows all that were ever
 * asked for.  False when out of memory. */
bool tm_run_ranks_deal(struct tm_run_ranks *r, const char *run, uint64_t place, uint64_t *rank,
                       enum tm_rank_rule *rule);

/* The place of a number that was dealt. */
uint64_t tm_run_ranks_place(struct tm_run_ranks *r, uint64_t rank);

/* Free it; {0} again. */
void tm_run_ranks_fini(struct tm_run_ranks *r);

/* Compile; false with *d.  The first group that matched (or the whole match) must be a number. */
bool tm_rank_regex_init(struct tm_rank_regex *r, const char *text, struct tm_diag *d);
void tm_rank_regex_fini(struct tm_rank_regex *r);

/* Apply the rules that look at the path; false when none applies. */
bool tm_rank_of_path(const struct tm_rank_regex *r, const char *path, uint64_t *rank,
                     enum tm_rank_rule *rule);

/* The rank of a trace that another file keeps with the one it had: given now, to that file (`of`),
 * or by a regex given now, or as it was; ranks by order are dealt anew over all inputs, that of the
 * run of the trace or of the one that was chosen for it.  `regex`, `order`, `run`: NULL = none. */
void tm_rank_anew(struct tm_trace_id *id, const struct tm_trace_id *of,
                  const struct tm_rank_regex *regex, const struct tm_run_ranks *order,
                  const char *run);

/* What files of one profiler run have in common: the directory and the file name without the words
 * the profilers use for their tables ("kernel", "trace", "stats" ...), without extensions.
 * 2117183_kernel_stats.csv and 2117183_hip_api_trace.csv.gz are one run.
 * Allocated; NULL when out of memory. */
char *tm_run_of_path(const char *path);

/* rocprof (v1) puts the text files of all processes of a run together, in one that has the same
 * name but for the process id: "hip_api_trace.txt" in d/4242_hip_api_trace.txt, NULL where the path
 * is no such part. */
const char *tm_whole_of_part(const char *path);

/* The name of the file in the same directory that this one is a part of, should that be there: that
 * of tm_whole_of_part, and "merged.proto", which rocprof-sys makes of all other .proto.  NULL =
 * none. */
const char *tm_whole_beside(const char *path);

/* Is that the name of such a file, by its last part? */
bool tm_whole_by_name(const char *path);

/* What a file, or a member of an archive, is called in its directory. */
const char *tm_path_base(const char *path);

/* tm_run_of_path, and where: the same only for the same files, also when databases made in
 * different directories and on different hosts meet.  `here` is "host:/working/directory/", or NULL
 * = nowhere. Allocated; NULL when out of memory. */
char *tm_run_identity(const char *here, const char *path);

/* That of a rank of a picture, in the directory of the file, whose identity is given: into *own,
 * the caller's to free, in place of what is there.  NULL when out of memory. */
const char *tm_run_of_rank(char **own, const char *run, uint64_t rank);

#endif
