/* SPDX-License-Identifier: MIT
 * Undoes zstd (RFC 8878) with libzstd: any number of frames, skippable ones among them. */
#include "io/stage.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { IN_BYTES = 128 * 1024 + 3 }; /* ZSTD_DStreamInSize(): one block and the next block's head */

struct unzstd {
	struct stage st;
	ZSTD_DCtx *z;
	size_t first;   /* bytes zstd wants to see of a new frame */
	size_t hint;    /* bytes it wants next */
	bool between;   /* a frame has ended, no other has begun */
	bool later;     /* a frame has ended */
	bool full;      /* the last call filled the buffer of the caller */
	size_t at, end; /* input not yet used */
	unsigned char in[IN_BYTES];
};

static enum tm_status fault(const struct unzstd *u, size_t ret, struct tm_diag *d)
{
	switch (ZSTD_getErrorCode(ret)) {
	case ZSTD_error_memory_allocation:
		tm_diag_oom(d);
		break;
	case ZSTD_error_checksum_wrong:
		tm_diag_set(d, 0, "zstd checksum does not match: the file is damaged");
		break;
	case ZSTD_error_frameParameter_windowTooLarge:
		tm_diag_set(d, 0,
		            "zstd window is larger than 128 MiB: unpack with zstd -d --long=31");
		break;
	case ZSTD_error_prefix_unknown:
		if (u->later) {
			tm_diag_set(
			        d, 0,
			        "garbage after the end of the zstd stream: the file is damaged or "
			        "was appended to");
			break;
		}
		/* fall through */
	default:
		tm_diag_set(d, 0, "zstd stream is damaged: %s", ZSTD_getErrorName(ret));
	}
	return TM_ST_FATAL;
}

static enum tm_status unzstd_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                  struct tm_diag *d)
{
	struct unzstd *u = (struct unzstd *)st;
	ZSTD_outBuffer out = { .dst = buf, .size = cap };

	if (!u->z) {
		u->z = ZSTD_createDCtx();
		if (!u->z) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		u->first = u->hint = ZSTD_initDStream(u->z);
	}
	for (;;) {
		enum tm_status below = TM_ST_OK;
		ZSTD_inBuffer in = { .src = u->in };
		size_t ret;

		if (u->at == u->end && !u->full) {
			u->at = u->end = 0;
			below = tm_stage_read(st->below, u->in, sizeof u->in, &u->end, d);
			if (below != TM_ST_OK && u->between)
				return below;
		}
		/* As much as zstd asks for, one block, and nothing while it may still hold bytes of
		 * the last one: it forgets what it made in a call that ends in an error, and all
		 * bytes before a fault are to be delivered. */
		in.pos = u->at;
		if (u->full)
			in.size = in.pos;
		else if (u->end - u->at > u->hint)
			in.size = u->at + u->hint;
		else
			in.size = u->end;
		ret = ZSTD_decompressStream(u->z, &out, &in);
		if (ZSTD_isError(ret))
			return fault(u, ret, d);
		u->between = ret == 0;
		u->later |= u->between;
		u->hint = ret ? ret : u->first;
		u->at = in.pos;
		*n = out.pos;
		u->full = out.pos == cap && !u->between;
		if (*n)
			return TM_ST_OK;
		if (below == TM_ST_END && !u->between)
			tm_diag_set(d, 0, "zstd stream ends too early: the file is truncated");
		if (below != TM_ST_OK && !u->between)
			return TM_ST_FATAL;
	}
}

static void unzstd_fini(struct stage *st)
{
	ZSTD_freeDCtx(((struct unzstd *)st)->z);
}

static const struct stage_ops unzstd_ops = { .read = unzstd_read, .fini = unzstd_fini };

struct stage *tm_unzstd_open(struct stage *below)
{
	struct unzstd *u = tm_stage_new(sizeof *u, &unzstd_ops, below);

	return u ? &u->st : NULL;
}
