/* SPDX-License-Identifier: MIT
 * Tables of readings over time, a column for each device: gpu_info_power_profiler_output.csv and
 * gpu_info_vram_profiler_output.csv of madengine and similar ones; or a row for each device and
 * moment: amd-smi monitor and amd-smi metric with --csv and -w (schemas/power_columns.def).
 *
 * In the second kind, successive rows with the same time are one row here, until a device repeats.
 * Columns are added with the devices, in their order; any row may add some.
 *
 * Read in pieces through libcsv, row by row; memory does not grow with the rows.  These files never
 * have a newline in a field, so every line is parsed on its own: a quote that is not closed affects
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

/* The contents of a column. */
enum tm_power_what { TM_POWER_WATT, TM_POWER_VRAM, TM_POWER_WHATS };

enum { TM_POWER_DEVICES = 128 }; /* of a table with a row for each; more are none of one node */

/* Values of a reading: millionths of a watt or of a percent, TM_POWER_MOST at most; or none. */
#define TM_POWER_NA   UINT64_MAX
#define TM_POWER_MOST UINT64_C(1000000000000)

/* If `tall`: the input has no row of that device then, so not even a missing reading. */
#define TM_POWER_ABSENT (UINT64_MAX - 1)

/* The readings of one device. */
struct tm_power_column {
	enum tm_power_what what;
	uint64_t device; /* the number in its name */
	size_t field;    /* private: which field of a row it is */
};

/* How many, and the line of the first. */
struct tm_power_lost {
	uint64_t n, line;
};

enum tm_power_field {
	TM_PF_WHOSE,
	TM_PF_POWER,
	TM_PF_VRAM,
	TM_PF_USED,
	TM_PF_TOTAL,
	TM_PF_PART,
	TM_POWER_FIELDS
};

/* {0} before tm_power_csv_open. */
struct tm_power_csv {
	struct tm_power_column
	        *col; /* ncol of them, by what, then by device; if `tall`, as they came */
	size_t ncol;
	bool tall;        /* a row for each device and moment */
	uint64_t *value;  /* of the row at hand, ncol of them */
	uint64_t time_ns; /* its time, on a clock without zone: as if 1970 had begun where it was;
	                   * if `tall`, since 1970 began */
	uint64_t line;    /* its line, from 1 */
	struct tm_power_lost
	        rows; /* rows left out: too few or too many cells, or a time that is none */
	struct tm_power_lost cells; /* cells that are no number and no way to say "none" */
	struct tm_loss tail;        /* what the last row lacks: unended, open_end (model/loss.h) */

	/* private */
	struct tm_source *src;
	struct tm_buf in, text, header;
	size_t at;   /* of in */
	size_t *end; /* field i ends at end[i] in text */
	size_t nend, end_cap, width;
	size_t time_field;
	size_t col_cap, value_cap;
	size_t tall_field[TM_POWER_FIELDS]; /* SIZE_MAX = there is none */
	struct tm_power_reading {
		uint64_t time_ns, device, value[TM_POWER_WHATS];
		uint64_t line;
		bool part; /* it is about another partition than the first of the device */
	} ahead;           /* the row that was read and is none of those at hand: has_ahead */
	bool has_ahead;
	enum tm_status last; /* ... or what came in its place, and why */
	struct tm_diag why;
	uint64_t read; /* lines begun */
	struct csv_parser csv;
	bool csv_live, row_done, failed, ended, open_end;
	char end_byte; /* the last one of the line at hand, newline or not */
};

/* Order of columns: by what, then by device; for qsort and bsearch. */
int tm_power_column_cmp(const void *a, const void *b);

/* Read the header.  TM_ST_OK; TM_ST_SKIP with *d: not such a table; TM_ST_FATAL when out of memory.
 * The source still belongs to the caller and must outlive *t.  Call tm_power_csv_fini in any
 * case. */
enum tm_status tm_power_csv_open(struct tm_power_csv *t, struct tm_source *src, struct tm_diag *d);

/* The next row.  TM_ST_OK; TM_ST_END; TM_ST_WARN with *d: the rest cannot be read (the input is
 * truncated or damaged, or another table begins), what came before is valid; TM_ST_FATAL when out
 * of memory.  Do not call it again after anything but TM_ST_OK.  A last row without a line end
 * counts only if its last cell ends with a quote: a bare number may have lost its last digits
 * (tail.unended). */
enum tm_status tm_power_csv_next(struct tm_power_csv *t, struct tm_diag *d);

/* Free it; {0} again. */
void tm_power_csv_fini(struct tm_power_csv *t);

/* Parse "2026-06-12 09:30:00.123456" (or with a 'T'; up to nine decimals) to nanoseconds since
 * 1970, by the calendar alone: no zone, no summer time, no leap seconds.  False for other text, or
 * outside 1970 to 2250. */
bool tm_power_time(const char *p, size_t n, uint64_t *ns);

/* Parse "1733000000" (up to nine decimals), seconds since 1970, to nanoseconds, up to 2250. */
bool tm_power_epoch(const char *p, size_t n, uint64_t *ns);

/* Parse a cell: a decimal number, optionally followed by "W" or "%", to millionths, rounded half
 * up; TM_POWER_NA for an empty cell, "N/A", "nan", "none", "null" and "-".  False otherwise:
 * negative, too large, or other text. */
bool tm_power_value(const char *p, size_t n, uint64_t *v);

#endif
