/* SPDX-License-Identifier: MIT
 * Answers without events: what a question stores of each rank in a file of tracemerge --stats-only,
 * and how it answers from that.
 *
 * One mechanism for all questions.  The state of a rank is what tm_metric.fill makes of the events
 * of that rank alone: the rows of its table, and the numbers in its messages.  So nothing is
 * defined twice, and the output is the same as from the events:
 *     - writing, fill is asked of one rank; its rows and numbers are recorded (tm_state_save);
 *     - answering, fill is asked of the events that there are, if any; the rows of the other ranks
 *       join its own (tm_state_rows), their numbers are added to its own (tm_state_sum).
 * Rows are distinguished by rank and numbers are added: the order in which files of totals are
 * merged, and how often, does not matter, and merging copies their contents.
 *
 * Such a fill does in this order, whatever it found:
 *     1. the rows of its own events, rank by rank
 *     2. tm_state_rows
 *     3. tm_state_sum for each number that it goes on with, tm_state_names for each set of names;
 *        tm_state_put and tm_state_each for what has more to it
 *     4. what there is to say
 *
 * The state is for the usual table only: not for views, nor with an option that changes numbers
 * (tm_state_refuse); or, with tm_metric.state_views, only for views.
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

/* The states of one question, rank by rank; or, when writing, the state of one rank.  {0} has no
 * rank. */
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

/* Add the rows of all ranks to *t, by rank, and the origins of their times.  Does nothing if `s` is
 * NULL.  False when out of memory. */
bool tm_state_rows(struct tm_state *s, struct tm_table *t);

/* The sum of `own` and the stored values of that number; 128 bits never overflow. */
tm_u128 tm_state_sum(struct tm_state *s, tm_u128 own);

/* Require that every rank was written with the same number, so that states and new results can be
 * combined: a rank with another number is an error (tm_state_short). */
void tm_state_same(struct tm_state *s, uint64_t number);

/* Add the stored values to *p. */
static inline void tm_state_add(struct tm_state *s, uint64_t *p)
{
	*p = (uint64_t)tm_state_sum(s, *p);
}

/* Add the stored names to *names, or skip them if that is NULL.  False when out of memory. */
bool tm_state_names(struct tm_state *s, struct tm_names *names);

/* One of many items of a rank, with its numbers. */
enum { TM_STATE_WORDS = 64 };
struct tm_state_item {
	const char *text; /* len bytes, no NUL after them */
	size_t len;
	uint64_t v[TM_STATE_WORDS]; /* nv of them */
	size_t nv;
	const void *bytes; /* nbytes of them */
	size_t nbytes;
};

/* When writing: store an item; otherwise does nothing. */
void tm_state_put(struct tm_state *s, const struct tm_state_item *it);

/* When answering: call take() for every stored item, by rank, with nv numbers each; its text and
 * bytes are valid until take() returns.  Otherwise does nothing.  False when out of memory, or as
 * soon as take() returns false. */
bool tm_state_each(struct tm_state *s, size_t nv,
                   bool (*take)(void *arg, uint64_t rank, const struct tm_state_item *it),
                   void *arg);

/* Mark the state as damaged: tm_state_short reports it. */
void tm_state_bad(struct tm_state *s);

/* ---- writing ---- */

/* Facts about the runs of the rank (runs/apart.h), stored with the answer. */
struct tm_state_runs {
	bool apart;       /* they have no common window */
	const char *idle; /* the path that tm_apart_tell_idle would name; NULL = nothing to tell */
	tm_u128 gpu_ns;
	uint64_t length_ns;
};

/* Append to *out the bytes of what fill left in *s (writing) and *t.  False when out of memory. */
bool tm_state_save(struct tm_state *s, const struct tm_metric *m, const struct tm_table *t,
                   const struct tm_state_runs *r, struct tm_buf *out);

/* ---- answering ---- */

/* Note that the file `where` has a rank without events.  False when out of memory. */
bool tm_state_totals(struct tm_state *s, uint64_t rank, const char *where);

/* Note that an input has events of the rank.  False when out of memory. */
bool tm_state_events(struct tm_state *s, uint64_t rank);

/* Keep a copy of p[0..n), the state of a rank in the file `where`.  False when out of memory. */
bool tm_state_take(struct tm_state *s, uint64_t rank, const char *where, const void *p, size_t n);

/* Move all of *from into *into.  False when out of memory. */
bool tm_state_merge(struct tm_state *into, struct tm_state *from);

/* Parse the states that were taken, for the usual table of m.  A damaged state, or one of a rank
 * that is there twice, is an error in *rep and skipped; a rank without state is an error, too.
 * False when out of memory. */
bool tm_state_open(struct tm_state *s, const struct tm_metric *m, struct tm_report *rep);

/* The facts about the runs of the i-th rank, after tm_state_open; returns the rank.  Texts live as
 * long as *s. */
uint64_t tm_state_runs(const struct tm_state *s, size_t i, struct tm_state_runs *r);

/* After fill: does a rank lack requested numbers, or have others than in tm_state_same?  Then an
 * error is in *rep. */
bool tm_state_short(const struct tm_state *s, const struct tm_metric *m,
                    const struct tm_metric_opts *o, struct tm_report *rep);

/* Free it; {0} again. */
void tm_state_fini(struct tm_state *s);

/* Do the metric or its options ask for something that totals cannot answer?  Then an error in *rep
 * names it.  False too when all inputs hold events.  rep->lost when out of memory. */
bool tm_state_refuse(const struct tm_state *s, const struct tm_metric *m,
                     const struct tm_metric_opts *o, struct tm_report *rep);

/* Everything to be done after reading, before fill: refuse what totals cannot answer, and a rank
 * with both totals and events; otherwise open *s and set o->state to it, or to NULL if no input has
 * totals.  TM_ST_OK; TM_ST_END: refused; TM_ST_FATAL when out of memory. */
enum tm_status tm_state_begin(struct tm_state *s, const struct tm_metric *m,
                              struct tm_metric_opts *o, struct tm_report *rep);

/* ---- between the reader and the question ---- */

/* The argument of tm_state_watch; both outlive the sink. */
struct tm_state_opts {
	const struct tm_event_sink *sink;
	const struct tm_metric *m;
};

/* Wrap a sink in another, whose accumulator begins with a struct tm_state.  It keeps the states of
 * the question in files of totals, and passes everything on except the other contents of such files
 * (unless the metric wants their sums).  Needs TM_EVC_STATE. */
struct tm_event_sink tm_state_watch(const struct tm_state_opts *how);

/* The accumulator of the wrapped sink. */
void *tm_state_watched(void *acc);

#endif
