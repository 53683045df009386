/* SPDX-License-Identifier: MIT
 * rocprofv3 traces and rocpd convert -f csv: kernels, APIs, copies, allocations, counters.
 * Tables and columns are data: schemas/csv_tables.def, schemas/csv_columns.def. */
#include "read/csv/table.h"

TABLE_FUNCTIONS(TABLE_v3)

const struct tm_reader_ops tm_reader_rocprofv3_csv = {
	.name = "rocprofv3-csv",
	.about = "rocprofv3 traces and rocpd convert -f csv: kernels, APIs, copies, allocations, "
	         "counters",
	TABLE_MEMBERS,
};
