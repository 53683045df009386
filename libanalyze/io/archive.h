/* SPDX-License-Identifier: MIT
 * The members of an archive, one after the other. */
#ifndef TM_IO_ARCHIVE_H
#define TM_IO_ARCHIVE_H

#include "io/magic.h"
#include "io/stage.h"

struct members;

/* The members of the archive that `below` (borrowed) reads as; `name` is that of the format.
 * NULL when out of memory. */
struct members *tm_members_open(struct stage *below, enum wrap wrap, const char *name);

/* Next regular file.  TM_ST_OK with *out (the caller closes it), *name (lives until the next call)
 * and its *size, 0 = not known; otherwise as tm_source_member(). */
enum tm_status tm_members_next(struct members *m, struct stage **out, const char **name,
                               uint64_t *size, struct tm_diag *d);

/* NULL is fine. */
void tm_members_close(struct members *m);

#endif
