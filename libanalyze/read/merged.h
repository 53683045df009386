/* SPDX-License-Identifier: MIT
 * Words of the Perfetto traces that tracemill writes itself (tracks/tracks.h), by which its reader
 * knows them again. */
#ifndef TM_READ_MERGED_H
#define TM_READ_MERGED_H

/* The description of the first track. */
#define TM_MERGED_MARK "tracemill 1"

/* The description of a process: this, where its number was made up to tell it from the others, else
 * nothing; then what follows, and the host it ran on, where that is known. */
#define TM_MERGED_NO_PID "made-up pid"
#define TM_MERGED_HOST   " on "

/* Categories of what is drawn beside the events begin with it. */
#define TM_MERGED_OWN "tm_"

/* Packets of the first rank are of this sequence, those of the next of the next; what is about the
 * job is in the one before. */
enum { TM_MERGED_FIRST_RANK = 2 };

/* Values that are, share their axis with this key. */
#define TM_MERGED_AXIS "tm_own"

#endif
