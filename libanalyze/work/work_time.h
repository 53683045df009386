/* SPDX-License-Identifier: MIT
 * A time in words. */
#ifndef TM_WORK_WORK_TIME_H
#define TM_WORK_WORK_TIME_H

#include "base/base.h"

#include <stdint.h>

/* tm_buf_ns. */
void tm_work_put_ns(struct tm_buf *b, uint64_t ns);

#endif
