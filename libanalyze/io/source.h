/* SPDX-License-Identifier: MIT
 * Bytes in: a file, standard input, or a member of an archive, with every wrapping peeled off.
 *
 * gzip (zlib, with its CRC), zstd (libzstd, with its checksum), xz, bzip2 and lz4 (libarchive) are
 * recognised by content and undone; tar, zip, cpio and 7z archives (libarchive) are walked member
 * by member, and their members are peeled and walked in turn.  UTF-16 with its byte order mark
 * becomes UTF-8 without one.  Readers only ever see plain bytes. A 7z must be a regular file (or
 * memory): it cannot be read in order. */
#ifndef TM_IO_SOURCE_H
#define TM_IO_SOURCE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SOURCE_PEEK = 64 * 1024, /* bytes a format may look at before it bids */
	SOURCE_DEPTH = 8,        /* wrappings and archives inside one another, at most */
	SOURCE_RATIO = 400,      /* expansion of one input, at most, ... */
};
#define SOURCE_RATIO_FROM (UINT64_C(64) << 20) /* ... once this many bytes came out of it */

struct head;
struct source;

/* Open a path; "-" is standard input, which can be opened again, after it was closed, when it is a
 * regular file, or an archive, or has not been read.  A directory is an error here (see io/walk.h).
 * Returns NULL with *d filled. */
struct source *source_open(const char *path, struct diag *d);

/* The same of a file whose head is kept, which must outlive the source; NULL = not kept. */
struct source *source_open_head(const char *path, const struct head *h, struct diag *d);

/* The same from memory, for tests and fuzzing: p[0..n) must outlive the source. */
struct source *source_memory(const char *name, const void *p, size_t n, struct diag *d);

/* Is this an archive?  Then source_peek and source_read are not for it, source_member is. */
bool source_is_archive(const struct source *s);

/* Next regular file in the archive, peeled; it may itself be an archive.
 * ST_OK with *out set (close it before the next call and before s), ST_END, ST_SKIP with *d about a
 * member that cannot be read, or about the end of the archive that is not as it should be (call
 * again), ST_FATAL with *d. */
enum status source_member(struct source *s, struct source **out, struct diag *d);

/* What people call it: the path, "<stdin>", or "path:member".  Lives as long as the source. */
const char *source_name(const struct source *s);

/* The first bytes without consuming them: up to SOURCE_PEEK of them, fewer only at the end of the
 * input.  ST_OK (also for an empty input, *n = 0), ST_WARN with *d when the input broke inside the
 * peek (the bytes before the break are there), ST_FATAL with *d when there is not one byte before
 * the break, or no memory.  *p lives until the first source_read. */
enum status source_peek(struct source *s, const unsigned char **p, size_t *n, struct diag *d);

/* Read up to cap bytes into buf; *n = how many.  ST_OK with *n > 0; ST_END with *n = 0 at a good
 * end; ST_FATAL with *d when the rest cannot be had: a read error, a compressed stream that is cut
 * or damaged, or an expansion past the limit.  All bytes before a fault in gzip or zstd were
 * delivered; libarchive forgets the block a fault is in. */
enum status source_read(struct source *s, void *buf, size_t cap, size_t *n, struct diag *d);

/* Did reading it, or looking at its first bytes, come to a fault before the end?  Then *d says
 * which.  Who did not know what it is may not know for that reason. */
bool source_failed(const struct source *s, struct diag *d);

/* The head of such a file as below, where it is kept, or NULL. */
const struct head *source_head(const struct source *s);

/* A plain uncompressed regular file can be read at any place: true, with the descriptor (borrowed)
 * and the size.  False for everything else. */
bool source_regular(const struct source *s, int *fd, uint64_t *size);

/* The same bytes from the first one on, as a source of its own, for who must know what stands at
 * their end: a regular file opened by its path, compressed or not.  NULL for everything else, with
 * *d untouched, and when it cannot be opened again. */
struct source *source_again(const struct source *s, struct diag *d);

/* Bytes taken from the outermost file so far, for progress. */
uint64_t source_taken(const struct source *s);

/* Close; NULL is fine. */
void source_close(struct source *s);

#endif
