/* SPDX-License-Identifier: MIT
 * On which hosts the ranks were. */
#ifndef TM_METRIC_HOMES_H
#define TM_METRIC_HOMES_H

#include "base/base.h"
#include "model/model.h"
#include "work/work.h"

#include <stdbool.h>
#include <stdint.h>

/* Note the host of a trace, where it says one: a text of eight bytes of the rank, most significant
 * first, and the host.  False when out of memory. */
bool tm_homes_add(struct tm_names *homes, const struct tm_trace_id *id);

/* Into *hosts, empty at first, those of the ranks that have a track; *unknown is how many of these
 * ranks did not say.  False when out of memory. */
bool tm_homes_find(const struct tm_names *homes, const struct tm_work *w, struct tm_names *hosts,
                   uint64_t *unknown);

#endif
