/* SPDX-License-Identifier: MIT
 * rocprof v1 results.csv, both writers.
 * Tables and columns are data: schemas/csv_tables.def, schemas/csv_columns.def. */
#include "read/priv_table.h"

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return table_bid(TABLE_v1, p, n);
}

static bool nearly(const unsigned char *p, size_t n, const char **label, char missing[HEADER_NAME])
{
	return table_nearly(TABLE_v1, p, n, label, missing);
}

static enum status open_csv(struct reader *r, struct diag *d)
{
	return table_open(r, TABLE_v1, d);
}

const struct reader_ops reader_rocprofv1_csv = {
	.name = "rocprofv1-csv",
	.about = "rocprof v1 results.csv, both writers",
	.bid = bid,
	.nearly = nearly,
	.priv_size = sizeof(struct csv_table *),
	.open = open_csv,
	.next = table_next,
	.close = table_close,
	.split = table_split,
};
