/* SPDX-License-Identifier: MIT
 * The sums over all inputs of a database, of all ranks and agents, so that a question about all of
 * them need not add up a thousand ranks.  Computed anew from the rollups of each input that is
 * written, so it does not matter which files were merged before, and in which order.
 *
 * It is omitted if an answer may depend on more than sums: for one rank, if a rank has several
 * runs, with counters or rows of statistics; and with more names than TM_WHOLE_MOST, which bounds
 * its memory. */
#ifndef TM_MERGE_WHOLE_H
#define TM_MERGE_WHOLE_H

#include "merge/sums.h"

enum { TM_WHOLE_MOST = 4096 };

/* TM_WHOLE_NONE is that of no input. */
struct tm_whole {
	struct tm_sums sums;
	struct tm_groups ranks;
	uint32_t *run; /* of each of them: one of `runs` */
	size_t cap;
	struct tm_names runs;
	bool dropped;
};

#define TM_WHOLE_NONE                                                                              \
	(struct tm_whole)                                                                          \
	{                                                                                          \
		.sums = { .keys = { .words = WORDS } }, .ranks = {.words = 1 }                     \
	}

/* An input of that rank and run, whose sums follow.  False when out of memory. */
bool tm_whole_input(struct tm_whole *w, uint64_t rank, const char *run);

/* A sum of it with its key, all of which there is.  False when out of memory. */
bool tm_whole_add(struct tm_whole *w, const uint64_t *key, const struct tm_sum *s);

/* There is none, whatever is added. */
void tm_whole_drop(struct tm_whole *w);

/* What all inputs so far add up to, by keys without agents, in the order in which they came; NULL
 * if there is none.  It is still *w's. */
struct tm_sums *tm_whole_sums(struct tm_whole *w);

/* Free it; TM_WHOLE_NONE again. */
void tm_whole_fini(struct tm_whole *w);

#endif
