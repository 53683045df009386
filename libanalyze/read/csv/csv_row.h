/* SPDX-License-Identifier: MIT
 * One row of a profiler's CSV, split exactly: the careful path for rows that the fast scanner does
 * not handle, and the recovery rule for what rocprof writes.
 *
 * rocprofv3 wraps strings in quotes but escapes nothing: a name may contain quotes, commas and
 * newlines as they are.  Every table has its free text in one known column, with fixed columns
 * before and after it, so a row is recognized by its two ends:
 *   head  the columns before the free text, split from the left, fixed-type all of them
 *   tail  the columns after it, split from the right end of some line, fixed-type all of them
 * A row goes from a line that begins with a head to the first line end after a tail.  If another
 * line that begins with a head comes first, the earlier line was truncated, and only that line is
 * bad.  "Begins with a head" means: its columns, words in quotes where this row has them in quotes,
 * and then the quote that opens the text; in a table that begins with its text, that quote alone.
 * A text without quotes ends with its line, and may hold commas when the tail still fits.
 *
 * Two rows in one line, the newline between them lost:
 *   both whole   the first is CSV_JOINED and *next stands at the second, in the middle of the line.
 *   A
 *                number at the end of the one and a number at the beginning of the other are one
 *                number then, of which nobody knows where it is to be cut: that column is empty in
 *                both.  Where a word or a quote follows, the number is known.
 *   first cut    it is bad, and *next stands at the second.  A text that holds a head of four or
 *   more
 *                columns and a quote after it is such a row; with fewer the first column must be
 *                the same word and the rest of the line a row.
 * A table must have four columns for that. */
#ifndef TM_READ_CSV_CSV_ROW_H
#define TM_READ_CSV_CSV_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a fixed column may hold. */
enum csv_type {
	CSV_WORD,   /* any text without a quote, comma or newline inside */
	CSV_TEXT,   /* the same, but in quotes it may hold commas */
	CSV_VALUE,  /* as CSV_WORD, but most likely a number: tells where it ends when a word
	             * follows */
	CSV_NUMBER, /* decimal integer or real, 0x hexadecimal, nan, inf, None, or nothing */
};

/* How to tell, where the input ends after the last column without a newline, that no digit of a
 * bare number is missing. */
enum csv_last {
	LAST_ANY,      /* not at all */
	LAST_TIME,     /* a time not before that of column `start`: one digit less, and it was */
	LAST_DECIMALS, /* six digits after the point, or eight and an exponent: rocprofv3's.  Not
	                * six that may go on: 1.414213 is the beginning of 1.41421356e-05 */
};

struct csv_shape {
	uint32_t ncols;            /* columns of the header, at least 1 */
	int32_t text;              /* index of the free-text column, -1 = every column is fixed */
	const unsigned char *type; /* ncols values of enum csv_type; type[text] is ignored */
	bool escaped;              /* quotes inside a quoted field are doubled (RFC 4180); otherwise
	                            * they stand as they are and "" is two quotes */
	enum csv_last last;
	uint32_t start; /* with LAST_TIME */
};

/* One field as it stands in the input, without its outer quotes.  With shape.escaped and `doubled`
 * the bytes still hold "" for each quote: see tm_csv_unquote. */
struct csv_field {
	const unsigned char *p;
	size_t n;
	bool quoted;
	bool doubled;
};

enum csv_verdict {
	CSV_ROW,       /* a clean row: fields[0..ncols) filled */
	CSV_RECOVERED, /* a row whose free text needed the rule above: fields filled */
	CSV_JOINED,  /* a clean row, after which another follows in the same line: fields filled */
	CSV_BLANK,   /* nothing to see: an empty line (rocprofv2 puts one after its header), or the
	              * rest of a line that was given up as CSV_BAD before its end was known */
	CSV_BAD,     /* does not fit the table; *next is after the line (or lines) that are lost */
	CSV_CUT,     /* the input ends inside this row */
	CSV_UNENDED, /* all columns, but the input ends right after the last one without a newline,
	              * and that one could go on: fields filled, not to be counted */
	CSV_MORE,    /* needs more bytes to decide: never when `whole`, nor with n >= CSV_ROW_MAX */
};

/* How far a row may reach before it is given up as bad. */
enum { CSV_ROW_MAX = 16 * 1024 * 1024 };

/* Memory between calls on one input; {0} to begin.  Keeps the cost linear on hostile input. */
struct csv_memo {
	uint64_t no_tail; /* no line that ends before this offset of the input closes a tail */
	bool overlong;    /* the last call gave up inside a line: what follows is still that line */
};

/* Split the row that begins at p[0], within p[0..n), n at least 1.  `whole` = the input ends at
 * p + n, otherwise more bytes may follow.  `at` is the offset of p in the input, for the memo.
 * On CSV_ROW, CSV_RECOVERED and CSV_JOINED fields[] is filled, *next = bytes used including the
 * newline.  On CSV_BLANK and CSV_BAD *next = bytes to skip.  On CSV_CUT and CSV_UNENDED *next = n.
 * *lines = newlines in those bytes.  On CSV_MORE both are 0.  fields has room for ncols and is
 * scratch on all other verdicts.
 * A last row without a newline is a row only if it is known to be whole: it has all its columns,
 * and the last one is closed by its quote, or by the carriage return of a CRLF.  A bare number may
 * have lost its last digits, but for what shape.last says; a free text may hold quotes of its own.
 * csv_row_ended tells such a row from those with a newline.
 * CRLF counts as a newline.  Empty cells after the last column are none.
 * A row also is bad when it has too few or too many columns and the rule cannot mend it. */
enum csv_verdict tm_csv_row_split(const struct csv_shape *shape, struct csv_memo *memo, uint64_t at,
                                  const unsigned char *p, size_t n, bool whole,
                                  struct csv_field *fields, size_t *next, uint64_t *lines);

/* Of a row (no joined one) of `next` bytes at p: did it have its newline? */
static inline bool csv_row_ended(const unsigned char *p, size_t next)
{
	return next && p[next - 1] == '\n';
}

/* Is this text of a fixed column of that type?  (What tm_csv_row_split asks of each.) */
bool tm_csv_fits(enum csv_type type, const unsigned char *p, size_t n);

/* Copy a field with doubled quotes made single; returns the length, at most f->n.  out has room for
 * f->n bytes. */
size_t tm_csv_unquote(const struct csv_field *f, unsigned char *out);

#endif
