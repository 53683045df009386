/* SPDX-License-Identifier: MIT
 * Trace tables in CSV, shared by the readers of three generations of rocprof.  Columns and tables
 * are data: schemas/csv_columns.def and schemas/csv_tables.def. */
#ifndef TM_READ_CSV_TABLE_H
#define TM_READ_CSV_TABLE_H

#include "read/reader.h"

/* The first column of csv_tables.def. */
enum table_format { TABLE_v1, TABLE_v2, TABLE_v3 };

struct csv_table;

/* The members of a reader_ops, for a format; priv is a struct csv_table *. */
unsigned tm_table_bid(enum table_format f, const unsigned char *p, size_t n, bool whole);
bool tm_table_nearly(enum table_format f, const unsigned char *p, size_t n, const char **label,
                     char missing[TM_HEADER_NAME]);
enum tm_status tm_table_open(struct tm_reader *r, enum table_format f, struct tm_diag *d);
enum tm_status tm_table_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d);
void tm_table_close(struct tm_reader *r);
bool tm_table_splits(const struct tm_reader *r);
struct tm_reader *tm_table_split(const struct tm_reader *r, int fd, uint64_t begin, uint64_t end,
                                 bool exact, struct tm_diag *d);

/* Those members that are the same but for the format: first the functions, then the members. */
#define TABLE_FUNCTIONS(format)                                                                    \
	static unsigned bid(const unsigned char *p, size_t n, bool whole)                          \
	{                                                                                          \
		return tm_table_bid(format, p, n, whole);                                          \
	}                                                                                          \
	static bool nearly(const unsigned char *p, size_t n, const char **label,                   \
	                   char missing[TM_HEADER_NAME])                                           \
	{                                                                                          \
		return tm_table_nearly(format, p, n, label, missing);                              \
	}                                                                                          \
	static enum tm_status open_csv(struct tm_reader *r, struct tm_diag *d)                     \
	{                                                                                          \
		return tm_table_open(r, format, d);                                                \
	}
#define TABLE_MEMBERS                                                                              \
	.bid = bid, .nearly = nearly, .priv_size = sizeof(struct csv_table *), .open = open_csv,   \
	.next = tm_table_next, .close = tm_table_close, .splits = tm_table_splits,                 \
	.split = tm_table_split

#endif
