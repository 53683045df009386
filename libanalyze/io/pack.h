/* SPDX-License-Identifier: MIT
 * Compress bytes in memory with a checksum, so that damage is detected. */
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

/* Decompress such a frame p[0..n) into *size bytes, freed by the caller.  NULL when out of memory,
 * or (*bad) if it is not a complete frame. */
unsigned char *tm_unpack(const void *p, size_t n, size_t *size, bool *bad);

#endif
