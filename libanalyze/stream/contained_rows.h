/* SPDX-License-Identifier: MIT
 * Are the kernels of a run those of another, which start and end in the same nanoseconds?
 *
 * Processes that work in step, as in a simulation, have the like on other GPUs, or of other
 * threads.  What a command does not ask for was not read: the files are, once more, and some
 * kernels compared in all that tells kernels apart and that both have. */
#ifndef TM_STREAM_CONTAINED_ROWS_H
#define TM_STREAM_CONTAINED_ROWS_H

#include "stream/contained.h"

#include <stdbool.h>
#include <stddef.h>

struct tm_drive;
struct tm_input;
struct tm_report;

/* Report the first run that has the kernels of others, or some more than once, as read from these
 * inputs.  Of what cannot be read again it is not known whether the kernels are other ones: then
 * they count.  False: there is none, or rep->lost: out of memory. */
bool tm_contained_tell(const struct tm_contained *c, const struct tm_drive *d,
                       const struct tm_input *in, size_t nin, struct tm_report *rep);

#endif
