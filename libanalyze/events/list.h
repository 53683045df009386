/* SPDX-License-Identifier: MIT
 * Every event as a row of text, written as it comes: tracecat.
 *
 * Rows go out in the order of the inputs, and of the rows in each; whatever the number of workers,
 * the bytes are the same.  Nothing is kept but distinct names and, per worker, what
 * stream/drive.h lets a sink hold.
 *
 * Sorted, rows are ordered by start (those without one last), then rank, kind, name, and the text
 * of the row, so that the order is total and permuted inputs give the same bytes.  That is an
 * external merge sort: each worker gathers rows up to EVENTS_RUN bytes, sorts them and appends them
 * to one unlinked temporary file (in TMPDIR, else /tmp); what is left in the end stays in memory up
 * to EVENTS_KEEP bytes in all; then all runs are merged at once, with EVENTS_MERGE bytes of buffers
 * shared between them. */
#ifndef TM_EVENTS_LIST_H
#define TM_EVENTS_LIST_H

#include "question/question.h"

enum {
	EVENTS_RUN = 64 * 1024 * 1024,
	EVENTS_KEEP = 256 * 1024 * 1024,
	EVENTS_MERGE = 64 * 1024 * 1024,
};

/* What --kind can name; a bit each. */
enum event_kind {
	EVENT_KERNEL,
	EVENT_COPY,
	EVENT_API,
	EVENT_MARKER,
	EVENT_ALLOC,
	EVENT_COUNTER,
	EVENT_KINDS,
};

/* "kernel", "copy" ..., ending with NULL, in the order of enum event_kind. */
extern const char *const event_words[];

/* How a row looks.  The quoting is render's, which metrics may not know: cmd joins the two. */
struct event_form {
	bool keyed; /* a JSON object, null where a cell is absent; otherwise CSV with a header */
	bool (*text)(struct buf *b, const char *s,
	             size_t n); /* append a text, quoted: render/row.h */
};

/* Where the rows go.  False with *d when they cannot. */
typedef bool event_put_fn(void *arg, const void *p, size_t n, struct diag *d);

struct events;

/* The state all workers share.  `kinds` = bits 1 << enum event_kind.  NULL when out of memory. */
struct events *events_new(struct event_form form, unsigned kinds, bool sort, event_put_fn *put,
                          void *arg);

/* Rows gathered before a run is sorted and spilled, instead of EVENTS_RUN and EVENTS_KEEP: for
 * tests. */
void events_limit(struct events *e, size_t run, size_t keep);

/* Why rows could not be written or sorted, for metric_opts.why; empty = it was not that. */
const struct diag *events_why(const struct events *e);

/* Has every row been written, and was there one?  A file of before is worth more than an empty one.
 */
bool events_written(const struct events *e);

/* Free it; NULL is fine. */
void events_free(struct events *e);

/* The rows as a metric whose table is empty: metric_opts.own is the struct events. */
extern const struct metric events_metric;

#endif
