/* SPDX-License-Identifier: MIT
 * Internals of the reader of measurements: its state, lines of text and their fields. */
#ifndef TM_READ_LIBRARY_LIB_BENCH_PARTS_H
#define TM_READ_LIBRARY_LIB_BENCH_PARTS_H

#include "base/base.h"
#include "read/library/lib_bench.h"
#include "read/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields of a line, in a text that they point into. */
struct fields {
	struct tm_buf text;
	struct field_of_line {
		const char *p;
		uint32_t n;
	} * v;
	size_t n, cap;
};

/* How long what a line says is true. */
enum scope { SCOPE_INPUT, SCOPE_COMMAND, SCOPE_ROW };

struct said {
	enum scope scope;
	struct tm_buf name, value; /* value empty: not said */
};

/* A table of rccl-tests at work. */
struct comm_table {
	bool header, named; /* a header was there; the test has a name */
	bool errors;        /* its last column is "error", not "#wrong" */
	bool cpu;           /* its times are those of the host */
	size_t middle;      /* columns between type and time, at most */
	size_t half;        /* columns of a measurement */
	size_t tail;        /* words of a line after them */
	size_t halves;      /* measurements in a line ... */
	size_t left;        /* ... and how many of the line at hand are still to be told */
	uint64_t ranks;     /* 0 = not said */
	uint64_t line;
	char ranks_text[20];
};

/* One process among those whose lines the input holds: what it said last is true of its own rows
 * only. */
struct voice {
	bool has_rank;
	char rank_text[20];
	size_t rank_n;
	size_t who; /* bench_row.who */

	struct fields header;
	enum tm_bench_client client;
	bool has_header, is_table, awaiting; /* no values after the header yet */
	bool prefixed; /* something else was in front of the header, as of its values */
	uint64_t header_line;
	uint64_t result; /* "[1]:": which of several solutions of a problem, from 0 */
	size_t flop_col; /* of "flopCnt" in the header, or SIZE_MAX */
	bool winner, seen_line;
	bool measures;   /* had a header or a row */
	uint64_t target; /* device the client runs on */

	/* The row that waits for what may be said about it. */
	struct fields values;
	struct tm_bench_field *row;
	size_t row_cap;
	struct tm_bench_row next;
	bool waiting, elapsed_only;
	struct tm_buf elapsed; /* texts of a row that is only MIOpen's "Elapsed" */

	struct comm_table comm;
	struct tm_buf comm_line;      /* whose measurements are left */
	struct tm_buf comm_operation; /* of the test, empty = not said */
	struct fields comm_header;    /* of a file that rccl-tests -x wrote */
	bool comm_csv;                /* there was one */

	bool given; /* it was handed out: what was said of it is over */

	struct said *said;
	size_t nsaid, said_cap;
};

struct tm_bench {
	struct tm_source *src;
	struct tm_lines lines;
	const char *metric;
	struct tm_loss loss;
	struct tm_bench_comm comm;
	bool no_memory;

	/* The line at hand; `again` = it was not looked at yet. */
	const char *p;
	size_t n;
	bool again, ended;
	bool cut;         /* it is in the last one, which has no newline */
	bool open_end;    /* it ends there: what is missing is not known */
	const char *rest; /* of the line, after a carriage return */
	size_t nrest;
	struct tm_buf uncolored;    /* a line that had colors */
	uint64_t long_n, long_line; /* lines that were passed over, and the first of them */
	enum tm_status end;
	struct fields
	        scratch; /* a line that may be values, or not: a row that waits keeps its text */

	struct voice *v;     /* of the line at hand */
	struct voice *twin;  /* whose it may be, too: it is looked at once more, or NULL */
	struct voice plain;  /* of lines without a tag */
	struct voice *fresh; /* of a tag that has not said anything yet, or NULL */
	uint32_t fresh_tag;
	struct tm_names tags;
	struct voice **tagged; /* by id in tags; NULL: said nothing */
	size_t ntagged, tagged_cap, voices;
	size_t left; /* at the end: 1 + the next of tagged[], 0 = plain */
};

/* ---- lib_bench.c: lines and what they say ---- */

/* The next line into b->p and b->n, its voice into b->v.  False at the end of them, with b->end. */
bool tm_bench_next_line(struct tm_bench *b);

/* Remember, or with n 0 forget, what was said about a column. */
void tm_bench_say(struct tm_bench *b, enum scope scope, const char *name, const char *p, size_t n);
void tm_bench_said(struct tm_bench *b, enum scope scope, const char *name, size_t nname,
                   const char *p, size_t n);

/* The line at hand is a row.  False when it is not to be taken: its last number may not be whole.
 */
bool tm_bench_begin_row(struct tm_bench *b, enum tm_bench_client client);

/* One more field of it; the texts live as long as the row.  False when out of memory. */
bool tm_bench_add_field(struct tm_bench *b, const char *name, size_t nname, const char *p,
                        size_t n);

/* A line that looked like a row and is none. */
void tm_bench_misfit(struct tm_bench *b, uint64_t line);

/* ---- lib_bench_clients.c ---- */

/* A line of each kind.  True when it was one, or was given up as one. */
bool tm_bench_blas_header(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_blas_values(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_table_header(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_miopen_stats(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_miopen_elapsed(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_miopen_algorithm(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_tunable_validator(struct tm_bench *b, const char *p, size_t n);
bool tm_bench_tunable_row(struct tm_bench *b, const char *p, size_t n);

/* A row of a table: the line at hand, and more where its quotes hold newlines. */
void tm_bench_table_row(struct tm_bench *b);

/* ---- lib_bench_comm.c: tables of rccl-tests ---- */

/* Does a comment begin such a test or its table? */
bool tm_bench_comm_begins(const char *p, size_t n);

/* Does a comment say something of such tests? */
bool tm_bench_comm_tells(const char *p, size_t n);

/* Are these the values of the table at hand? */
bool tm_bench_comm_fits(const struct tm_bench *b, const char *p, size_t n);

/* A comment, which may say something of such tests. */
void tm_bench_comm_comment(struct tm_bench *b, const char *p, size_t n);

/* "./all_reduce_perf -b 8 ...": the next test is that. */
void tm_bench_comm_command(struct tm_bench *b, const char *p, size_t n);

/* A line of values: true when it was one, or was given up as one; then b->v->comm.left rows are in
 * it. */
bool tm_bench_comm_values(struct tm_bench *b, const char *p, size_t n);

/* The next of them becomes the row that waits. */
void tm_bench_comm_row(struct tm_bench *b);

/* A line of a file that rccl-tests -x wrote, CSV or JSON: true when it was one, or was given up as
 * one. */
bool tm_bench_comm_record(struct tm_bench *b, const char *p, size_t n);

/* ---- lib_bench_front.c ---- */

/* What a log may have put in front of a line of a client is dropped. */
void tm_bench_drop_front(const struct tm_bench *b, const char **p, size_t *n);

/* ---- lib_bench_fields.c: text ---- */

/* Cut a line into fields, blanks and quotes taken off, "(1,0)" being one; the text is a copy. False
 * when out of memory. */
bool tm_fields_cut(struct fields *f, const char *line, size_t n);

/* The same fields? */
bool tm_fields_same(const struct fields *a, const struct fields *b);

/* Is that the field? */
bool tm_field_is(const struct field_of_line *f, const char *name);

/* Is it one of them? */
bool tm_fields_have(const struct fields *f, const char *name);

/* A blank or a tab. */
bool tm_text_blank(char c);

/* p[0..n) begins with the text. */
bool tm_text_begins(const char *p, size_t n, const char *text);

/* Blanks off both ends. */
void tm_text_trim(const char **p, size_t *n);

/* Where the text stands in p[0..n), or NULL. */
const char *tm_text_find(const char *p, size_t n, const char *text);

/* How many c are in p[0..n). */
size_t tm_text_count(const char *p, size_t n, char c);

/* The whole number at p, and where it ends; NULL when there is none. */
const char *tm_text_number(const char *p, const char *end, uint64_t *v);

/* A number, or what stands where one should and there is none ("nan", "N/A"). */
bool tm_text_numberish(const char *p, size_t n);

/* "[1]:transA,...": the number, and *p after it; 0 where there is none. */
uint64_t tm_text_strip_number(const char **p, size_t *n);

enum { VALUES_COMMAS = 8 }; /* a line of so many, and more, may be values */

/* "T,N,..." with so many commas: how the values of a matrix product begin. */
bool tm_text_like_values(const char *p, size_t n);

#endif
