/* SPDX-License-Identifier: MIT */
#define ZLIB_CONST
#include "io/inflate.h"

#include "io/source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

enum { MOST = 1 << 30 }; /* zlib counts in unsigned int */

struct tm_inflate {
	enum tm_inflate_method method;
	bool ended;
	uint64_t in, out; /* of all runs so far, the one at hand included */
	z_stream z;
	bool z_ready;
	ZSTD_DCtx *zstd;
	ZSTD_inBuffer run;
	bool between; /* a zstd frame has ended, no other has begun */
};

struct tm_inflate *tm_inflate_new(void)
{
	return calloc(1, sizeof(struct tm_inflate));
}

enum tm_status tm_inflate_start(struct tm_inflate *z, enum tm_inflate_method m, const void *p,
                                size_t n, struct tm_diag *d)
{
	bool ok;

	z->method = m;
	z->ended = false;
	z->in += n;
	z->run = (ZSTD_inBuffer) { .src = p, .size = n };
	if (m == TM_INFLATE_ZSTD) {
		if (!z->zstd)
			z->zstd = ZSTD_createDCtx();
		ok = z->zstd && !ZSTD_isError(ZSTD_initDStream(z->zstd));
		z->between = true;
	} else {
		ok = z->z_ready ? inflateReset(&z->z) == Z_OK : inflateInit(&z->z) == Z_OK;
		z->z_ready |= ok;
		z->z.next_in = p;
		z->z.avail_in = 0;
	}
	if (!ok)
		tm_diag_oom(d);
	return ok ? TM_ST_OK : TM_ST_FATAL;
}

static enum tm_status damaged(struct tm_inflate *z, struct tm_diag *d, const char *what)
{
	z->ended = true;
	tm_diag_set(d, 0, "%s", what);
	return TM_ST_SKIP;
}

static enum tm_status read_zlib(struct tm_inflate *z, void *buf, size_t cap, size_t *n,
                                struct tm_diag *d)
{
	int ret;

	if (cap > MOST)
		cap = MOST;
	/* In steps that zlib's counter can hold. */
	if (!z->z.avail_in) {
		size_t left = z->run.size - z->run.pos;

		z->z.next_in = (const unsigned char *)z->run.src + z->run.pos;
		z->z.avail_in = (unsigned)(left < MOST ? left : MOST);
		z->run.pos += z->z.avail_in;
	}
	z->z.next_out = buf;
	z->z.avail_out = (unsigned)cap;
	ret = inflate(&z->z, Z_NO_FLUSH);
	*n = cap - z->z.avail_out;
	if (ret == Z_MEM_ERROR) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	z->ended = ret == Z_STREAM_END;
	if (*n)
		return TM_ST_OK; /* a fault is found again by the next call */
	if (z->ended)
		return TM_ST_END;
	return damaged(z, d, ret == Z_OK || ret == Z_BUF_ERROR ? "cut" : "damaged");
}

static enum tm_status read_zstd(struct tm_inflate *z, void *buf, size_t cap, size_t *n,
                                struct tm_diag *d)
{
	ZSTD_outBuffer out = { .dst = buf, .size = cap };

	while (!out.pos) {
		size_t before = z->run.pos, ret;

		if (z->between && z->run.pos == z->run.size) {
			z->ended = true;
			return TM_ST_END;
		}
		ret = ZSTD_decompressStream(z->zstd, &out, &z->run);
		if (ZSTD_isError(ret))
			return damaged(z, d, "damaged");
		z->between = ret == 0;
		if (!out.pos && !z->between && z->run.pos == before)
			return damaged(z, d, "cut");
	}
	*n = out.pos;
	return TM_ST_OK;
}

enum tm_status tm_inflate_read(struct tm_inflate *z, void *buf, size_t cap, size_t *n,
                               struct tm_diag *d)
{
	enum tm_status st;

	*n = 0;
	if (z->ended)
		return TM_ST_END;
	st = z->method == TM_INFLATE_ZSTD ? read_zstd(z, buf, cap, n, d)
	                                  : read_zlib(z, buf, cap, n, d);
	z->out += *n;
	if (z->out > TM_SOURCE_RATIO_FROM && z->out / TM_SOURCE_RATIO > z->in) {
		*n = 0;
		return damaged(z, d, "expands too far");
	}
	return st;
}

void tm_inflate_free(struct tm_inflate *z)
{
	if (!z)
		return;
	if (z->z_ready)
		inflateEnd(&z->z);
	ZSTD_freeDCtx(z->zstd);
	free(z);
}
