/* SPDX-License-Identifier: MIT
 * Makes the N-th call of some kind fail, as a full disk, a lost mount or memory that runs out
 * would.
 *
 *     FAULT_CALL=KIND:N    the N-th call of a kind fails, counted from 1; the kinds stand below
 *     FAULT_CALL_ALL=1     and so do all after it
 *     FAULT_CALLS=FILE     write to FILE, at exit, a line for each kind: how many calls there were
 *
 * As LD_PRELOAD it sees what the program and its libraries call.  Linked into a program (ld --wrap,
 * with -DFAULT_WRAP) it sees what the program itself calls; that is for builds with sanitizers,
 * which are a preload themselves. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind {
	ALLOC,
	OPEN,
	READ,
	WRITE,
	CLOSE,
	STAT,
	DIRS,
	SEEK,
	SYNC,
	RENAME,
	LINK,
	CUT,
	THREAD,
	KINDS
};

static const char *const kind_names[KINDS] = { "alloc", "open", "read",  "write", "close",
	                                       "stat",  "dir",  "seek",  "sync",  "rename",
	                                       "link",  "cut",  "thread" };
static atomic_ulong calls[KINDS];

/* Counts a call; does it fail?  errno is set then. */
static bool fails(enum kind k, int err)
{
	unsigned long n = atomic_fetch_add(&calls[k], 1) + 1, at;
	const char *v = getenv("FAULT_CALL");
	size_t len = strlen(kind_names[k]);

	if (!v || strncmp(v, kind_names[k], len) != 0 || v[len] != ':')
		return false;
	at = strtoul(v + len + 1, NULL, 10);
	if (!at || n < at || (n > at && !getenv("FAULT_CALL_ALL")))
		return false;
	errno = err;
	return true;
}

/* Its own open and write, which are no calls of the program. */
static __attribute__((destructor)) void tm_tell(void)
{
	const char *path = getenv("FAULT_CALLS");
	char text[1024];
	int n = 0;
	long fd;

	if (!path)
		return;
	for (int k = 0; k < KINDS; k++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s %lu\n", kind_names[k],
		              atomic_load(&calls[k]));
	fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || syscall(SYS_write, fd, text, (size_t)n) != n)
		_exit(99);
	syscall(SYS_close, fd);
}

#ifdef FAULT_WRAP
#define FAKE(name)               __wrap_##name
#define REAL(name, type, params) __real_##name
#define PROTOTYPES(type, name, params)                                                             \
	type __wrap_##name params;                                                                 \
	type __real_##name params;
#else
/* What comes after this library under the same name. */
static void *next(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (!p)
		abort();
	return p;
}

#define FAKE(name)               name
#define REAL(name, type, params) ((type(*) params)next(#name))
#define PROTOTYPES(type, name, params)
#endif

#define CALL(kind, err, no, type, name, params, args)                                              \
	PROTOTYPES(type, name, params)                                                             \
	type FAKE(name) params                                                                     \
	{                                                                                          \
		if (fails(kind, err))                                                              \
			return no;                                                                 \
		return REAL(name, type, params) args;                                              \
	}

/* ---- memory: not through dlsym, which allocates ---- */

#ifdef FAULT_WRAP
#define MEMORY(name, params, args) CALL(ALLOC, ENOMEM, NULL, void *, name, params, args)
CALL(ALLOC, ENOMEM, NULL, char *, strdup, (const char *s), (s))
CALL(ALLOC, ENOMEM, NULL, char *, strndup, (const char *s, size_t n), (s, n))

int __wrap_asprintf(char **out, const char *fmt, ...);

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (fails(ALLOC, ENOMEM))
		return -1;
	va_start(ap, fmt);
	n = vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}
#else
#define MEMORY(name, params, args)                                                                 \
	void *__libc_##name params;                                                                \
	void *name params                                                                          \
	{                                                                                          \
		if (fails(ALLOC, ENOMEM))                                                          \
			return NULL;                                                               \
		return __libc_##name args;                                                         \
	}
#endif
MEMORY(malloc, (size_t n), (n))
MEMORY(calloc, (size_t n, size_t size), (n, size))
MEMORY(realloc, (void *p, size_t n), (p, n))

/* ---- files ---- */

CALL(READ, EIO, -1, ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
CALL(READ, EIO, -1, ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
CALL(CLOSE, EIO, (syscall(SYS_close, fd), -1), int, close, (int fd), (fd))
CALL(STAT, EIO, -1, int, stat, (const char *path, struct stat *st), (path, st))
CALL(STAT, EIO, -1, int, lstat, (const char *path, struct stat *st), (path, st))
CALL(STAT, EIO, -1, int, fstat, (int fd, struct stat *st), (fd, st))
CALL(STAT, EIO, -1, int, fstatat, (int fd, const char *path, struct stat *st, int flags),
     (fd, path, st, flags))
CALL(DIRS, EACCES, NULL, DIR *, opendir, (const char *path), (path))
CALL(DIRS, EIO, NULL, struct dirent *, readdir, (DIR * d), (d))
CALL(SEEK, EIO, -1, off_t, lseek, (int fd, off_t at, int from), (fd, at, from))
CALL(SYNC, EIO, -1, int, fsync, (int fd), (fd))
CALL(SYNC, EIO, -1, int, fdatasync, (int fd), (fd))
CALL(RENAME, EIO, -1, int, rename, (const char *from, const char *to), (from, to))
CALL(LINK, EPERM, -1, int, linkat, (int f, const char *from, int t, const char *to, int flags),
     (f, from, t, to, flags))
CALL(CUT, EIO, -1, int, ftruncate, (int fd, off_t n), (fd, n))
CALL(OPEN, EMFILE, NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
CALL(OPEN, EMFILE, -1, int, mkostemp, (char *path, int flags), (path, flags))
CALL(OPEN, EMFILE, -1, int, mkstemp, (char *path), (path))
CALL(THREAD, EAGAIN, EAGAIN, int, pthread_create,
     (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *arg), (t, a, f, arg))

/* What cannot be told must not be a reason to stop telling. */
PROTOTYPES(ssize_t, write, (int fd, const void *p, size_t n))
ssize_t FAKE(write)(int fd, const void *p, size_t n)
{
	if (fd != STDERR_FILENO && fails(WRITE, ENOSPC))
		return -1;
	return syscall(SYS_write, fd, p, n);
}

CALL(WRITE, ENOSPC, -1, ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at),
     (fd, p, n, at))

/* As much as a stream has buffered comes without a read. */
PROTOTYPES(size_t, fread, (void *p, size_t size, size_t n, FILE *f))
size_t FAKE(fread)(void *p, size_t size, size_t n, FILE *f)
{
	if (fails(READ, EIO)) {
		f->_flags |= 0x20; /* what ferror() looks at in glibc */
		return 0;
	}
	return REAL(fread, size_t, (void *, size_t, size_t, FILE *))(p, size, n, f);
}

PROTOTYPES(int, open, (const char *path, int flags, ...))
int FAKE(open)(const char *path, int flags, ...)
{
	va_list ap;
	long mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (fails(OPEN, EMFILE))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#ifndef FAULT_WRAP
/* The same under the names that libraries use which were built for files of any size. */
#pragma GCC diagnostic ignored "-Wmissing-attributes"
#define SAME(name)                                                                                 \
	extern __typeof__(name) name##_64 __asm__(#name "64") __attribute__((alias(#name)));
SAME(open)
SAME(fopen)
SAME(mkstemp)
SAME(mkostemp)
SAME(pread)
SAME(pwrite)
SAME(lseek)
SAME(ftruncate)
SAME(readdir)
SAME(stat)
SAME(lstat)
SAME(fstat)
SAME(fstatat)
#endif
