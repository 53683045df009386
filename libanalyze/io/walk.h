/* SPDX-License-Identifier: MIT
 * From operands to the files to read. */
#ifndef TM_IO_WALK_H
#define TM_IO_WALK_H

#include "base/base.h"
#include "io/head.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_walk_file {
	char *path;     /* to open; "-" is standard input */
	size_t operand; /* index of the operand it came from */
	uint64_t size;  /* bytes, 0 unless a regular file */
	bool in_dir;    /* found in a directory: not being a trace is no error */
	uint64_t of;    /* files of which it differs are never the same: tm_walk_mark_duplicates */
	bool ignored;   /* the caller has no use for it: not compared with others */
	bool duplicate; /* same content as another file (only regular files are compared) */
	size_t same_as; /* then: index of that file, which is no duplicate */
	int unread; /* errno of a read that failed while it was looked at: what was made of it may
	             * be wrong; 0 = none */
	struct tm_head *head; /* private: tm_walk_head */
	bool opened;          /* private: that was tried */
};

/* {0} is a valid empty list. */
struct tm_walk {
	struct tm_walk_file *v;
	size_t n, cap;
};

/* Add an operand: a file, "-", or a directory, whose regular files (except hidden ones and those in
 * hidden directories) are added in byte order of their paths.  Symbolic links are followed; each
 * directory is listed once, by the path with fewest parts, of those by the first.  A list of
 * databases (the index.yaml of rocpd's .rpdb folders) stands for the files it names, relative to
 * its place; if found in a directory, for those of them outside it.  False with *d filled when the
 * operand cannot be examined; the files found so far stay. */
bool tm_walk_add(struct tm_walk *w, const char *path, size_t operand, struct tm_diag *d);

/* The head of a file, read at the first call; it lives as long as the walk.  NULL if tm_head_open
 * gives none; a file that could not be read is marked `unread`. */
const struct tm_head *tm_walk_head(struct tm_walk_file *f);

/* Mark files with the same content: same device and inode, or same size and same bytes (all
 * compared).  A file that cannot be read is no duplicate, and is marked `unread`.  Files of
 * different groups are never the same: group_of() returns the explicit rank of an operand, so that
 * `0=a.csv 1=a.csv` stays two ranks.  Group 0, that of all files if group_of is NULL, is no group:
 * such a file may be the same as any other.  Of equal files, one with a group is kept, otherwise
 * the first in the list.  tell(), unless NULL, is called for each file that is as large as another,
 * may set its `of`, and returns false when out of memory, as this function does. */
bool tm_walk_mark_duplicates(struct tm_walk *w, uint64_t (*group_of)(void *arg, size_t operand),
                             bool (*tell)(void *arg, struct tm_walk_file *f), void *arg);

/* The same, comparing only device and inode, for non-empty files. */
bool tm_walk_mark_same(struct tm_walk *w, uint64_t (*group_of)(void *arg, size_t operand),
                       void *arg);

/* Free it; {0} again. */
void tm_walk_fini(struct tm_walk *w);

#endif
