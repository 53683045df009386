/* SPDX-License-Identifier: MIT
 * Traces in SQLite databases. */
#ifndef TM_READ_SQLITE_SQLITE_H
#define TM_READ_SQLITE_SQLITE_H

#include "read/sqlite/sqlite_file.h"
#include "read/sqlite/sqlite_rows.h"
#include "read/sqlite/sqlite_temp.h"
#include "read/sqlite/sqlite_vfs.h"

#endif
