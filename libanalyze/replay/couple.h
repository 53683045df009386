/* SPDX-License-Identifier: MIT
 * Finds the operations of different ranks that are one collective. */
#ifndef REPLAY_COUPLE_H
#define REPLAY_COUPLE_H

#include "replay/replay.h"

/* Find them, once ranks are in order; operations know their groups.  False when out of memory. */
bool tm_replay_couple(struct tm_replay *r);

/* Where the operations of each begin, once instants are in order.  False when out of memory. */
bool tm_replay_place_members(struct tm_replay *r);

#endif
