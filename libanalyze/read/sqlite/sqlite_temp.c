/* SPDX-License-Identifier: MIT
 * SQLite itself makes a file with a name, and removes the name at once; a signal in between leaves
 * an empty file behind. */
#include "read/sqlite/sqlite_temp.h"

#include "io/io.h"
#include "read/sqlite/sqlite_alone.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct temp {
	sqlite3_file base;
	int fd;
};

static int fd_of(const sqlite3_file *base)
{
	return ((const struct temp *)base)->fd;
}

static int temp_close(sqlite3_file *base)
{
	return close(fd_of(base)) ? SQLITE_IOERR_CLOSE : SQLITE_OK;
}

static int temp_read(sqlite3_file *base, void *buf, int want, sqlite3_int64 at)
{
	int n = 0;

	while (n < want) {
		ssize_t k = pread(fd_of(base), (char *)buf + n, (size_t)(want - n), at + n);

		if (k < 0 && errno == EINTR)
			continue;
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

static int temp_write(sqlite3_file *base, const void *p, int n, sqlite3_int64 at)
{
	for (int done = 0; done < n;) {
		ssize_t k = pwrite(fd_of(base), (const char *)p + done, (size_t)(n - done),
		                   at + done);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return k && errno != ENOSPC ? SQLITE_IOERR_WRITE : SQLITE_FULL;
		done += (int)k;
	}
	return SQLITE_OK;
}

static int temp_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	return ftruncate(fd_of(base), size) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int temp_size(sqlite3_file *base, sqlite3_int64 *size)
{
	struct stat sb;

	if (fstat(fd_of(base), &sb))
		return SQLITE_IOERR_FSTAT;
	*size = sb.st_size;
	return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = temp_close,
	.xRead = temp_read,
	.xWrite = temp_write,
	.xTruncate = temp_truncate,
	.xSync = sqlite_alone_flags,
	.xFileSize = temp_size,
	.xLock = sqlite_alone_flags,
	.xUnlock = sqlite_alone_flags,
	.xCheckReservedLock = sqlite_alone_reserved,
	.xFileControl = sqlite_alone_control,
	.xSectorSize = sqlite_alone_zero,
	.xDeviceCharacteristics = sqlite_alone_zero,
};

static int temp_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out)
{
	sqlite3_vfs *usual = vfs->pAppData;
	int fd;

	if (name || !(flags & SQLITE_OPEN_DELETEONCLOSE))
		return usual->xOpen(usual, name, base, flags, out);
	base->pMethods = NULL;
	fd = tm_temp_open();
	if (fd < 0)
		return SQLITE_CANTOPEN;
	*(struct temp *)base = (struct temp) { .base.pMethods = &methods, .fd = fd };
	if (out)
		*out = flags;
	return SQLITE_OK;
}

static sqlite3_vfs vfs;

static void make(void)
{
	sqlite3_vfs *usual = sqlite3_vfs_find("unix");

	if (!usual)
		return;
	vfs = *usual;
	vfs.pNext = NULL;
	vfs.zName = "tracemill-temp";
	vfs.pAppData = usual;
	vfs.xOpen = temp_open;
	if (vfs.szOsFile < (int)sizeof(struct temp))
		vfs.szOsFile = (int)sizeof(struct temp);
	if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK)
		vfs.zName = NULL;
}

const char *tm_sqlite_temp_vfs(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make);
	return vfs.zName;
}
