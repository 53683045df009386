/* SPDX-License-Identifier: MIT
 * Input bytes: a file, standard input, or a member of an archive, fully decompressed.
 *
 * gzip (zlib, with its CRC), zstd (libzstd, with its checksum), xz, bzip2 and lz4 (libarchive) are
 * recognized by content and decompressed; tar, zip, cpio and 7z archives (libarchive) are read
 * member by member, and their members are decompressed and read in turn.  UTF-16 with its byte
 * order mark becomes UTF-8 without one.  Readers only ever see plain bytes.  A 7z must be a regular
 * file (or memory): it cannot be read in order. */
#ifndef TM_IO_SOURCE_H
#define TM_IO_SOURCE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TM_SOURCE_PEEK = 64 * 1024, /* bytes a format may look at before it bids */
	TM_SOURCE_DEPTH = 8,        /* wrappings and archives inside one another, at most */
	TM_SOURCE_RATIO = 400,      /* expansion of one input, at most, ... */
};
#define TM_SOURCE_RATIO_FROM (UINT64_C(64) << 20) /* ... once this many bytes came out of it */

struct tm_head;
struct tm_source;

/* Open a path; "-" is standard input, which can be opened again after closing if it is a regular
 * file or an archive, or if no more than its first MiB was read.  A directory is an error here (see
 * io/walk.h).  Returns NULL with *d filled. */
struct tm_source *tm_source_open(const char *path, struct tm_diag *d);

/* The same of a file whose head is kept, which must outlive the source; NULL = not kept. */
struct tm_source *tm_source_open_head(const char *path, const struct tm_head *h, struct tm_diag *d);

/* The same from memory, for tests and fuzzing: p[0..n) must outlive the source. */
struct tm_source *tm_source_memory(const char *name, const void *p, size_t n, struct tm_diag *d);

/* Is this an archive?  Then use tm_source_member, not tm_source_peek and tm_source_read. */
bool tm_source_is_archive(const struct tm_source *s);

/* Next regular file in the archive, decompressed; it may itself be an archive.  TM_ST_OK with *out
 * set (close it before the next call and before s), TM_ST_END, TM_ST_SKIP with *d about a member
 * that cannot be read, or about an invalid end of the archive (call again), TM_ST_FATAL with *d. */
enum tm_status tm_source_member(struct tm_source *s, struct tm_source **out, struct tm_diag *d);

/* The name for users: the path, "<stdin>", or "path:member".  Lives as long as the source. */
const char *tm_source_name(const struct tm_source *s);

/* The first bytes without consuming them: up to TM_SOURCE_PEEK of them, fewer only at the end of
 * the input.  TM_ST_OK (also for an empty input, *n = 0), TM_ST_WARN with *d when the input failed
 * inside the peek (the bytes before are there), TM_ST_FATAL with *d when there is not one byte
 * before the failure, or no memory.  *p lives until the first tm_source_read. */
enum tm_status tm_source_peek(struct tm_source *s, const unsigned char **p, size_t *n,
                              struct tm_diag *d);

/* Read up to cap bytes into buf; *n = how many.  TM_ST_OK with *n > 0; TM_ST_END with *n = 0 at a
 * valid end; TM_ST_FATAL with *d when the rest cannot be read: a read error, a compressed stream
 * that is truncated or damaged, or an expansion past the limit.  All bytes before a fault in gzip
 * or zstd were delivered; libarchive drops the block with the fault. */
enum tm_status tm_source_read(struct tm_source *s, void *buf, size_t cap, size_t *n,
                              struct tm_diag *d);

/* Did reading it, or peeking, meet a fault before the end?  Then *d says which.  The fault may be
 * why the format was not recognized. */
bool tm_source_failed(const struct tm_source *s, struct tm_diag *d);

/* The head of a file as for tm_source_regular, if it is kept, or NULL. */
const struct tm_head *tm_source_head(const struct tm_source *s);

/* Is this an uncompressed regular file, which can be read at any place?  True with the descriptor
 * (borrowed) and the size.  False for everything else. */
bool tm_source_regular(const struct tm_source *s, int *fd, uint64_t *size);

/* Size of the file or archive member as stored; 0 = unknown. */
uint64_t tm_source_size(const struct tm_source *s);

/* The same bytes from the start as another source, for callers that must look at the end first: a
 * regular file opened by its path, compressed or not.  NULL for everything else, with *d untouched,
 * and when it cannot be opened again. */
struct tm_source *tm_source_again(const struct tm_source *s, struct tm_diag *d);

/* Bytes taken from the outermost file so far, for progress. */
uint64_t tm_source_taken(const struct tm_source *s);

/* Close; NULL is fine. */
void tm_source_close(struct tm_source *s);

#endif
