/* SPDX-License-Identifier: MIT
 * The members of an archive, one after the other. */
#ifndef TM_IO_ARCHIVE_H
#define TM_IO_ARCHIVE_H

#include "io/magic.h"
#include "io/stage.h"

struct members;

/* The members of the archive that `below` (borrowed) reads as; `name` is that of the format.
 * NULL when out of memory. */
struct members *members_open(struct stage *below, enum wrap wrap, const char *name);

/* Next regular file.  ST_OK with *out (the caller closes it) and *name (lives until the next
 * call); otherwise as source_member(). */
enum status members_next(struct members *m, struct stage **out, const char **name, struct diag *d);

/* NULL is fine. */
void members_close(struct members *m);

#endif
