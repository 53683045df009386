/* SPDX-License-Identifier: MIT
 * The hosts of the ranks. */
#ifndef TM_METRIC_HOMES_H
#define TM_METRIC_HOMES_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Note the host of a trace, where it says one: a text of eight bytes of the rank, most significant
 * first, and the host.  False when out of memory. */
bool tm_homes_add(struct tm_names *homes, const struct tm_trace_id *id);

/* The same of a rank and its host; and the host of the i-th, len bytes. */
bool tm_homes_put(struct tm_names *homes, uint64_t rank, const char *host, size_t len);
const char *tm_homes_host(const struct tm_names *homes, uint32_t i, size_t *len);

/* Do both ranks say on which hosts they are, and none is that of the other? */
bool tm_homes_apart(const struct tm_names *homes, uint64_t a, uint64_t b);

/* Into *hosts, empty at first, those of n ranks, which ascend and may repeat; *unknown is how many
 * of these ranks did not say.  False when out of memory. */
bool tm_homes_find(const struct tm_names *homes, const uint64_t *ranks, size_t n,
                   struct tm_names *hosts, uint64_t *unknown);

#endif
