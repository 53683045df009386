/* SPDX-License-Identifier: MIT
 * Tables of readings over time, a column for each device: gpu_info_power_profiler_output.csv and
 * gpu_info_vram_profiler_output.csv of madengine and what looks like them; or a row for each device
 * and moment: amd-smi monitor and amd-smi metric with --csv and -w (schemas/power_columns.def).
 *
 * Of the second kind, rows with one time that follow one another are one row here, up to a device
 * that was among them already.  Its columns come with the devices: in that order, and more of them
 * with any row.
 *
 * Read in pieces through libcsv, row by row; memory does not grow with the rows.  Its writers never
 * put a newline into a field, so every line stands for itself: a quote that is not closed spoils
 * one row. */
#ifndef TM_READ_POWER_POWER_CSV_H
#define TM_READ_POWER_POWER_CSV_H

#include "base/base.h"
#include "io/io.h"
#include "read/reader.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a column holds. */
enum power_what { POWER_WATT, POWER_VRAM, POWER_WHATS };

enum { POWER_DEVICES = 128 }; /* of a table with a row for each; more are none of one node */

/* A reading in millionths of a watt or of a percent, POWER_MOST at most; or none. */
#define POWER_NA   UINT64_MAX
#define POWER_MOST UINT64_C(1000000000000)

/* If `tall`: the input has no row of that device there, so not even a missing reading. */
#define POWER_ABSENT (UINT64_MAX - 1)

/* The readings of one device. */
struct power_column {
	enum power_what what;
	uint64_t device; /* the number in its name */
	size_t field;    /* private: which field of a row it is */
};

/* How many, and in which line the first is. */
struct power_lost {
	uint64_t n, line;
};

enum power_field { PF_WHOSE, PF_POWER, PF_VRAM, PF_USED, PF_TOTAL, POWER_FIELDS };

/* {0} before power_csv_open. */
struct power_csv {
	struct power_column
	        *col; /* ncol of them, by what, then by device; if `tall`, as they came */
	size_t ncol;
	bool tall;        /* a row for each device and moment */
	uint64_t *value;  /* of the row at hand, ncol of them */
	uint64_t time_ns; /* its time, on a clock without zone: as if 1970 had begun where it was;
	                   * if `tall`, since 1970 began */
	uint64_t line;    /* its line, from 1 */
	struct power_lost
	        rows; /* rows left out: too few or too many cells, or a time that is none */
	struct power_lost cells; /* cells that are no number and no way to say "none" */
	struct loss tail;        /* what the last row lacks: unended, open_end (reader.h) */

	/* private */
	struct source *src;
	struct buf in, text, header;
	size_t at;   /* of in */
	size_t *end; /* field i ends at end[i] in text */
	size_t nend, end_cap, width;
	size_t time_field;
	size_t col_cap, value_cap;
	size_t tall_field[POWER_FIELDS]; /* SIZE_MAX = there is none */
	struct power_reading {
		uint64_t time_ns, device, value[POWER_WHATS];
		uint64_t line;
	} ahead; /* the row that was read and is none of those at hand: has_ahead */
	bool has_ahead;
	enum status last; /* ... or what came in its place, and why */
	struct diag why;
	uint64_t read; /* lines begun */
	struct csv_parser csv;
	bool csv_live, row_done, failed, ended, open_end;
	char end_byte; /* the last one of the line at hand, newline or not */
};

/* Order of columns: by what, then by device; for qsort and bsearch. */
int power_column_cmp(const void *a, const void *b);

/* Read the header.  ST_OK; ST_SKIP with *d: not such a table; ST_FATAL when out of memory.  The
 * source stays the caller's and must outlive this.  power_csv_fini after, whatever this returned.
 */
enum status power_csv_open(struct power_csv *t, struct source *src, struct diag *d);

/* The next row.  ST_OK; ST_END; ST_WARN with *d: the rest cannot be read (the input is cut or
 * broken, or another table begins), what came before stands; ST_FATAL when out of memory.  Once it
 * was not ST_OK it is not called again.  A last row without a line end is one only if its last cell
 * is closed by a quote: a bare number may have lost its last digits (tail.unended). */
enum status power_csv_next(struct power_csv *t, struct diag *d);

/* Free it; {0} again. */
void power_csv_fini(struct power_csv *t);

/* "2026-06-12 09:30:00.123456" (or with a 'T'; up to nine decimals) as nanoseconds since 1970, by
 * the calendar alone: no zone, no summer time, no leap seconds.  False when it is none, or not
 * between 1970 and 2250. */
bool power_time(const char *p, size_t n, uint64_t *ns);

/* "1733000000" (up to nine decimals): seconds since 1970, as nanoseconds, up to 2250. */
bool power_epoch(const char *p, size_t n, uint64_t *ns);

/* A cell: a decimal number, which may be followed by "W" or "%", in millionths, rounded half up;
 * POWER_NA for nothing, "N/A", "nan", "none", "null" and "-".  False when it is neither: negative,
 * too large, or other text. */
bool power_value(const char *p, size_t n, uint64_t *v);

#endif
