/* SPDX-License-Identifier: MIT
 * Decompress a run of bytes in memory piece by piece, as some formats contain them; source.h is for
 * files that are compressed as a whole. */
#ifndef TM_IO_INFLATE_H
#define TM_IO_INFLATE_H

#include "base/base.h"

#include <stddef.h>
#include <stdint.h>

enum tm_inflate_method {
	TM_INFLATE_ZLIB, /* RFC 1950, with its checksum */
	TM_INFLATE_ZSTD, /* RFC 8878, any number of frames */
};

/* One per reader, for one run after the other; the limit on expansion (TM_SOURCE_RATIO) applies to
 * all runs together. */
struct tm_inflate;

/* NULL when out of memory. */
struct tm_inflate *tm_inflate_new(void);

/* Begin with p[0..n), which must stay where it is until the end of the run.  TM_ST_OK; TM_ST_FATAL
 * with *d when out of memory. */
enum tm_status tm_inflate_start(struct tm_inflate *z, enum tm_inflate_method m, const void *p,
                                size_t n, struct tm_diag *d);

/* Read up to cap > 0 bytes into buf; *n = how many.  TM_ST_OK with *n > 0; TM_ST_END at a valid end
 * of the run; TM_ST_SKIP with *d when the rest cannot be read: truncated, damaged, or implausibly
 * large.  The next run may be started after any of these.  TM_ST_FATAL with *d when out of
 * memory. */
enum tm_status tm_inflate_read(struct tm_inflate *z, void *buf, size_t cap, size_t *n,
                               struct tm_diag *d);

/* Free it; NULL is fine. */
void tm_inflate_free(struct tm_inflate *z);

#endif
