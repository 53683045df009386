/* SPDX-License-Identifier: MIT
 * States: what kstats needs to answer questions without the events that tracemerge --stats-only
 * omits.  Every question that supports it (tm_metric.state) takes the events of each rank, and its
 * state is written to the database. */
#ifndef TM_MERGE_STATES_H
#define TM_MERGE_STATES_H

#include "question/question.h"
#include "runs/runs.h"
#include "store/store.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The questions, with default options. */
struct tm_states_plan {
	const struct tm_event_sink *beside; /* the sink that is given everything, too */
	const struct tm_metric *const *m;   /* n of them */
	size_t n;
	/* private */
	struct tm_metric_opts *o;
	struct tm_event_sink *sink, asked; /* of the questions and their store; of all that */
	struct tm_fan fan;
	struct tm_apart_opts apart;
	struct tm_classes *classes;
};

/* Plan for all metrics of the list, ending with NULL, that keep a state; *p must outlive all that
 * is made with it.  False with *d. */
bool tm_states_plan(struct tm_states_plan *p, const struct tm_metric *const *list,
                    const struct tm_event_sink *beside, struct tm_diag *d);

/* The columns that the questions need. */
tm_ev_set tm_states_want(const struct tm_states_plan *p);

/* Free it; {0} again. */
void tm_states_plan_fini(struct tm_states_plan *p);

/* A sink whose accumulator is a struct tm_states, which contains that of p->beside.  Its arg is
 * *p. */
struct tm_event_sink tm_states_watch(const struct tm_states_plan *p);
struct tm_states;
void *tm_states_beside(struct tm_states *s);

/* Record that an input of that rank, whose events were seen, is in the database; states of the rank
 * are stored with the first such input.  False when out of memory. */
bool tm_states_input(struct tm_states *s, uint64_t rank, uint64_t input);

/* Compute the states of all questions for all ranks, which uses up their events, and write them to
 * `to`, which must have no open input; their names to *names.  TM_ST_OK, or TM_ST_FATAL with *d. */
enum tm_status tm_states_write(struct tm_states *s, struct tm_store *to, struct tm_names *names,
                               struct tm_diag *d);

#endif
