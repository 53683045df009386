/* SPDX-License-Identifier: MIT
 * One layer of the stack under a source: the outermost file, an archive member, or a decompressor
 * of the layer below it. */
#ifndef TM_IO_STAGE_H
#define TM_IO_STAGE_H

#include "io/source.h"

/* What one input cost and gave; shared by everything that comes out of one outermost file. */
struct ledger {
	uint64_t taken;                    /* bytes read from the outermost file */
	uint64_t out[TM_SOURCE_DEPTH + 1]; /* bytes produced at each level, all members together */
	bool bomb;                         /* the limit was passed: nothing more comes out */
};

struct stage;

struct stage_ops {
	/* TM_ST_OK with *n > 0, TM_ST_END, or TM_ST_FATAL with *d; not called again after the last
	 * two.  d is &st->why: what is written there early stays until it is reported.
	 * Bytes made before a fault are delivered first. */
	enum tm_status (*read)(struct stage *st, void *buf, size_t cap, size_t *n,
	                       struct tm_diag *d);
	/* lseek() rules, -1 = failed; NULL when it cannot be done. */
	int64_t (*seek)(struct stage *st, int64_t offset, int whence);
	/* Release what lies beyond struct stage; NULL = nothing. */
	void (*fini)(struct stage *st);
};

/* The first member of every kind of stage. */
struct stage {
	const struct stage_ops *ops;
	struct stage *below;   /* owned; NULL for a file and for a member */
	struct ledger *ledger; /* borrowed from the outermost source */
	unsigned level;        /* wrappings undone so far; 0 = the outermost file */
	enum tm_status
	        state;       /* what follows the peeked bytes: TM_ST_OK, TM_ST_END or TM_ST_FATAL */
	struct tm_diag why;  /* of TM_ST_FATAL */
	unsigned char *peek; /* TM_SOURCE_PEEK bytes, or NULL */
	size_t at, end;      /* the part of peek not yet read */
};

/* A zeroed stage of `size` bytes.  With `below` it takes that over, and its ledger, one level up.
 * NULL when out of memory; `below` then stays with the caller. */
void *tm_stage_new(size_t size, const struct stage_ops *ops, struct stage *below);

/* The contract of tm_source_read and of tm_source_peek. */
enum tm_status tm_stage_read(struct stage *st, void *buf, size_t cap, size_t *n, struct tm_diag *d);
enum tm_status tm_stage_peek(struct stage *st, const unsigned char **p, size_t *n,
                             struct tm_diag *d);

/* lseek() rules, peeked bytes counting as not yet read; -1 = failed. */
int64_t tm_stage_seek(struct stage *st, int64_t offset, int whence);

/* Close it and all below; NULL is fine. */
void tm_stage_close(struct stage *st);

/* Book n bytes produced at a level.  False with *d filled when the input expands too much. */
bool tm_ledger_add(struct ledger *l, unsigned level, uint64_t n, struct tm_diag *d);

/* The outermost file, whose head is kept where h is not NULL.  NULL with *d filled. */
struct stage *tm_origin_file(const char *path, const struct tm_head *h, struct ledger *l,
                             struct tm_diag *d);
struct stage *tm_origin_memory(const void *p, size_t n, struct ledger *l, struct tm_diag *d);

/* It is known now what the source above is.  Standard input that is a pipe and holds an archive is
 * kept on disk, so that "-" can be opened again once this source is closed. */
void tm_origin_decide(const struct stage *st, bool archive);

/* Is it a regular file that is read from its first byte on?  Then its descriptor and size. */
bool tm_origin_regular(const struct stage *st, int *fd, uint64_t *size);

/* The head of such a file, where it is kept, or NULL. */
const struct tm_head *tm_origin_head(const struct stage *st);

/* Is it a regular file that was opened by its path? */
bool tm_origin_by_path(const struct stage *st);

/* Undo one wrapping of `below`, which is taken over.  NULL when out of memory: it is not. */
struct stage *tm_gunzip_open(struct stage *below);
struct stage *tm_unzstd_open(struct stage *below);
struct stage *tm_utf16_open(struct stage *below, bool big);

#endif
