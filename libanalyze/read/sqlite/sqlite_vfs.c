/* SPDX-License-Identifier: MIT
 * SQLite reads a file that is open already.
 *
 * By its name SQLite would open it a second time, and read the first bytes again. */
#include "read/sqlite/sqlite_vfs.h"

#include "io/io.h"
#include "read/sqlite/sqlite_alone.h"
#include "read/sqlite/sqlite_temp.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	AHEAD = 64 * 1024, /* bytes that are read at once where small pages are read in order */
	SMALL = 4096,
};

struct file {
	sqlite3_file base;
	struct tm_head head;  /* fd alone where nothing is kept */
	unsigned char *ahead; /* nahead bytes from ahead_at on; or NULL */
	size_t nahead;
	uint64_t ahead_at, next; /* where the last read ended */
};

static int file_close(sqlite3_file *base)
{
	struct file *f = (struct file *)base;

	free(f->ahead);
	f->ahead = NULL;
	f->nahead = 0;
	return SQLITE_OK;
}

/* A large value of a database with small pages, as of totals, lies in one page after the other:
 * take what comes next, too.  False when it is not there. */
static bool read_ahead(struct file *f, void *buf, size_t want, uint64_t at)
{
	const bool in_order = at == f->next;

	f->next = at + want;
	if (want > SMALL)
		return false;
	if (at < f->ahead_at || at - f->ahead_at + want > f->nahead) {
		ptrdiff_t k;

		if (!in_order || at + want <= f->head.n)
			return false;
		if (!f->ahead)
			f->ahead = malloc(AHEAD);
		k = f->ahead ? tm_head_read(&f->head, f->ahead, AHEAD, at) : -1;
		f->nahead = k > 0 ? (size_t)k : 0;
		f->ahead_at = at;
		if (f->nahead < want)
			return false;
	}
	memcpy(buf, f->ahead + (at - f->ahead_at), want);
	return true;
}

static int file_read(sqlite3_file *base, void *buf, int want, sqlite3_int64 at)
{
	struct file *f = (struct file *)base;
	int n = 0;

	if (read_ahead(f, buf, (size_t)want, (uint64_t)at))
		return SQLITE_OK;

	while (n < want) {
		ptrdiff_t k = tm_head_read(&f->head, (char *)buf + n, (size_t)(want - n),
		                           (uint64_t)at + (uint64_t)n);

		if (k < 0)
			return SQLITE_IOERR_READ;
		if (!k)
			break;
		n += (int)k;
	}
	if (n == want)
		return SQLITE_OK;
	memset((char *)buf + n, 0, (size_t)(want - n));
	return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	(void)f;
	(void)p;
	(void)n;
	(void)at;
	return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	(void)f;
	(void)size;
	return SQLITE_READONLY;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size)
{
	const struct file *f = (const struct file *)base;
	struct stat sb;

	if (fstat(f->head.fd, &sb))
		return SQLITE_IOERR_FSTAT;
	*size = sb.st_size;
	return SQLITE_OK;
}

static int file_traits(sqlite3_file *f)
{
	(void)f;
	return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = sqlite_alone_flags,
	.xFileSize = file_size,
	.xLock = sqlite_alone_flags,
	.xUnlock = sqlite_alone_flags,
	.xCheckReservedLock = sqlite_alone_reserved,
	.xFileControl = sqlite_alone_control,
	.xSectorSize = sqlite_alone_zero,
	.xDeviceCharacteristics = file_traits,
};

/* SQLite opens the file within sqlite3_open_v2, so that it needs no name. */
static _Thread_local const struct tm_head *opening;

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out)
{
	sqlite3_vfs *usual = vfs->pAppData;

	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return usual->xOpen(usual, name, base, flags, out);
	if (!opening)
		return SQLITE_CANTOPEN;
	*(struct file *)base = (struct file) { .base.pMethods = &methods, .head = *opening };
	if (out)
		*out = flags;
	return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
	(void)vfs;
	return snprintf(out, (size_t)n, "%s", name) < n ? SQLITE_OK : SQLITE_CANTOPEN;
}

static sqlite3_vfs vfs;

static void make(void)
{
	const char *name = tm_sqlite_temp_vfs();
	sqlite3_vfs *usual = name ? sqlite3_vfs_find(name) : NULL;

	if (!usual)
		return;
	vfs = *usual;
	vfs.pNext = NULL;
	vfs.zName = "tracemill";
	vfs.pAppData = usual;
	vfs.xOpen = vfs_open;
	vfs.xFullPathname = vfs_path;
	if (vfs.szOsFile < (int)sizeof(struct file))
		vfs.szOsFile = (int)sizeof(struct file);
	if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK)
		vfs.zName = NULL;
}

int tm_sqlite_vfs_open(const struct tm_head *h, int flags, sqlite3 **db)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int rc;

	pthread_once(&once, make);
	if (!vfs.zName)
		return SQLITE_NOMEM;
	opening = h;
	rc = sqlite3_open_v2("file:/open?immutable=1", db, flags, vfs.zName);
	opening = NULL;
	return rc;
}
