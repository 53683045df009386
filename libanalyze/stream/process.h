/* SPDX-License-Identifier: MIT
 * Which process is an event of, where its file does not say it?
 *
 * Correlation ids, thread ids and addresses mean something in one process only, and a rank may have
 * several.  rocprofv3 writes the process into its tables of calls and markers, not into those of
 * kernels and copies.  So what a file does not say is what the other files of its run say:
 *
 *   1. all rows of the run that name a process name the same: that one;
 *   2. none does, and the name of its files is a number (77_kernel_trace.csv): that one, where the
 *      number in the name of another run of the rank is its process, and of no other run it is not;
 *   3. none does, and the user gave the rank (RANK=FILE), which says that its files are pieces of
 *      one process: the only one that the other runs of the rank are of, if there is one;
 *   4. else it is not known, and the run stands for it: what two runs hold is of two processes, but
 *      where the user gave their rank and no run of it names a process.
 *
 * All of this is known when everything was read.  Until then a store keeps, in place of a process
 * that a row does not name, the number of its run; tm_whose_tell makes of that the process, where
 * it is known, else the place of the run among those of the rank, by which runs are told apart in
 * an order that does not depend on that of the inputs. */
#ifndef TM_STREAM_PROCESS_H
#define TM_STREAM_PROCESS_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

struct tm_batch;
struct tm_piece;

/* Runs and their processes, of one reading and all who keep rows of it; several threads may use it.
 */
struct tm_processes;

/* One without runs; NULL when out of memory. */
struct tm_processes *tm_processes_new(void);

/* The same once more, to be freed as well; NULL of NULL. */
struct tm_processes *tm_processes_share(struct tm_processes *p);

/* Free it, the last of those who share it; NULL is fine. */
void tm_processes_free(struct tm_processes *p);

/* What was read is good for nothing: forget it all. */
void tm_processes_clear(struct tm_processes *p);

/* *number becomes that of a run of a rank, which the user gave or not; `run` may be NULL.  False
 * when out of memory. */
bool tm_processes_run(struct tm_processes *p, uint64_t rank, const char *run, bool given,
                      uint32_t *number);

/* A row of that run names a process.  False when out of memory. */
bool tm_processes_note(struct tm_processes *p, uint32_t number, uint64_t pid);

/* The processes that rows named, before it is known that they count.  {0} is a valid empty one. */
struct tm_process_notes {
	struct tm_names pairs; /* bytes of the number of a run and of a process */
	bool any;
	uint64_t run, pid; /* the last one */
};

/* The rows of a batch of a piece: those of work and calls, for counters may be of another pass over
 * the same dispatches.  False when out of memory. */
bool tm_processes_rows(struct tm_process_notes *n, const struct tm_piece *p,
                       const struct tm_batch *b);

/* They count.  `p` may be NULL.  False when out of memory. */
bool tm_processes_take(struct tm_processes *p, const struct tm_process_notes *n);

/* Free it; {0} again. */
void tm_process_notes_fini(struct tm_process_notes *n);

/* ---- for stores ---- */

/* Whose rows a store is given.  {0}: all are of one run. */
struct tm_whose {
	struct tm_processes *all;
	uint64_t run; /* of the piece being read: what it keeps of rows that name no process */
};

/* Another piece. */
void tm_whose_piece(struct tm_whose *w, const struct tm_piece *p);

/* Rows of another store become those of this one. */
void tm_whose_merge(struct tm_whose *w, const struct tm_whose *from);

/* Everything was read.  False when out of memory. */
bool tm_whose_settle(struct tm_whose *w);

/* After that, once of each process that was kept: without *has_pid, *pid is the number of a run;
 * both become what is known of it. */
void tm_whose_tell(const struct tm_whose *w, bool *has_pid, uint64_t *pid);

/* Free it; {0} again. */
void tm_whose_fini(struct tm_whose *w);

/* ---- after tm_whose_tell ---- */

/* May two processes of a rank be one: are they the same, or is one that is not known of a run in
 * which the other is one of several? */
bool tm_process_same(const struct tm_whose *w, uint64_t rank, bool has_a, uint64_t a, bool has_b,
                     uint64_t b);

/* The processes of a rank that have something, such as calls.  {0} = none. */
struct tm_processes_seen {
	bool any, several, has_pid;
	uint64_t pid; /* the first */
};
void tm_processes_see(struct tm_processes_seen *s, bool has_pid, uint64_t pid);

/* Of which of them may be what work of a process refers to by an id? */
enum tm_process_of {
	TM_PROCESS_ANY,  /* of all of them: there is one, and not another one than that of the work,
	                  * or nothing tells them apart */
	TM_PROCESS_OWN,  /* of those that tm_process_same says */
	TM_PROCESS_NONE, /* of none */
};

/* private: that of several */
enum tm_process_of tm_process_of_several(const struct tm_whose *w, uint64_t rank, bool has_pid);

static inline enum tm_process_of tm_process_of(const struct tm_whose *w, uint64_t rank,
                                               const struct tm_processes_seen *s, bool has_pid,
                                               uint64_t pid)
{
	if (s->several)
		return tm_process_of_several(w, rank, has_pid);
	return s->any && !(s->has_pid && has_pid && s->pid != pid) ? TM_PROCESS_ANY
	                                                           : TM_PROCESS_NONE;
}

#endif
