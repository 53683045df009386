/* SPDX-License-Identifier: MIT
 * LD_PRELOAD: makes memory, reads and writes fail on request, and chance repeat itself.
 *
 *     FAULT_ALLOC=N        the N-th allocation fails, counted from 1
 *     FAULT_ALLOC_ALL=1    and so do all after it
 *     FAULT_COUNT=FILE     write to FILE, at exit, how many allocations there were
 *     FAULT_READ_MOST=N    a read gives N bytes at most
 *     FAULT_READ_EINTR=1   every other read is interrupted
 *     FAULT_READ_EIO=N     bytes from N on, of each file, cannot be read
 *     FAULT_READ_NTH=N     the N-th read fails, counted from 1, and no other
 *     FAULT_READ_FILE=NAME reads of the file of that real path fail
 *     FAULT_OPEN_FILE=NAME the file of that real path cannot be opened
 *     FAULT_WRITE_MOST=N   a write takes N bytes at most
 *     FAULT_WRITE_EINTR=1  every other write is interrupted
 *     FAULT_WRITE_FULL=N   room for N bytes, then ENOSPC; standard error always has room
 *     FAULT_WRITE_KILL=N   of the N-th write half is done, then the process is killed
 *     FAULT_CLOCK=N        after N seconds SIGALRM ends the program
 *     FAULT_RANDOM=N       random bytes are those of seed N; 0: all are 0; 1: there are none
 *
 * Only calls of the program and its libraries pass here, not those inside libc. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_ulong allocations;
static atomic_uint reads, writes;
static atomic_long calls; /* of reads */
static atomic_long written;

/* The number in an environment variable; -1 when there is none. */
static long setting(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? strtol(v, NULL, 10) : -1;
}

__attribute__((constructor)) static void wind(void)
{
	long seconds = setting("FAULT_CLOCK");

	if (seconds > 0)
		alarm((unsigned)seconds);
}

static bool fails(void)
{
	unsigned long n = atomic_fetch_add(&allocations, 1) + 1;
	long at = setting("FAULT_ALLOC");

	if (at < 0 ||
	    (n != (unsigned long)at && (setting("FAULT_ALLOC_ALL") < 0 || n < (unsigned long)at)))
		return false;
	errno = ENOMEM;
	return true;
}

EXPORT void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

EXPORT void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}

EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return fails() ? NULL : __libc_realloc(p, all);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : __libc_memalign(align, size);
}

EXPORT int posix_memalign(void **p, size_t align, size_t size)
{
	void *q = fails() ? NULL : __libc_memalign(align, size);

	if (!q)
		return ENOMEM;
	*p = q;
	return 0;
}

EXPORT ssize_t getrandom(void *p, size_t n, unsigned flags)
{
	static uint64_t state;
	unsigned char *bytes = p;
	long seed = setting("FAULT_RANDOM");

	if (seed < 0)
		return (ssize_t)syscall(SYS_getrandom, p, n, flags);
	if (seed == 1) {
		errno = EAGAIN;
		return -1;
	}
	if (!state)
		state = (uint64_t)seed;
	for (size_t i = 0; i < n; i++) {
		state = state * UINT64_C(6364136223846793005) + (seed > 1);
		bytes[i] = (unsigned char)(state >> 56);
	}
	return (ssize_t)n;
}

static __attribute__((destructor)) void tm_tell(void)
{
	const char *path = getenv("FAULT_COUNT");
	char text[32];
	int fd, n;

	if (!path)
		return;
	n = snprintf(text, sizeof text, "%lu\n", atomic_load(&allocations));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || syscall(SYS_write, fd, text, (size_t)n) != n)
		_exit(99);
	close(fd);
}

/* Is the open file `fd` the one that an environment variable names? */
static bool is_file(int fd, const char *name)
{
	const char *want = getenv(name);
	char link[40], path[4096];
	ssize_t n;

	if (!want)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path);
	return n > 0 && (size_t)n == strlen(want) && !memcmp(path, want, (size_t)n);
}

/* Shortens a read of `n` bytes at offset `at`, or refuses it: 0, or what errno is to be. */
static int look_at_read(int fd, size_t *n, off_t at)
{
	long most = setting("FAULT_READ_MOST"), bad = setting("FAULT_READ_EIO");
	long nth = setting("FAULT_READ_NTH");

	if (nth > 0 && atomic_fetch_add(&calls, 1) + 1 == nth)
		return EIO;
	if (is_file(fd, "FAULT_READ_FILE"))
		return EIO;
	if (setting("FAULT_READ_EINTR") > 0 && atomic_fetch_add(&reads, 1) % 2 == 0)
		return EINTR;
	if (most > 0 && *n > (size_t)most)
		*n = (size_t)most;
	if (bad < 0 || at < 0)
		return 0;
	if (at >= bad && *n)
		return EIO;
	if (*n > (size_t)(bad - at))
		*n = (size_t)(bad - at);
	return 0;
}

EXPORT ssize_t read(int fd, void *p, size_t n)
{
	int err = look_at_read(fd, &n, lseek(fd, 0, SEEK_CUR));

	if (!err)
		return (ssize_t)syscall(SYS_read, fd, p, n);
	errno = err;
	return -1;
}

EXPORT ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	int err = look_at_read(fd, &n, at);

	if (!err)
		return (ssize_t)syscall(SYS_pread64, fd, p, n, at);
	errno = err;
	return -1;
}

EXPORT ssize_t pread64(int fd, void *p, size_t n, off_t at)
{
	return pread(fd, p, n, at);
}

/* Opens a file as open(2) does, unless it is the one that must not be. */
static int open_at(int dir, const char *path, int flags, mode_t mode)
{
	int fd = (int)syscall(SYS_openat, dir, path, flags, mode);

	if (fd >= 0 && is_file(fd, "FAULT_OPEN_FILE")) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	return fd;
}

EXPORT int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode = 0;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return open_at(AT_FDCWD, path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode = 0;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return open_at(AT_FDCWD, path, flags, mode);
}

/* Shortens a write of `n` bytes, or refuses it: 0, or what errno is to be. */
static int look_at_write(int fd, size_t *n)
{
	long most = setting("FAULT_WRITE_MOST"), room = setting("FAULT_WRITE_FULL");

	if (fd != STDERR_FILENO && setting("FAULT_WRITE_EINTR") > 0 &&
	    atomic_fetch_add(&writes, 1) % 2 == 0)
		return EINTR;
	if (most > 0 && *n > (size_t)most)
		*n = (size_t)most;
	if (room >= 0 && fd != STDERR_FILENO && *n) {
		long left = room - atomic_load(&written);

		if (left <= 0)
			return ENOSPC;
		*n = *n < (size_t)left ? *n : (size_t)left;
	}
	return 0;
}

/* `at` < 0: after what was written last. */
static ssize_t put(int fd, const void *p, size_t n, off_t at)
{
	static atomic_long nth;
	long kill_at = setting("FAULT_WRITE_KILL");
	bool last = kill_at > 0 && atomic_fetch_add(&nth, 1) + 1 == kill_at;
	int err = look_at_write(fd, &n);
	ssize_t done;

	if (err) {
		errno = err;
		return -1;
	}
	n = last ? n / 2 : n;
	done = at < 0 ? (ssize_t)syscall(SYS_write, fd, p, n)
	              : (ssize_t)syscall(SYS_pwrite64, fd, p, n, at);
	if (last)
		raise(SIGKILL);
	if (done > 0 && fd != STDERR_FILENO)
		atomic_fetch_add(&written, done);
	return done;
}

EXPORT ssize_t write(int fd, const void *p, size_t n)
{
	return put(fd, p, n, -1);
}

EXPORT ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return put(fd, p, n, at);
}

EXPORT ssize_t pwrite64(int fd, const void *p, size_t n, off_t at)
{
	return put(fd, p, n, at);
}
