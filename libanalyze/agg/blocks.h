/* SPDX-License-Identifier: MIT
 * Blocks of TM_INTERVAL_BLOCK intervals.
 *
 * For a large trace, page faults take a tenth of the time or more.  So once there are many blocks,
 * further ones are allocated from pages of 2 MiB, which are freed as soon as none of their blocks
 * is in use.  Small lists do not use them, since they would be rounded up to that size. */
#ifndef AGG_BLOCKS_H
#define AGG_BLOCKS_H

#include "agg/intervals.h"

/* A block, whose content is not known; NULL when out of memory.  Several threads may ask. */
struct tm_interval *tm_block_new(void);

/* Free it, whichever thread made it; NULL is nothing to free. */
void tm_block_free(struct tm_interval *block);

#endif
