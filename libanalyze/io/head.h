/* SPDX-License-Identifier: MIT
 * The beginning of a file, kept from the first look at it until the file is read.
 *
 * A file is examined several times (is it a list, is it a duplicate, which format, what does it
 * contain): all of these share what the first one read, and the same descriptor. */
#ifndef TM_IO_HEAD_H
#define TM_IO_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum {
	TM_HEAD_BYTES = 64 * 1024, /* as TM_SOURCE_PEEK */
	TM_HEADS_MOST = 256,       /* files whose head is kept at a time, in the whole process */
};

/* Regular files only.  Read on with pread(2), since the descriptor is shared. */
struct tm_head {
	int fd;           /* open for reading */
	unsigned char *p; /* n bytes: TM_HEAD_BYTES of them, fewer only at the end of the file */
	size_t n;
	/* private */
	char *path;     /* NULL: nobody else can find it */
	struct stat is; /* the file there, when it was opened */
	size_t users;
	struct tm_head *next;
};

/* Open a file and read its head, or share the head that is already kept.  NULL when it is not a
 * regular file (*err 0), when it cannot be read (*err = errno, ENOMEM included) and, unless `must`,
 * when enough heads are kept (*err 0); the file itself can still be opened then. */
struct tm_head *tm_head_open(const char *path, bool must, int *err);

/* The kept head of that path, if the file there is still the same; to be closed by this user, too.
 * NULL: none is kept. */
struct tm_head *tm_head_find(const char *path);

/* Keep a head that was opened with `must`: returns it, or, if enough are kept, closes it and
 * returns NULL. */
struct tm_head *tm_head_keep(struct tm_head *h);

/* Read up to cap bytes of the file from `at` on; those of the head are copied.  -1 = failed. */
ptrdiff_t tm_head_read(const struct tm_head *h, void *buf, size_t cap, uint64_t at);

/* Close and free it; NULL is fine. */
void tm_head_close(struct tm_head *h);

#endif
