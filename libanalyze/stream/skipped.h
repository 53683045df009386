/* SPDX-License-Identifier: MIT
 * Files in a directory or archive that are not traces, or empty ones. */
#ifndef TM_STREAM_SKIPPED_H
#define TM_STREAM_SKIPPED_H

#include "io/io.h"
#include "read/read.h"
#include "stream/report.h"

#include <stdbool.h>

/* The first file that another tool reads: with the name of that; zeroed = none. */
struct tm_skipped_other {
	const char *tool;
	char path[256];
};

/* *other, unless NULL, gets it where another tool reads it.  It is skipped without a word, unless
 * `verbose` or it is empty and named as a trace: a process was killed then, or a disk was full, and
 * a rank is missing; or unless it is the journal of a database that cannot see it, or a table, or a
 * piece of one, that cannot be read. */
void tm_skipped_tell(struct tm_source *src, bool verbose, struct tm_skipped_other *other,
                     struct tm_report *rep);

/* There is no trace in an archive of so many files. */
void tm_skipped_archive(const char *path, uint64_t files, const struct tm_skipped_other *other,
                        struct tm_report *rep);

/* A trace of no rows. */
void tm_skipped_empty(struct tm_report *rep, const char *path, const char *table,
                      const struct tm_loss *l);

#endif
