/* SPDX-License-Identifier: MIT
 * Has a run the kernels, or copies, calls or allocations, of others that count as well?
 *
 * A table is cut with 'head', saved again by a spreadsheet, or put together from those of several
 * processes, and lies next to what it was made of, under any name and without a word of its
 * process.  Kernels that start and end in the same nanoseconds are the same ones, if nothing else
 * tells them apart (contained_rows.h).  Who does not know all kernels of all runs at a time keeps
 * of each run some of them, and of all a bit: the run may have those of another if its bits have
 * all that was kept of that.  Runs that state different ranks, hosts or processes are apart
 * whatever is in them.
 *
 * Of what is no kernel, of which there may be a hundred times as many, only some is kept, and no
 * bits: runs are compared that have enough of it in common. */
#ifndef TM_STREAM_CONTAINED_H
#define TM_STREAM_CONTAINED_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_batch;
struct tm_piece;
struct tm_report;

enum {
	TM_CONTAINED_LEAST = 64,
	TM_CONTAINED_FEW = 8, /* kernels that are alike by chance */
	TM_CONTAINED_KINDS = TM_EV_ALLOC + 1,
};

/* The kernels of a run, or all that it has of another kind. */
struct tm_contained_run {
	uint32_t path;         /* in contained.paths: the least file that has some */
	uint64_t kernels, sum; /* of their hashes */
	uint64_t rank;
	bool several;           /* files of it have other ranks */
	enum tm_rank_rule rule; /* the last by which a file of it got its rank */
	uint64_t host, number;  /* hash, 0 = not known; of its process, by its name, ... */
	bool numbered;          /* ... if so */
	uint64_t *least;       /* the nleast least hashes, in no order; room for TM_CONTAINED_LEAST,
	                        * and then 1 << log2 bits: some hash ends so.  Or NULL */
	uint32_t nleast, most; /* where the largest of them is */
	unsigned log2;
};

/* {0} is a valid empty one, of kernels. */
struct tm_contained {
	enum tm_ev_kind kind; /* what it is about, one of TM_CONTAINED_KINDS */
	struct tm_names runs, paths;
	struct tm_contained_run *v; /* of each run */
	size_t cap;
};

/* A run whose kernels seem to be those of another. */
struct tm_contained_part {
	uint32_t run; /* in contained.runs */
	bool few;     /* the kernels tell only together with those of the other parts */
};

/* Note the events in a batch of a piece, which is of its kind; `one`: there is no other run, so
 * only what tells whether it has some kernels more than once.  False when out of memory. */
bool tm_contained_rows(struct tm_contained *c, const struct tm_piece *p, const struct tm_batch *b,
                       bool one);

/* Hash of when a kernel runs.  Not of its name, whose hash is another in each process: which
 * kernels are kept, and so what is said, is the same every time, whatever a command reads. */
uint64_t tm_contained_hash(const struct tm_batch *b, uint32_t i);

/* Add those of a reading to *all.  False when out of memory. */
bool tm_contained_take(struct tm_contained *all, const struct tm_contained *c);

/* Gets a run that seems to have the kernels of n others.  False: no more. */
typedef bool tm_contained_see(void *arg, uint32_t whole, struct tm_contained_part *v, size_t n);

/* All of them, and their parts, in the order of their paths.  False when out of memory. */
bool tm_contained_each(const struct tm_contained *c, tm_contained_see *see, void *arg);

/* Of kernels up to this hash all were kept. */
uint64_t tm_contained_limit(const struct tm_contained_run *r);

/* Gets two runs of which some kernels seem to be the same, and others not; the first by its path
 * first. */
typedef void tm_contained_pair(void *arg, uint32_t a, uint32_t b);

/* All of them that are next to each other among those that have a kernel, by their paths.  False
 * when out of memory. */
bool tm_contained_pairs(const struct tm_contained *c, tm_contained_pair *see, void *arg);

/* Seems a run to have kernels more than once?  Many do, or all of few. */
bool tm_contained_repeats(const struct tm_contained_run *r);

/* Free it; {0} again. */
void tm_contained_fini(struct tm_contained *c);

#endif
