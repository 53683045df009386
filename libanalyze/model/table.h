/* SPDX-License-Identifier: MIT
 * The table that a metric passes to a renderer: rows of typed cells under named columns. */
#ifndef TM_MODEL_TABLE_H
#define TM_MODEL_TABLE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Unit of a column; the machine formats print the raw number, text scales it for people. */
enum tm_unit {
	TM_UNIT_TEXT,  /* words */
	TM_UNIT_COUNT, /* a whole number */
	TM_UNIT_ID,    /* a whole number that only names something: never scaled or grouped */
	TM_UNIT_NS,    /* nanoseconds, whole or with 4 decimals */
	TM_UNIT_BYTES, /* bytes */
	TM_UNIT_PCT,   /* percent, 0-100 */
	TM_UNIT_RATIO, /* no unit, 4 decimals */
	TM_UNIT_TIME,  /* when: nanoseconds on the clock of the trace; text, from the origin */
};

/* Does a number of this unit identify something, rather than measure it? */
static inline bool tm_unit_names(enum tm_unit unit)
{
	return unit == TM_UNIT_ID || unit == TM_UNIT_TIME;
}

enum tm_cell_type { TM_CELL_NONE, TM_CELL_U64, TM_CELL_FIXED, TM_CELL_TEXT, TM_CELL_DIGITS };

/* One value.  TM_CELL_NONE is absent: empty in csv and tsv, null in json, "-" in text and md.
 * TM_CELL_U64 and TM_CELL_FIXED are negative with `neg`; TM_CELL_FIXED is v.u in ten-thousandths
 * (so "1.5" is 15000): exact decimal output without floating point.  TM_CELL_TEXT borrows v.s for
 * the life of the table unless tm_table_own() holds it.  TM_CELL_DIGITS is the same for a number
 * that stays as its file has it: "1.14835e+06"; see tm_cell_as_read. */
struct tm_cell {
	enum tm_cell_type type : 8; /* 16 bytes in all, for there may be millions */
	bool neg;
	unsigned char own;   /* enum tm_unit + 1 where it is not that of the column, else 0 */
	unsigned char depth; /* text: of a tree, so far below the first */
	uint32_t len;        /* TM_CELL_TEXT, TM_CELL_DIGITS: bytes; texts may hold NUL.  Of other
	                      * numbers 1 + which of tm_table.ends they have, or 0 */
	union {
		uint64_t u;
		const char *s;
	} v;
};

/* Written so that C++ takes it as well. */
static inline struct tm_cell tm_cell_none(void)
{
	struct tm_cell c;

	memset(&c, 0, sizeof c); /* TM_CELL_NONE is 0 */
	return c;
}

static inline struct tm_cell tm_cell_u64(uint64_t u)
{
	struct tm_cell c = tm_cell_none();

	c.type = TM_CELL_U64;
	c.v.u = u;
	return c;
}

/* A whole number below zero, or not. */
static inline struct tm_cell tm_cell_signed(bool neg, uint64_t size)
{
	struct tm_cell c = tm_cell_u64(size);

	c.neg = neg && size;
	return c;
}

static inline struct tm_cell tm_cell_text(const char *s, size_t len)
{
	struct tm_cell c = tm_cell_none();

	c.type = TM_CELL_TEXT;
	c.len = (uint32_t)len;
	c.v.s = s;
	return c;
}

/* TM_CELL_DIGITS of s[0..len) if that is a number in JSON syntax, else TM_CELL_TEXT. */
struct tm_cell tm_cell_as_read(const char *s, size_t len);

/* The same number in a unit of its own, for columns with several units. */
static inline struct tm_cell tm_cell_in(struct tm_cell c, enum tm_unit unit)
{
	c.own = (unsigned char)(unit + 1);
	return c;
}

/* x rounded half away from zero to 4 decimals; if these do not fit (past 2^64 / 10^4, three weeks
 * in ns), a whole TM_CELL_U64; absent when x is not finite, or does not fit that either, as for
 * negative x. */
struct tm_cell tm_cell_real4(double x);

/* num / den as TM_CELL_FIXED, exact, rounded half up, or whole if that does not fit; absent when
 * den is 0 or the result is past 2^64.  num is hi * 2^64 + lo. */
struct tm_cell tm_cell_ratio(uint64_t hi, uint64_t lo, uint64_t den);

/* part / whole in percent; absent when whole is 0. */
struct tm_cell tm_cell_pct(tm_u128 part, tm_u128 whole);

/* One column: the single source of the CSV header, the JSON key, --columns, sort keys and the
 * OUTPUT section of the man page. */
struct tm_column {
	const char *name;  /* exact, with the unit: "total_ns" */
	const char *title; /* heading in text and md: "TOTAL" */
	const char *about; /* one clause for people */
	enum tm_unit unit;
	bool bar;     /* text: a bar beside the number; whole at 100 %, at 1 for TM_UNIT_RATIO, at
	               * the column's largest value for other units; of cells with a unit of their
	               * own only shares have one */
	bool elastic; /* text: a name of any length; shown last, shortened to fit */
	bool prose;   /* text: a sentence; as the last column continued below itself instead of
	               * shortened, unless it has a word too long for that */
	bool naming;  /* it names the rows, as those that are elastic do: of several the first that
	               * any row has */
	bool which;   /* it says which row it is, though it is an amount, as the lengths do that a
	               * row of a histogram is about; or though it comes after one */
	bool machine; /* only in csv, tsv and json, unless asked for */
	bool local;   /* it names something of this run only, as a process id does: another run has
	                 others */
	/* text: on a narrow terminal left out, the largest first, those of one number together; 0 =
	 * never */
	unsigned char spare;
	/* text: the same, but only where the table is still too wide without bars and with single
	 * blanks */
	unsigned char tight;
};

/* How text shows a table.  TM_LOOK_STRIPS: a strip of characters for each lane and part.  The
 * columns: those that name a lane (successive rows with equal names are one lane); from_ns and
 * to_ns of a bin, which follows the bin before; parts of that time, the last of them idle; then
 * columns for machines.  TM_LOOK_ROOF: a point for each row, under its roof: the columns intensity,
 * tflops, peak_tflops, published_tflops and memory_gb_per_s.  TM_LOOK_ROWS: rows. */
enum tm_look { TM_LOOK_ROWS, TM_LOOK_STRIPS, TM_LOOK_ROOF };

enum { TM_TABLE_COLUMNS = 256, TM_TABLE_BELOW = 16 }; /* more than any question has of its own */

/* Numbers in a row, for people: drawn above the rows as a line of characters. */
enum { TM_SERIES_MOST = 8, TM_SERIES_POINTS = 512 };
struct tm_series {
	uint64_t *v; /* n of them */
	size_t n;
	struct tm_cell label, about; /* whose; what they are: texts of the table */
};

/* The range of a number that the input does not determine exactly. */
struct tm_table_ends {
	struct tm_cell low, high; /* in the unit of the number, low <= number <= high */
	const char *why;          /* what is not known, a clause; never freed */
};

struct tm_table {
	const struct tm_column **columns; /* ncols of them, borrowed */
	size_t ncols;
	struct tm_cell *cells; /* nrows * ncols, row by row */
	size_t nrows, cap;
	struct tm_cell
	        headline; /* TM_CELL_TEXT: what people are told before the rows, one sentence */
	struct tm_cell below[TM_TABLE_BELOW]; /* texts, nbelow: what people are told after the rows,
	                                         a line each */
	size_t nbelow;
	enum tm_look look;
	size_t pinned; /* the first rows, which stay there whatever is sorted, and which no limit
	                  cuts */
	size_t kept;   /* the same of the last rows: what the others do not hold, or come to */
	struct tm_table_origin {
		uint64_t rank, at;
	} * origin; /* norigin of them: from when people count the times of a rank */
	size_t norigin, origin_cap;
	bool relative; /* the cells of TM_UNIT_TIME are counted from there */
	struct tm_series series[TM_SERIES_MOST];
	size_t nseries, series_more; /* that are kept; that are not */
	bool apart;                  /* they are of several units: each has a scale of its own */
	uint64_t more; /* rows past the limit that were not made at all: they would follow these */
	struct tm_table_share {
		tm_u128 *of; /* of each row; NULL = none is known */
		size_t cap;
		tm_u128 whole;
		size_t running;     /* number of the column that says what the rows down to this one
		                 * have together, or ncols */
	} share;                    /* exact, where cells are rounded */
	struct tm_table_ends *ends; /* nends: of cells, wherever they are moved to in this table */
	size_t nends, ends_cap;
	struct tm_buf *owned; /* blocks of texts made for this table */
	size_t nowned, owned_cap;
	bool failed; /* a text could not be kept: out of memory */
};

/* Initialize an empty table with ncols columns; what they point to is borrowed until tm_table_fini.
 * When out of memory t->failed is set, and no rows can be added. */
void tm_table_init(struct tm_table *t, const struct tm_column *const *columns, size_t ncols);

/* The same with all columns of a list that ends with name NULL. */
void tm_table_init_list(struct tm_table *t, const struct tm_column *columns);

/* Reserve room for that many further rows.  False when out of memory. */
bool tm_table_rows(struct tm_table *t, size_t rows);

/* Add a row, all cells absent; NULL when out of memory.  Valid until the next row is added. */
struct tm_cell *tm_table_row(struct tm_table *t);

/* Add a line after the rows; its text belongs to the table or outlives it.  False when there are
 * TM_TABLE_BELOW already. */
bool tm_table_say_below(struct tm_table *t, struct tm_cell text);

/* Set the share of the last row: `of` out of `whole`.  False when out of memory. */
bool tm_table_share(struct tm_table *t, tm_u128 of, tm_u128 whole);

/* Fill the column of running shares, if there is one, and return the share of all rows in percent;
 * absent if no shares are known. */
struct tm_cell tm_table_run(struct tm_table *t);

/* Keep a copy of the text until tm_table_fini and return a cell of it; TM_CELL_NONE when out of
 * memory (t->failed stays true) or when the text has 4 GiB. */
struct tm_cell tm_table_own(struct tm_table *t, const char *s, size_t len);

/* The same for a buffer, which is emptied; absent if it was empty.  One that lacks memory fails the
 * table. */
struct tm_cell tm_table_take(struct tm_table *t, struct tm_buf *text);

/* Set the range of a number in a cell of the table, TM_CELL_U64 or TM_CELL_FIXED.  False when out
 * of memory. */
bool tm_table_between(struct tm_table *t, struct tm_cell *c, const struct tm_table_ends *ends);

/* The range of that cell; NULL = the number is exact. */
const struct tm_table_ends *tm_table_ends(const struct tm_table *t, const struct tm_cell *c);

/* Set the origin from which text counts times of `rank`; call with ranks in ascending order.  False
 * when out of memory. */
bool tm_table_origin(struct tm_table *t, uint64_t rank, uint64_t at);

/* Make times relative to their origin, for text output.  Rows of unknown origin do not change. */
void tm_table_make_relative(struct tm_table *t);

/* A time in that row relative to its origin; unchanged if the origin is unknown. */
struct tm_cell tm_table_since(const struct tm_table *t, size_t row, struct tm_cell time);

/* Append a series, v[0..n).  With more than TM_SERIES_POINTS values, each point is the largest of
 * several; of more than TM_SERIES_MOST series, only the number is kept.  False when out of
 * memory. */
bool tm_table_series(struct tm_table *t, const uint64_t *v, size_t n, const char *label,
                     const char *about);

/* The largest of part `i` of `parts` of v[0..n), parts <= n. */
uint64_t tm_series_peak(const uint64_t *v, size_t n, size_t i, size_t parts);

/* Index of the column of that name, with or without its unit ("total" is "total_ns"); t->ncols if
 * there is none. */
size_t tm_table_find(const struct tm_table *t, const char *name);

/* Does that column identify the row, in another run as well?  The first columns do, up to the first
 * amount, and those marked `which`; except times and columns marked `local`. */
bool tm_table_is_key(const struct tm_table *t, size_t column);

/* Sort the rows, except those pinned and kept, by these columns, the first most important: numbers
 * largest first, ids and texts in ascending order, absent last.  Stable.  False when out of
 * memory. */
bool tm_table_sort(struct tm_table *t, const size_t *by, size_t n);

/* Keep the first n rows, and all that are pinned or kept. */
void tm_table_cut(struct tm_table *t, size_t n);

/* Keep only these columns, in this order; running shares do not change.  False when out of
 * memory. */
bool tm_table_choose(struct tm_table *t, const size_t *columns, size_t n);

/* Free cells and owned texts; {0} again. */
void tm_table_fini(struct tm_table *t);

#endif
