/* SPDX-License-Identifier: MIT
 * Traces that an option names, for tools whose operands are something else. */
#ifndef TM_CLI_BESIDE_H
#define TM_CLI_BESIDE_H

#include "cli/frame/frame.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Read them into an accumulator that sink->init made, with their times as they were recorded.
 * TM_ST_OK; TM_ST_SKIP with *d: the command line is wrong; TM_ST_END: they do not agree, *rep says
 * where; TM_ST_FATAL when out of memory. */
enum tm_status tm_beside_read(const struct common *c, const struct option_list *paths,
                              tm_ev_set want, const struct tm_event_sink *sink, void *acc,
                              struct tm_report *rep, struct tm_diag *d);

#endif
