/* SPDX-License-Identifier: MIT
 * The parts of events/list.h: columns, names, rows, sorting. */
#ifndef TM_EVENTS_EVENTS_PARTS_H
#define TM_EVENTS_EVENTS_PARTS_H

#include "events/list.h"

#include <pthread.h>

/* ---- columns ---- */

enum event_cell {
	ROW_KIND,
	ROW_RANK,
	ROW_NAME,
	ROW_CLASS,
	ROW_DIRECTION,
	ROW_DOMAIN,
	ROW_TEXT,   /* the name in event column `col`, not TM_EVC_NAME */
	ROW_AGENT,  /* of event column `col` */
	ROW_NUMBER, /* event column `col` as it is */
	ROW_REAL,   /* the same, bits of a double */
	ROW_SHAPE,  /* event columns col, col + 1, col + 2, or else `product` */
};

/* How a column comes about; col is TM_EVC_N where the cell needs none. */
struct event_column {
	enum event_cell cell;
	enum tm_ev_col col, product;
};

enum {
#define EVENT_COLUMN(id, title, unit)                   +1
#define X(name, title, about, unit, cell, col, product) +1
	EVENT_COLUMNS = 0
#include "events/events.def"
#undef X
#undef EVENT_COLUMN
};
extern const struct event_column tm_event_columns[EVENT_COLUMNS];
extern const struct tm_column tm_event_heads[EVENT_COLUMNS + 1]; /* ends with name NULL */

/* ---- names (event_names.c) ---- */

struct cell_text {
	const char *p;
	uint32_t n;
};

/* Everything that follows from a name, made once: its cells, ready to be written. */
struct event_name {
	struct cell_text text;       /* as it is, for sorting */
	struct cell_text cell;       /* in quotes where the form has them */
	struct cell_text class_name; /* cell; n = 0 = none */
	struct cell_text direction;  /* cell; n = 0 = none */
	bool unknown;                /* a kernel no class rule knows */
};

enum name_sort { NAME_IS_KERNEL, NAME_IS_COPY, NAME_IS_OTHER, NAME_SORTS };

/* Names of one sort, kept for all pieces. */
struct event_names {
	struct tm_names raw;
	struct event_name **v;
	size_t cap;
};

/* What is known of a name; NULL when out of memory.  Several threads may ask. */
const struct event_name *tm_event_name(struct tm_events *e, enum name_sort sort,
                                       const struct tm_name *nm, const struct tm_classes *classes);

/* ---- sorting (event_sort.c) ---- */

struct sort_key {
	uint64_t start, rank;
	struct cell_text name; /* stays where it is */
	uint32_t kind;
	bool untimed; /* after all that have a start */
};

struct sort_entry;

/* A sorted run: in memory, or in the temporary file. */
struct sort_run {
	unsigned char *bytes; /* NULL = in the file */
	struct sort_entry *v;
	size_t n;
	uint64_t at, len;
};

/* Rows being gathered, and runs; {0} is empty. */
struct sorter {
	struct tm_buf bytes;
	struct sort_entry *v;
	size_t n, cap;
	struct sort_run *run;
	size_t nrun, run_cap;
	size_t kept; /* bytes of the runs in memory */
};

/* The temporary file of all sorters. */
struct spool {
	pthread_mutex_t lock;
	int fd; /* -1 = none yet */
	uint64_t size;
	size_t run, keep;   /* limits */
	struct tm_diag why; /* it cannot be written or read */
};

/* Add a row.  False when out of memory or with spool->why. */
bool tm_sorter_add(struct sorter *s, struct spool *sp, const struct sort_key *k, const char *row,
                   size_t n);

/* Take all of `from`, which is empty afterwards. */
bool tm_sorter_merge(struct sorter *s, struct spool *sp, struct sorter *from);

/* All rows in order.  False when out of memory, with spool->why, or when put says so. */
bool tm_sorter_drain(struct sorter *s, struct spool *sp,
                     bool (*put)(void *arg, const void *p, size_t n), void *arg);

/* Free it; {0} again. */
void tm_sorter_fini(struct sorter *s);

/* ---- what workers share ---- */

struct tm_events {
	struct tm_event_form form;
	unsigned kinds;
	bool sort;
	event_put_fn *put;
	void *arg;
	pthread_mutex_t lock; /* names */
	struct event_names names[NAME_SORTS];
	struct spool spool;
	bool written;
};

/* ---- rows (event_row.c) ---- */

/* Step of a row: literal bytes, then a cell. */
struct event_step {
	uint32_t lit, nlit; /* in rows.lits */
	enum event_cell cell;
	enum tm_ev_col col, product;
	bool always; /* every row of the batch has it */
	bool last;   /* literal only: the end of the row */
};

/* How rows of the columns at hand are written; made anew for each batch. */
struct event_rows {
	const struct tm_events *e;
	unsigned char col[TM_TABLE_COLUMNS]; /* places in tm_event_columns */
	size_t ncol;
	struct event_step step[TM_TABLE_COLUMNS + 1];
	size_t nstep;
	struct tm_buf lits;
	size_t most; /* bytes of a row without its texts, at most */
	uint64_t rank;
};

/* The cells of one row that are looked up. */
struct event_texts {
	enum tm_event_kind kind;
	enum tm_domain domain;
	const struct event_name *name, *counter, *comm; /* NULL = absent */
};

/* Choose columns; NULL = all. */
void tm_event_rows_init(struct event_rows *w, const struct tm_events *e, const char *const *columns,
                        size_t ncolumns);

/* Event columns that rows of these columns look at. */
tm_ev_set tm_event_rows_want(const struct event_rows *w);

/* Append the header (CSV; nothing in NDJSON).  False when out of memory. */
bool tm_event_rows_header(const struct event_rows *w, struct tm_buf *out);

/* Get ready for a batch.  False when out of memory. */
bool tm_event_rows_plan(struct event_rows *w, const struct tm_batch *b, uint64_t rank);

/* Append row i of that batch.  False when out of memory. */
bool tm_event_rows_put(struct event_rows *w, struct tm_buf *out, const struct tm_batch *b,
                       uint32_t i, const struct event_texts *t);

/* Free it. */
void tm_event_rows_fini(struct event_rows *w);

#endif
