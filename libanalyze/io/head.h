/* SPDX-License-Identifier: MIT
 * The beginning of a file, kept from the first time that somebody looks at it until it is read.
 *
 * A file is looked at for many things (is it a list, is it there twice, what format has it, what
 * does it hold): all of them have what the first one read, and the same descriptor. */
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

/* Regular files only.  Who reads on does so with pread(2): others have the same descriptor. */
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

/* Open a file and read its head; where somebody has it already it is that one, and nothing is
 * opened or read.  NULL where it is no regular file (*err 0), where it cannot be read (*err =
 * errno, ENOMEM included), and, unless it `must` be, where enough of them are kept (*err 0): it can
 * be opened all the same. */
struct tm_head *tm_head_open(const char *path, bool must, int *err);

/* The head of that path that somebody has, if the file there is still the same: one more user of
 * it, to be closed.  NULL: nobody has it. */
struct tm_head *tm_head_find(const char *path);

/* One that had to be: it again, or, where enough of them are kept, closed and NULL. */
struct tm_head *tm_head_keep(struct tm_head *h);

/* Up to cap bytes of the file from `at` on: those of the head are not read again.  -1 = failed. */
ptrdiff_t tm_head_read(const struct tm_head *h, void *buf, size_t cap, uint64_t at);

/* Close and free it; NULL is fine. */
void tm_head_close(struct tm_head *h);

#endif
