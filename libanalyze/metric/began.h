/* SPDX-License-Identifier: MIT
 * The origin of a rank's times in text: the start of the first work of its GPUs. */
#ifndef TM_METRIC_BEGAN_H
#define TM_METRIC_BEGAN_H

#include "agg/agg.h"
#include "question/question.h"

/* Of each rank.  {0} but for the words of the ranks, 1; functions return false when out of
 * memory. */
struct tm_began {
	struct tm_groups ranks;
	struct tm_begin {
		uint64_t rank, at;
	} * v; /* of each */
	size_t cap;
};

/* Other events than kernels and copies are passed over. */
bool tm_began_take(struct tm_began *m, uint64_t rank, const struct tm_batch *b);
bool tm_began_merge(struct tm_began *m, const struct tm_began *from);

/* Tell the table.  Nothing is taken in after this. */
bool tm_began_put(struct tm_began *m, struct tm_table *t);
void tm_began_fini(struct tm_began *m);

#endif
