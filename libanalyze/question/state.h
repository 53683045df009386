/* SPDX-License-Identifier: MIT
 * Answers without events: what a question keeps of each rank in a file of tracemerge --stats-only,
 * and how its answer is made of that.
 *
 * One mechanism for all questions.  The state of a rank is what tm_metric.fill makes of the events
 * of that rank alone: the rows of its table, and the numbers that it says things with.  So nothing
 * is defined twice, and what is printed is what the events would have given:
 *     - writing, fill is asked of one rank; its rows and numbers are recorded (tm_state_save);
 *     - answering, fill is asked of the events that there are, if any; the rows of the other ranks
 *       join its own (tm_state_rows), their numbers are added to its own (tm_state_sum).
 * Rows are told apart by rank and numbers are added: the order in which files of totals are merged,
 * and how often, changes nothing, and merging them copies what they hold.
 *
 * In such a fill, in this order, whatever it found:
 *     1. the rows of its own events, rank by rank
 *     2. tm_state_rows
 *     3. tm_state_sum for each number that it goes on with, tm_state_names for each set of names;
 *        tm_state_put and tm_state_each for what has more to it
 *     4. what there is to say
 *
 * What is kept is of the usual table: no view, no option that changes numbers (tm_state_refuse);
 * or, where tm_metric.state_views says so, of views alone.
 *
 * The bytes: 0, then a frame of zstd with a checksum.  It holds (and files of earlier versions have
 * that by itself), as tm_num_put_varint writes numbers:
 *     form of the question, flags, [origin], [path, GPU time low, high, length]
 *     sums: how many, then low and high halves
 *     sets of names: how many, then of each how many, then length and bytes
 *     items: how many, then of each text, numbers, bytes, as length and what there is
 *     columns, rows; then cell by cell: a byte for type and flags, [unit, depth], number or text */
#ifndef TM_QUESTION_STATE_H
#define TM_QUESTION_STATE_H

#include "model/model.h"
#include "question/metric.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_state_part;

/* A rank without events, and the file that has it. */
struct tm_state_rank {
	uint64_t rank;
	char *where;
};

/* What was kept of one question, rank by rank; or, writing, what is to be kept of one rank.  {0} is
 * that of no rank. */
struct tm_state {
	bool writing;
	struct tm_state_part *part; /* n of them; after tm_state_open by rank */
	size_t n, cap;
	bool totals;                /* there are inputs that hold no events */
	char *where;                /* the first of them, or NULL */
	struct tm_state_rank *rank; /* nranks: of them all; may repeat */
	size_t nranks, ranks_cap;
	uint64_t *live; /* nlive: ranks with events; may repeat */
	size_t nlive, live_cap;
	/* private: which sum and which set comes next; those of the rank that is written */
	size_t sums, sets, items;
	struct tm_buf sum, set, item;
	bool rows, short_of;
};

/* ---- in fill ---- */

/* Put the rows of all ranks into *t, by rank, and when their times begin for people.  Nothing to do
 * where `s` is NULL.  False when out of memory. */
bool tm_state_rows(struct tm_state *s, struct tm_table *t);

/* `own` and what was kept of that number; 128 bits are never full. */
tm_u128 tm_state_sum(struct tm_state *s, tm_u128 own);

/* Every rank was written with the same number, so that what was kept can be joined with what is
 * made of it now: a rank with another one is an error (tm_state_short). */
void tm_state_same(struct tm_state *s, uint64_t number);

/* Add to *p what was kept. */
static inline void tm_state_add(struct tm_state *s, uint64_t *p)
{
	*p = (uint64_t)tm_state_sum(s, *p);
}

/* Add the names that were kept to *names; pass them over where that is NULL.  False when out of
 * memory. */
bool tm_state_names(struct tm_state *s, struct tm_names *names);

/* One of what a rank has many of, each with numbers of its own. */
enum { TM_STATE_WORDS = 64 };
struct tm_state_item {
	const char *text; /* len bytes, no NUL after them */
	size_t len;
	uint64_t v[TM_STATE_WORDS]; /* nv of them */
	size_t nv;
	const void *bytes; /* nbytes of them */
	size_t nbytes;
};

/* Writing: keep it; nothing to do otherwise. */
void tm_state_put(struct tm_state *s, const struct tm_state_item *it);

/* Answering: every item that was kept, by rank, with nv numbers each, whose text and bytes are gone
 * when take() returns; nothing to do otherwise.
 * False when out of memory, or as soon as take() says so. */
bool tm_state_each(struct tm_state *s, size_t nv,
                   bool (*take)(void *arg, uint64_t rank, const struct tm_state_item *it),
                   void *arg);

/* What was kept is damaged: tm_state_short says so. */
void tm_state_bad(struct tm_state *s);

/* ---- writing ---- */

/* What is noted of the runs of the rank (runs/apart.h), beside the answer. */
struct tm_state_runs {
	bool apart;       /* they have no common window */
	const char *idle; /* the path that tm_apart_tell_idle would name; NULL = nothing to tell */
	tm_u128 gpu_ns;
	uint64_t length_ns;
};

/* The bytes of what fill left in *s (writing) and *t, after *out.  False when out of memory. */
bool tm_state_save(struct tm_state *s, const struct tm_metric *m, const struct tm_table *t,
                   const struct tm_state_runs *r, struct tm_buf *out);

/* ---- answering ---- */

/* The file `where` holds a rank and no events of it.  False when out of memory. */
bool tm_state_totals(struct tm_state *s, uint64_t rank, const char *where);

/* There is an input with events of the rank.  False when out of memory. */
bool tm_state_events(struct tm_state *s, uint64_t rank);

/* Keep a copy of p[0..n), what was kept of a rank by the file `where`.  False when out of memory.
 * */
bool tm_state_take(struct tm_state *s, uint64_t rank, const char *where, const void *p, size_t n);

/* Move all of *from into *into.  False when out of memory. */
bool tm_state_merge(struct tm_state *into, struct tm_state *from);

/* Read what was taken for the usual table of m.  What is damaged, or of a rank that is there twice,
 * is an error in *rep and left out; a rank of which nothing was taken is another.  False when out
 * of memory. */
bool tm_state_open(struct tm_state *s, const struct tm_metric *m, struct tm_report *rep);

/* What is noted of the runs of the i-th rank, after tm_state_open; texts live as long as *s. */
uint64_t tm_state_runs(const struct tm_state *s, size_t i, struct tm_state_runs *r);

/* After fill: does a rank lack numbers that were asked for, or have others than tm_state_same?
 * Then an error in *rep. */
bool tm_state_short(const struct tm_state *s, const struct tm_metric *m,
                    const struct tm_metric_opts *o, struct tm_report *rep);

/* Free it; {0} again. */
void tm_state_fini(struct tm_state *s);

/* Is something asked that totals cannot answer: by the metric itself, or an option?  Then an error
 * in *rep that names it.  False too when all inputs hold events.  rep->lost when out of memory. */
bool tm_state_refuse(const struct tm_state *s, const struct tm_metric *m,
                     const struct tm_metric_opts *o, struct tm_report *rep);

/* All that is to be done before fill, with what was read: refuse what totals cannot answer, and a
 * rank of which there are totals and events; else open *s and put it into *o, where it is NULL if
 * no input is one of totals.  TM_ST_OK; TM_ST_END: it was refused; TM_ST_FATAL when out of memory.
 */
enum tm_status tm_state_begin(struct tm_state *s, const struct tm_metric *m,
                              struct tm_metric_opts *o, struct tm_report *rep);

/* ---- between the reader and the question ---- */

/* The arg of tm_state_watch: both outlive the sink. */
struct tm_state_opts {
	const struct tm_event_sink *sink;
	const struct tm_metric *m;
};

/* Another sink, whose accumulator begins with a struct tm_state: it keeps what files of totals have
 * of the question, and gives the other sink everything but what such files have besides (unless the
 * metric wants their sums).  Wants TM_EVC_STATE. */
struct tm_event_sink tm_state_watch(const struct tm_state_opts *how);

/* The accumulator of the sink inside. */
void *tm_state_watched(void *acc);

#endif
