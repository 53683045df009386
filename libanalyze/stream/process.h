/* SPDX-License-Identifier: MIT
 * Find the process of an event if its file does not name it.
 *
 * Correlation ids, thread ids and addresses are meaningful only within a process, and a rank may
 * have several.  rocprofv3 writes the process to its tables of calls and markers, not to those of
 * kernels and copies.  So it is taken from the other files of the run:
 *
 *   1. all rows of the run that name a process name the same: that one;
 *   2. none does, and the name of its files is a number (77_kernel_trace.csv): that one, where the
 *      number in the name of another run of the rank is its process, and of no other run it is not;
 *   3. none does, and the user gave the rank (RANK=FILE), which says that its files are pieces of
 *      one process: the only one that the other runs of the rank are of, if there is one;
 *   4. else it is not known, and the run stands for it: what two runs hold is of two processes, but
 *      where the user gave their rank and no run of it names a process.
 *
 * All of this is known only after reading everything.  Until then, if a row names no process, a
 * store keeps the number of its run instead.  tm_whose_tell replaces it by the process, if known,
 * else by the index of the run among those of the rank, which does not depend on the order of the
 * inputs. */
#ifndef TM_STREAM_PROCESS_H
#define TM_STREAM_PROCESS_H

#include "base/base.h"
#include "stream/contained.h"
#include "stream/executed.h"

#include <stdbool.h>
#include <stdint.h>

struct tm_batch;
struct tm_drive;
struct tm_input;
struct tm_piece;
struct tm_report;

/* Runs and their processes, shared by a reading and all that keep its rows; several threads may use
 * it. */
struct tm_processes;

/* Create one without runs; NULL when out of memory. */
struct tm_processes *tm_processes_new(void);

/* Another reference to it, to be freed, too; NULL for NULL. */
struct tm_processes *tm_processes_share(struct tm_processes *p);

/* Drop a reference; the last one frees it.  NULL is fine. */
void tm_processes_free(struct tm_processes *p);

/* Forget everything, because the reading is discarded. */
void tm_processes_clear(struct tm_processes *p);

/* Set *number to that of a run of a rank; `given`: by the user.  `run` may be NULL.  False when out
 * of memory. */
bool tm_processes_run(struct tm_processes *p, uint64_t rank, const char *run, bool given,
                      uint32_t *number);

/* Note that a row of that run names a process.  False when out of memory. */
bool tm_processes_note(struct tm_processes *p, uint32_t number, uint64_t pid);

/* The processes that rows named, before it is known that they count.  {0} is a valid empty one. */
struct tm_process_notes {
	struct tm_names pairs; /* bytes of the number of a run and of a process */
	bool one;              /* there is but one trace, which can contain no other */
	bool any;
	uint64_t run, pid; /* the last one */
	struct tm_executed executed;
	struct tm_contained contained[TM_CONTAINED_KINDS];
};

/* Note the processes in a batch of a piece: only in rows of work and calls, since counters may be
 * of another pass over the same dispatches.  False when out of memory. */
bool tm_processes_rows(struct tm_process_notes *n, const struct tm_piece *p,
                       const struct tm_batch *b);

/* Add these notes to *p, because they count.  `p` may be NULL.  False when out of memory. */
bool tm_processes_take(struct tm_processes *p, const struct tm_process_notes *n);

/* Is there a run of which kernels and launches are of two executions, or one that contains others?
 * Then report that: what was read, the nin inputs as *d says, is good for nothing.  They may be
 * read once more.  False also when out of memory: rep->lost. */
bool tm_processes_tell(struct tm_processes *p, const struct tm_drive *d, const struct tm_input *in,
                       size_t nin, struct tm_report *rep);

/* Free it; {0} again. */
void tm_process_notes_fini(struct tm_process_notes *n);

/* ---- for stores ---- */

/* The runs of the rows that a store gets.  {0}: all are of one run. */
struct tm_whose {
	struct tm_processes *all;
	uint64_t run; /* of the piece being read: what it keeps of rows that name no process */
};

/* Begin another piece. */
void tm_whose_piece(struct tm_whose *w, const struct tm_piece *p);

/* Merge with that of another store, whose rows move to this one. */
void tm_whose_merge(struct tm_whose *w, const struct tm_whose *from);

/* Call after everything was read.  False when out of memory. */
bool tm_whose_settle(struct tm_whose *w);

/* After that, call once for each process that was kept: without *has_pid, *pid is the number of a
 * run; both are set to what is known of it. */
void tm_whose_tell(const struct tm_whose *w, bool *has_pid, uint64_t *pid);

/* Free it; {0} again. */
void tm_whose_fini(struct tm_whose *w);

/* ---- after tm_whose_tell ---- */

/* May two processes of a rank be one?  True if they are equal, or if one is unknown and its run has
 * several processes including the other. */
bool tm_process_same(const struct tm_whose *w, uint64_t rank, bool has_a, uint64_t a, bool has_b,
                     uint64_t b);

/* The processes of a rank that have something, such as calls.  {0} = none. */
struct tm_processes_seen {
	bool any, several, has_pid;
	uint64_t pid; /* the first */
};
void tm_processes_see(struct tm_processes_seen *s, bool has_pid, uint64_t pid);

/* In which of them to look up an id to which work of a process refers. */
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
