/* SPDX-License-Identifier: MIT
 * Shared by tables of attributed work. */
#ifndef TM_METRIC_ATTRIBUTED_H
#define TM_METRIC_ATTRIBUTED_H

#include "base/base.h"
#include "model/model.h"

/* "(unattributed)", in place of a name; never NULL. */
extern const char tm_unattributed[];

/* A cell of it. */
struct tm_cell tm_unattributed_cell(void);

/* Append part / all, all > 0, in percent with two decimals, half up as tables have it; but 100.00
 * is said of all only. */
void tm_attributed_share(struct tm_buf *out, tm_u128 part, tm_u128 all);

#endif
