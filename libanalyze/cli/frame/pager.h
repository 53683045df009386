/* SPDX-License-Identifier: MIT
 * Output through the user's pager, as in git. */
#ifndef TM_CLI_PAGER_H
#define TM_CLI_PAGER_H

#include "base/base.h"

/* Show b[0..n) in $TRACEMILL_PAGER, else $PAGER, else less; wait until the user leaves it.  LESS
 * and LV are set where the user has not set them: colors pass, and what fits one screen is not
 * paged.  False: there is no such program, and nothing was shown; also with "cat" and "", which
 * mean none. */
bool tm_pager_put(const char *b, size_t n);

#endif
