/* SPDX-License-Identifier: MIT
 * An untrusted SQLite database as input: opened so that nothing in it can run, write or take over;
 * and recognition of the formats that share its magic. */
#ifndef TM_READ_SQLITE_SQLITE_FILE_H
#define TM_READ_SQLITE_SQLITE_FILE_H

#include "base/base.h"
#include "read/reader.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SQLITE_HEADER = 100,     /* bytes of the header of every SQLite file */
	SQLITE_APPLICATION = 68, /* where application_id is in it, big-endian */
};

/* An open database.  Its views and triggers cannot be run. */
struct tm_sqlite_file {
	sqlite3 *db;
	uint64_t size; /* bytes */
	int copy;      /* of a source that is no plain file: an unnamed file, own; or -1 */
	char **table;  /* names of all real tables, sorted as bytes; see tm_sqlite_file_tables */
	size_t ntables, tables_cap;
	bool listed, oom; /* oom: memory ran out, whatever SQLite says */
	bool beside;      /* a journal lies beside the file: what is in it is not seen */
	uint64_t steps; /* left of what the work since tm_sqlite_file_budget may cost, in thousands
	                 * */
	bool circular;  /* ... and they were used up: pages lead back to themselves */
};

/* A number of the header. */
static inline uint32_t sqlite_file_word(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* 8 bits for each byte of the magic, 0 when it is not there.  Pure. */
unsigned tm_sqlite_file_bid(const unsigned char *p, size_t n);

/* Open the source of r (r->file, closed by tm_reader_close) unless it is open already: a plain file
 * in place, anything else by way of a copy in TMPDIR.  As a snapshot: no lock is taken, no journal
 * is looked at, nothing is written beside it.  TM_ST_OK, or TM_ST_FATAL with *d. */
enum tm_status tm_sqlite_file_open(struct tm_reader *r, struct tm_diag *d);

/* Which of the formats with this magic?  Opens the file; *ops is one of tm_reader_formats.
 * TM_ST_OK; TM_ST_SKIP with *d when it is a database of another program; TM_ST_FATAL with *d. */
enum tm_status tm_sqlite_file_dialect(struct tm_reader *r, const struct tm_reader_ops **ops,
                                      struct tm_diag *d);

/* Is `name` a table in its own right?  A view or a virtual table would run somebody's code. */
bool tm_sqlite_file_has(const struct tm_sqlite_file *f, const char *name);

/* Which of f->table it is, or SIZE_MAX. */
size_t tm_sqlite_file_find(const struct tm_sqlite_file *f, const char *name);

/* Read f->table unless it is read.  False when SQLite fails or memory runs out. */
bool tm_sqlite_file_tables(struct tm_sqlite_file *f);

/* The work from here on may cost in proportion to the size of the file, `times` times over; a
 * statement that needs more is interrupted: pages that lead back to themselves would never end. */
void tm_sqlite_file_budget(struct tm_sqlite_file *f, unsigned times);

/* *d = why the last call of SQLite failed, "damaged or no WHAT: ..."; `otherwise` when that is not
 * SQLite's finding. */
void tm_sqlite_file_why(const struct tm_sqlite_file *f, const char *what, const char *otherwise,
                        struct tm_diag *d);

/* Close; NULL is fine. */
void tm_sqlite_file_close(struct tm_sqlite_file *f);

#endif
