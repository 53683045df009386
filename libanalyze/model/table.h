/* SPDX-License-Identifier: MIT
 * What a metric hands to a renderer: rows of typed cells under named columns. */
#ifndef TM_MODEL_TABLE_H
#define TM_MODEL_TABLE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Unit of a column; the machine formats print the raw number, text scales it for people. */
enum unit {
	UNIT_TEXT,  /* words */
	UNIT_COUNT, /* a whole number */
	UNIT_ID,    /* a whole number that only names something: never scaled or grouped */
	UNIT_NS,    /* nanoseconds, whole or with 4 decimals */
	UNIT_BYTES, /* bytes */
	UNIT_PCT,   /* percent, 0-100 */
	UNIT_RATIO, /* no unit, 4 decimals */
};

enum cell_type { CELL_NONE, CELL_U64, CELL_FIXED, CELL_TEXT, CELL_DIGITS };

/* One value.  CELL_NONE is absent: empty in csv and tsv, null in json, "-" in text and md.
 * CELL_U64 and CELL_FIXED are negative with `neg`; CELL_FIXED is v.u in ten-thousandths (so "1.5"
 * is 15000): exact decimal output without floating point.  CELL_TEXT borrows v.s for the life of
 * the table unless table_own() holds it.  CELL_DIGITS is the same for a number that stays as its
 * file has it: "1.14835e+06"; see cell_as_read. */
struct cell {
	enum cell_type type : 8; /* 16 bytes in all, for there may be millions */
	bool neg;
	unsigned char own; /* enum unit + 1 where it is not that of the column, else 0 */
	uint32_t len;      /* CELL_TEXT, CELL_DIGITS: bytes; texts may hold NUL */
	union {
		uint64_t u;
		const char *s;
	} v;
};

/* Written so that C++ takes it as well. */
static inline struct cell cell_none(void)
{
	struct cell c;

	memset(&c, 0, sizeof c); /* CELL_NONE is 0 */
	return c;
}

static inline struct cell cell_u64(uint64_t u)
{
	struct cell c = cell_none();

	c.type = CELL_U64;
	c.v.u = u;
	return c;
}

/* A whole number below zero, or not. */
static inline struct cell cell_signed(bool neg, uint64_t size)
{
	struct cell c = cell_u64(size);

	c.neg = neg && size;
	return c;
}

static inline struct cell cell_text(const char *s, size_t len)
{
	struct cell c = cell_none();

	c.type = CELL_TEXT;
	c.len = (uint32_t)len;
	c.v.s = s;
	return c;
}

/* CELL_DIGITS of s[0..len) where that is a number as JSON has them, else CELL_TEXT. */
struct cell cell_as_read(const char *s, size_t len);

/* The same number in a unit of its own: for columns that hold several. */
static inline struct cell cell_in(struct cell c, enum unit unit)
{
	c.own = (unsigned char)(unit + 1);
	return c;
}

/* x rounded half away from zero to 4 decimals; where these do not fit (past 2^64 / 10^4, three
 * weeks in ns) a whole CELL_U64; absent when x is not finite, or does not fit that either, as
 * negative ones do not. */
struct cell cell_real4(double x);

/* num / den as CELL_FIXED, exact, rounded half up, or whole where that does not fit; absent when
 * den is 0 or it is past 2^64.  num is hi * 2^64 + lo. */
struct cell cell_ratio(uint64_t hi, uint64_t lo, uint64_t den);

/* One column: the single source of the CSV header, the JSON key, --columns, sort keys and the
 * OUTPUT section of the man page. */
struct column {
	const char *name;  /* exact, with the unit: "total_ns" */
	const char *title; /* heading in text and md: "TOTAL" */
	const char *about; /* one clause for people */
	enum unit unit;
	bool bar;     /* text: a bar beside the number; whole at 100 %, at 1 for UNIT_RATIO, at
	               * the column's largest value for other units; of cells with a unit of their
	               * own only shares have one */
	bool elastic; /* text: a name of any length; shown last, shortened to fit */
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

enum { TABLE_COLUMNS = 256 }; /* more than any question has of its own */

struct table {
	const struct column **columns; /* ncols of them, borrowed */
	size_t ncols;
	struct cell *cells; /* nrows * ncols, row by row */
	size_t nrows, cap;
	size_t pinned; /* the first rows, which stay there whatever is sorted, and which no limit
	                  cuts */
	struct buf *owned; /* blocks of texts made for this table */
	size_t nowned, owned_cap;
	bool failed; /* a text could not be kept: out of memory */
};

/* Start an empty table over ncols columns; what they point to is borrowed until table_fini.  When
 * out of memory t->failed is set, and there will be no rows. */
void table_init(struct table *t, const struct column *const *columns, size_t ncols);

/* The same over all of a list that ends with name NULL. */
void table_init_list(struct table *t, const struct column *columns);

/* One more row, all cells absent; NULL when out of memory.  Valid until the next row is added. */
struct cell *table_row(struct table *t);

/* Keep a copy of the text until table_fini and return a cell of it; CELL_NONE when out of memory
 * (t->failed stays true) or when the text has 4 GiB. */
struct cell table_own(struct table *t, const char *s, size_t len);

/* The number of the column of that name, with or without its unit ("total" is "total_ns");
 * t->ncols if there is none. */
size_t table_find(const struct table *t, const char *name);

/* Sort the rows, but for those pinned, by these columns, the first most important: numbers largest
 * first, ids and texts in ascending order, absent last; rows that are equal in all of them stay in
 * order.  False when out of memory. */
bool table_sort(struct table *t, const size_t *by, size_t n);

/* Keep these columns, in this order .  False when out of memory. */
bool table_choose(struct table *t, const size_t *columns, size_t n);

/* Free cells and owned texts; {0} again. */
void table_fini(struct table *t);

#endif
