/* SPDX-License-Identifier: MIT
 * What is gained where nobody waits for those that come late to collectives. */
#ifndef REPLAY_PROMPT_H
#define REPLAY_PROMPT_H

#include "replay/replay.h"

/* Of each rank the first of those that it meets in collectives, directly or through others; the
 * caller's to free.  NULL when out of memory. */
uint32_t *tm_replay_companies(const struct tm_replay *r);

/* When all are through whose last instants are out->last[at], and what that saves the company that
 * it saves most.  Those are late that gain less than half of the most that others of their company
 * do: they end earlier by no more than that, as out->last[at] says then. */
void tm_replay_prompt_end(const struct tm_replay *r, const uint32_t *company, size_t at,
                          struct tm_replay_result *out);

#endif
