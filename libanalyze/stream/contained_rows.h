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

/* Say of each of n pairs whether they are other kernels.  Of what cannot be read again it is not
 * known.  False when out of memory. */
bool tm_contained_compare(const struct tm_contained *c, struct tm_contained_pair *v, size_t n,
                          const struct tm_drive *d, const struct tm_input *in, size_t nin);

#endif
