/* SPDX-License-Identifier: MIT
 * The tables of `kstats regions`. */
#ifndef TM_METRIC_REGIONS_H
#define TM_METRIC_REGIONS_H

#include "metric/began.h"
#include "stack/stack.h"
#include "work/work.h"

/* A region: the ranges of one path on one thread, none where it is but a part of the path of
 * others, whose ranges are in two that overlap; or operations of a rank that are in none. */
struct region {
	size_t thread;                    /* in stack.thread */
	uint32_t parent;                  /* REGION_NONE = it is outermost */
	uint32_t text;                    /* of the last part of its path, in regions.texts */
	uint32_t child, last_child, next; /* the first inside it, and its next sibling, + 1 */
	uint64_t depth, count, ops;       /* ops: launched itself */
	uint64_t kernels, first, last;    /* first > last = nothing */
	uint64_t busy, cover, seen;
	tm_u128 host, total, self;
	size_t range, nrange; /* of the numbers in its own text, in regions.ranges */
	size_t at;            /* its occurrences, in the order in which they begin, in .sorted */
};

#define REGION_NONE UINT32_MAX

/* One range. */
struct region_occurrence {
	uint32_t region, thread, frame;
};

/* Kernels of a region, for --kernels. */
struct region_kernels;

/* What the tables are made from: one rank at a time. */
struct regions {
	const struct tm_metric_opts *o;
	struct tm_stack *s;
	struct tm_names texts;   /* of parts of paths: without numbers */
	uint32_t *text_of;       /* of each label, + 1 */
	struct tm_buf buf, path; /* room for texts */
	struct tm_stack_place place;
	struct region_kernels *kernels; /* or NULL */
	struct tm_began *began;
	struct tm_table *t;
	bool list; /* a row for each range */

	/* of all ranks: */
	uint64_t looked, ops, by_time, no_work, loose, ranks, rank; /* rank: the last with work */
	tm_u128 all, lost_ns;
	struct region_lost {
		uint64_t rank;
		enum tm_stack_how how;
		struct region r;
	} * lost; /* nlost of them, by rank */
	size_t nlost, lost_cap;
	bool deep, calls, some; /* there are API calls; there is anything at all */

	/* of this rank: */
	struct tm_stack_rank r;
	struct tm_extent asked;
	size_t *first; /* of each thread: its first frame, in `one` */
	uint32_t *one; /* of each frame: which occurrence, + 1; 0 = no region */
	struct region_occurrence *occurrence;
	size_t noccurrence;
	uint64_t *gpu;         /* what each launched; UINT64_MAX = too much to be written */
	uint64_t *nkernel;     /* the same, with `list` */
	uint32_t *sorted;      /* occurrences that count, those of a region together */
	struct tm_groups keys; /* thread, parent | text */
	struct region *region;
	size_t nregion, region_cap;
	struct tm_fold_ranges ranges;
	struct region outside[TM_STACK_HOWS];
};

/* regions_place.c: the regions of the next rank, and the work of each.  False when out of memory,
 * or, with *done, when there are no more ranks.  tm_regions_rank_fini it in any case. */
bool tm_regions_next(struct regions *g, size_t *at_thread, size_t *at_track, bool *done);
void tm_regions_rank_fini(struct regions *g);

/* Path of a region, '/' between its parts: into g->path.  False when out of memory. */
bool tm_regions_path(struct regions *g, uint32_t region);

/* regions_state.c: what files of totals keep of ranks (question/state.h), all of the above, and the
 * rows of the table; before what is in no region has rows.  False when out of memory. */
bool tm_regions_state(struct regions *g);

/* regions_kernels.c: what ran in which region, told by region, or, REGION_NONE, by why it is in
 * none. */
struct region_kernels *tm_region_kernels_new(void);
bool tm_region_kernels_add(struct regions *g, uint32_t region, enum tm_stack_how how, uint32_t name,
                           bool copy, uint64_t ns);
void tm_region_kernels_rank(struct region_kernels *k); /* the rank is at its end */
bool tm_region_kernels_rows(struct regions *g, struct tm_report *rep);
void tm_region_kernels_free(struct region_kernels *k);

/* Why operations are in no region. */
const char *tm_regions_how_text(enum tm_stack_how how);

/* regions_table.c: the rows, and the views. */
extern const struct tm_column tm_region_columns[], tm_region_list_columns[],
        tm_region_kernel_columns[];
enum tm_status tm_fill_regions(struct tm_stack *s, struct tm_began *began,
                               const struct tm_metric_opts *o, struct tm_table *t,
                               struct tm_report *rep);

/* steps_table.c: a row for each step, with --steps, and what the options say, of a metric of steps
 * and of one with steps as a view; metric_opts.own is a struct step_own. */
struct step_own {
	uint64_t skip; /* warm-up steps left out */
};
extern const struct tm_metric_option tm_step_options[], tm_region_options[];
extern const struct tm_column tm_step_columns[];
enum { STEP_KEEP = TM_STEPS_KEEP | TM_WORK_WAITS };
enum tm_status tm_fill_steps(struct tm_work *w, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep);

#endif
