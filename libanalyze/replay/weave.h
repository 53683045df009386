/* SPDX-License-Identifier: MIT
 * A trace with only kernels of several queues, one after the other in each, which needs no graph.
 *
 * At the likely level a kernel waits for the one before it in its queue, with the recorded
 * distance; or, where it began much later than that lets it, for the kernel of another queue of its
 * GPU that ended last before it, if that one ended later.  That is what the graph of such a trace
 * says (replay/lanes.h, order.h), without the memory and the time that it takes. */
#ifndef REPLAY_WEAVE_H
#define REPLAY_WEAVE_H

#include "replay/replay.h"

/* Of the rank, once its tracks are made: is it like that?  Sends, receives and collectives of
 * several GPUs are not. */
bool tm_replay_can_weave(const struct tm_replay_rank *k);

/* Find out what each kernel waited for: r->weave.  False when out of memory. */
bool tm_replay_weave(struct tm_replay *r);
void tm_replay_weave_free(struct weave *w);

/* As tm_replay_run: at the likely level, without marks and paths. */
bool tm_replay_weave_run(const struct tm_replay_job *j);

#endif
