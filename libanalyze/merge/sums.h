/* SPDX-License-Identifier: MIT
 * The sums of the events of an input, written to a database or read from another one. */
#ifndef TM_MERGE_SUMS_H
#define TM_MERGE_SUMS_H

#include "agg/agg.h"
#include "base/base.h"
#include "read/read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key: NAME id and COUNTER id + 1 (0 = none). */
enum word { W_NAME, W_DOMAIN, W_COUNTER, W_HAS_AGENT, W_AGENT, W_TIMED, WORDS };

struct tm_sum {
	struct tm_moments m;
	struct tm_quantile q;
	/* The sketch that another database has of it, as long as that is all: saved_n bytes, and q
	 * is empty; or 0 */
	size_t saved_n;
	unsigned char *saved;
};

/* By key; {0} with keys.words = WORDS is none. */
struct tm_sums {
	struct tm_groups keys;
	struct tm_sum *v; /* keys.n of them */
	size_t cap;
};

/* The sum of a key, {0} if new; its number in *number, if that is not NULL.  NULL when out of
 * memory. */
struct tm_sum *tm_sums_of(struct tm_sums *s, const uint64_t *key, uint32_t *number);

/* Values are to be added to it: what was saved becomes values.  False when out of memory. */
bool tm_sum_open(struct tm_sum *s);

/* Add all of *from, which has something else then, for tm_sum_fini.  False when out of memory. */
bool tm_sum_add(struct tm_sum *s, struct tm_sum *from);

/* What a database keeps of it, r->sketch in *sketch or in *s.  False when out of memory. */
bool tm_sum_rollup(const uint64_t *key, struct tm_sum *s, struct tm_buf *sketch,
                   struct tm_rollup *r);

/* Group numbers sorted by key, so that what is written does not depend on the order of reading.
 * The caller frees it; NULL when out of memory. */
uint32_t *tm_sums_order(struct tm_sums *s);

/* Free it; {0} again, and none. */
void tm_sum_fini(struct tm_sum *s);
void tm_sums_fini(struct tm_sums *s);

#endif
