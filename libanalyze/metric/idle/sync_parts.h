/* SPDX-License-Identifier: MIT
 * The state of `sync`, shared by the file that reads and the file that prints. */
#ifndef TM_METRIC_SYNC_PARTS_H
#define TM_METRIC_SYNC_PARTS_H

#include "agg/agg.h"
#include "base/base.h"
#include "metric/idle/sync.h"

/* Key of a sum: run (a name), rank, enum tm_work_api, function (a name). */
enum { KEY_RUN, KEY_RANK, KEY_API, KEY_NAME, KEY_WORDS };

struct sum {
	uint64_t calls, max;
	tm_u128 total;
	double least; /* what its Percentage says the whole file holds at least */
	bool no_max;
};

struct sync {
	struct tm_work w;
	struct tm_groups keys; /* of the sums */
	struct sum *sum;
	size_t cap;
	struct tm_groups traced; /* runs (names) with API calls of their own */
	struct tm_groups
	        busy; /* ranks with work on a GPU, inside the window or not; when all is there */
	uint64_t unusable; /* rows of statistics that -w or --during cannot choose from */
	uint32_t run;      /* of the piece being read */
};

/* Which part of a call --during asks for: while the GPU was working, or was not. */
enum during { DURING_ALL, DURING_BUSY, DURING_IDLE };

/* sync_table.c: the options, and what they say; metric_opts.own is a struct sync_own. */
struct sync_own {
	const char *during;
};
extern const struct tm_metric_option tm_sync_options[];
enum during tm_sync_during(const struct tm_metric_opts *o);

/* Into *into. */
void tm_sync_add_sum(struct sum *into, const struct sum *from);

/* Add a key of one word; false when out of memory. */
bool tm_sync_note(struct tm_groups *g, uint64_t key);

/* Move all waits of all threads of the process into the empty *all, sorted; false when out of
 * memory (*all is the caller's to fini all the same). */
bool tm_sync_take_waits(const struct tm_sync_process *p, struct tm_intervals *all);

/* ---- sync_notes.c ---- */

/* What the notes are made of, beside the rows: of a process, of the statistics of a rank, that a
 * rank has GPU work; and of the calls of one kind, of a process or of statistics, which are the
 * rows of --kinds. */
enum noted_kind { NOTED_PROCESS, NOTED_SUMS, NOTED_BUSY, NOTED_CALLS };
enum {
	NOTED_KIND,
	NOTED_HSA,
	NOTED_KNOWN, /* the GPU window; of sums the whole: */
	NOTED_WHOLE,
	NOTED_WHOLE_HI,
	NOTED_HOST, /* the host window, and so on: of processes only */
	NOTED_OUTSIDE,
	NOTED_PID,
	NOTED_HAS_PID,
	NOTED_TID,
	NOTED_HAS_TID,
	NOTED_WINDOW,
	NOTED_WAITED,
	NOTED_IDLE,
	NOTED_LONGEST,
	NOTED_WAIT, /* enum tm_wait_kind, and so on: of calls of a kind only */
	NOTED_COUNT,
	NOTED_TOTAL,
	NOTED_TOTAL_HI,
	NOTED_LATER,
	NOTED_N
};

struct noted {
	uint64_t rank, nth;
	uint32_t name; /* in notes.names; TM_NAME_NONE = of nothing */
	uint64_t v[NOTED_N];
};

struct notes {
	struct tm_names *names;
	struct noted *v;
	size_t n, cap;
};

/* One more, all numbers 0 and without a name; NULL when out of memory. */
struct noted *tm_sync_noted(struct notes *n, uint64_t rank, enum noted_kind kind);

/* Keep them, or add those that were kept, by rank then.  False when out of memory. */
bool tm_sync_share_notes(struct notes *n, struct tm_state *s);

/* What the notes tell of the denominators: smallest and largest, and whose they are. */
struct wholes {
	uint64_t n, lo_rank, hi_rank;
	tm_u128 lo, hi;
	uint64_t ranks; /* or processes, with a whole or not */
	uint64_t cut;   /* of these, those whose statistics hold less than they say */
	uint64_t hsa;   /* of these, those whose HSA calls count */
};

/* One more denominator, ranks ascending. */
void tm_sync_wholes_add(struct wholes *d, tm_u128 whole, uint64_t rank);

/* Note `what` with the denominators after it; nothing where there are none. */
void tm_sync_tell_wholes(struct tm_report *rep, const char *what, const struct wholes *d);

/* How much of its time a process was blocked. */
struct blocked {
	uint64_t rank, pid, tid;
	bool has_pid, has_tid;
	uint64_t window, waited, idle, longest; /* longest: of the thread tid */
};

/* Waiting calls outside the GPU window. */
struct outside {
	uint64_t calls, most, most_rank;
};

/* What there is to say of all ranks. */
struct answer {
	struct wholes gpu, host, sums;
	struct blocked most;
	struct outside outside;
	struct tm_groups told, busy; /* ranks with rows, with GPU work; ascending */
	uint64_t beside; /* rows of statistics left out: the trace of their run is there */
};

/* What was noted, of all ranks.  False when out of memory. */
bool tm_sync_add_notes(struct answer *a, const struct notes *notes);

/* All there is to say beside the rows, into *rep. */
void tm_sync_tell(const struct sync *s, const struct answer *a, struct tm_report *rep);

/* There are no rows: why. */
void tm_sync_explain_nothing(const struct sync *s, struct tm_report *rep);

/* ---- sync_kinds.c: waiting by what the calls are there for ---- */

/* What one kind of calls comes to. */
struct kind_sum {
	uint64_t calls, idle, later;
	tm_u128 total;
	uint32_t most; /* the name of the call that weighs most; TM_NAME_NONE = none is there */
	uint64_t most_idle;
	tm_u128 most_total;
};

/* Another call of that kind weighs so much, of names in w->order.  Calls are told of one by one,
 * each once. */
void tm_sync_weigh(const struct tm_work *w, struct kind_sum *k, uint32_t name, tm_u128 total,
                   uint64_t idle);

/* Note the kinds of a process, or of the statistics of a rank, where `of` and *window are NULL; the
 * idle time is not known where !has_idle.  False when out of memory. */
bool tm_sync_note_kinds(struct notes *n, uint64_t rank, const struct tm_work_thread *of,
                        const struct tm_extent *window, bool has_idle,
                        const struct kind_sum kinds[TM_WAIT_KINDS]);

/* The rows of --kinds, of all notes.  False when out of memory. */
bool tm_sync_put_kinds(const struct notes *n, struct tm_table *t, struct tm_report *rep);

extern const struct tm_column tm_sync_kinds_columns[];

/* struct tm_metric's fill. */
enum tm_status tm_sync_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                            struct tm_report *rep);

extern const struct tm_column tm_sync_columns[];

#endif
