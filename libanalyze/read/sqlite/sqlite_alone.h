/* SPDX-License-Identifier: MIT
 * What SQLite asks of a file that nobody else has: nothing to lock, to sync or to control. */
#ifndef TM_READ_SQLITE_SQLITE_ALONE_H
#define TM_READ_SQLITE_SQLITE_ALONE_H

#include <sqlite3.h>

static inline int sqlite_alone_flags(sqlite3_file *base, int flags)
{
	(void)base;
	(void)flags;
	return SQLITE_OK;
}

static inline int sqlite_alone_reserved(sqlite3_file *base, int *out)
{
	(void)base;
	*out = 0;
	return SQLITE_OK;
}

static inline int sqlite_alone_control(sqlite3_file *base, int op, void *arg)
{
	(void)base;
	(void)op;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static inline int sqlite_alone_zero(sqlite3_file *base)
{
	(void)base;
	return 0;
}

#endif
