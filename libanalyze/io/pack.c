/* SPDX-License-Identifier: MIT */
#include "io/pack.h"

#include <stdlib.h>
#include <zstd.h>

enum {
	MOST = 64 * 1024 /* bytes that a byte can stand for: a block of 128 KiB takes four */
};

bool tm_pack(struct tm_buf *out, const void *p, size_t n, enum tm_pack_how how)
{
	const size_t most = ZSTD_compressBound(n);
	ZSTD_CCtx *z = ZSTD_createCCtx();
	bool ok = z &&
	          !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, (int)how)) &&
	          !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)) &&
	          tm_buf_reserve(out, most);

	if (ok) {
		size_t k = ZSTD_compress2(z, out->p + out->n, most, p, n);

		ok = !ZSTD_isError(k);
		out->n += ok ? k : 0;
		out->p[out->n] = '\0';
	}
	out->failed |= !ok;
	ZSTD_freeCCtx(z);
	return ok;
}

unsigned char *tm_unpack(const void *p, size_t n, size_t *size, bool *bad)
{
	const unsigned long long is = ZSTD_getFrameContentSize(p, n);
	unsigned char *out = NULL;
	ZSTD_DCtx *z = NULL;
	size_t k = 0;

	/* Nobody is made to ask for memory that the frame could not fill. */
	*bad = is == ZSTD_CONTENTSIZE_UNKNOWN || is == ZSTD_CONTENTSIZE_ERROR || is / MOST > n ||
	       ZSTD_findFrameCompressedSize(p, n) != n;
	if (!*bad) {
		out = malloc((size_t)is + 1);
		z = ZSTD_createDCtx();
	}
	if (out && z) {
		k = ZSTD_decompressDCtx(z, out, (size_t)is, p, n);
		*bad = ZSTD_isError(k) || k != is;
	}
	if (!z || *bad) {
		free(out);
		out = NULL;
	}
	ZSTD_freeDCtx(z);
	*size = (size_t)is;
	return out;
}
