/* SPDX-License-Identifier: MIT */
#include "io/deflate.h"

#include <zlib.h>

bool tm_deflate(struct tm_buf *out, const void *p, size_t n)
{
	uLongf most = compressBound((uLong)n);

	if (!tm_buf_reserve(out, most) || compress2((Bytef *)out->p + out->n, &most, p, (uLong)n,
	                                            Z_DEFAULT_COMPRESSION) != Z_OK) {
		out->failed = true;
		return false;
	}
	out->n += most;
	out->p[out->n] = '\0';
	return true;
}
