/* SPDX-License-Identifier: MIT
 * Trace tables in CSV: what the three generations of rocprof readers share.  Which columns and
 * tables there are is data: schemas/csv_columns.def and schemas/csv_tables.def. */
#ifndef TM_READ_CSV_TABLE_H
#define TM_READ_CSV_TABLE_H

#include "read/reader.h"

/* The first column of csv_tables.def. */
enum table_format { TABLE_v1, TABLE_v2, TABLE_v3 };

struct csv_table;

/* The members of a reader_ops, for a format; priv is a struct csv_table *. */
unsigned table_bid(enum table_format f, const unsigned char *p, size_t n, bool whole);
bool table_nearly(enum table_format f, const unsigned char *p, size_t n, const char **label,
                  char missing[HEADER_NAME]);
enum status table_open(struct reader *r, enum table_format f, struct diag *d);
enum status table_next(struct reader *r, const struct batch **b, struct diag *d);
void table_close(struct reader *r);
struct reader *table_split(const struct reader *r, int fd, uint64_t begin, uint64_t end, bool exact,
                           struct diag *d);

/* Those members that are the same but for the format: first the functions, then the members. */
#define TABLE_FUNCTIONS(format)                                                                    \
	static unsigned bid(const unsigned char *p, size_t n, bool whole)                          \
	{                                                                                          \
		return table_bid(format, p, n, whole);                                             \
	}                                                                                          \
	static bool nearly(const unsigned char *p, size_t n, const char **label,                   \
	                   char missing[HEADER_NAME])                                              \
	{                                                                                          \
		return table_nearly(format, p, n, label, missing);                                 \
	}                                                                                          \
	static enum status open_csv(struct reader *r, struct diag *d)                              \
	{                                                                                          \
		return table_open(r, format, d);                                                   \
	}
#define TABLE_MEMBERS                                                                              \
	.bid = bid, .nearly = nearly, .priv_size = sizeof(struct csv_table *), .open = open_csv,   \
	.next = table_next, .close = table_close, .split = table_split

#endif
