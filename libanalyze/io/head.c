/* SPDX-License-Identifier: MIT */
#include "io/head.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)TM_HEAD_BYTES == (int)TM_SOURCE_PEEK, "what is kept is what readers look at");

static atomic_uint kept;

/* Descriptors are few: most of them stay for those who read. */
static unsigned most(void)
{
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur / 4 < TM_HEADS_MOST)
		return (unsigned)(files.rlim_cur / 4);
	return TM_HEADS_MOST;
}

static bool room(bool must)
{
	if (atomic_fetch_add(&kept, 1) < most() || must)
		return true;
	atomic_fetch_sub(&kept, 1);
	return false;
}

static ptrdiff_t read_place(int fd, void *buf, size_t cap, uint64_t at)
{
	ssize_t n;

	do
		n = pread(fd, buf, cap, (off_t)at);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Fill it; 0, or why not. */
static int fill(struct tm_head *h, size_t bytes)
{
	ptrdiff_t n = 1;

	h->p = malloc(bytes ? bytes : 1);
	if (!h->p)
		return ENOMEM;
	while (n > 0 && h->n < bytes) {
		n = read_place(h->fd, h->p + h->n, bytes - h->n, h->n);
		if (n < 0)
			return errno;
		h->n += (size_t)n;
	}
	return 0;
}

struct tm_head *tm_head_open(const char *path, bool must, int *err)
{
	struct tm_head *h;
	struct stat sb;

	*err = 0;
	if (!room(must))
		return NULL;
	h = calloc(1, sizeof *h);
	if (!h) {
		atomic_fetch_sub(&kept, 1);
		*err = ENOMEM;
		return NULL;
	}
	/* Non-blocking, should a FIFO have taken the place of the file. */
	do
		h->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	while (h->fd < 0 && errno == EINTR);
	if (h->fd < 0 || fstat(h->fd, &sb))
		*err = errno;
	/* Files in /proc say they have no bytes and give some: those are only read in order. */
	else if (S_ISREG(sb.st_mode) && sb.st_size)
		*err = fill(h, sb.st_size < TM_HEAD_BYTES ? (size_t)sb.st_size : TM_HEAD_BYTES);
	if (h->p && !*err)
		return h;
	tm_head_close(h);
	return NULL;
}

struct tm_head *tm_head_keep(struct tm_head *h)
{
	if (!h || atomic_load(&kept) <= most())
		return h;
	tm_head_close(h);
	return NULL;
}

ptrdiff_t tm_head_read(const struct tm_head *h, void *buf, size_t cap, uint64_t at)
{
	if (at >= h->n)
		return read_place(h->fd, buf, cap, at);
	if (cap > h->n - at)
		cap = h->n - (size_t)at;
	memcpy(buf, h->p + at, cap);
	return (ptrdiff_t)cap;
}

void tm_head_close(struct tm_head *h)
{
	if (!h)
		return;
	if (h->fd >= 0)
		close(h->fd);
	free(h->p);
	free(h);
	atomic_fetch_sub(&kept, 1);
}
