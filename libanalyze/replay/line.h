/* SPDX-License-Identifier: MIT
 * A trace with only kernels, one after the other on each agent, which needs no graph.
 *
 * No launching call is known, so at the likely level each kernel waits only for the one before it
 * on its agent, with the recorded distance.  What a scenario saves in kernels, it saves in the time
 * of the agent; if every latency is to be the usual one, that is the assumed one, since no kernel
 * was seen to be late. */
#ifndef REPLAY_LINE_H
#define REPLAY_LINE_H

#include "replay/replay.h"

/* Are rows like that: of one rank, one lane of each agent, no collective of several
 * agents? */
bool tm_replay_is_line(const struct tm_replay_rows *rows);

/* Fill in what a graph of them would say of itself, but for ranks, of which there are none. */
void tm_replay_line_begin(struct tm_replay *r);

/* As tm_replay_run, of such a one: at the likely level, without marks and paths. */
bool tm_replay_line_run(const struct tm_replay_job *j);

/* As tm_replay_kernels. */
void tm_replay_line_kernels(const struct tm_replay *r, tm_u128 *ns);

#endif
