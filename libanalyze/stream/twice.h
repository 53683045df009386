/* SPDX-License-Identifier: MIT
 * Report two runs that claim the same rank.  They may be one process that was traced twice, or two
 * processes, which cannot be determined. */
#ifndef TM_STREAM_TWICE_H
#define TM_STREAM_TWICE_H

#include "base/base.h"
#include "stream/drive.h"

/* The events of a rank in a run. */
struct tm_twice_rank {
	uint64_t rank;
	const char *run, *path; /* the path is that of the least of its files */
	unsigned kinds;         /* bits 1 << enum tm_ev_kind: dispatches, copies, statistics */
	bool by_hand;           /* the user said so */
};

/* {0} is a valid empty one. */
struct tm_twice {
	struct tm_names keys, paths; /* bytes of a rank and a run; the texts live there */
	struct tm_twice_rank *rank;  /* of each key */
	size_t rank_cap;
	struct tm_buf key;
};

/* The kinds of a batch, of those that matter here. */
unsigned tm_twice_kinds(const struct tm_batch *b);

/* Note that this piece had events of these kinds.  False when out of memory. */
bool tm_twice_note(struct tm_twice *t, const struct tm_piece *p, unsigned kinds);

/* Report duplicates in *rep, in an order that does not depend on that of the notes. */
void tm_twice_tell(struct tm_twice *t, struct tm_report *rep);

/* Free it; {0} again. */
void tm_twice_fini(struct tm_twice *t);

#endif
