/* SPDX-License-Identifier: MIT
 * Undoes gzip (RFC 1952) with zlib, which checks CRC and length; libarchive does neither. */
#define ZLIB_CONST
#include "io/stage.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	IN_BYTES = 128 * 1024,
	OUT_MOST = 1 << 30,  /* zlib counts in unsigned int */
	GZIP_ONLY = 16 + 15, /* inflateInit2: gzip header demanded, any window */
};

struct gunzip {
	struct stage st;
	z_stream z;
	bool ready;   /* z is initialized */
	bool between; /* a member has ended, no other has begun */
	bool padding; /* and NUL bytes followed it */
	bool later;   /* this is not the first member */
	unsigned char in[IN_BYTES];
};

/* More input for zlib.  Not TM_ST_OK: there is none, and *d says why if that is a fault. */
static enum tm_status fill(struct gunzip *g, struct tm_diag *d)
{
	size_t n;
	enum tm_status st = tm_stage_read(g->st.below, g->in, sizeof g->in, &n, d);

	g->z.next_in = g->in;
	g->z.avail_in = st == TM_ST_OK ? (unsigned)n : 0;
	return st;
}

static enum tm_status garbage(struct tm_diag *d)
{
	tm_diag_set(
	        d, 0,
	        "garbage after the end of the gzip stream: the file is damaged or was appended to");
	return TM_ST_FATAL;
}

/* After a member: TM_ST_OK when another one begins, TM_ST_END after padding with NUL bytes. */
static enum tm_status next_member(struct gunzip *g, struct tm_diag *d)
{
	for (;;) {
		if (!g->z.avail_in) {
			enum tm_status st = fill(g, d);

			if (st != TM_ST_OK)
				return st;
		}
		if (*g->z.next_in)
			break;
		g->padding = true;
		g->z.next_in++;
		g->z.avail_in--;
	}
	if (g->padding || *g->z.next_in != 0x1f)
		return garbage(d);
	inflateReset(&g->z);
	g->between = false;
	g->later = true;
	return TM_ST_OK;
}

static enum tm_status fault(const struct gunzip *g, int ret, struct tm_diag *d)
{
	const char *msg = g->z.msg ? g->z.msg : "not what gzip writes";

	if (ret == Z_MEM_ERROR)
		tm_diag_oom(d);
	else if (g->later && !strcmp(msg, "incorrect header check"))
		return garbage(d);
	else if (!strcmp(msg, "incorrect data check"))
		tm_diag_set(d, 0, "gzip checksum (CRC-32) does not match: the file is damaged");
	else if (!strcmp(msg, "incorrect length check"))
		tm_diag_set(d, 0, "gzip length does not match: the file is damaged");
	else
		tm_diag_set(d, 0, "gzip stream is damaged: %s", msg);
	return TM_ST_FATAL;
}

static enum tm_status gunzip_read(struct stage *st, void *buf, size_t cap, size_t *n,
                                  struct tm_diag *d)
{
	struct gunzip *g = (struct gunzip *)st;

	if (!g->ready && inflateInit2(&g->z, GZIP_ONLY) != Z_OK) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	g->ready = true;
	if (cap > OUT_MOST)
		cap = OUT_MOST;
	for (;;) {
		enum tm_status below = TM_ST_OK;
		int ret;

		if (g->between && (below = next_member(g, d)) != TM_ST_OK)
			return below;
		if (!g->z.avail_in)
			below = fill(g, d);
		g->z.next_out = buf;
		g->z.avail_out = (unsigned)cap;
		/* Without input too: zlib may still hold bytes that did not fit the last time. */
		ret = inflate(&g->z, Z_NO_FLUSH);
		*n = cap - g->z.avail_out;
		g->between = ret == Z_STREAM_END;
		if (*n)
			return TM_ST_OK; /* a fault is found again by the next call */
		if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR)
			return fault(g, ret, d);
		if (below == TM_ST_END && !g->between)
			tm_diag_set(d, 0, "gzip stream ends too early: the file is truncated");
		if (below != TM_ST_OK && !g->between)
			return TM_ST_FATAL;
	}
}

static void gunzip_fini(struct stage *st)
{
	struct gunzip *g = (struct gunzip *)st;

	if (g->ready)
		inflateEnd(&g->z);
}

static const struct stage_ops gunzip_ops = { .read = gunzip_read, .fini = gunzip_fini };

struct stage *tm_gunzip_open(struct stage *below)
{
	struct gunzip *g = tm_stage_new(sizeof *g, &gunzip_ops, below);

	return g ? &g->st : NULL;
}
