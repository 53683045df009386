/* SPDX-License-Identifier: MIT
 * rocprof v1 results.csv, both writers.
 * Tables and columns are data: schemas/csv_tables.def, schemas/csv_columns.def. */
#include "read/csv/table.h"

TABLE_FUNCTIONS(TABLE_v1)

const struct tm_reader_ops tm_reader_rocprofv1_csv = {
	.name = "rocprofv1-csv",
	.about = "rocprof v1 results.csv, both writers",
	TABLE_MEMBERS,
};
