/* SPDX-License-Identifier: MIT
 * libarchive, fed from a stage. */
#ifndef IO_PRIV_FEED_H
#define IO_PRIV_FEED_H

#include "io/priv_magic.h"
#include "io/priv_stage.h"

#include <archive.h>

struct feed {
	struct archive *a;
	struct stage *below;  /* borrowed */
	const char *name;     /* of the format, for messages */
	unsigned char *block; /* the bytes libarchive is looking at */
	size_t last;          /* how many */
	uint64_t fed;         /* bytes given so far, wherever they lay */
	bool ended;           /* all of them were */
	bool failed;          /* the stage below failed, and `why` */
	struct diag why;
};

/* Set up and start reading.  Only what `wrap` names is undone, nothing inside it.
 * ST_OK, or ST_FATAL with *d; feed_close() either way. */
enum status feed_open(struct feed *f, struct stage *below, enum wrap wrap, const char *name,
                      struct diag *d);

/* Fill *d after libarchive reported a fault. */
void feed_fault(const struct feed *f, struct diag *d);

/* {0} is fine. */
void feed_close(struct feed *f);

/* Undo xz, bzip2 or lz4.  NULL when out of memory: `below` is not taken over. */
struct stage *foreign_open(struct stage *below, enum wrap wrap, const char *name);

#endif
