/* SPDX-License-Identifier: MIT
 * Blocks of TM_INTERVAL_BLOCK intervals.
 *
 * Of what a large trace costs a tenth and more is the kernel giving memory page by page.  So once
 * many blocks are there, more of them are cut from pages of 2 MiB, which are given back as soon as
 * none of their blocks is in use.  What is small does without, for it would be rounded up to that.
 */
#ifndef AGG_BLOCKS_H
#define AGG_BLOCKS_H

#include "agg/intervals.h"

/* A block, whose content is not known; NULL when out of memory.  Several threads may ask. */
struct tm_interval *tm_block_new(void);

/* Free it, whichever thread made it; NULL is nothing to free. */
void tm_block_free(struct tm_interval *block);

#endif
