/* SPDX-License-Identifier: MIT
 * A trace of kernels alone, on each agent one after the other: there is no graph to make.
 *
 * No call is known that launched one, so that at the likely level each kernel waits for the one
 * before it on its agent and for nothing else, as long after it as recorded.  What a scenario takes
 * from kernels it takes from the time of the agent; where every latency is the usual one, that is
 * the assumed one, for no kernel was seen to be late. */
#ifndef REPLAY_LINE_H
#define REPLAY_LINE_H

#include "replay/replay.h"

/* Are rows like that: of one rank, one lane of each agent, no collective of several? */
bool tm_replay_is_line(const struct tm_replay_rows *rows);

/* Fill in what a graph of them would say of itself, but for ranks, of which there are none. */
void tm_replay_line_begin(struct tm_replay *r);

/* As tm_replay_run, of such a one: at the likely level, without marks and paths. */
bool tm_replay_line_run(const struct tm_replay_job *j);

/* As tm_replay_kernels. */
void tm_replay_line_kernels(const struct tm_replay *r, tm_u128 *ns);

#endif
