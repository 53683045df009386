/* SPDX-License-Identifier: MIT
 * Findings as a picture of the run shows them. */
#ifndef TM_CLI_PINS_H
#define TM_CLI_PINS_H

#include "cli/frame/frame.h"
#include "tracks/tracks.h"

#include <stdbool.h>

/* Read the operands of *c for what could be better, and put the worst of it into t->pin, its texts
 * to be freed.  What cannot be read, or asked, is not said here, and gives no findings.  False when
 * out of memory. */
bool tm_findings_pin(const struct common *c, struct tm_tracks *t);

#endif
