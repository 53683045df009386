/* SPDX-License-Identifier: MIT
 * A compressed run of bytes that lies in memory, undone piece by piece: what some formats hold
 * inside themselves, as opposed to the wrapping of a whole file (source.h). */
#ifndef TM_IO_INFLATE_H
#define TM_IO_INFLATE_H

#include "base/base.h"

#include <stddef.h>
#include <stdint.h>

enum inflate_method {
	INFLATE_ZLIB, /* RFC 1950, with its checksum */
	INFLATE_ZSTD, /* RFC 8878, any number of frames */
};

/* One for each reader, for one run after the other: the limit on expansion (SOURCE_RATIO) holds for
 * all of them together. */
struct inflate;

/* NULL when out of memory. */
struct inflate *inflate_new(void);

/* Begin with p[0..n), which must stay where it is until the end of the run.  ST_OK; ST_FATAL with
 * *d when out of memory. */
enum status inflate_start(struct inflate *z, enum inflate_method m, const void *p, size_t n,
                          struct diag *d);

/* Up to cap > 0 bytes into buf; *n = how many.  ST_OK with *n > 0; ST_END at a good end of the run;
 * ST_SKIP with *d when the rest cannot be had: cut, damaged, or larger than is believable.  The
 * next run may be started after any of them.  ST_FATAL with *d when out of memory. */
enum status inflate_read(struct inflate *z, void *buf, size_t cap, size_t *n, struct diag *d);

/* Free it; NULL is fine. */
void inflate_free(struct inflate *z);

#endif
