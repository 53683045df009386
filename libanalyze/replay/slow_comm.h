/* SPDX-License-Identifier: MIT
 * Communicators that are slower than others like them. */
#ifndef REPLAY_SLOW_COMM_H
#define REPLAY_SLOW_COMM_H

#include "replay/replay.h"

/* Find the factor of each collective, once they are known.  False when out of memory. */
bool tm_replay_find_slow(struct tm_replay *r);

#endif
