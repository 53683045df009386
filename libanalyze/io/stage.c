/* SPDX-License-Identifier: MIT
 * What all layers share: looking ahead, dying once and for good, and the limit on expansion. */
#include "io/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tm_stage_new(size_t size, const struct stage_ops *ops, struct stage *below)
{
	struct stage *st = calloc(1, size);

	if (!st)
		return NULL;
	st->ops = ops;
	st->below = below;
	if (below) {
		st->ledger = below->ledger;
		st->level = below->level + 1;
	}
	return st;
}

void tm_stage_close(struct stage *st)
{
	while (st) {
		struct stage *below = st->below;

		if (st->ops->fini)
			st->ops->fini(st);
		free(st->peek);
		free(st);
		st = below;
	}
}

bool tm_ledger_add(struct ledger *l, unsigned level, uint64_t n, struct tm_diag *d)
{
	l->out[level] += n;
	/* All levels are compared with the outermost file, so that nesting cannot multiply. */
	if (level && l->out[level] > TM_SOURCE_RATIO_FROM &&
	    l->out[level] / TM_SOURCE_RATIO > l->taken)
		l->bomb = true;
	if (l->bomb)
		tm_diag_set(
		        d, 0,
		        "expands more than %d-fold, like an archive bomb: unpack it first if it "
		        "is not one",
		        TM_SOURCE_RATIO);
	return !l->bomb;
}

enum { PIECE = 32 * 1024 };

/* The next bytes after those peeked at.  Where something is undone they may come in pieces of any
 * size (a gzip member of one byte), and who reads may begin a value anew with each: then several
 * make one. */
static enum tm_status produce(struct stage *st, void *buf, size_t cap, size_t *n, struct tm_diag *d)
{
	size_t least = !st->level ? 1 : cap < PIECE ? cap : PIECE;

	*n = 0;
	while (st->state == TM_ST_OK && *n < least) {
		size_t got = 0;

		st->state = st->ops->read(st, (char *)buf + *n, cap - *n, &got, &st->why);
		if (st->state != TM_ST_OK)
			break;
		if (tm_ledger_add(st->ledger, st->level, got, &st->why))
			*n += got;
		else
			st->state = TM_ST_FATAL;
	}
	/* What ended it is told next time. */
	if (*n)
		return TM_ST_OK;
	if (st->state == TM_ST_FATAL && d)
		*d = st->why;
	return st->state;
}

enum tm_status tm_stage_read(struct stage *st, void *buf, size_t cap, size_t *n, struct tm_diag *d)
{
	size_t left = st->end - st->at;

	*n = 0;
	if (!cap)
		return TM_ST_OK;
	if (!left)
		return produce(st, buf, cap, n, d);
	*n = left < cap ? left : cap;
	memcpy(buf, st->peek + st->at, *n);
	st->at += *n;
	if (st->at == st->end) {
		free(st->peek);
		st->peek = NULL;
		st->at = st->end = 0;
	}
	return TM_ST_OK;
}

enum tm_status tm_stage_peek(struct stage *st, const unsigned char **p, size_t *n,
                             struct tm_diag *d)
{
	*p = NULL;
	*n = 0;
	if (!st->peek) {
		st->peek = malloc(TM_SOURCE_PEEK);
		if (!st->peek) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
	}
	if (st->at) {
		st->end -= st->at;
		memmove(st->peek, st->peek + st->at, st->end);
		st->at = 0;
	}
	while (st->end < TM_SOURCE_PEEK) {
		size_t got;

		if (produce(st, st->peek + st->end, TM_SOURCE_PEEK - st->end, &got, d) != TM_ST_OK)
			break;
		st->end += got;
	}
	*p = st->peek;
	*n = st->end;
	if (st->end == TM_SOURCE_PEEK || st->state != TM_ST_FATAL)
		return TM_ST_OK;
	return st->end ? TM_ST_WARN : TM_ST_FATAL;
}

int64_t tm_stage_seek(struct stage *st, int64_t offset, int whence)
{
	if (!st->ops->seek || st->state == TM_ST_FATAL)
		return -1;
	if (whence == SEEK_CUR)
		offset -= (int64_t)(st->end - st->at);
	st->at = st->end = 0;
	st->state = TM_ST_OK;
	return st->ops->seek(st, offset, whence);
}
