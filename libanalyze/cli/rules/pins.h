/* SPDX-License-Identifier: MIT
 * Findings as shown in a timeline of the run. */
#ifndef TM_CLI_PINS_H
#define TM_CLI_PINS_H

#include "cli/frame/frame.h"
#include "tracks/tracks.h"

#include <stdbool.h>

/* Read the operands of *c for what could be better, and put the worst of it into t->pin, its texts
 * to be freed; where all rules cannot be asked of such operands, nothing.  *why: the first input
 * that could not be read whole, if there is one.  False where there is no answer at all, which is
 * said. */
bool tm_findings_pin(const struct common *c, struct tm_tracks *t, struct tm_buf *why);

#endif
