/* SPDX-License-Identifier: MIT
 * Traces with only kernels, one after the other in each queue, which need no graph: no launching
 * call is known, and the totals at the likely level are found in a pass over the kernels.
 *
 * line.c: one queue of each agent.  Each kernel waits only for the one before it on its agent, with
 * the recorded distance.  What a scenario saves in kernels, it saves in the time of the agent; if
 * every latency is to be the usual one, that is the assumed one, since no kernel was seen to be
 * late.
 *
 * weave.c: several queues.  Where a kernel began much later than the one before it in its queue
 * lets it, it waited for the kernel of another queue of its GPU that ended last before it, if that
 * one ended later.  That is what the graph of such a trace says (replay/lanes.h, order.h), without
 * the memory and the time that it takes. */
#ifndef REPLAY_PLAIN_H
#define REPLAY_PLAIN_H

#include "replay/replay.h"

/* Are rows like the first: of one rank, one lane of each agent, no collective of several
 * agents? */
bool tm_replay_is_line(const struct tm_replay_rows *rows);

/* Fill in what a graph of them would say of itself, but for ranks, of which there are none. */
void tm_replay_line_begin(struct tm_replay *r);

/* As tm_replay_run, of such a one: at the likely level, without marks and paths. */
bool tm_replay_line_run(const struct tm_replay_job *j);

/* As tm_replay_kernels. */
void tm_replay_line_kernels(const struct tm_replay *r, tm_u128 *ns);

/* Of the rank, once its tracks are made: is it like the second?  Sends, receives and collectives of
 * several GPUs are not. */
bool tm_replay_can_weave(const struct tm_replay_rank *k);

/* Find out what each kernel waited for: r->weave.  False when out of memory. */
bool tm_replay_weave(struct tm_replay *r);
void tm_replay_weave_free(struct weave *w);

/* As tm_replay_line_run. */
bool tm_replay_weave_run(const struct tm_replay_job *j);

#endif
