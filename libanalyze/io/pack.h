/* SPDX-License-Identifier: MIT
 * Bytes in memory, compressed small, with a checksum: what is read back is what was written, or is
 * known to be damaged. */
#ifndef TM_IO_PACK_H
#define TM_IO_PACK_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Levels of zstd. */
enum tm_pack_how {
	TM_PACK_FAST = 1,  /* numbers without repeats: more effort gains nothing */
	TM_PACK_SMALL = 9, /* texts; 12 and 19 gain 1 % and take 10 times as long */
};

/* Append p[0..n) as one frame of zstd (RFC 8878).  False when out of memory. */
bool tm_pack(struct tm_buf *out, const void *p, size_t n, enum tm_pack_how how);

/* What such a frame p[0..n) holds, *size bytes, the caller's to free.  NULL when out of memory, or
 * (*bad) where it is no whole frame. */
unsigned char *tm_unpack(const void *p, size_t n, size_t *size, bool *bad);

#endif
