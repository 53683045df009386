/* SPDX-License-Identifier: MIT
 * An input line by line, for readers of text in which anything may stand between the records. */
#ifndef READ_LINES_H
#define READ_LINES_H

#include "base/buf.h"
#include "base/diag.h"
#include "io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LINE_MAX_BYTES = 16 * 1024 *
	                 1024, /* of a line that is given whole, unless `longest` says */
};

enum line_kind {
	LINE_NONE,  /* no more: the end, or `dead` */
	LINE_WHOLE, /* a line, without its newline */
	LINE_CUT,   /* the last one: the input ends inside it */
	LINE_LONG,  /* the beginning of a line of more bytes than that; the rest is passed over */
};

/* {0} before the first call; lines_fini after. */
struct lines {
	size_t longest; /* bytes of a line that is given whole; 0 = LINE_MAX_BYTES */
	bool dead;      /* the source broke, or memory did not suffice: why */
	struct diag why;
	uint64_t line; /* 1-based number of the line at hand */
	uint64_t at;   /* byte of the input where it begins, from 0 */
	/* private */
	struct buf buf;
	size_t pos, seen; /* next line; bytes of it known to hold no newline */
	uint64_t base;    /* bytes before buf */
	bool eof, overlong;
};

/* The next line, p[0 .. n), valid until the next call.  A carriage return at its end stays. */
enum line_kind lines_next(struct lines *l, struct source *src, const char **p, size_t *n);

/* Free it. */
void lines_fini(struct lines *l);

#endif
