/* SPDX-License-Identifier: MIT
 * libarchive, loaded at the first archive: it depends on 15 libraries, which would be most of the
 * start-up time of a tool. */
#ifndef TM_IO_LIBARCHIVE_H
#define TM_IO_LIBARCHIVE_H

#include "base/base.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>

/* Its functions, by their own names; nothing before tm_libarchive_load(). */
struct libarchive {
#define LA(name) __typeof__(name) *name;
#include "io/libarchive.def"
#undef LA
};

extern struct libarchive tm_la;

/* Load it, once a process; any thread may call.  False with *d when it is not there or is too old.
 */
bool tm_libarchive_load(struct tm_diag *d);

#endif
