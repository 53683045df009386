/* SPDX-License-Identifier: MIT
 * Files that are old, or half a copy, of the one beside them.
 *
 * Editors, patch, browsers and people add something to the name of a file that they keep, or have
 * not finished.  Next to the file with the plain name such a one does not count. */
#ifndef TM_CLI_BACKUPS_H
#define TM_CLI_BACKUPS_H

#include "io/io.h"
#include "stream/stream.h"

#include <stdbool.h>

/* Mark those among the files of directories `ignored`, with a note where it is a trace.  False when
 * out of memory. */
bool tm_backups_ignore(struct tm_walk *w, struct tm_report *rep);

#endif
