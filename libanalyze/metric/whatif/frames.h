/* SPDX-License-Identifier: MIT
 * What the host did between two calls. */
#ifndef METRIC_WHATIF_FRAMES_H
#define METRIC_WHATIF_FRAMES_H

#include "metric/whatif/parts.h"

/* Name the gaps of the host on the path by the innermost region, operator or function of Python
 * that was open in their middle: name[i] of piece i, a text of *texts; others stay.  False when out
 * of memory. */
bool tm_whatif_name_gaps(struct replay_acc *acc, const struct tm_replay *r,
                         const struct tm_replay_path *path, struct tm_names *texts, uint32_t *name);

#endif
