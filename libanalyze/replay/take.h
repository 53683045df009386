/* SPDX-License-Identifier: MIT
 * Takes the rows of a rank from the lists into which they were read: calls thread by thread,
 * operations lane by lane.  They are in order of time if each list is, as lent lists are. */
#ifndef REPLAY_TAKE_H
#define REPLAY_TAKE_H

#include "replay/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* Find its lanes and take its operations, each with its track instead of its lane; lane_at[track]
 * becomes that.  The lists are empty afterwards.  False when out of memory. */
bool tm_replay_take_ops(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows,
                        uint32_t *lane_at);

/* Find its threads and take its calls: those of HSA only where there are none of HIP, inside which
 * they lie.  The lists are empty afterwards.  False when out of memory. */
bool tm_replay_take_calls(struct tm_replay_rank *r, struct tm_replay_rank_rows *rows);

#endif
