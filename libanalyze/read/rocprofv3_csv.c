/* SPDX-License-Identifier: MIT
 * rocprofv3 traces and rocpd convert -f csv: kernels, APIs, copies, allocations, counters.
 * Tables and columns are data: schemas/csv_tables.def, schemas/csv_columns.def. */
#include "read/priv_table.h"

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return table_bid(TABLE_v3, p, n);
}

static bool nearly(const unsigned char *p, size_t n, const char **label, char missing[HEADER_NAME])
{
	return table_nearly(TABLE_v3, p, n, label, missing);
}

static enum status open_csv(struct reader *r, struct diag *d)
{
	return table_open(r, TABLE_v3, d);
}

const struct reader_ops reader_rocprofv3_csv = {
	.name = "rocprofv3-csv",
	.about = "rocprofv3 traces and rocpd convert -f csv: kernels, APIs, copies, allocations, "
	         "counters",
	.bid = bid,
	.nearly = nearly,
	.priv_size = sizeof(struct csv_table *),
	.open = open_csv,
	.next = table_next,
	.close = table_close,
	.split = table_split,
};
