/* SPDX-License-Identifier: MIT
 * Traces that an option names, for tools whose operands are something else. */
#ifndef TM_CLI_BESIDE_H
#define TM_CLI_BESIDE_H

#include "cli/common.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* Read them into an accumulator that sink->init made, with their times as they were recorded.
 * ST_OK; ST_SKIP with *d: the command line is wrong; ST_END: they do not agree, *rep says where;
 * ST_FATAL when out of memory. */
enum status beside_read(const struct common *c, const struct option_list *paths, ev_set want,
                        const struct event_sink *sink, void *acc, struct report *rep,
                        struct diag *d);

#endif
