/* SPDX-License-Identifier: MIT
 * Reads an input line by line, for text with anything between the records. */
#ifndef TM_READ_LINES_H
#define TM_READ_LINES_H

#include "base/base.h"
#include "io/io.h"
#include "read/batch.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TM_LINE_MAX_BYTES = 16 * 1024 *
	                    1024, /* of a line that is given whole, unless `longest` says */
};

enum tm_line_kind {
	TM_LINE_NONE,  /* no more: the end, or `dead` */
	TM_LINE_WHOLE, /* a line, without its newline */
	TM_LINE_CUT,   /* the last one, without its newline: who can tell what is missing? */
	TM_LINE_LONG, /* the beginning of a line of more bytes than that; the rest is passed over */
};

/* {0} before the first call; tm_lines_fini after. */
struct tm_lines {
	size_t longest; /* bytes of a line that is given whole; 0 = TM_LINE_MAX_BYTES */
	bool dead;      /* the source broke, or memory did not suffice: why */
	struct tm_diag why;
	uint64_t line; /* 1-based number of the line at hand */
	uint64_t at;   /* byte of the input where it begins, from 0 */
	/* private */
	struct tm_buf buf;
	size_t pos, seen; /* next line; bytes of it known to hold no newline */
	uint64_t base;    /* bytes before buf */
	bool eof, overlong;
};

/* The next line, p[0 .. n), valid until the next call.  A carriage return at its end stays; at the
 * end of the input it ends a line, too.  Do not count a TM_LINE_CUT unless something in it proves
 * that it is complete (a closing bracket after the last possible field).  Report it in any case:
 * loss.cut if the record is truncated, loss.unended if it looks complete, loss.open_end if it is no
 * record, or is kept. */
enum tm_line_kind tm_lines_next(struct tm_lines *l, struct tm_source *src, const char **p,
                                size_t *n);

/* For readers: takes one line; false when out of memory, which makes the lines dead. */
typedef bool tm_line_take(struct tm_reader *r, enum tm_line_kind kind, const char *p, size_t n);

/* Pass the next line of r->src to take(), and count it in r->lines.  False at the end or when
 * dead. */
bool tm_lines_step(struct tm_lines *l, struct tm_reader *r, tm_line_take *take);

/* The `next` of such a reader: reads lines until one of out[0 .. n) has a batch, or all are read,
 * then calls tm_ev_rows_next. */
enum tm_status tm_lines_rows(struct tm_lines *l, struct tm_reader *r, tm_line_take *take,
                             struct tm_ev_rows *out, size_t n, const struct tm_batch **b,
                             struct tm_diag *d);

/* Mark the lines as out of memory; returns false. */
bool tm_lines_oom(struct tm_lines *l);

/* What stands in front of the lines of each process, so that their mixture can be told apart:
 *     3: text                srun --label; blanks in front where ranks have more digits
 *     [3] text               mpiexec -prepend-rank
 *     [1,3]<stdout>:text     mpirun --tag-output, with a blank after the colon from Open MPI 5 on
 *     [job@1,3]<stdout>:text and with the name of the job
 *     [default3]:text        torchrun: the role and the number on its own node, which is no rank
 *     (Worker pid=12) text   Ray; the address of the node may follow the process
 *     [pod/worker-0/x] text  kubectl logs --prefix
 *     node1: text            pdsh, clush; a name without a digit is none of a node
 *     worker-0  | text       docker compose
 * A time may stand before the tag, after it, or alone, and after another time:
 *     2026-11-29T10:00:00.1234567Z text           GitHub, kubectl logs --timestamps; or +01:00
 *     2026-11-29T10:00:00.1234567Z stdout F text  files of containerd and CRI-O
 *     2026-11-29T10:00:00.123456Z 00O text        GitLab
 *     [2026-11-29T10:00:00.123Z] text             Jenkins
 *     2026-11-29 10:00:00,123 text                Python's logging, in brackets or not
 *     10:00:00.123 text                           the same without a date
 * A carriage return, where the line is to end, is not looked at. */
struct tm_line_tag {
	size_t n;        /* bytes before the text */
	const char *who; /* the same bytes for every line of a process, in p */
	size_t nwho;     /* 0: there is no tag, or only a time */
	bool has_rank;
	uint64_t rank;
};

/* The tag of the line p[0 .. n). */
struct tm_line_tag tm_line_tag(const char *p, size_t n);

/* Bytes of the escape sequence at p, such as the one that begins or ends a color ("ESC[1;32m"); 0 =
 * there is none. */
size_t tm_line_escape(const char *p, const char *end);

/* Free it. */
void tm_lines_fini(struct tm_lines *l);

#endif
