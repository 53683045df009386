/* SPDX-License-Identifier: MIT */
#include "read/sqlite/sqlite_file.h"

#include "base/base.h"
#include "io/io.h"
#include "read/formats.h"
#include "read/run_tables.h"
#include "read/sqlite/sqlite_vfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	COPY = 256 * 1024,          /* of a database that is no plain file, at a time */
	LONGEST = 64 * 1024 * 1024, /* text or blob that is believed */
	TICK = 1000,                /* steps of SQLite's machine between two looks */
	STEPS_PER_BYTE = 64,        /* a row of 10 bytes takes some 50, in a sort some 150 */
	STEPS_LEAST = 2 * 1000 * 1000,
};

static const char magic[16] = "SQLite format 3";

unsigned tm_sqlite_file_bid(const unsigned char *p, size_t n)
{
	return n >= SQLITE_HEADER && !memcmp(p, magic, sizeof magic) ? 8 * sizeof magic : 0;
}

void tm_sqlite_file_why(const struct tm_sqlite_file *f, const char *what, const char *otherwise,
                        struct tm_diag *d)
{
	int rc = f && f->db ? sqlite3_errcode(f->db) : SQLITE_NOMEM;

	if (rc == SQLITE_NOMEM || f->oom)
		tm_diag_oom(d);
	else if (f->circular)
		tm_diag_set(d, 0, "damaged or not a %s: its pages form a loop", what);
	else if (rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE)
		tm_diag_set(d, 0, "damaged or not a %s: %s%s", what, sqlite3_errmsg(f->db),
		            f->beside ? "; there is a journal next to it: opening it with sqlite3, "
		                        "which applies the journal, may repair it"
		                      : "");
	else
		tm_diag_set(d, 0, "damaged or not a %s: %s", what, otherwise);
}

static enum tm_status no_copy(struct tm_diag *d)
{
	tm_diag_set(d, 0, "cannot copy the database to %.200s to read it: %s", tm_temp_place(),
	            strerror(errno));
	return TM_ST_FATAL;
}

/* The whole source into an unnamed file, *fd, of *size bytes. */
static enum tm_status spool(struct tm_source *src, int *fd, uint64_t *size, struct tm_diag *d)
{
	char *block = malloc(COPY);
	enum tm_status st = TM_ST_OK;

	*size = 0;
	if (!block) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	*fd = tm_temp_open();
	if (*fd < 0)
		st = no_copy(d);
	while (st == TM_ST_OK) {
		size_t n = 0;

		st = tm_source_read(src, block, COPY, &n, d);
		*size += n;
		for (size_t at = 0; st == TM_ST_OK && at < n;) {
			ssize_t k = write(*fd, block + at, n - at);

			if (k > 0)
				at += (size_t)k;
			if (k < 0 && errno != EINTR)
				st = no_copy(d);
		}
	}
	free(block);
	return st == TM_ST_END ? TM_ST_OK : TM_ST_FATAL;
}

/* Is there a file NAME-wal or NAME-journal with anything in it? */
static bool journal_beside(const char *name)
{
	static const char *const tails[] = { "-wal", "-journal" };
	bool found = false;

	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		struct tm_buf b = { 0 };
		struct stat st;

		if (tm_buf_fmt(&b, "%s%s", name, tails[i]) && !stat(b.p, &st))
			found |= st.st_size > 0;
		tm_buf_fini(&b);
	}
	return found;
}

static int tick(void *arg)
{
	struct tm_sqlite_file *f = arg;

	if (f->steps) {
		f->steps--;
		return 0;
	}
	f->circular = true;
	return 1;
}

void tm_sqlite_file_budget(struct tm_sqlite_file *f, unsigned times)
{
	uint64_t steps;

	if (__builtin_mul_overflow(f->size, (uint64_t)STEPS_PER_BYTE * times, &steps))
		steps = UINT64_MAX;
	f->steps = (steps > STEPS_LEAST ? steps : STEPS_LEAST) / TICK;
}

static void harden(struct tm_sqlite_file *f)
{
	int longest = f->size < LONGEST ? (int)f->size : LONGEST;

	sqlite3_db_config(f->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(f->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(f->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(f->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	/* Else the "name" of a column that is not there would be a text, and read as one. */
	sqlite3_db_config(f->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	/* Nothing in a file is longer than the file; statements of our own are not long. */
	sqlite3_limit(f->db, SQLITE_LIMIT_LENGTH, longest > 65536 ? longest : 65536);
	tm_sqlite_file_budget(f, 1);
	sqlite3_progress_handler(f->db, TICK, tick, f);
}

/* How many bytes the header says there are; 0 = it does not say.  *own: it is a run.db. */
static uint64_t size_said(struct tm_source *src, bool *own)
{
	enum { PAGE_SIZE = 16, CHANGES = 24, PAGES = 28, VALID_FOR = 92 };
	const unsigned char *p;
	struct tm_diag d;
	uint64_t page;
	size_t n;

	if (tm_source_peek(src, &p, &n, &d) == TM_ST_FATAL || n < SQLITE_HEADER ||
	    memcmp(p + CHANGES, p + VALID_FOR, 4) != 0)
		return 0;
	*own = sqlite_file_word(p + SQLITE_APPLICATION) == TM_RUN_APPLICATION;
	page = (uint64_t)p[PAGE_SIZE] << 8 | p[PAGE_SIZE + 1];
	return (page == 1 ? 65536 : page) * sqlite_file_word(p + PAGES);
}

enum tm_status tm_sqlite_file_open(struct tm_reader *r, struct tm_diag *d)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE |
	                  SQLITE_OPEN_URI;
	struct tm_sqlite_file *f;
	enum tm_status st = TM_ST_OK;
	bool copied, own = false;
	uint64_t said;
	int fd = -1, rc;

	if (r->file)
		return TM_ST_OK;
	f = r->file = calloc(1, sizeof *f);
	if (!f) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	f->copy = -1;
	said = size_said(r->src, &own);
	copied = !tm_source_regular(r->src, &fd, &f->size);
	f->beside = !copied && journal_beside(tm_source_name(r->src));
	if (copied) {
		st = spool(r->src, &f->copy, &f->size, d);
		fd = f->copy;
	}
	if (st == TM_ST_OK && f->size < said) {
		tm_diag_set(d, 0,
		            "incomplete %s: %llu of %llu bytes present; it was truncated, or is "
		            "still being copied",
		            own ? "run.db" : "SQLite database", (unsigned long long)f->size,
		            (unsigned long long)said);
		st = TM_ST_FATAL;
	}
	if (st == TM_ST_OK) {
		struct tm_head plain = { .fd = fd };
		const struct tm_head *head = copied ? NULL : tm_source_head(r->src);

		rc = tm_sqlite_vfs_open(head ? head : &plain, flags, &f->db);
		if (rc == SQLITE_OK) {
			harden(f);
			/* Is it one at all? */
			rc = sqlite3_exec(f->db,
			                  "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
			                  "SELECT 1 FROM sqlite_schema LIMIT 1",
			                  NULL, NULL, NULL);
		}
		if (rc != SQLITE_OK) {
			tm_sqlite_file_why(f, "SQLite database", "cannot be opened", d);
			st = TM_ST_FATAL;
		}
	}
	return st;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool tm_sqlite_file_tables(struct tm_sqlite_file *f)
{
	sqlite3_stmt *st = NULL;
	int rc;

	if (f->listed)
		return true;
	rc = sqlite3_prepare_v2(f->db,
	                        "SELECT name FROM sqlite_schema WHERE type='table' AND "
	                        "rootpage>0 AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
	                        -1, &st, NULL);

	while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 0);

		rc = SQLITE_OK;
		if (!text)
			continue;
		if (!tm_grow_array(&f->table, &f->tables_cap, f->ntables + 1, sizeof *f->table) ||
		    !(f->table[f->ntables] = strdup(text))) {
			rc = SQLITE_NOMEM;
			break;
		}
		f->ntables++;
	}
	sqlite3_finalize(st);
	if (f->ntables)
		qsort(f->table, f->ntables, sizeof *f->table, by_name);
	f->listed = rc == SQLITE_DONE;
	f->oom |= rc == SQLITE_NOMEM;
	return f->listed;
}

size_t tm_sqlite_file_find(const struct tm_sqlite_file *f, const char *name)
{
	char *const *at = f->ntables && name
	                          ? bsearch(&name, f->table, f->ntables, sizeof *f->table, by_name)
	                          : NULL;

	return at ? (size_t)(at - f->table) : SIZE_MAX;
}

bool tm_sqlite_file_has(const struct tm_sqlite_file *f, const char *name)
{
	return tm_sqlite_file_find(f, name) != SIZE_MAX;
}

/* The first table, in order, that begins with those words. */
static bool has_beginning(const struct tm_sqlite_file *f, const char *words)
{
	size_t n = strlen(words);

	for (size_t i = 0; i < f->ntables; i++)
		if (!strncmp(f->table[i], words, n))
			return true;
	return false;
}

/* The formats by their tables, and what a name with '*' after it begins with.  The first that
 * fits: rpd and rocpd have beginnings in common, but rocpd's tables are never called rocpd_op. */
static const struct {
	const struct tm_reader_ops *ops;
	const char *tables[2]; /* all of them */
} dialects[] = {
	{ &tm_reader_rpd, { "rocpd_op", "rocpd_string" } },
	{ &tm_reader_rocpd, { "rocpd_kernel_dispatch*", "rocpd_string*" } },
	{ &tm_reader_rocpd, { "rocpd_region*", "rocpd_string*" } },
	{ &tm_reader_rocprofv1_db, { "KERN", NULL } },
	{ &tm_reader_rocprofv1_db, { "A", "HIP" } },
	{ &tm_reader_rocprofv1_db, { "A", "HSA" } },
	{ &tm_reader_rocprofv1_db, { "A", "OPS" } },
	{ &tm_reader_rocprofv1_db, { "A", "rocTX" } },
	{ &tm_reader_run_db, { "rollup", "extent" } }, /* copied by .dump, without its header */
};

static bool fits(const struct tm_sqlite_file *f, const char *table)
{
	size_t n = table ? strlen(table) : 0;
	char word[32];

	if (!n)
		return true;
	if (table[n - 1] != '*')
		return tm_sqlite_file_has(f, table);
	snprintf(word, sizeof word, "%.*s", (int)n - 1, table);
	return has_beginning(f, word);
}

/* A pragma that is one number. */
static bool number_of(struct tm_sqlite_file *f, const char *sql, sqlite3_int64 *v)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(f->db, sql, -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*v = sqlite3_column_int64(st, 0);
	f->oom |= rc == SQLITE_NOMEM;
	sqlite3_finalize(st);
	return rc == SQLITE_ROW;
}

enum tm_status tm_sqlite_file_dialect(struct tm_reader *r, const struct tm_reader_ops **ops,
                                      struct tm_diag *d)
{
	enum tm_status st = tm_sqlite_file_open(r, d);
	sqlite3_int64 application;

	if (st != TM_ST_OK)
		return st;
	if (!number_of(r->file, "PRAGMA application_id", &application)) {
		tm_sqlite_file_why(r->file, "SQLite database", "no header", d);
		return TM_ST_FATAL;
	}
	/* One that was not finished has no tables that could be read. */
	*ops = application == TM_RUN_APPLICATION ? &tm_reader_run_db : NULL;
	if (!*ops && !tm_sqlite_file_tables(r->file)) {
		tm_sqlite_file_why(r->file, "SQLite database", "no header", d);
		return TM_ST_FATAL;
	}
	for (size_t i = 0; !*ops && i < sizeof dialects / sizeof *dialects; i++)
		if (fits(r->file, dialects[i].tables[0]) && fits(r->file, dialects[i].tables[1]))
			*ops = dialects[i].ops;
	if (*ops)
		return TM_ST_OK;
	tm_diag_set(d, 0,
	            "an SQLite database of another program; supported are those of rocprofv3 and "
	            "rocprof-sys (rocpd), rpd, rocprof and tracemerge");
	return TM_ST_SKIP;
}

void tm_sqlite_file_close(struct tm_sqlite_file *f)
{
	if (!f)
		return;
	sqlite3_close(f->db);
	if (f->copy >= 0)
		close(f->copy);
	for (size_t i = 0; i < f->ntables; i++)
		free(f->table[i]);
	free(f->table);
	free(f);
}
