/* SPDX-License-Identifier: MIT
 * Calls of RCCL logs have no times: who asks for times is told once what such a log can give and
 * where times come from. */
#ifndef TM_STREAM_TIMELESS_H
#define TM_STREAM_TIMELESS_H

#include "stream/drive.h"

/* {0} is a valid empty one. */
struct timeless {
	uint64_t calls, logs;
	char *path; /* of the first log that was added */
};

/* The calls without times in a batch of this piece; 0 for other formats. */
uint64_t timeless_calls(const struct piece *p, const struct batch *b);

/* A piece had that many of them.  False when out of memory. */
bool timeless_add(struct timeless *t, const struct piece *p, uint64_t calls);

/* The note, into *rep, for who wants these columns: not for who joins calls to kernels by their
 * order or takes every column there is. */
void timeless_tell(const struct timeless *t, ev_set want, struct report *rep);

/* Free it; {0} again. */
void timeless_fini(struct timeless *t);

#endif
