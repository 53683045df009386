/* SPDX-License-Identifier: MIT
 * Traces and tables in CSV. */
#ifndef TM_READ_CSV_CSV_H
#define TM_READ_CSV_CSV_H

#include "read/csv/csv_row.h"
#include "read/csv/csv_small.h"
#include "read/csv/header.h"
#include "read/csv/scan.h"

#endif
