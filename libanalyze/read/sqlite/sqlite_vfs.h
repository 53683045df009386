/* SPDX-License-Identifier: MIT
 * SQLite on a descriptor. */
#ifndef TM_READ_SQLITE_SQLITE_VFS_H
#define TM_READ_SQLITE_SQLITE_VFS_H

#include "io/io.h"

#include <sqlite3.h>

/* Open the database of h->fd, which stays the caller's, and open as long as the database is; of its
 * head, what is kept is not read again.  `flags` are those of sqlite3_open_v2, SQLITE_OPEN_URI
 * among them.  SQLite's result, as sqlite3_open_v2. */
int tm_sqlite_vfs_open(const struct tm_head *h, int flags, sqlite3 **db);

#endif
