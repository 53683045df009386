/* SPDX-License-Identifier: MIT
 * Every event as a row of text, written as it comes: tracecat.
 *
 * Rows are written in the order of the inputs, and of the rows in each; the bytes do not depend on
 * the number of workers.  Memory holds only distinct names and, per worker, what stream/drive.h
 * lets a sink hold.
 *
 * If sorted, rows are ordered by start (those without one last), then rank, kind, name, and the
 * text of the row, so that the order is total and permuted inputs give the same bytes.  This is an
 * external merge sort: each worker gathers rows up to TM_EVENTS_RUN bytes, sorts them and appends
 * them to one unlinked temporary file (in TMPDIR, else /tmp); the remaining rows stay in memory up
 * to TM_EVENTS_KEEP bytes in all; then all runs are merged at once, with TM_EVENTS_MERGE bytes of
 * buffers shared between them. */
#ifndef TM_EVENTS_LIST_H
#define TM_EVENTS_LIST_H

#include "question/question.h"

enum {
	TM_EVENTS_RUN = 64 * 1024 * 1024,
	TM_EVENTS_KEEP = 256 * 1024 * 1024,
	TM_EVENTS_MERGE = 64 * 1024 * 1024,
};

/* What --kind can name; a bit each. */
enum tm_event_kind {
	TM_EVENT_KERNEL,
	TM_EVENT_COPY,
	TM_EVENT_API,
	TM_EVENT_MARKER,
	TM_EVENT_ALLOC,
	TM_EVENT_COUNTER,
	TM_EVENT_KINDS,
};

/* "kernel", "copy" ..., ending with NULL, in the order of enum tm_event_kind. */
extern const char *const tm_event_words[];

/* The form of a row.  Quoting belongs to render, which metrics may not use, so cmd passes it in. */
struct tm_event_form {
	bool keyed; /* a JSON object, null where a cell is absent; otherwise CSV with a header */
	bool (*text)(struct tm_buf *b, const char *s,
	             size_t n); /* append a text, quoted: render/row.h */
};

/* Writes rows.  False with *d when that fails. */
typedef bool event_put_fn(void *arg, const void *p, size_t n, struct tm_diag *d);

struct tm_events;

/* The state all workers share.  `kinds` = bits 1 << enum tm_event_kind.  NULL when out of memory.
 * */
struct tm_events *tm_events_new(struct tm_event_form form, unsigned kinds, bool sort,
                                event_put_fn *put, void *arg);

/* Rows gathered before a run is sorted and spilled, instead of TM_EVENTS_RUN and TM_EVENTS_KEEP:
 * for tests. */
void tm_events_limit(struct tm_events *e, size_t run, size_t keep);

/* Why rows could not be written or sorted, for metric_opts.why; empty = no such error. */
const struct tm_diag *tm_events_why(const struct tm_events *e);

/* Has every row been written, and was there one?  If not, an existing file is worth more than an
 * empty one.  Valid when all is done; never NULL. */
const bool *tm_events_written(const struct tm_events *e);

/* Free it; NULL is fine. */
void tm_events_free(struct tm_events *e);

/* The rows as a metric whose table is empty: metric_opts.own is the struct tm_events. */
extern const struct tm_metric tm_events_metric;

#endif
