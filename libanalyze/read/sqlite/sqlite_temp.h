/* SPDX-License-Identifier: MIT
 * SQLite's temporary files, without a name. */
#ifndef TM_READ_SQLITE_SQLITE_TEMP_H
#define TM_READ_SQLITE_SQLITE_TEMP_H

/* The name of a VFS for sqlite3_open_v2: SQLite's "unix", but what a large sort or a temporary
 * table needs is in files of tm_temp_open, so that nothing remains however the program ends.
 * NULL when memory runs out. */
const char *tm_sqlite_temp_vfs(void);

#endif
