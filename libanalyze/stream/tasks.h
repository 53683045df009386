/* SPDX-License-Identifier: MIT
 * The tasks of workers: an input, or a range of a large file. */
#ifndef TM_STREAM_TASKS_H
#define TM_STREAM_TASKS_H

#include "stream/drive.h"

/* Bytes of a chunk: ranges of a large file are made of them. */
extern const uint64_t tm_drive_chunk;

struct tm_task {
	size_t input;
	bool range; /* else the whole input */
	uint64_t begin, end;
	bool first, last; /* of the ranges of the input */
	bool pairs;       /* ranges are: see struct tm_reader */
	bool in_turn;     /* it begins where the one before it stopped: not before that is known */
};

/* The tasks of n inputs, in order, *count of them; to be freed by the caller.  An input that counts
 * elsewhere has none.  NULL when out of memory. */
struct tm_task *tm_tasks(const struct tm_drive *d, const struct tm_input *in, size_t n,
                         size_t *count);

/* What of a trace of an input counts: the origin of that number, a member of that path, or
 * (SIZE_MAX, NULL) all there is.  NULL = everything. */
const struct tm_pick *tm_pick_of(const struct tm_input *in, size_t origin, const char *path);

/* Does nothing of it count? */
bool tm_pick_nothing(const struct tm_pick *c);

/* What was chosen of a run holds for its files; c: NULL = all of this one as it is. */
void tm_pick_apply(struct tm_piece *p, const struct tm_pick *c);

/* Times that are shifted are on another clock than the trace says; and how that clock relates to
 * CLOCK_REALTIME another trace of the run may say. */
void tm_pick_clock(struct tm_piece *p);

#endif
