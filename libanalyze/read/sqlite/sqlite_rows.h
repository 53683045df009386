/* SPDX-License-Identifier: MIT
 * Rows of a foreign SQLite database as events, shared by the readers of rocpd, rpd and rocprof v1.
 *
 * A reader describes its queries as data (struct sq_query): a table, what is joined to it, and what
 * each column means.  Only wanted columns are selected, columns that a version of the schema lacks
 * are omitted, joins are LEFT joins (a row without partner is still a row), and texts with an id
 * are looked up once.  The file is not trusted: a row with a value of the wrong type is skipped,
 * ids must ascend, and the work is bounded by the size of the file. */
#ifndef TM_READ_SQLITE_SQLITE_ROWS_H
#define TM_READ_SQLITE_SQLITE_ROWS_H

#include "base/base.h"
#include "read/batch.h"
#include "read/reader.h"
#include "read/sqlite/sqlite_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a cell becomes a column of an event.  NULL is absent, in a time it leaves the row out. */
enum sq_how {
	SQ_TIME,   /* an integer, not negative; always selected, and needed */
	SQ_NUMBER, /* an integer or its text, also hexadecimal; negative, '' and 'None' = absent */
	SQ_BITS,   /* an integer of 64 bits, negative ones in two's complement */
	SQ_REAL,   /* a number or its text */
	SQ_AGENT,  /* SQ_NUMBER, as the runtime numbers the agent */
	SQ_TEXT,   /* a text */
	SQ_QUOTED, /* a text; a pair of quotes around it is taken off */
	SQ_NAMED,  /* the id of a text, in a map */
	SQ_MAPPED, /* the id of a number, in a map; missing = absent */
	SQ_SLOT,   /* what the reader's own function looks at */
};

enum { SQ_MAPS = 8, SQ_SLOTS = 16, SQ_JOINS = 8, SQ_CELLS = 40 };

/* A column of a query.  Lists of them end with names NULL. */
struct sq_column {
	char from;         /* letter of its table: 't' is the main one */
	const char *names; /* separated by spaces, the first that the table has; or "=" and SQL */
	enum sq_how how;
	enum tm_ev_col col; /* SQ_SLOT: which slot instead */
	tm_ev_set needs;    /* selected when one of these is wanted; 0 = that of col */
	unsigned map;       /* SQ_NAMED, SQ_MAPPED: which */
};

/* A table joined to the main one. */
struct sq_join {
	char letter;
	const char *table; /* NULL, or none of the file's: not joined */
	const char *key;   /* its column, the first it has ... */
	char with;         /* ... equals that column of that table */
	const char *column;
};

struct sq_query {
	const char *what;  /* "kernel dispatches", for messages */
	const char *table; /* main table */
	const struct sq_column *column;
	const struct sq_join
	        *join;     /* in an order in which `with` comes first; ends with letter 0 */
	const char *group; /* GROUP BY this, or NULL: a row for each of the table */
	const char *where; /* or NULL */
};

struct tm_hash;

/* Ids and what they stand for: looked up when first seen, then remembered. */
struct sq_map {
	sqlite3_stmt *find; /* SELECT value WHERE id=?1; NULL = nothing is known */
	bool text;          /* the value is a text; what is remembered is its name */
	uint64_t *key, *value;
	size_t n, cap; /* cap = power of two */
	const struct tm_hash *hash;
	uint64_t last_key, last_value;
	bool has_last;
};

struct sq_rows;
struct sq_part;

/* What the reader makes of a row: TM_ST_OK deliver it (as *kind), TM_ST_END leave it out,
 * TM_ST_SKIP leave it out and count it as one that does not fit, TM_ST_FATAL with q->why. */
typedef enum tm_status (*sq_finish)(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                    enum tm_ev_kind *kind);

/* One query at work. */
struct sq_part {
	enum tm_ev_kind kind;
	sqlite3_stmt *select;
	bool grouped;
	struct sq_cell {
		enum sq_how how;
		enum tm_ev_col col;
		struct sq_map *map;
	} cell[SQ_CELLS]; /* column 0 of the statement is the id, cell i is column i + 1 */
	int ncells;
	int slot[SQ_SLOTS]; /* column of the statement, or -1 */
	struct {
		enum tm_ev_col col;
		uint64_t value;
	} fixed[4]; /* what all its rows have */
	int nfixed;
	sq_finish finish;     /* or NULL */
	void *arg;            /* the reader's */
	struct tm_loss *loss; /* what is lost of it: the reader's, unless that says otherwise */
	uint64_t id;          /* of the row at hand */
};

/* The columns of a table. */
struct sq_shape {
	char **column;
	size_t n;
	bool known, key; /* key: `id` is the INTEGER PRIMARY KEY */
};

struct sq_rows {
	struct tm_reader *r;
	const char *what; /* "rocpd database", for messages */
	sqlite3 *db;
	struct sq_part *part;
	size_t nparts, parts_cap;
	size_t at, given;       /* given: of the batch that was handed out last */
	bool open, any;         /* part[at] is at work; and had a row */
	bool flush;             /* it is at its end */
	struct sq_shape *shape; /* of the file's tables */
	struct tm_ev_rows out[TM_EV_NKINDS];
	uint64_t text_left;   /* bytes of text that may still be fetched */
	struct tm_names seen; /* what the queries read, for who asks what is unused */
	uint32_t unnamed;     /* name of "(unnamed)", or TM_NAME_NONE */
	bool dead;
	struct tm_diag why;
	struct tm_diag
	        later; /* why something beside the rows could not be read: told at their end; no
	                      text = nothing */
};

/* Begin: r->file must be open.  {0} before; tm_sq_rows_fini after. */
void tm_sq_rows_init(struct sq_rows *q, struct tm_reader *r, const char *what);

/* Between these two all queries are prepared: what of the file's tables and columns none of them
 * reads goes into r->unused, where somebody asks.  False with q->why: out of memory, or a table
 * cannot be read. */
void tm_sq_unused_begin(struct sq_rows *q);
bool tm_sq_unused_end(struct sq_rows *q);

/* Finalize a statement that asked for something beside the rows.  Those can be read without it, but
 * not as they should be: tm_sq_rows_next tells at their end.  False when out of memory, with
 * q->why.
 */
bool tm_sq_asked(struct sq_rows *q, sqlite3_stmt *st);

/* Add a part for a query.  maps[i] is map number i.  NULL with q->why: SQLite refuses it, a time is
 * missing, or out of memory; NULL without q->dead: no such table.  The part moves with the next
 * one. */
struct sq_part *tm_sq_rows_add(struct sq_rows *q, const struct sq_query *query,
                               enum tm_ev_kind kind, struct sq_map *const *maps);

/* What the table calls the first of these columns (separated by spaces) that it has; NULL: it has
 * none, or with q->dead. */
const char *tm_sq_column_name(struct sq_rows *q, const char *table, const char *names);

/* All columns of a table but generated ones; NULL: no such table, or with q->dead. */
const struct sq_shape *tm_sq_shape_of(struct sq_rows *q, const char *table);

/* Prepare a map: the SQL expression `value` by the key `id` of the table.  False with q->why when
 * out of memory or SQLite refuses; a table that is not there, or whose id is no key, is an empty
 * map. */
bool tm_sq_map_init(struct sq_rows *q, struct sq_map *m, const char *table, const char *value,
                    bool text);

/* What an id stands for: TM_ST_OK with *v; TM_ST_SKIP: nothing; TM_ST_FATAL with q->why. */
enum tm_status tm_sq_map_get(struct sq_rows *q, struct sq_map *m, uint64_t id, uint64_t *v);
void tm_sq_map_fini(struct sq_map *m);

/* Count n bytes of text that was fetched by way of an id.  False, and q->dead, where so much was
 * fetched that many rows must point at the same. */
bool tm_sq_spend(struct sq_rows *q, size_t n);

/* A text as a name; false with q->why. */
bool tm_sq_name(struct sq_rows *q, const char *p, size_t n, uint64_t *id);

/* The name of "(unnamed)" for a row whose name is missing, which is counted; false with q->why. */
bool tm_sq_unnamed(struct sq_rows *q, const struct sq_part *p, uint64_t *id);

/* Slots of the row at hand: false when the slot is not selected or its value is of another type. */
bool tm_sq_slot_u64(const struct sq_part *p, unsigned slot, uint64_t *v);
bool tm_sq_slot_text(const struct sq_part *p, unsigned slot, const char **text, size_t *n);

/* Prepare a statement; `fmt` by the rules of sqlite3_mprintf.  False with q->why. */
bool tm_sq_prepare(struct sq_rows *q, sqlite3_stmt **st, const char *fmt, ...);

/* q->why from SQLite's last error; returns TM_ST_FATAL. */
enum tm_status tm_sq_damaged(struct sq_rows *q, const char *otherwise);
enum tm_status tm_sq_oom(struct sq_rows *q);

/* The `next` of a reader. */
enum tm_status tm_sq_rows_next(struct sq_rows *q, const struct tm_batch **b, struct tm_diag *d);

/* Free all but the file. */
void tm_sq_rows_fini(struct sq_rows *q);

#endif
