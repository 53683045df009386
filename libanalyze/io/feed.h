/* SPDX-License-Identifier: MIT
 * libarchive, fed from a stage. */
#ifndef TM_IO_FEED_H
#define TM_IO_FEED_H

#include "io/magic.h"
#include "io/stage.h"

#include "io/libarchive.h"

enum { FEED_CARRY = 3 }; /* bytes of the block before, kept in front of the next one */

struct feed {
	struct archive *a;
	struct archive_entry *entry; /* for archive_read_next_header2() */
	struct stage *below;         /* borrowed */
	enum wrap wrap;
	const char *name;     /* of the format, for messages */
	unsigned char *block; /* FEED_CARRY bytes, and those libarchive was given last */
	size_t last;          /* how many of the latter */
	uint64_t pos;         /* where in the stage below they end */
	/* What was seen last of: in a tar, a byte that is not zero, and the place after it; in a
	 * zip, the signature of the end of the directory, and the place after its first byte. */
	uint64_t mark;
	bool known;  /* libarchive has settled on a format */
	bool ended;  /* all bytes were given */
	bool failed; /* the stage below failed, and `why` */
	struct tm_diag why;
};

/* Set up and start reading.  Only what `wrap` names is undone, nothing inside it.
 * TM_ST_OK, or TM_ST_FATAL with *d; tm_feed_close() either way. */
enum tm_status tm_feed_open(struct feed *f, struct stage *below, enum wrap wrap, const char *name,
                            struct tm_diag *d);

/* Take the next block from the stage below: TM_ST_OK, TM_ST_END, or TM_ST_FATAL with f->why. */
enum tm_status tm_feed_take(struct feed *f);

/* Go to a place in the stage below, lseek() rules.  False = failed. */
bool tm_feed_seek(struct feed *f, int64_t offset, int whence);

/* Fill *d after libarchive reported a fault. */
void tm_feed_fault(const struct feed *f, struct tm_diag *d);

/* {0} is fine. */
void tm_feed_close(struct feed *f);

/* Undo xz, bzip2 or lz4.  NULL when out of memory: `below` is not taken over. */
struct stage *tm_foreign_open(struct stage *below, enum wrap wrap, const char *name);

#endif
