/* SPDX-License-Identifier: MIT
 * rocprofv2 file plugin: results, API calls, operations, copies.
 * Tables and columns are data: schemas/csv_tables.def, schemas/csv_columns.def. */
#include "read/csv/table.h"

TABLE_FUNCTIONS(TABLE_v2)

const struct tm_reader_ops tm_reader_rocprofv2_csv = {
	.name = "rocprofv2-csv",
	.about = "rocprofv2 file plugin: results, API calls, operations, copies",
	TABLE_MEMBERS,
};
