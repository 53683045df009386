/* SPDX-License-Identifier: MIT
 * Compress bytes in memory, as some formats contain them (inflate.h is the reverse). */
#ifndef TM_IO_DEFLATE_H
#define TM_IO_DEFLATE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Append p[0..n) as one run of RFC 1950.  False when out of memory. */
bool tm_deflate(struct tm_buf *out, const void *p, size_t n);

#endif
