/* SPDX-License-Identifier: MIT
 * Calls in RCCL logs have no times: questions about times report once what such a log contains and
 * where to get times. */
#ifndef TM_STREAM_TIMELESS_H
#define TM_STREAM_TIMELESS_H

#include "stream/drive.h"

/* {0} is a valid empty one. */
struct tm_timeless {
	uint64_t calls, logs;
	char *path; /* of the first log that was added */
};

/* Is the piece of such a format? */
bool tm_timeless_may(const struct tm_piece *p);

/* The calls without times in a batch of this piece; 0 for other formats. */
uint64_t tm_timeless_calls(const struct tm_piece *p, const struct tm_batch *b);

/* Count that many of them in a piece.  False when out of memory. */
bool tm_timeless_add(struct tm_timeless *t, const struct tm_piece *p, uint64_t calls);

/* Add the note to *rep for a question that wants these columns, unless it joins calls to kernels by
 * order or uses every column. */
void tm_timeless_tell(const struct tm_timeless *t, tm_ev_set want, struct tm_report *rep);

/* Free it; {0} again. */
void tm_timeless_fini(struct tm_timeless *t);

#endif
