/* SPDX-License-Identifier: MIT */
#include "io/head.h"

#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

_Static_assert((int)TM_HEAD_BYTES == (int)TM_SOURCE_PEEK, "what is kept is what readers look at");

static atomic_uint kept;

/* Those that are open, for whoever comes to the same path meanwhile. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tm_head *all;

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

/* Is it that file still? */
static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

struct tm_head *tm_head_find(const char *path)
{
	struct tm_head *h;
	struct stat now;

	pthread_mutex_lock(&lock);
	for (h = all; h && strcmp(h->path, path) != 0;)
		h = h->next;
	if (h && (stat(path, &now) || !same_file(&h->is, &now)))
		h = NULL;
	if (h)
		h->users++;
	pthread_mutex_unlock(&lock);
	return h;
}

/* Let others find it; without memory for its name nobody does. */
static void add(struct tm_head *h, const char *path)
{
	h->users = 1;
	h->path = strdup(path);
	if (!h->path)
		return;
	pthread_mutex_lock(&lock);
	h->next = all;
	all = h;
	pthread_mutex_unlock(&lock);
}

/* Does nobody have it any more?  Then nobody finds it either. */
static bool unused(struct tm_head *h)
{
	bool last;

	if (!h->path)
		return true;
	pthread_mutex_lock(&lock);
	last = !--h->users;
	for (struct tm_head **at = &all; last && *at; at = &(*at)->next)
		if (*at == h) {
			*at = h->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	return last;
}

struct tm_head *tm_head_open(const char *path, bool must, int *err)
{
	struct tm_head *h = tm_head_find(path);

	*err = 0;
	if (h || !room(must))
		return h;
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
	if (h->fd < 0 || fstat(h->fd, &h->is))
		*err = errno;
	/* Files in /proc say they have no bytes and give some: those are only read in order. */
	else if (S_ISREG(h->is.st_mode) && h->is.st_size)
		*err = fill(h,
		            h->is.st_size < TM_HEAD_BYTES ? (size_t)h->is.st_size : TM_HEAD_BYTES);
	if (h->p && !*err) {
		add(h, path);
		return h;
	}
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
	if (!h || !unused(h))
		return;
	if (h->fd >= 0)
		close(h->fd);
	free(h->path);
	free(h->p);
	free(h);
	atomic_fetch_sub(&kept, 1);
}
