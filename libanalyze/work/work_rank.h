/* SPDX-License-Identifier: MIT
 * One rank as a whole: the unions of its agents and of its threads, so that an instant counts
 * once. */
#ifndef TM_WORK_WORK_RANK_H
#define TM_WORK_WORK_RANK_H

#include "work/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_work_rank {
	uint64_t rank;
	struct tm_work_track *track; /* ntrack of them, one for each agent */
	struct tm_work_thread *thread;
	const struct tm_intervals *host_copy; /* from host to host, with TM_WORK_BYTES; or NULL */
	size_t ntrack, nthread;
	/* after tm_work_rank_unite: */
	struct tm_intervals
	        cover[TM_WORK_KINDS]; /* when anything of the kind ran: disjoint, ascending */
	struct tm_intervals
	        wait; /* when any thread blocked on the GPU, with TM_WORK_WAITS; likewise */
	size_t near[TM_WORK_KINDS + 1]; /* private: where in cover and wait was asked last */
	bool has_calls;                 /* there are API calls, so that no waits means none */
	struct tm_extent asked, window; /* see struct tm_work_track; of the rank */
};

/* The next rank of a settled *w, ascending: the first for *at = *at_thread = 0, which are advanced.
 * False after the last. */
bool tm_work_rank_next(struct tm_work_rank *r, const struct tm_work *w, size_t *at,
                       size_t *at_thread);

/* Count the kernels that start in each of n stretches of time, ascending and disjoint, in kernels[0
 * .. n); before tm_work_rank_unite. */
void tm_work_rank_kernels(const struct tm_work_rank *r, const struct tm_extent *at, size_t n,
                          uint64_t *kernels);

/* Sum the sizes of the copies that start in each of n such stretches, and count those without a
 * size or that overflow the sum; before tm_work_rank_unite, with TM_WORK_BYTES.  False when the
 * rank has no copies. */
bool tm_work_rank_copied(const struct tm_work_rank *r, const struct tm_extent *at, size_t n,
                         uint64_t *bytes, uint64_t *unsized);

/* Count the calls that launch kernels or graphs and begin in each of n such stretches; with
 * TM_WORK_CALLS and TM_WORK_CALL_NAMES, after tm_work_know_calls. */
void tm_work_rank_launches(const struct tm_work_rank *r, const struct tm_work *w,
                           const struct tm_extent *at, size_t n, uint64_t *launches);

/* Unite the operations and waits of the rank, which are moved out of their tracks and threads in
 * *w.  False when out of memory (call fini all the same). */
bool tm_work_rank_unite(struct tm_work_rank *r, const struct tm_work *w);

/* How a stretch of time was used.  This and the next two functions are fastest if stretches
 * ascend. */
struct tm_work_use tm_work_rank_use(struct tm_work_rank *r, struct tm_extent window);

/* The part of it during which a thread blocked. */
uint64_t tm_work_rank_waited(struct tm_work_rank *r, struct tm_extent window);

/* The part of that during which nothing ran. */
uint64_t tm_work_rank_waited_idle(struct tm_work_rank *r, struct tm_extent window);

/* Instead of tm_work_rank_unite, if nothing else is needed: how the window of a rank with
 * operations was used, and how long a thread blocked in it (or in r->asked, without operations).
 * False when out of memory. */
bool tm_work_rank_whole(struct tm_work_rank *r, const struct tm_work *w, struct tm_work_use *use,
                        uint64_t *waited);

/* Notes about several ranks. */
struct tm_work_rank_notes {
	uint64_t several; /* ranks of more than one agent */
	uint64_t silent;  /* without API calls */
};
void tm_work_rank_note(const struct tm_work_rank *r, struct tm_work_rank_notes *n);
void tm_work_rank_tell(const struct tm_work_rank_notes *n, struct tm_report *rep);

/* Free it; {0} again. */
void tm_work_rank_fini(struct tm_work_rank *r);

#endif
